"""What a chart shows, and the frame in which it shows it: the seam between the three kinds and the chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter

from zeroclaw_desktop.gui.plots.analysis.axis import places
from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.panels import PlotSeries

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class ChartFrame:
    """Where a content is painted. All numbers of its axes are places (see ``axis.places``).

    Attributes:
        axis: the horizontal axis.
        panel: area and vertical axis; its ``columns`` are what ``ChartContent.fit`` put there.
        x_log, y_log: whether the axes count in powers of ten.
    """

    axis: TimeAxis
    panel: PanelFrame
    x_log: bool = False
    y_log: bool = False

    @property
    def area(self) -> QRect:
        """The plot's rectangle in logical pixels."""
        return self.panel.area

    @property
    def ratio(self) -> float:
        """Device pixels for each logical one."""
        return self.axis.ratio

    def xs(self, values: FloatArray) -> FloatArray:
        """Return the device pixels of values on the horizontal axis, from the left of the whole chart."""
        return self.panel.scale(self.axis).x(places(values, self.x_log))

    def ys(self, values: FloatArray) -> FloatArray:
        """Return the device pixels of values on the vertical axis, from the top of the whole chart."""
        return self.panel.scale(self.axis).y(places(values, self.y_log))

    def point(self, x: float, y: float) -> QPointF:
        """Return the logical pixel of a pair of values."""
        across, down = self.xs(np.array([x]))[0], self.ys(np.array([y]))[0]
        return QPointF(float(across) / self.ratio, float(down) / self.ratio)


class Reading(NamedTuple):
    """A value under the crosshair.

    Attributes:
        at: logical pixel of the dot on the curve.
        text: the value for a person.
        color_index: number of the series' plot colour.
    """

    at: QPointF
    text: str
    color_index: int


class Figure(NamedTuple):
    """A row of the list beside a chart: a name and a value."""

    name: str
    value: str


class SeriesFigures(NamedTuple):
    """What is known of one series."""

    series: PlotSeries
    figures: tuple[Figure, ...]


class Table(NamedTuple):
    """What is shown, for a file: a name and the numbers of each column; columns may differ in length."""

    names: tuple[str, ...]
    columns: tuple[FloatArray, ...]


class ChartContent(Protocol):
    """A result that a chart can show. Made in the worker's thread; everything else happens in the window's.

    Attributes:
        key: ranges chosen by hand are kept while it stays the same.
        series: what it shows, for the legend.
        x_log, y_log: whether the axes count in powers of ten.
        x_exact: the horizontal axis ends where the data ends, instead of at a round number.
        equal: a unit is as long on both axes.
        free: mouse and wheel move both axes together.
    """

    key: tuple[object, ...]
    series: tuple[PlotSeries, ...]
    x_log: bool
    y_log: bool
    x_exact: bool
    equal: bool
    free: bool

    def names(self) -> tuple[str, str]:
        """Return what the axes are called, with units, in the person's language."""

    def notes(self) -> list[str]:
        """Return what a person must know to read it rightly; [] when there is nothing."""

    def figures(self) -> list[SeriesFigures]:
        """Return the list beside the chart."""

    def x_range(self) -> tuple[float, float]:
        """Return the ends of the data on the horizontal axis; NaN when there is none."""

    def fit(self, frame: ChartFrame) -> tuple[float, float]:
        """Make ready for a frame whose horizontal axis stands, and return the ends of the visible values."""

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """Paint into the frame's area, which the painter is clipped to; in logical pixels."""

    def x_text(self, value: float) -> str:
        """Return a value of the horizontal axis for a read-out."""

    def readings(self, frame: ChartFrame, at: QPointF) -> Sequence[Reading]:
        """Return what lies under the pointer (logical pixels)."""

    def table(self, frame: ChartFrame) -> Table:
        """Return the numbers of what is visible."""
