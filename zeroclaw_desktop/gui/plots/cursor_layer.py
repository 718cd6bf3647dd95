"""Draws the two cursors and lets the hand move them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from zeroclaw_desktop.gui.plots.cursors import A, B, CursorPair
from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.layers import near
from zeroclaw_desktop.gui.plots.ticks import duration_text
from zeroclaw_desktop.gui.theme import space, theme

_NAMES = {A: "A", B: "B"}


class _CursorGrip:
    """One of the cursors in the hand."""

    shape = Qt.CursorShape.SizeHorCursor

    def __init__(self, pair: CursorPair, which: int, moved: Callable[[], None]) -> None:
        self._pair = pair
        self._which = which
        self._moved = moved

    def move(self, at: QPointF, axis: TimeAxis) -> None:
        """Follow the hand, inside of what is visible."""
        self._pair.times(axis)
        self._pair.put(self._which, min(max(axis.moment(at.x()), axis.start), axis.end))
        self._moved()

    def drop(self) -> None:
        """Stay."""


class CursorLayer:
    """Two upright lines with their letters; what is between them is tinted.

    Args:
        pair: where they are.
        moved: called after the hand moved one.
    """

    def __init__(self, pair: CursorPair, moved: Callable[[], None]) -> None:
        self._pair = pair
        self._moved = moved

    def paint(self, painter: QPainter, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect) -> None:
        """Draw both, and the time between them."""
        if not self._pair.shown:
            return
        places = [axis.x(moment) for moment in self._pair.times(axis)]
        left, right = float(axis.left), float(axis.left + axis.width)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        low, high = (min(max(place, left), right) for place in (min(places), max(places)))
        veil = theme().color("accent")
        veil.setAlphaF(0.06)
        painter.fillRect(QRectF(low, lane.top(), high - low, lane.height()), veil)
        ink = theme().color("accent_ink")
        pen = QPen(ink, 1)
        pen.setCosmetic(True)
        painter.setFont(theme().font("label"))
        for which, place in enumerate(places):
            if left <= place <= right:
                painter.setPen(pen)
                painter.drawLine(round(place), lane.top(), round(place), lane.bottom())
                self._paint_letter(painter, place, lane, which)
        self._paint_distance(painter, low, high, lane, axis)

    def grip_at(self, at: QPointF, frames: Sequence[PanelFrame], axis: TimeAxis) -> _CursorGrip | None:
        """Return the cursor near a point; of two at one place the one that can still move away."""
        if not self._pair.shown:
            return None
        distances = [abs(axis.x(moment) - at.x()) for moment in self._pair.times(axis)]
        which = A if distances[A] < distances[B] else B
        return _CursorGrip(self._pair, which, self._moved) if near(distances[which]) else None

    @staticmethod
    def _paint_letter(painter: QPainter, place: float, lane: QRect, which: int) -> None:
        edge = painter.fontMetrics().height()
        box = QRectF(round(place) - edge / 2, lane.bottom() - edge - space(1), edge, edge)
        painter.fillRect(box, theme().color("accent_ink"))
        painter.setPen(theme().color("surface"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), _NAMES[which])

    def _paint_distance(
        self, painter: QPainter, low: float, high: float, lane: QRect, axis: TimeAxis
    ) -> None:
        first, second = self._pair.times(axis)
        text = f"Δ {duration_text(abs(second - first))}"
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(text) + space(2)
        if high - low < width + 2 * metrics.height():
            return
        box = QRectF(
            (low + high - width) / 2, lane.bottom() - metrics.height() - space(1), width, metrics.height()
        )
        painter.fillRect(box, theme().color("surface"))
        painter.setPen(theme().color("accent_ink"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
