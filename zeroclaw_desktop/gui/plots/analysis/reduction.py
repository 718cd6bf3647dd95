"""Brings results down to what a chart has pixels for. Qt-free, numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.gui.plots.curves import Columns

FloatArray = NDArray[np.float64]
_ENTRIES_PER_PIXEL = 2
_OVERVIEW = 8_192
"""Columns of the overview of a long curve: a few for each pixel of a large screen."""


class Curve:
    """A curve that may be very long, with an overview of it, so that looking at all of it costs little.

    Args:
        x: growing, shape (n,).
        y: shape (n,), finite.
    """

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        self.x, self.y = x, y
        self._whole = Columns(x, y, y)
        self._overview = self._whole
        if len(x) > 2 * _OVERVIEW:
            self._overview = reduced(self._whole, float(x[0]), float(x[-1]), _OVERVIEW)

    def columns(self, start: float, end: float, pixels: int) -> Columns:
        """Return the lowest and highest value of each of ``pixels`` columns from ``start`` to ``end``.

        One entry on each side more is kept, so that the curve reaches the edges.
        """
        if not len(self.x):
            return self._whole
        share = (end - start) / max(1e-300, float(self.x[-1] - self.x[0]))
        coarse = _OVERVIEW * share >= _ENTRIES_PER_PIXEL * pixels
        return reduced(self._overview if coarse else self._whole, start, end, pixels)


def reduced(columns: Columns, start: float, end: float, pixels: int) -> Columns:
    """Reduce entries to the lowest and highest value of each pixel column; few stay as they are."""
    x = columns.time
    first = max(0, int(np.searchsorted(x, start, side="left")) - 1)
    last = min(len(x), int(np.searchsorted(x, end, side="right")) + 1)
    low, high = columns.low[first:last], columns.high[first:last]
    if last - first <= _ENTRIES_PER_PIXEL * pixels:
        return Columns(x[first:last], low, low if columns.low is columns.high else high)
    inner = start + (end - start) * np.arange(pixels + 1) / pixels
    edges = np.unique(np.clip(np.searchsorted(x, inner), first, last - 1))
    if edges[0] != first:
        edges = np.concatenate(([first], edges))
    lows, highs = np.minimum.reduceat(low, edges - first), np.maximum.reduceat(high, edges - first)
    return Columns(x[edges], lows, highs)


def band_pixels(
    x: FloatArray, y: FloatArray, bands: NDArray[np.uint8], size: tuple[int, int], dot: int
) -> NDArray[np.uint8]:
    """Return the picture of a cloud of points: 0 where there is none, else the highest band of those there.

    Args:
        x, y: device pixels from the upper left corner, shape (n,); points outside are left out.
        bands: of each point, 1 to 255, shape (n,).
        size: width and height in device pixels.
        dot: edge of a point in device pixels.
    """
    width, height = size
    column, line = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    inside = (column >= 0) & (column < width) & (line >= 0) & (line < height)
    flat = np.zeros(height * width, dtype=np.uint8)
    np.maximum.at(flat, line[inside] * width + column[inside], bands[inside])
    picture = flat.reshape(height, width)
    # Points grow to dots all at once, by laying the picture over itself.
    for grown in range(1, dot):
        before, after = (slice(None, -1), slice(1, None)) if grown % 2 else (slice(1, None), slice(None, -1))
        np.maximum(picture[:, after], picture[:, before].copy(), out=picture[:, after])
        np.maximum(picture[after], picture[before].copy(), out=picture[after])
    return picture


def age_bands(count: int, bands: int) -> NDArray[np.uint8]:
    """Return for each of ``count`` points, the oldest first, the number of its age: 1 is oldest."""
    return np.asarray(1 + np.arange(count) * bands // max(1, count), dtype=np.uint8)


def distinct_pixels(x: FloatArray, y: FloatArray) -> NDArray[np.int64]:
    """Return the indexes of the points that do not fall on the same pixel as the one before."""
    if not len(x):
        return np.empty(0, dtype=np.int64)
    column, line = np.rint(x), np.rint(y)
    moved = (column[1:] != column[:-1]) | (line[1:] != line[:-1])
    return np.concatenate(([0], np.flatnonzero(moved) + 1))
