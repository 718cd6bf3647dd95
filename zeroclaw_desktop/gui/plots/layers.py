"""What may lie on the plot and be taken by the hand: cursors, limits, the trigger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter

from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.theme import space

GRAB_DISTANCE = 1.5
"""Grid steps within which a press takes a line."""


class Grip(Protocol):
    """Something that the hand holds, from press to release.

    Attributes:
        shape: of the mouse pointer over it.
    """

    shape: Qt.CursorShape

    def move(self, at: QPointF, axis: TimeAxis) -> None:
        """Follow the hand to a point in logical pixels."""

    def drop(self) -> None:
        """Stay where it was put."""


class Layer(Protocol):
    """A drawing over the curves and under the crosshair."""

    def paint(self, painter: QPainter, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect) -> None:
        """Draw in logical pixels; ``lane`` is the rectangle of the panels."""

    def grip_at(self, at: QPointF, frames: Sequence[PanelFrame], axis: TimeAxis) -> Grip | None:
        """Return what a press at a point would take, None when there is nothing."""


def frame_of(frames: Sequence[PanelFrame], series_id: SeriesId) -> PanelFrame | None:
    """Return the panel that shows a series, None when none does."""
    for frame in frames:
        if any(series.series_id == series_id for series in frame.panel.series):
            return frame
    return None


def near(distance: float) -> bool:
    """Return whether a press this many logical pixels away takes a line."""
    return abs(distance) <= space(GRAB_DISTANCE)
