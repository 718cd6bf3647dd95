"""Samples of one series in a numpy ring, with a min/max pyramid for drawing.

Sample number ``i`` (counted from the first sample ever appended) stands in slot ``i % size``. The pyramid
keeps the smallest and largest value of each whole bin of 16, 64, 256 ... samples. Bins begin at multiples of
their size in that absolute count, and the ring's size is a multiple of the largest bin, so that a bin never
moves and a scrolling view does not shimmer. Appending costs the new samples; a view costs its width in
columns, not its length.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from zeroclaw_desktop.hardware.telemetry.errors import MemoryFullError, TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.memory_budget import MemoryBudget
from zeroclaw_desktop.hardware.telemetry.pyramid import BASE, FAN, MinMaxPyramid, ring_slice

FloatArray = NDArray[np.floating]
TimeArray = NDArray[np.float64]


class SeriesSnapshot(NamedTuple):
    """A copy of part of a series.

    Attributes:
        time: float64 seconds, shape (n,), never decreasing.
        value: shape (n,), NaN is a gap.
        first_index: absolute number of the first sample.
    """

    time: TimeArray
    value: FloatArray
    first_index: int


class MinMaxColumns(NamedTuple):
    """A series reduced for drawing.

    Attributes:
        time: float64 seconds of the first sample in each column, shape (n,), n at most the columns asked for.
        low: smallest value of each column; NaN where the column holds only gaps.
        high: largest value of each column.
        first_index: absolute number of the first sample in each column; a column ends where the next begins.
    """

    time: TimeArray
    low: FloatArray
    high: FloatArray
    first_index: NDArray[np.int64]


class SeriesRing:
    """Ring of the newest samples of one series; one thread appends, others read.

    Args:
        capacity: samples to keep; rounded up to a multiple of the largest pyramid bin (under 2 %, or 15
            samples).
        value_dtype: float64, or float32 where half the memory matters more than integers above 16,777,216.
        budget: asked before the ring takes more memory. A ring that gets no more keeps as many samples as it
            has room for.

    Raises:
        TelemetrySettingError: ``capacity`` is not positive.
    """

    def __init__(
        self, capacity: int, value_dtype: DTypeLike = np.float64, budget: MemoryBudget | None = None
    ) -> None:
        if capacity < 1:
            raise TelemetrySettingError(
                f"A series must keep at least one sample, not {capacity}.", details={"value": capacity}
            )
        bin_sizes = [BASE]
        while bin_sizes[-1] * FAN * 64 <= capacity:
            bin_sizes.append(bin_sizes[-1] * FAN)
        self._unit = bin_sizes[-1]
        self.capacity = -(-capacity // self._unit) * self._unit
        self._lock = threading.Lock()
        self._dtype = np.dtype(value_dtype)
        self._bin_sizes = tuple(bin_sizes)
        self._count = 0
        self._wanted_capacity = self.capacity
        self._budget = budget
        self._taken = 0
        self._allocate()

    def _size_bytes(self, size: int) -> int:
        """Memory of a ring of ``size`` samples with its pyramid."""
        bins = sum(size // bin_size for bin_size in self._bin_sizes)
        return size * (8 + self._dtype.itemsize) + 2 * bins * self._dtype.itemsize

    def _may_take(self, size: int) -> bool:
        """Ask for the memory of a ring of ``size`` samples instead of the present one."""
        more = self._size_bytes(size) - self._taken
        if self._budget is not None and not self._budget.take(more):
            return False
        self._taken += more
        return True

    def release(self) -> None:
        """Give the memory back to the budget: the series is forgotten."""
        if self._budget is not None:
            self._budget.give(self._taken)
        self._taken = 0

    def _allocate(self) -> None:
        size = min(self.capacity, -(-1024 // self._unit) * self._unit)
        self._time = np.zeros(size, dtype=np.float64)
        self._value = np.zeros(size, dtype=self._dtype)
        self._pyramid = MinMaxPyramid(self._bin_sizes, size, self._dtype)
        if not self._may_take(size):
            raise MemoryFullError(
                "There is no memory left for another series.",
                hint="Allow more in the settings of the plots, or clear the plots.",
            )

    @property
    def count(self) -> int:
        """Samples ever appended since creation or ``clear``."""
        return self._count

    @property
    def retained(self) -> int:
        """Samples that are still in the ring."""
        return min(self._count, self.capacity)

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory held by the arrays now."""
        return self._time.nbytes + self._value.nbytes + self._pyramid.memory_bytes

    def clear(self) -> None:
        """Forget all samples and give the memory back."""
        with self._lock:
            self._count = 0
            self.release()
            self.capacity = self._wanted_capacity
            self._allocate()

    def append(self, time: ArrayLike, value: ArrayLike) -> None:
        """Add samples at the end.

        Args:
            time: seconds, a number or shape (n,); a time before the last one is raised to it.
            value: same shape; NaN is a gap, and an infinity is stored as one.
        """
        times = np.atleast_1d(np.asarray(time, dtype=np.float64))
        values = np.atleast_1d(np.asarray(value, dtype=self._dtype))
        if times.shape != values.shape or times.ndim != 1:
            raise TelemetrySettingError(
                f"Times {times.shape} and values {values.shape} must be two equally long rows."
            )
        if not len(times):
            return
        infinite = np.isinf(values)
        if infinite.any():
            values = np.where(infinite, np.nan, values)
        with self._lock:
            self._append(times, values)

    def _append(self, times: TimeArray, values: FloatArray) -> None:
        if self._count:
            floor = self._time[(self._count - 1) % len(self._time)]
            if times[0] < floor:
                times = np.maximum(times, floor)
        if len(times) > 1 and (times[1:] < times[:-1]).any():
            times = np.maximum.accumulate(times)
        self._grow(self._count + len(times))
        size = len(self._time)
        skipped = max(0, len(times) - size)
        start = self._count + skipped
        slot = start % size
        head = min(len(times) - skipped, size - slot)
        for ring, new in ((self._time, times[skipped:]), (self._value, values[skipped:])):
            ring[slot : slot + head] = new[:head]
            ring[: len(new) - head] = new[head:]
        self._pyramid.extend(self._value, start, self._count + len(times))
        self._count += len(times)

    def _grow(self, needed: int) -> None:
        size = len(self._time)
        if needed <= size or size == self.capacity:
            return
        wanted = min(self.capacity, max(2 * size, -(-needed // self._unit) * self._unit))
        if not self._may_take(wanted):
            self.capacity = size
            return
        self._time = np.concatenate((self._time, np.zeros(wanted - size)))
        self._value = np.concatenate((self._value, np.zeros(wanted - size, dtype=self._dtype)))
        self._pyramid.grow(wanted)

    def _first(self) -> int:
        return max(0, self._count - len(self._time))

    def _find(self, times: ArrayLike) -> NDArray[np.int64]:
        """Return the absolute number of the first sample at or after each time."""
        first, size = self._first(), len(self._time)
        slot = first % size
        older = self._time[slot : slot + min(self._count - first, size - slot)]
        newer = self._time[: self._count - first - len(older)]
        found = np.searchsorted(older, times, side="left")
        if len(newer):
            found = np.where(found == len(older), found + np.searchsorted(newer, times, side="left"), found)
        return np.asarray(found + first, dtype=np.int64)

    def _copy(self, start: int, stop: int) -> SeriesSnapshot:
        # Copied in any case: the writer goes on in these arrays once the lock is free.
        time = np.array(ring_slice(self._time, start, stop))
        return SeriesSnapshot(time, np.array(ring_slice(self._value, start, stop)), start)

    def snapshot(self, start_time: float = -np.inf, end_time: float = np.inf) -> SeriesSnapshot:
        """Copy the samples with ``start_time <= time < end_time`` (seconds); everything by default."""
        with self._lock:
            start, stop = (int(index) for index in self._find([start_time, max(start_time, end_time)]))
            return self._copy(start, stop)

    def since(self, index: int) -> SeriesSnapshot:
        """Copy the samples from absolute number ``index`` on that are still held."""
        with self._lock:
            return self._copy(min(max(index, self._first()), self._count), self._count)

    def last(self) -> tuple[float, float] | None:
        """Return (time, value) of the newest sample, None when there is none."""
        with self._lock:
            if not self._count:
                return None
            slot = (self._count - 1) % len(self._time)
            return float(self._time[slot]), float(self._value[slot])

    def time_span(self) -> tuple[float, float] | None:
        """Return the times of the oldest and newest sample held, None when there is none."""
        with self._lock:
            if not self._count:
                return None
            size = len(self._time)
            return float(self._time[self._first() % size]), float(self._time[(self._count - 1) % size])

    def rate(self, start_time: float, end_time: float) -> float:
        """Return the samples per second between the first and last one of ``[start_time, end_time)``.

        0 when there are fewer than two at different times. Nothing is copied: it costs the same at any rate.
        """
        with self._lock:
            start, stop = (int(index) for index in self._find([start_time, max(start_time, end_time)]))
            if stop - start < 2:
                return 0.0
            size = len(self._time)
            span = float(self._time[(stop - 1) % size] - self._time[start % size])
            return (stop - 1 - start) / span if span > 0 else 0.0

    def minmax_columns(self, start_time: float, end_time: float, columns: int) -> MinMaxColumns:
        """Reduce the samples in ``[start_time, end_time)`` to at most two values for each pixel column.

        Column edges lie on multiples of the column width in absolute time, so that a moving view of constant
        width keeps each sample in its column. Columns without samples are left out; few samples come back as
        they are.

        Args:
            start_time: seconds.
            end_time: seconds, above ``start_time``.
            columns: width of the drawing in pixels.

        Returns:
            Extremes of each column, gaps ignored unless a column holds nothing else. In long windows an edge
            may lie up to an eighth of a column early; ``first_index`` tells exactly.

        Raises:
            TelemetrySettingError: no column, or an empty or endless time range.
        """
        if columns < 1 or not 0 < end_time - start_time < np.inf:
            raise TelemetrySettingError(
                f"Cannot draw {columns} columns from {start_time} s to {end_time} s.",
                hint="Ask for at least one column and an end after the start.",
            )
        with self._lock:
            start, stop = (int(index) for index in self._find([start_time, end_time]))
            if stop - start <= columns:
                raw = self._copy(start, stop)
                return MinMaxColumns(raw.time, raw.value, raw.value, np.arange(start, stop))
            edges = self._column_edges(start_time, end_time, columns, start, stop)
            edges, low, high = self._pyramid.reduce(self._value, edges)
            first = edges[:-1]
            return MinMaxColumns(self._time[first % len(self._time)], low, high, first)

    def _column_edges(
        self, start_time: float, end_time: float, columns: int, start: int, stop: int
    ) -> NDArray[np.int64]:
        """Return strictly increasing sample numbers; each neighbouring pair bounds one non-empty column."""
        # One column fewer, because an aligned grid touches one more than the width holds.
        width = (end_time - start_time) / max(1, columns - 1)
        first_edge = np.floor(start_time / width) * width
        inner = first_edge + width * np.arange(1, columns)
        found = np.clip(self._find(inner), start, stop)
        edges = np.concatenate(([start], found, [stop]))
        return edges[np.concatenate(([True], edges[1:] != edges[:-1]))]
