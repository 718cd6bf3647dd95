"""The small live plot of the bench: one line for each series, its newest value in mono digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
    from zeroclaw_desktop.bridge.views import SeriesView

FRESH_S = 4.0
"""A series that has brought nothing for so many seconds belongs to firmware that no longer runs."""
IDLE_FRAMES = 10
"""Frames without any sample after which it is looked whether a series has fallen silent."""
SPAN_S = 15.0
"""Seconds that the small plot shows."""
FRAME_MS = 100
_COLUMNS = 120
_MOST_SERIES = 2
_PREFERRED = ("a0", "a1")


def by_preference(series: Sequence[SeriesView]) -> list[SeriesView]:
    """Return the series in the order in which they are worth showing: a0 and a1 first, then the newest."""
    preferred = [one for one in series if one.label.lower() in _PREFERRED]
    return preferred + [one for one in reversed(series) if one not in preferred]


class Sparkline(QWidget):
    """One line without axes."""

    def __init__(self, color_index: int) -> None:
        super().__init__()
        self._color_index = color_index
        self._points: list[tuple[float, float, float]] = []
        self._span = (0.0, 1.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_points(self, points: list[tuple[float, float, float]], start: float, end: float) -> None:
        """Show columns.

        Args:
            points: (time in s, least, most) for each column, times rising.
            start, end: times at the left and the right edge in s.
        """
        self._points, self._span = points, (start, end)
        self.update()

    def points(self) -> list[tuple[float, float, float]]:
        """Return what is drawn."""
        return self._points

    def sizeHint(self) -> QSize:
        """Ask for a low strip."""
        return QSize(space(30), space(9))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground line and signal."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, space(1), -space(1), -space(1))
        painter.setPen(QPen(theme().color("hairline"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        if self._points:
            self._draw_signal(painter, area)
        painter.end()

    def _draw_signal(self, painter: QPainter, area: QRectF) -> None:
        start, end = self._span
        least = min(low for _, low, _ in self._points)
        most = max(high for _, _, high in self._points)
        room = most - least

        def place(time: float, value: float) -> QPointF:
            share = (value - least) / room if room else 0.5
            across = (time - start) / (end - start) if end > start else 0.0
            return QPointF(area.left() + across * area.width(), area.bottom() - share * area.height())

        color = theme().series_color(self._color_index)
        line = QPolygonF()
        for time, low, high in self._points:
            line.append(place(time, low))
            if high != low:
                line.append(place(time, high))
        pen = QPen(color, 1.5)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.drawPolyline(line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(line.last(), space(0.75), space(0.75))


class _SeriesRow(QWidget):
    def __init__(self, color_index: int) -> None:
        super().__init__()
        self.label = Text(role="mono_small", tone="muted")
        self.line = Sparkline(color_index)
        self.value = Text(role="mono")
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setMinimumWidth(space(8))
        self.value.setMinimumWidth(space(18))
        line = row(self.label, self.line, self.value, gap=2, parent=self)
        line.setStretch(1, 1)

    def show_value(self, series: SeriesView) -> None:
        """Show name and newest value."""
        self.label.setText(series.label)
        number = "" if series.last is None else f"{series.last:.4g}"
        self.value.setText(f"{number} {series.unit}".strip())


class SparkPanel(QWidget):
    """Up to two small plots that follow the telemetry while they can be seen.

    Args:
        plots: bridge object.
    """

    opened = Signal()
    """The person wants the big plot."""

    def __init__(self, plots: PlotsBridge) -> None:
        super().__init__()
        self._plots = plots
        self._generation: int | None = None
        self._idle_frames = 0
        self.open_button = Button("", "ghost", "plots", compact=True)
        self.open_button.clicked.connect(self.opened)
        self._head = SectionHeader("", self.open_button)
        self.start_button = Button("", "secondary", "play", compact=True)
        self.start_button.clicked.connect(plots.start_demo_signals)
        self.rows = [_SeriesRow(0), _SeriesRow(1)]
        column(self._head, *self.rows, row(self.start_button, None), gap=1, parent=self)
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._follow)
        plots.series_changed.connect(self.refresh)
        self._retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Take over series and their newest columns."""
        end = self._plots.now()
        chosen = self._fresh(end)
        for number, line in enumerate(self.rows):
            line.setVisible(number < len(chosen))
            if number < len(chosen):
                view, points = chosen[number]
                line.show_value(view)
                line.line.set_points(points, end - SPAN_S, end)
        self.start_button.setVisible(not chosen)
        self.open_button.setVisible(bool(chosen))

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the telemetry."""
        super().showEvent(event)
        self.refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks."""
        super().hideEvent(event)
        self._timer.stop()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the big plot."""
        self.opened.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _follow(self) -> None:
        generation = self._plots.generation()
        self._idle_frames += 1
        if generation != self._generation or self._idle_frames >= IDLE_FRAMES:
            self._generation, self._idle_frames = generation, 0
            self.refresh()

    def _fresh(self, end: float) -> list[tuple[SeriesView, list[tuple[float, float, float]]]]:
        """Return the series to show and their columns; those that have fallen silent are left out."""
        found = []
        for view in by_preference(self._plots.series()):
            points = self._columns(view, end)
            if points and points[-1][0] >= end - FRESH_S:
                found.append((view, points))
            if len(found) == _MOST_SERIES:
                break
        return found

    def _columns(self, series: SeriesView, end: float) -> list[tuple[float, float, float]]:
        times, low, high = self._plots.columns(series.source_id, series.label, end - SPAN_S, end, _COLUMNS)
        found = zip(times.tolist(), low.tolist(), high.tolist(), strict=True)
        return [(t, least, most) for t, least, most in found if least == least and most == most]

    def _retranslate(self) -> None:
        self._head.set_text(self.tr("Signals"))
        self.open_button.setText(self.tr("Open plots"))
        self.start_button.setText(self.tr("Plot A0 and A1"))
        self.start_button.setToolTip(self.tr("Let the board send its analog inputs A0 and A1"))
