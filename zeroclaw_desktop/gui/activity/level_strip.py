"""Levels of pins over time as a logic analyser draws them: one lane for each pin, one time axis for all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.activity.words import duration_text, level_word, pin_name
from zeroclaw_desktop.gui.theme import space, theme

Trace = tuple[int, tuple[tuple[float, int], ...], float | None]
"""(pin, ((seconds, level), ...) of each change, PWM duty at the end or None); see ``TrialView.traces``."""
_STEPS = (1.0, 2.0, 5.0)
_MOST_TICKS = 6
_LEAST_STEP = 0.25
"""Logical pixels; changes nearer than this to the last one drawn are left out."""
_TAIL = 1.06
"""The last level is drawn on for this share of the time, so that it can be seen."""


def tick_step(seconds: float) -> float:
    """Return the distance of the ticks of an axis in seconds: 1, 2 or 5 times a power of ten."""
    if seconds <= 0:
        return 1.0
    power = 1e-6
    while True:
        for step in _STEPS:
            if seconds / (step * power) <= _MOST_TICKS:
                return step * power
        power *= 10


class LevelStrip(QWidget):
    """Shows traces; it draws itself."""

    def __init__(self) -> None:
        super().__init__()
        self._traces: tuple[Trace, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().theme_changed.connect(self._redress)

    def set_traces(self, traces: Sequence[Trace]) -> None:
        """Show these pins; nothing is shown for none."""
        self._traces = tuple(traces)
        self.setVisible(bool(self._traces))
        self._name()
        self._redress()

    def traces(self) -> tuple[Trace, ...]:
        """Return what is shown."""
        return self._traces

    def seconds(self) -> float:
        """Return the time of the last change."""
        return max((levels[-1][0] for _, levels, _ in self._traces if levels), default=0.0)

    def sizeHint(self) -> QSize:
        """One lane for each pin and the axis."""
        return QSize(space(100), round(len(self._traces) * self._lane() + self._axis_height()))

    def minimumSizeHint(self) -> QSize:
        """Narrower, as high."""
        return QSize(space(50), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axis and lanes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self._area()
        self._draw_axis(painter, area)
        for number, trace in enumerate(self._traces):
            self._draw_lane(painter, area, number, trace)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
            self._redress()
        super().changeEvent(event)

    def polyline(self, number: int) -> QPolygonF:
        """Return the line of a lane in logical pixels; before the first change stands its opposite level."""
        _, levels, _ = self._traces[number]
        area = self._area()
        high, low = self._heights(number)
        line = QPolygonF()
        level = 1 - levels[0][1] if levels else 0
        line.append(QPointF(area.left(), high if level else low))
        drawn, left_out = -1.0, False
        for seconds, after in levels:
            x = self._x(area, seconds)
            if x - drawn < _LEAST_STEP:
                # PWM changes far more often than there are pixels; a few lines in each column fill it.
                level, left_out = after, True
                continue
            if left_out:
                line.append(QPointF(drawn, high if level else low))
            line.append(QPointF(x, high if level else low))
            line.append(QPointF(x, high if after else low))
            level, drawn, left_out = after, x, False
        if left_out:
            line.append(QPointF(drawn, high if level else low))
        line.append(QPointF(area.right(), high if level else low))
        return line

    # inside

    def _lane(self) -> int:
        return space(8)

    def _axis_height(self) -> int:
        return QFontMetrics(theme().font("caption")).height() + space(2)

    def _area(self) -> QRectF:
        """Return where lines are drawn: names at the left, end values at the right."""
        metrics = QFontMetrics(theme().font("mono_small"))
        names = max((metrics.horizontalAdvance(self._lane_name(trace)) for trace in self._traces), default=0)
        ends = max((metrics.horizontalAdvance(_end_text(trace)) for trace in self._traces), default=0)
        left, right = names + space(3), ends + space(3)
        height = len(self._traces) * self._lane()
        return QRectF(left, 0, max(1, self.width() - left - right), height)

    def _heights(self, number: int) -> tuple[float, float]:
        top = number * self._lane()
        return top + space(2), top + self._lane() - space(2)

    def _x(self, area: QRectF, seconds: float) -> float:
        whole = self.seconds() * _TAIL
        # The first change is the zero of the clock; a little room lets the level before it be seen.
        lead = space(3)
        return area.left() + lead + (seconds / whole * (area.width() - lead) if whole else 0.0)

    def _draw_axis(self, painter: QPainter, area: QRectF) -> None:
        whole, step = self.seconds(), tick_step(self.seconds())
        painter.setFont(theme().font("caption"))
        count = int(whole / step + 1e-9) + 1 if whole else 1
        for number in range(count):
            x = self._x(area, number * step)
            painter.setPen(QPen(theme().color("hairline"), 1))
            painter.drawLine(QPointF(x, area.top() + space(1)), QPointF(x, area.bottom() + space(0.5)))
            painter.setPen(theme().color("text_muted"))
            text = "0" if not number else duration_text(number * step * 1000)
            place = QRectF(x - space(15), area.bottom() + space(1), space(30), self._axis_height())
            painter.drawText(place, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), text)

    def _draw_lane(self, painter: QPainter, area: QRectF, number: int, trace: Trace) -> None:
        _, _, duty = trace
        high, low = self._heights(number)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(theme().font("mono_small"))
        painter.setPen(theme().color("text"))
        painter.drawText(QRectF(0, high, area.left(), low - high), middle, self._lane_name(trace))
        painter.setPen(QPen(theme().color("hairline"), 1))
        painter.drawLine(QPointF(area.left(), low), QPointF(area.right(), low))
        line = self.polyline(number)
        self._fill_high(painter, line, low)
        pen = QPen(theme().color("simulated"), 1.5)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(line)
        painter.setPen(theme().color("simulated_ink" if duty is not None else "text_muted"))
        place = QRectF(area.right() + space(2), high, self.width() - area.right(), low - high)
        painter.drawText(place, middle, _end_text(trace))

    def _fill_high(self, painter: QPainter, line: QPolygonF, low: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("simulated_soft"))
        for at in range(line.count() - 1):
            start, end = line.at(at), line.at(at + 1)
            if start.y() == end.y() and start.y() < low:
                painter.drawRect(QRectF(start.x(), start.y(), end.x() - start.x(), low - start.y()))

    def _lane_name(self, trace: Trace) -> str:
        return self.tr("Pin {0}").format(pin_name(trace[0]))

    def _name(self) -> None:
        self.setAccessibleName(self.tr("Levels of the pins in the trial"))
        told = self.tr("{0}: {1} changes, at the end {2}")
        self.setAccessibleDescription(
            "; ".join(
                told.format(self._lane_name(trace), len(trace[1]), _end_text(trace)) for trace in self._traces
            )
        )

    def _redress(self) -> None:
        self.updateGeometry()
        self.update()


def _end_text(trace: Trace) -> str:
    _, levels, duty = trace
    if duty is not None:
        return f"PWM {duty * 100:.0f} %"
    return level_word(levels[-1][1] if levels else None)
