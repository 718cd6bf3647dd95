"""The life of a task on a line drawn to scale: each transition with its shape, its word and its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from zeroclaw_desktop.gui.activity.words import SHAPES, duration_text, moment_text, step_word
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.badges import draw_shape

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TransitionView

ENDS = ("COMPLETED", "FAILED", "CANCELLED", "INTERRUPTED")
_SPANS = {"PENDING": "hairline_strong", "VALIDATED": "warn", "RUNNING": "accent"}
"""Colour of the time after a transition: being checked, waiting for a resource, running."""


_LEAST_OPEN_MS = 1.0
"""Length of a line whose end nobody knows, when nothing else is known either."""


class TimeLine(QWidget):
    """Shows ``TransitionView`` rows; it draws itself."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: tuple[TransitionView, ...] = ()
        self._now_ms: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().theme_changed.connect(self._redress)

    def set_steps(self, steps: Sequence[TransitionView], now_ms: float | None = None) -> None:
        """Show these steps.

        Args:
            steps: in order.
            now_ms: milliseconds since the first step of a task that has not ended; None for one that has.
        """
        if (tuple(steps), now_ms) != (self._steps, self._now_ms):
            self._steps, self._now_ms = tuple(steps), now_ms
            self._name()
            self.update()

    def steps(self) -> tuple[TransitionView, ...]:
        """Return what is shown."""
        return self._steps

    def span_ms(self) -> float:
        """Return the time from the left to the right end in milliseconds.

        A last step whose time nobody knows stands at the right end, as far from the others as these are long.
        """
        last = self._steps[-1].since_start_ms if self._steps else 0.0
        if self._steps and not self._steps[-1].timed:
            return max(2 * last, _LEAST_OPEN_MS)
        return max(last, self._now_ms or 0.0)

    def marks(self) -> list[float]:
        """Return the place of each step in logical pixels from the left; equal times give equal places."""
        left, width = self._bar()
        span = self.span_ms()
        share = width / span if span else 0.0
        return [left + (step.since_start_ms * share if step.timed else width) for step in self._steps]

    def sizeHint(self) -> QSize:
        """Bar, shapes and two lines of text."""
        return QSize(space(100), self._text_top() + self._line_height() * 2 + space(0.5))

    def minimumSizeHint(self) -> QSize:
        """Narrower, as high."""
        return QSize(space(60), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw spans to scale, shapes on them, leaders to the texts."""
        if not self._steps:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marks = self.marks()
        self._draw_spans(painter, marks)
        self._draw_texts(painter, marks)
        for step, x in zip(self._steps, marks, strict=True):
            shape, ink = SHAPES[step.state.lower()]
            center = QPointF(x, self._middle())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().color("surface"))
            painter.drawEllipse(center, space(1.75), space(1.75))
            draw_shape(painter, center, space(1.1), shape, theme().color(ink))
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tell wall time and note of the step under the pointer in a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(event.pos().x(), on_bar=event.pos().y() < self._middle() + space(3))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def tip_at(self, x: float, *, on_bar: bool) -> str:
        """Return what a tooltip says: state, wall time, note of the nearest mark or text."""
        if not self._steps:
            return ""
        marks = self.marks()
        middles = marks if on_bar else [(start + end) / 2 for start, end in self._text_places(marks)]
        nearest = min(range(len(middles)), key=lambda at: abs(middles[at] - x))
        step = self._steps[nearest]
        milliseconds = round(step.at * 1000) % 1000
        at = f"{moment_text(step.at)}.{milliseconds:03d}"
        when = at if step.timed else self.tr("time not known; found out {0}").format(moment_text(step.at))
        parts = (step.state, when, step.note)
        return "  ·  ".join(part for part in parts if part)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
            self.update()
        super().changeEvent(event)

    # inside

    def _bar(self) -> tuple[float, float]:
        """Return left end and width of the bar."""
        margin = space(2)
        return float(margin), float(max(1, self.width() - 2 * margin))

    def _middle(self) -> float:
        return space(3)

    def _text_top(self) -> int:
        return space(9)

    def _line_height(self) -> int:
        return QFontMetrics(theme().font("caption")).height()

    def _draw_spans(self, painter: QPainter, marks: list[float]) -> None:
        left, width = self._bar()
        ends = [*marks[1:], left + width]
        open_ended = bool(self._steps) and not self._steps[-1].timed
        for place, (step, start, end) in enumerate(zip(self._steps, marks, ends, strict=True)):
            role = _SPANS.get(step.state)
            if role is None:
                continue
            pen = QPen(theme().color(role), space(1))
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            if step.state == "VALIDATED" or (open_ended and place == len(marks) - 2):
                # Waiting is told by a broken line too, not by colour alone; so is what nobody knows.
                pen.setDashPattern([1.5, 1.0])
            painter.setPen(pen)
            painter.drawLine(QPointF(start, self._middle()), QPointF(end, self._middle()))

    def _labels(self) -> list[tuple[str, str]]:
        return [
            (step_word(step.state), _moment(step.since_start_ms) if step.timed else "?")
            for step in self._steps
        ]

    def _text_places(self, marks: list[float]) -> list[tuple[float, float]]:
        """Return left and right end of each text: under its mark, pushed aside by its neighbours."""
        words, digits = QFontMetrics(theme().font("label")), QFontMetrics(theme().font("mono_small"))
        widths = [
            max(words.horizontalAdvance(word) + space(4), digits.horizontalAdvance(moment)) + space(1)
            for word, moment in self._labels()
        ]
        gap, edge = space(3), 0.0
        starts: list[float] = []
        for x, width in zip(marks, widths, strict=True):
            starts.append(max(edge, x - width / 2))
            edge = starts[-1] + width + gap
        edge = float(self.width())
        for at in reversed(range(len(starts))):
            starts[at] = max(0.0, min(starts[at], edge - widths[at]))
            edge = starts[at] - gap
        return [(start, start + width) for start, width in zip(starts, widths, strict=True)]

    def _draw_texts(self, painter: QPainter, marks: list[float]) -> None:
        top, height = self._text_top(), self._line_height()
        centre = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        aside = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        metrics = QFontMetrics(theme().font("label"))
        for step, (word, moment), x, (start, end) in zip(
            self._steps, self._labels(), marks, self._text_places(marks), strict=True
        ):
            middle = (start + end) / 2
            shape, ink = SHAPES[step.state.lower()]
            head = metrics.horizontalAdvance(word) + space(4)
            left = middle - head / 2
            draw_shape(
                painter, QPointF(left + space(1), top + height / 2), space(1), shape, theme().color(ink)
            )
            painter.setPen(QPen(theme().color("hairline_strong"), 1))
            painter.drawLine(QPointF(x, self._middle() + space(2)), QPointF(middle, top - space(0.5)))
            painter.setFont(theme().font("label"))
            painter.setPen(theme().color("text"))
            painter.drawText(QRectF(left + space(4), top, head, height), aside, word)
            painter.setFont(theme().font("mono_small"))
            painter.setPen(theme().color("text_muted"))
            painter.drawText(QRectF(start, top + height, end - start, height), centre, moment)

    def _name(self) -> None:
        told = [f"{word} {moment}" for word, moment in self._labels()]
        self.setAccessibleName(self.tr("Steps of the task"))
        self.setAccessibleDescription(", ".join(told))

    def _redress(self) -> None:
        self.updateGeometry()
        self.update()


def _moment(milliseconds: float) -> str:
    return "0 ms" if milliseconds <= 0 else duration_text(milliseconds)
