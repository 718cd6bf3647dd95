"""Brings results down to what a chart has pixels for. Qt-free, numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.gui.plots.curves import Columns

FloatArray = NDArray[np.float64]
_LINES_PER_PIXEL = 2


def columns_of(x: FloatArray, y: FloatArray, start: float, end: float, pixels: int) -> Columns:
    """Reduce a curve to the lowest and highest value of each pixel column.

    Args:
        x: growing, shape (n,).
        y: shape (n,), finite.
        start, end: what is visible of ``x``; one point on each side more is kept, so that the curve reaches
            the edges.
        pixels: width of the visible part.
    """
    first = max(0, int(np.searchsorted(x, start, side="left")) - 1)
    last = min(len(x), int(np.searchsorted(x, end, side="right")) + 1)
    if last - first <= _LINES_PER_PIXEL * pixels:
        return Columns(x[first:last], y[first:last], y[first:last])
    inner = start + (end - start) * np.arange(pixels + 1) / pixels
    edges = np.unique(np.clip(np.searchsorted(x, inner), first, last - 1))
    if edges[0] != first:
        edges = np.concatenate(([first], edges))
    visible = y[first:last]
    low = np.minimum.reduceat(visible, edges - first)
    high = np.maximum.reduceat(visible, edges - first)
    return Columns(x[edges], low, high)


def band_pixels(
    x: FloatArray, y: FloatArray, bands: NDArray[np.uint8], size: tuple[int, int], dot: int
) -> NDArray[np.uint8]:
    """Return the picture of a cloud of points: 0 where there is none, else the band of the last point there.

    Args:
        x, y: device pixels from the upper left corner, shape (n,); points outside are left out.
        bands: of each point, 1 to 255, shape (n,).
        size: width and height in device pixels.
        dot: edge of a point in device pixels.
    """
    width, height = size
    picture = np.zeros((height, width), dtype=np.uint8)
    column, line = np.rint(x).astype(np.int64), np.rint(y).astype(np.int64)
    # Band by band, so that no corner of an older point lies over a newer one.
    for band in np.unique(bands):
        chosen = bands == band
        for down in range(-(dot // 2), dot - dot // 2):
            for right in range(-(dot // 2), dot - dot // 2):
                if dot > 2 and abs(down) == dot // 2 and abs(right) == dot // 2:
                    continue
                across, below = column[chosen] + right, line[chosen] + down
                inside = (across >= 0) & (across < width) & (below >= 0) & (below < height)
                picture[below[inside], across[inside]] = band
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
