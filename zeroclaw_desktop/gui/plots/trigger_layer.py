"""Draws the level that triggers and the moment that did, and lets the hand move the level."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.layers import frame_of, near
from zeroclaw_desktop.gui.plots.trigger_control import TriggerControl
from zeroclaw_desktop.gui.theme import space, theme


class _LevelGrip:
    """The level in the hand."""

    shape = Qt.CursorShape.SizeVerCursor

    def __init__(self, frame: PanelFrame, moved: Callable[[float], None]) -> None:
        self._frame = frame
        self._moved = moved

    def move(self, at: QPointF, axis: TimeAxis) -> None:
        """Follow the hand inside the panel."""
        area = self._frame.area
        self._moved(self._frame.value(min(max(at.y(), area.top()), area.bottom())))

    def drop(self) -> None:
        """Stay."""


class TriggerLayer:
    """A dotted line at the level and at the moment, each with a T.

    Args:
        control: the trigger.
        moved: called with the level that the hand chose.
    """

    def __init__(self, control: TriggerControl, moved: Callable[[float], None]) -> None:
        self._control = control
        self._moved = moved

    def paint(self, painter: QPainter, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect) -> None:
        """Draw the level in the panel of its series, the moment through all panels."""
        control = self._control
        if not control.on or control.choice.series_id is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        pen = QPen(theme().color("simulated_ink"), 1, Qt.PenStyle.DotLine)
        pen.setCosmetic(True)
        painter.setFont(theme().font("label"))
        frame = frame_of(frames, control.choice.series_id)
        if frame is not None and frame.range.low <= control.choice.level <= frame.range.high:
            y = round(frame.y(control.choice.level))
            painter.setPen(pen)
            painter.drawLine(frame.area.left(), y, frame.area.right(), y)
            self._paint_letter(painter, QPointF(frame.area.left(), y))
        if control.fired_at is not None and axis.start <= control.fired_at <= axis.end:
            x = round(axis.x(control.fired_at))
            painter.setPen(pen)
            painter.drawLine(x, lane.top(), x, lane.bottom())

    def grip_at(self, at: QPointF, frames: Sequence[PanelFrame], axis: TimeAxis) -> _LevelGrip | None:
        """Return the level when its line is near a point."""
        control = self._control
        if not control.on or control.choice.series_id is None:
            return None
        frame = frame_of(frames, control.choice.series_id)
        if frame is None or not frame.area.contains(at.toPoint()):
            return None
        return _LevelGrip(frame, self._moved) if near(frame.y(control.choice.level) - at.y()) else None

    @staticmethod
    def _paint_letter(painter: QPainter, at: QPointF) -> None:
        edge = painter.fontMetrics().height()
        box = QRectF(at.x() + space(0.5), at.y() - edge / 2, edge, edge)
        painter.fillRect(box, theme().color("simulated_ink"))
        painter.setPen(theme().color("surface"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), "T")
