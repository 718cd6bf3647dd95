"""The ring and its pyramid against plain numpy on all samples ever appended."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.ring import MinMaxColumns, SeriesRing


class Filled:
    """A ring and what a plain array of the newest samples would hold."""

    def __init__(self, seed: int, capacity: int, *, blocks: int = 8, even: bool = False) -> None:
        random = np.random.default_rng(seed)
        self.ring = SeriesRing(capacity)
        times, values, now = [], [], 0.0
        for _ in range(blocks):
            count = int(random.choice([1, 3, 16, 61, 1000, capacity, 2 * capacity + 5]))
            steps = (
                np.full(count, 0.001)
                if even
                else random.exponential(0.01, count) * (random.random(count) < 0.7)
            )
            block = now + np.cumsum(steps)
            now = float(block[-1])
            value = random.normal(size=count)
            value[random.random(count) < 0.1] = np.nan
            self.ring.append(block, value)
            times.append(block)
            values.append(value)
        kept = self.ring.capacity
        self.appended = sum(map(len, times))
        self.time = np.concatenate(times)[-kept:]
        self.value = np.concatenate(values)[-kept:]


def naive_extremes(filled: Filled, stop: int, view: MinMaxColumns) -> tuple[list[float], list[float]]:
    """Extremes of the samples from each column's first to the next column's first, from the plain arrays."""
    lost = filled.appended - len(filled.value)
    low, high = [], []
    for first, last in pairwise([*(view.first_index - lost).tolist(), stop]):
        finite = filled.value[first:last][~np.isnan(filled.value[first:last])]
        low.append(finite.min() if len(finite) else np.nan)
        high.append(finite.max() if len(finite) else np.nan)
    return low, high


@given(st.integers(0, 2**32 - 1), st.integers(1, 20_000))
@settings(max_examples=60, deadline=None)
def test_snapshot_is_the_newest_samples_in_order(seed: int, capacity: int) -> None:
    filled = Filled(seed, capacity)
    snapshot = filled.ring.snapshot()
    np.testing.assert_array_equal(snapshot.time, filled.time)
    np.testing.assert_array_equal(snapshot.value, filled.value)
    assert filled.ring.count == filled.appended
    assert snapshot.first_index + len(snapshot.time) == filled.appended
    start, end = np.sort(np.random.default_rng(seed).uniform(filled.time[0], filled.time[-1] + 1, 2))
    inside = (filled.time >= start) & (filled.time < end)
    np.testing.assert_array_equal(filled.ring.snapshot(start, end).value, filled.value[inside])


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 60_000),
    st.integers(1, 900),
    st.floats(0, 1),
    st.floats(0.001, 1),
)
@settings(max_examples=120, deadline=None)
def test_columns_hold_the_exact_extremes(
    seed: int, capacity: int, columns: int, place: float, share: float
) -> None:
    filled = Filled(seed, capacity, even=seed % 2 == 0)
    span = float(filled.time[-1] - filled.time[0]) + 0.1
    start = float(filled.time[0]) - 0.05 + place * span
    end = start + share * span
    view = filled.ring.minmax_columns(start, end, columns)
    assert len(view.time) <= columns
    inside = (filled.time >= start) & (filled.time < end)
    if np.count_nonzero(inside) <= columns:
        np.testing.assert_array_equal(view.low, filled.value[inside])
        np.testing.assert_array_equal(view.high, filled.value[inside])
        return
    first, stop = np.flatnonzero(inside)[[0, -1]] + [0, 1]
    assert view.first_index[0] == first + filled.appended - len(filled.value)
    assert np.all(np.diff(view.first_index) > 0)
    low, high = naive_extremes(filled, int(stop), view)
    np.testing.assert_array_equal(view.low, low)
    np.testing.assert_array_equal(view.high, high)


def test_columns_follow_the_time_grid() -> None:
    filled = Filled(1, 50_000, even=True)
    start, columns = float(filled.time[0]), 100
    end = float(filled.time[-1])
    view = filled.ring.minmax_columns(start, end, columns)
    width = (end - start) / (columns - 1)
    early = np.round(view.time[1:] / width) - view.time[1:] / width
    assert columns - 1 <= len(view.time) <= columns
    assert early.min() > -0.01
    assert early.max() <= 0.125 + 0.01


def test_sparse_samples_beside_a_burst_keep_their_columns() -> None:
    ring = SeriesRing(300_000)
    ring.append(np.arange(200_000) / 200_000, np.zeros(200_000))
    ring.append(1.0 + np.arange(1.0, 60.0), np.arange(1.0, 60.0))
    view = ring.minmax_columns(0.0, 61.0, 500)
    assert view.high[-59:].tolist() == list(range(1, 60))
    assert view.low[-59:].tolist() == list(range(1, 60))


def test_a_scrolling_view_does_not_shimmer() -> None:
    ring = SeriesRing(100_000)
    ring.append(np.arange(100_000) / 1000, np.sin(np.arange(100_000)))
    width, columns = 50.0, 401
    first = ring.minmax_columns(10.0, 10.0 + width, columns)
    moved = ring.minmax_columns(
        10.0 + 3 * width / (columns - 1), 10.0 + width + 3 * width / (columns - 1), columns
    )
    shared = np.intersect1d(first.time[1:-1], moved.time[1:-1])
    assert len(shared) > 390
    np.testing.assert_array_equal(
        first.high[np.isin(first.time, shared)], moved.high[np.isin(moved.time, shared)]
    )


def test_gaps_survive_in_few_and_in_many_samples() -> None:
    ring = SeriesRing(10_000)
    ring.append(np.arange(10_000) / 1000, np.where(np.arange(10_000) // 1000 == 5, np.nan, 1.0))
    view = ring.minmax_columns(0.0, 10.0, 101)
    gap = np.isnan(view.low)
    assert np.all(view.time[gap] >= 5.0)
    assert np.all(view.time[gap] < 6.0)
    assert np.count_nonzero(gap) >= 9
    few = ring.minmax_columns(4.998, 5.002, 100)
    np.testing.assert_array_equal(np.isnan(few.high), [False, False, True, True])


def test_slow_samples_are_no_gaps() -> None:
    ring = SeriesRing(100)
    ring.append([0.0, 10.0, 20.0], [1.0, 2.0, 3.0])
    view = ring.minmax_columns(0.0, 30.0, 2)
    assert not np.isnan(view.low).any()
    assert (view.low.min(), view.high.max()) == (1.0, 3.0)


def test_time_never_goes_back() -> None:
    ring = SeriesRing(100)
    ring.append([1.0, 3.0, 2.0], [1.0, 2.0, 3.0])
    ring.append(0.5, 4.0)
    assert ring.snapshot().time.tolist() == [1.0, 3.0, 3.0, 3.0]


def test_clear_forgets_and_gives_memory_back() -> None:
    ring = SeriesRing(1_000_000)
    small = ring.memory_bytes
    ring.append(np.arange(500_000.0), np.zeros(500_000))
    assert ring.memory_bytes > 100 * small
    ring.clear()
    assert (ring.count, ring.retained, ring.memory_bytes, ring.last(), ring.time_span()) == (
        0,
        0,
        small,
        None,
        None,
    )
    assert len(ring.minmax_columns(0.0, 1.0, 10).time) == 0
    ring.append(1.0, 2.0)
    assert ring.last() == (1.0, 2.0)


@pytest.mark.parametrize("capacity", [1, 16, 1000, 1_000_000, 6_000_000])
def test_capacity_is_rounded_up_a_little(capacity: int) -> None:
    kept = SeriesRing(capacity).capacity
    assert capacity <= kept <= max(capacity + 15, capacity * 1.02)


def test_what_cannot_work_is_refused() -> None:
    ring = SeriesRing(10)
    with pytest.raises(TelemetrySettingError):
        SeriesRing(0)
    with pytest.raises(TelemetrySettingError):
        ring.append([1.0, 2.0], [1.0])
    with pytest.raises(TelemetrySettingError):
        ring.minmax_columns(0.0, 0.0, 10)
    with pytest.raises(TelemetrySettingError):
        ring.minmax_columns(0.0, 1.0, 0)
    with pytest.raises(TelemetrySettingError):
        ring.minmax_columns(float("-inf"), 1.0, 10)
