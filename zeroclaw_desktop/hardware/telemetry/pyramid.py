"""Smallest and largest values of bins of samples, so that any range reduces in a few steps.

A bin of a level covers ``size`` samples beginning at a multiple of ``size``; four bins of one level make one
of the next. Only whole bins are stored. Base 16 and fan 4 were measured to cost 0.15 ms for appending a 60
Hz frame of 8 series at 100,000 samples/s. Gaps (NaN) are ignored by ``fmin`` and ``fmax`` unless a bin holds
nothing else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike, NDArray

BASE = 16
FAN = 4

# Up to this many samples a column, reducing the samples themselves is quicker than gathering bins.
_DIRECT_SAMPLES_PER_COLUMN = 96

FloatArray = NDArray[np.floating]
IndexArray = NDArray[np.int64]


class MinMaxPyramid:
    """Levels of min and max over a ring of values that its owner keeps.

    Args:
        bin_sizes: samples in a bin of each level: ``BASE``, ``BASE * FAN`` ...
        ring_size: slots of the ring, a multiple of the largest bin.
        dtype: of the values.
    """

    def __init__(self, bin_sizes: tuple[int, ...], ring_size: int, dtype: DTypeLike) -> None:
        self._sizes = bin_sizes
        self._low: list[FloatArray] = [np.zeros(ring_size // size, dtype=dtype) for size in bin_sizes]
        self._high: list[FloatArray] = [np.zeros(ring_size // size, dtype=dtype) for size in bin_sizes]

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory held by all levels."""
        return sum(level.nbytes for level in (*self._low, *self._high))

    def grow(self, ring_size: int) -> None:
        """Follow a ring that grew before it ever wrapped."""
        for levels in (self._low, self._high):
            for number, size in enumerate(self._sizes):
                old = levels[number]
                levels[number] = np.concatenate(
                    (old, np.zeros(ring_size // size - len(old), dtype=old.dtype))
                )

    def extend(self, values: FloatArray, start: int, stop: int) -> None:
        """Fill the bins that samples ``start`` to ``stop`` (absolute numbers) completed.

        Args:
            values: the ring of samples, already holding them.
            start: number of the first new sample that the ring still holds.
            stop: number after the last new sample.
        """
        low, high, step = values, values, 1
        for number, size in enumerate(self._sizes):
            first, last = start // size, stop // size
            # A bin whose beginning the ring has already lost cannot be rebuilt, and is never asked for.
            first = max(first, -(-max(0, stop - len(values)) // size))
            if first >= last:
                return
            self._fill(number, low, high, first, last, size // step)
            low, high, step = self._low[number], self._high[number], size

    def _fill(self, number: int, low: FloatArray, high: FloatArray, first: int, last: int, fan: int) -> None:
        """Set bins ``first`` to ``last`` of a level from the level below, in at most two straight pieces."""
        target_low, target_high = self._low[number], self._high[number]
        slots = len(target_low)
        while first < last:
            slot = first % slots
            length = min(last - first, slots - slot)
            part = slice(slot * fan, (slot + length) * fan)
            target_low[slot : slot + length] = np.fmin.reduce(low[part].reshape(length, fan), axis=1)
            target_high[slot : slot + length] = np.fmax.reduce(high[part].reshape(length, fan), axis=1)
            first += length

    def reduce(self, values: FloatArray, edges: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Return min and max of each range between neighbouring edges.

        Args:
            values: the ring of samples.
            edges: absolute sample numbers, strictly increasing, shape (n + 1,), all still in the ring.

        Returns:
            Two arrays of shape (n,).
        """
        total = int(edges[-1] - edges[0])
        if total <= _DIRECT_SAMPLES_PER_COLUMN * (len(edges) - 1):
            chosen = values[np.arange(edges[0], edges[-1]) % len(values)]
            offsets = edges[:-1] - edges[0]
            return np.fmin.reduceat(chosen, offsets), np.fmax.reduceat(chosen, offsets)
        low = np.full(len(edges) - 1, np.nan, dtype=values.dtype)
        high = low.copy()
        starts, stops = edges[:-1].copy(), edges[1:].copy()
        below_low, below_high, step = values, values, 1
        for number, size in enumerate(self._sizes):
            inner_starts = np.minimum(-(-starts // size) * size, stops)
            inner_stops = np.maximum(stops // size * size, inner_starts)
            for first, last in ((starts, inner_starts), (inner_stops, stops)):
                _gather(below_low, below_high, step, first, last, low, high)
            starts, stops = inner_starts, inner_stops
            below_low, below_high, step = self._low[number], self._high[number], size
        _gather(below_low, below_high, step, starts, stops, low, high)
        return low, high


def _gather(
    below_low: FloatArray,
    below_high: FloatArray,
    step: int,
    first: IndexArray,
    last: IndexArray,
    low: FloatArray,
    high: FloatArray,
) -> None:
    """Fold in the bins of one level between ``first`` and ``last`` (sample numbers, whole bins)."""
    counts = (last - first) // step
    filled = np.flatnonzero(counts)
    if not len(filled):
        return
    counts = counts[filled]
    offsets = np.cumsum(counts) - counts
    bins = np.arange(int(counts.sum())) + np.repeat(first[filled] // step - offsets, counts)
    slots = bins % len(below_low)
    low[filled] = np.fmin(low[filled], np.fmin.reduceat(below_low[slots], offsets))
    high[filled] = np.fmax(high[filled], np.fmax.reduceat(below_high[slots], offsets))
