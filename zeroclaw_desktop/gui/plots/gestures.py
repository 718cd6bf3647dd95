"""What the mouse does on the plot: drag to pan, box or axis to zoom, wheel to zoom where the pointer is."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis

_NOTCH = 120
_ZOOM_PER_NOTCH = 0.8
_LEAST_BOX = 6
_NONE, _PAN, _PAN_VALUES, _BOX = range(4)


class GestureTarget(Protocol):
    """The view that gestures change; see ``PlotCanvas`` for what each method does."""

    def axis(self) -> TimeAxis:
        """Return the time axis that is shown."""

    def panel_at(self, at: QPointF) -> PanelFrame | None:
        """Return the panel at a point."""

    def pan(self, seconds: float) -> None:
        """Move the view in time."""

    def zoom(self, factor: float, anchor_s: float | None = None) -> None:
        """Show ``factor`` times as much time."""

    def pan_values(self, frame: PanelFrame, pixels: float) -> None:
        """Move a panel's values."""

    def zoom_values(self, frame: PanelFrame, factor: float, y: float) -> None:
        """Show ``factor`` times as many values."""

    def zoom_to_box(self, box: QRectF, frame: PanelFrame) -> None:
        """Show what lies in a box."""


class PlotGestures:
    """Holds a drag from press to release.

    Args:
        canvas: whose view the gestures change.
    """

    def __init__(self, canvas: GestureTarget) -> None:
        self._canvas = canvas
        self._kind = _NONE
        self._start = QPointF()
        self._last = QPointF()
        self._panel: PanelFrame | None = None
        self.moved = False

    def press(self, event: QMouseEvent) -> None:
        """Begin: left drags the time (or, on the value axis, the values), Shift or right draws a box."""
        self._start = self._last = event.position()
        self._panel = self._canvas.panel_at(self._start)
        self.moved = False
        wants_box = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.RightButton or wants_box:
            self._kind = _BOX
        elif event.button() == Qt.MouseButton.LeftButton:
            on_axis = self._start.x() < self._canvas.axis().left
            self._kind = _PAN_VALUES if on_axis else _PAN

    def move(self, event: QMouseEvent) -> None:
        """Go on with a drag."""
        at = event.position()
        if (at - self._start).manhattanLength() > _LEAST_BOX:
            self.moved = True
        if not self.moved:
            return
        delta = at - self._last
        self._last = at
        if self._kind == _PAN:
            axis = self._canvas.axis()
            self._canvas.pan(-delta.x() / max(1, axis.width) * (axis.end - axis.start))
        elif self._kind == _PAN_VALUES and self._panel is not None:
            self._canvas.pan_values(self._panel, delta.y())

    def release(self, event: QMouseEvent) -> bool:
        """End; returns whether it was a drag (so that a plain right click may open the menu)."""
        box = self.box()
        if box is not None and self._panel is not None:
            self._canvas.zoom_to_box(box, self._panel)
        self._kind = _NONE
        return self.moved

    def dragging(self) -> bool:
        """Return whether the hand holds the plot."""
        return self._kind in (_PAN, _PAN_VALUES)

    def box(self) -> QRectF | None:
        """Return the box that is being drawn, None when there is none worth zooming to."""
        if self._kind != _BOX or not self.moved:
            return None
        return QRectF(self._start, self._last).normalized()

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom the time at the pointer; the values with Ctrl or on their axis; pan with Shift or sideways."""
        notches = event.angleDelta().y() / _NOTCH
        sideways = event.angleDelta().x() / _NOTCH
        axis = self._canvas.axis()
        at = event.position()
        panel = self._canvas.panel_at(at)
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ShiftModifier or abs(sideways) > abs(notches):
            self._canvas.pan(-(sideways or notches) * 0.1 * (axis.end - axis.start))
        elif panel is not None and (modifiers & Qt.KeyboardModifier.ControlModifier or at.x() < axis.left):
            self._canvas.zoom_values(panel, _ZOOM_PER_NOTCH**notches, at.y())
        else:
            self._canvas.zoom(_ZOOM_PER_NOTCH**notches, axis.moment(at.x()))
