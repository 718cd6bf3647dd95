"""Turns the reduced samples of a series into line segments in device pixels. Qt-free, numpy only.

Dense stretches become one vertical segment for each pixel column, long enough to touch its neighbours;
sparse ones become the connections between samples. NaN breaks the curve, and so does a silence that is long
for this series. Independent segments are drawn twice as fast as a polyline of the same points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_SILENCE_PERIODS = 20
_SILENCE_LEAST_S = 2.0
_FEW = 64
_LEAST_LENGTH = 0.5
_COLUMN_SLACK = 0.25
"""Pixels; a column's first sample may lie up to an eighth of a pixel before its edge."""
_FAR = 30_000.0
"""Pixels; coordinates beyond are cut, because the painter's fixed-point numbers end there."""


@dataclass(frozen=True)
class Columns:
    """One series for one frame.

    Attributes:
        time: seconds, shape (n,).
        low, high: extremes of each column, shape (n,), equal where a column is a single sample.
    """

    time: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def sparse(self) -> bool:
        """Whether every entry is one sample."""
        return self.low is self.high or bool(np.array_equal(self.low, self.high, equal_nan=True))

    def extremes(self, start: float, end: float) -> tuple[float, float]:
        """Return the smallest and largest value from ``start`` to ``end`` seconds; NaN when there is none."""
        first, last = np.searchsorted(self.time, (start, end))
        low, high = self.low[first:last], self.high[first:last]
        if last - first < _FEW:
            # Where samples are rare, what lies just outside decides where the curve meets the edges.
            edges = [np.interp(moment, self.time, self.low) for moment in (start, end) if len(self.time)]
            low, high = np.append(low, edges), np.append(high, edges)
        if not len(low) or np.isnan(low).all():
            return np.nan, np.nan
        return float(np.nanmin(low)), float(np.nanmax(high))

    def reading(self, moment: float) -> tuple[float, float, float] | None:
        """Return (time, low, high) of the column nearest to ``moment`` seconds, None when there is none."""
        if not len(self.time):
            return None
        right = int(np.searchsorted(self.time, moment))
        left = max(0, right - 1)
        right = min(right, len(self.time) - 1)
        nearest = left if moment - self.time[left] <= self.time[right] - moment else right
        return float(self.time[nearest]), float(self.low[nearest]), float(self.high[nearest])


@dataclass(frozen=True)
class Scale:
    """How seconds and values become device pixels.

    Attributes:
        start: time at the left edge.
        left: pixel of the left edge.
        pixels_per_second: horizontal.
        low: value at the lower edge.
        bottom: pixel of the lower edge.
        pixels_per_unit: vertical.
    """

    start: float
    left: float
    pixels_per_second: float
    low: float
    bottom: float
    pixels_per_unit: float

    def x(self, time: FloatArray) -> FloatArray:
        """Return horizontal pixels."""
        return (time - self.start) * self.pixels_per_second + self.left

    def y(self, value: FloatArray) -> FloatArray:
        """Return vertical pixels (they grow downwards), cut far outside of any screen."""
        return np.clip(self.bottom - (value - self.low) * self.pixels_per_unit, -_FAR, _FAR)


def segments(columns: Columns, scale: Scale) -> FloatArray:
    """Return the segments of a curve, shape (m, 4): x1, y1, x2, y2."""
    if not len(columns.time):
        return np.empty((0, 4))
    if columns.sparse:
        return _connections(scale.x(columns.time), scale.y(columns.low), unbroken(columns))
    return _verticals(columns, scale)


def unbroken(columns: Columns) -> NDArray[np.bool_]:
    """Return for each neighbouring pair whether the curve goes on from one to the other, shape (n - 1,)."""
    filled = np.isfinite(columns.low)
    joined = filled[:-1] & filled[1:]
    distances = np.diff(columns.time)
    if len(distances) and distances.max() > _SILENCE_LEAST_S:
        joined &= distances <= max(_SILENCE_LEAST_S, _SILENCE_PERIODS * float(np.median(distances)))
    return joined


def _connections(x: FloatArray, y: FloatArray, joined: NDArray[np.bool_]) -> FloatArray:
    pairs = np.column_stack((x[:-1], y[:-1], x[1:], y[1:]))[joined]
    bound = np.zeros(len(x), dtype=bool)
    bound[:-1] |= joined
    bound[1:] |= joined
    alone = ~bound & np.isfinite(y)
    if not alone.any():
        return pairs
    dots = np.column_stack((x[alone] - 1, y[alone], x[alone] + 1, y[alone]))
    return np.concatenate((pairs, dots))


def _verticals(columns: Columns, scale: Scale) -> FloatArray:
    # The middle of the pixel: every column of a scrolling curve then moves by whole pixels together.
    x = np.floor(scale.x(columns.time) + _COLUMN_SLACK) + 0.5
    top, bottom = scale.y(columns.high), scale.y(columns.low)
    joined = unbroken(columns)
    near = joined & (np.diff(x) < 1.75)
    upper, lower = top.copy(), bottom.copy()
    upper[1:][near] = np.minimum(top[1:], bottom[:-1])[near]
    lower[1:][near] = np.maximum(bottom[1:], top[:-1])[near]
    result = np.empty((len(x), 4))
    result[:, 0] = result[:, 2] = x
    # A segment without length would not be painted.
    result[:, 1], result[:, 3] = upper, np.maximum(lower, upper + _LEAST_LENGTH)
    result = result[np.isfinite(upper)]
    far = joined & ~near
    if far.any():
        middle = (top + bottom) / 2
        bridges = np.column_stack((x[:-1], middle[:-1], x[1:], middle[1:]))[far]
        result = np.concatenate((result, bridges))
    return result
