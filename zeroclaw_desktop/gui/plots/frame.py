"""What the canvas draws in one frame: places and content of the panels, and the pull from the bridge."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QRect

from zeroclaw_desktop.bridge.views import MarkerView
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.gui.plots.curves import Columns, Scale
from zeroclaw_desktop.gui.plots.panels import Panel, SeriesId
from zeroclaw_desktop.gui.plots.value_range import ValueRange

_LONGEST_LEAD_S = 60.0
_LEAD_PERIODS = 2.5
_RAW_SAMPLES_PER_PIXEL = 2.5
_FINER = 3


class SampleSource(Protocol):
    """The part of the plots bridge that the canvas pulls from."""

    def now(self) -> float:
        """Return the telemetry clock in seconds."""

    def wall_offset(self) -> float:
        """Return what makes seconds since 1970 of the telemetry clock."""

    def generation(self) -> int:
        """Return a number that changes when any sample or marker arrived."""

    def columns(self, source_id: str, label: str, t0: float, t1: float, columns: int) -> Any:
        """Return (time, low, high), each of shape (n,), n at most ``columns``."""

    def markers(self, t0: float, t1: float) -> list[MarkerView]:
        """Return the markers from ``t0`` to ``t1`` seconds."""


@dataclass(frozen=True)
class TimeAxis:
    """The horizontal axis of a frame.

    Attributes:
        start, end: seconds of the telemetry clock at the edges.
        live: whether the right edge is the present.
        left, width: place of the axis in logical pixels.
        ratio: device pixels for each logical one.
    """

    start: float
    end: float
    live: bool
    left: int
    width: int
    ratio: float

    @property
    def pixel_s(self) -> float:
        """Seconds in one device pixel."""
        return (self.end - self.start) / self.device_width

    @property
    def device_width(self) -> int:
        """Width in device pixels."""
        return max(1, round(self.width * self.ratio))

    def x(self, moment: float) -> float:
        """Return the logical pixel of a time."""
        return self.left + (moment - self.start) / (self.end - self.start) * self.width

    def moment(self, x: float) -> float:
        """Return the time at a logical pixel."""
        return self.start + (x - self.left) / max(1, self.width) * (self.end - self.start)


def make_axis(span: tuple[float, float], live: bool, left: int, width: int, ratio: float) -> TimeAxis:
    """Return the axis for a stretch of time; a live one moves by whole device pixels, so nothing shimmers."""
    start, end = span
    if live:
        pixel = (end - start) / max(1, round(width * ratio))
        shift = end - math.floor(end / pixel) * pixel
        start, end = start - shift, end - shift
    return TimeAxis(start, end, live, left, width, ratio)


@dataclass
class PanelFrame:
    """One panel of a frame.

    Attributes:
        panel: what it shows.
        area: the plot's rectangle in logical pixels.
        range: its vertical axis.
        columns: the samples of its series, in their order; empty while it is scrolled out of sight.
    """

    panel: Panel
    area: QRect
    range: ValueRange
    columns: list[Columns] = field(default_factory=list)

    def scale(self, axis: TimeAxis) -> Scale:
        """Return how seconds and values become device pixels."""
        height = max(1, self.area.height() - 1)
        return Scale(
            axis.start,
            axis.left * axis.ratio,
            axis.device_width / (axis.end - axis.start),
            self.range.low,
            (self.area.top() + height) * axis.ratio,
            height * axis.ratio / (self.range.high - self.range.low),
        )

    def y(self, value: float) -> float:
        """Return the logical pixel of a value."""
        height = max(1, self.area.height() - 1)
        return self.area.top() + height * (self.range.high - value) / (self.range.high - self.range.low)

    def value(self, y: float) -> float:
        """Return the value at a logical pixel."""
        height = max(1, self.area.height() - 1)
        return self.range.high - (y - self.area.top()) / height * (self.range.high - self.range.low)


def pull(source: SampleSource, series_id: SeriesId, rate_hz: float, axis: TimeAxis) -> Columns:
    """Fetch a series for an axis, with enough on both sides that its curve reaches the edges.

    Args:
        source: where from.
        series_id: which.
        rate_hz: its samples per second; 0 when they are too rare to tell.
        axis: for which.
    """
    pixel = axis.pixel_s
    rare = rate_hz * _LONGEST_LEAD_S < _LEAD_PERIODS
    lead = _LONGEST_LEAD_S if rare else max(4 * pixel, _LEAD_PERIODS / rate_hz)
    start = math.floor((axis.start - lead) / pixel) * pixel
    count = math.ceil((axis.end + lead - start) / pixel)
    if 0 < rate_hz * pixel < _RAW_SAMPLES_PER_PIXEL:
        # A few samples in a pixel look better connected; finer columns bring them as they are.
        count, pixel = count * _FINER, pixel / _FINER
    try:
        time, low, high = source.columns(*series_id, start, start + count * pixel, count + 1)
    except ZeroClawError:
        # Cleared since the list of series was made; the next list leaves it out.
        time = low = high = np.empty(0)
    return Columns(time, low, high)


def fill(
    source: SampleSource,
    frames: Sequence[PanelFrame],
    axis: TimeAxis,
    visible: QRect,
    rates: Mapping[SeriesId, float],
) -> None:
    """Pull what the visible panels show and let their automatic ranges follow it.

    Args:
        source: where from.
        frames: panels; those outside of ``visible`` are left empty.
        axis: the time axis.
        visible: rectangle in logical pixels.
        rates: samples per second of each series as far as known.
    """
    for frame in frames:
        if not frame.area.intersects(visible):
            frame.columns = []
            continue
        frame.columns = [
            pull(source, series.series_id, rates.get(series.series_id, 0.0), axis)
            for series in frame.panel.series
        ]
        found = [columns.extremes(axis.start, axis.end) for columns in frame.columns]
        lows = [low for low, _ in found if math.isfinite(low)]
        highs = [high for _, high in found if math.isfinite(high)]
        if lows and highs:
            frame.range.adapt(min(lows), max(highs))
