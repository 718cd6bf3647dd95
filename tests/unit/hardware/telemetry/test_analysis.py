"""HW-12: cursors, spectrum, histogram, X-Y, triggers and thresholds on signals with known answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.analysis import (
    correlation,
    histogram,
    histograms,
    pair_xy,
    read_cursors,
    spectrum,
    window_weights,
)
from zeroclaw_desktop.hardware.telemetry.errors import TelemetryExportError, TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.export import write_table_file
from zeroclaw_desktop.hardware.telemetry.ring import SeriesSnapshot
from zeroclaw_desktop.hardware.telemetry.schmitt import crossings
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold, ThresholdWatch
from zeroclaw_desktop.hardware.telemetry.trigger import Trigger, TriggerSetting

WINDOWS = ["rectangular", "hann", "hamming", "blackman", "flattop"]


def series(times: object, values: object) -> SeriesSnapshot:
    return SeriesSnapshot(np.array(times, dtype=np.float64), np.array(values, dtype=np.float64), 0)


def sine(frequency: float, amplitude: float, rate: float, count: int, offset: float = 0.0) -> SeriesSnapshot:
    times = 7.0 + np.arange(count) / rate
    return series(times, offset + amplitude * np.sin(2 * np.pi * frequency * (times - 7.0)))


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(
    ("scaling", "expected"), [("amplitude", 3.0), ("rms", 3 / np.sqrt(2)), ("decibel", 20 * np.log10(3.0))]
)
def test_a_sine_has_its_frequency_and_amplitude(window, scaling, expected: float) -> None:  # type: ignore[no-untyped-def]
    found = spectrum(sine(50.0, 3.0, 1000.0, 1000, offset=10.0), window=window, scaling=scaling)
    peak = int(np.argmax(found.magnitude))
    assert found.frequency[peak] == pytest.approx(50.0)
    assert found.magnitude[peak] == pytest.approx(expected, rel=1e-3)
    assert found.sample_rate == pytest.approx(1000.0)
    assert found.resolution == pytest.approx(1.0)
    assert found.filled == 0


@pytest.mark.parametrize("window", WINDOWS)
def test_the_density_sums_up_to_the_power(window) -> None:  # type: ignore[no-untyped-def]
    noise = np.random.default_rng(3).normal(0, 2, 4096)
    found = spectrum(series(np.arange(4096) / 500, noise), window=window, scaling="density")
    assert np.sum(found.magnitude) * found.resolution == pytest.approx(noise.var(), rel=0.15)


def test_the_mean_is_the_line_at_zero_when_it_stays() -> None:
    found = spectrum(sine(5.0, 1.0, 100.0, 100, offset=4.0), window="rectangular", remove_mean=False)
    assert found.magnitude[0] == pytest.approx(4.0)


def test_the_frequency_comes_from_uneven_time_stamps_and_gaps_are_bridged() -> None:
    rng = np.random.default_rng(1)
    times = np.sort(np.arange(2000) / 1000 + rng.uniform(-0.0003, 0.0003, 2000))
    values = np.sin(2 * np.pi * 20 * times)
    values[rng.integers(1, 1999, 50)] = np.nan
    found = spectrum(series(times, values))
    peak = int(np.argmax(found.magnitude))
    assert found.frequency[peak] == pytest.approx(20.0, abs=0.6)
    assert found.magnitude[peak] == pytest.approx(1.0, abs=0.03)
    assert found.filled > 0


def test_noise_bandwidth_of_the_windows() -> None:
    # Equivalent noise bandwidth in lines: Harris (1978), table 1; flat top: ISO 18431-2.
    for window, lines in (("rectangular", 1.0), ("hann", 1.5), ("hamming", 1.36), ("blackman", 1.73)):
        found = spectrum(sine(1, 1, 100, 200), window=window)  # type: ignore[arg-type]
        assert found.noise_bandwidth / found.resolution == pytest.approx(lines, abs=0.01)
        assert window_weights(window, 200).max() == pytest.approx(1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("times", "values"), [([], []), ([1, 2, 3], [1, 2, 3]), ([1] * 5, [1, 2, 3, 4, 5])])
def test_too_little_for_a_spectrum_is_said(times: list[float], values: list[float]) -> None:
    with pytest.raises(TelemetrySettingError, match="four samples"):
        spectrum(series(times, values))


def test_two_cursors() -> None:
    samples = series([0.0, 1.0, 2.0, 3.0], [5.0, 7.0, np.nan, 15.0])
    found = read_cursors(samples, 0.9, 2.6)
    assert found[:6] == (1.0, 7.0, 3.0, 15.0, 2.0, 8.0)
    assert (found.slope, found.frequency) == (4.0, 0.5)
    assert np.isnan(read_cursors(series([], []), 0, 1)).all()
    assert np.isnan(read_cursors(samples, 1.0, 1.1).frequency)


@given(st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), max_size=50), st.none() | st.integers(1, 40))
def test_a_histogram_counts_every_sample_once(values: list[float], bins: int | None) -> None:
    found = histogram(np.array(values, dtype=np.float64), bins)
    assert found.counts.sum() == np.isfinite(values).sum()
    assert len(found.edges) == len(found.counts) + 1
    assert (np.diff(found.edges) > 0).all()


def test_histograms_of_several_series_share_their_bins() -> None:
    low, high = np.linspace(0, 1, 500), np.linspace(3, 4, 500)
    first, second = histograms([low, high])
    assert first.edges.tolist() == second.edges.tolist()
    assert (first.edges[0], first.edges[-1]) == (0.0, 4.0)
    assert (first.counts.sum(), second.counts.sum()) == (500, 500)
    assert not (first.counts * second.counts).any()


@pytest.mark.parametrize("step", [1.0, 5 / 1023, 0.01])
def test_automatic_bins_of_a_converter_hold_the_same_number_of_its_steps(step: float) -> None:
    # Every code occurs equally often; bins of any other width would hold now three and now four codes.
    values = np.repeat(np.arange(400), 5) * step
    found = histogram(values)
    inner = found.counts[:-1]
    assert len(inner) > 3
    assert set(inner) == {inner[0]}
    assert found.edges[0] == pytest.approx(-step / 2)


def test_two_levels_of_a_digital_input_are_two_bins() -> None:
    found = histogram(np.array([0.0, 1.0] * 50 + [1.0] * 20))
    assert found.counts.tolist() == [50, 70]


def test_xy_pairs_by_time() -> None:
    x = series([0.0, 1.0, 2.0], [10.0, 11.0, np.nan])
    y = series([0.5, 1.0, 1.9, 2.5], [1.0, 2.0, np.nan, 4.0])
    found = pair_xy(x, y)
    assert (found.x.tolist(), found.y.tolist(), found.time.tolist()) == ([10, 11], [1, 2], [0.5, 1.0])
    same = series([3.0, 3.0], [1.0, 2.0])
    assert pair_xy(same, same._replace(value=np.array([5.0, 6.0]))).x.tolist() == [1, 2]
    assert len(pair_xy(series([], []), y).time) == 0
    assert len(pair_xy(x, y, max_age=0.1).time) == 1


def reference(
    values: list[float], level: float, hysteresis: float, rising: bool
) -> tuple[list[int], list[int]]:
    """A comparator with hysteresis, one sample at a time."""
    on, off, state = [], [], 0
    for index, value in enumerate(values):
        distance = value - level if rising else level - value
        if distance >= 0:
            if state == -1:
                on.append(index)
            state = 1
        elif distance < 0 and (hysteresis == 0 or distance < -hysteresis):
            if state == 1:
                off.append(index)
            state = -1
    return on, off


@given(
    st.lists(st.integers(-5, 5).map(float) | st.just(float("nan")), max_size=60),
    st.integers(-3, 3),
    st.integers(0, 3),
    st.booleans(),
    st.integers(1, 20),
)
def test_crossings_in_any_pieces(
    values: list[float], level: int, hysteresis: int, rising: bool, piece: int
) -> None:
    on, off, state = [], [], 0
    for start in range(0, len(values), piece):
        found = crossings(
            np.array(values[start : start + piece]), level, hysteresis, rising=rising, state=state
        )
        on += (found.on + start).tolist()
        off += (found.off + start).tolist()
        state = found.state
    assert (on, off) == reference(values, level, hysteresis, rising)


def fire(setting: TriggerSetting, values: list[float], piece: int = 3) -> list[float]:
    trigger = Trigger(setting)
    times = np.arange(len(values), dtype=np.float64)
    fired = []
    for start in range(0, len(values), piece):
        part = slice(start, start + piece)
        fired += trigger.feed(times[part], np.array(values[part]))
    return [event.time for event in fired]


WAVE = [0.0, 2.0, 0.9, 2.0, 0.0, 2.0, 0.0, 2.0]


def test_edges_with_hysteresis_hold_off_and_single_shot() -> None:
    assert fire(TriggerSetting("rising", 1.0), WAVE) == [1, 3, 5, 7]
    assert fire(TriggerSetting("rising", 1.0, hysteresis=0.5), WAVE) == [1, 5, 7]
    assert fire(TriggerSetting("falling", 0.5), WAVE) == [4, 6]
    assert fire(TriggerSetting("rising", 1.0, hold_off=3.0), WAVE) == [1, 5]
    assert fire(TriggerSetting("rising", 1.0, single=True), WAVE) == [1]


def test_a_level_fires_from_the_first_sample_an_edge_does_not() -> None:
    assert fire(TriggerSetting("above", 1.0), [2.0, 2.0, 0.0, 2.0]) == [0, 3]
    assert fire(TriggerSetting("rising", 1.0), [2.0, 2.0, 0.0, 2.0]) == [3]
    assert fire(TriggerSetting("below", 1.0), [2.0, 0.0]) == [1]


def test_the_window_has_time_before_and_after() -> None:
    (event,) = Trigger(TriggerSetting("rising", 1.0, before=0.25, after=2.0)).feed(
        np.array([0.0, 1.0]), np.array([0.0, 5.0])
    )
    assert (event.time, event.value, event.start, event.end) == (1.0, 5.0, 0.75, 3.0)


def test_a_single_shot_fires_again_only_when_armed() -> None:
    trigger = Trigger(TriggerSetting("rising", 1.0, single=True))
    wave = (np.arange(4.0), np.array([0.0, 2.0, 0.0, 2.0]))
    assert len(trigger.feed(*wave)) == 1
    assert not trigger.armed
    assert trigger.feed(*wave) == []
    trigger.arm()
    assert len(trigger.feed(*wave)) == 1


def test_thresholds_tell_each_crossing_once_and_its_end() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    watch = ThresholdWatch(store)
    watch.add(Threshold("too hot", "uno", "temp", 30.0, hysteresis=2.0))
    watch.add(Threshold("too cold", "uno", "temp", 5.0, above=False))
    assert watch.look() == []
    store.append("uno", "temp", [1, 2, 3, 4], [20.0, 31.0, 29.0, 31.0])
    found = watch.look()
    assert [(item.threshold.name, item.alarm, item.time, item.value) for item in found] == [
        ("too hot", True, 2.0, 31.0)
    ]
    assert watch.alarms == ["too hot"]
    assert watch.look() == []
    store.append("uno", "temp", [5, 6], [27.0, 4.0])
    assert [(item.threshold.name, item.alarm) for item in watch.look()] == [
        ("too hot", False),
        ("too cold", True),
    ]
    watch.remove("too cold")
    assert watch.alarms == []


def test_a_threshold_sees_every_sample_and_counts_what_left_the_store() -> None:
    store = TelemetryStore(16, clock=lambda: 0.0)
    watch = ThresholdWatch(store)
    watch.add(Threshold("peak", "uno", "v", 1.0))
    store.append("uno", "v", np.arange(10), [0, 0, 9, 0, 0, 9, 0, 0, 0, 0])
    assert sum(item.alarm for item in watch.look()) == 2
    store.append("uno", "v", np.arange(100), np.zeros(100))
    assert watch.look() == []
    assert watch.missed == 84
    store.clear()
    store.append("uno", "v", [0.0], [9.0])
    assert [item.alarm for item in watch.look()] == [True]


@pytest.mark.parametrize(("limit", "hysteresis"), [(float("nan"), 0.0), (1.0, -1.0), (float("inf"), 0.0)])
def test_impossible_thresholds_are_refused(limit: float, hysteresis: float) -> None:
    with pytest.raises(TelemetrySettingError):
        Threshold("x", "uno", "v", limit, hysteresis=hysteresis)


def test_statistics_of_a_window() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    store.append("uno", "v", [0, 1, 2, 3], [1.0, np.nan, 3.0, 100.0])
    found = store.stats(("uno", "v"), 0.0, 2.5)
    assert (found.mean, found.deviation, found.peak_to_peak) == (2.0, 1.0, 2.0)
    assert found.rms == pytest.approx(np.sqrt(5.0))


def test_a_table_is_written_with_columns_of_their_own_length(tmp_path: Path) -> None:
    rows = write_table_file(
        tmp_path / "t.csv", ["x, y", "=z"], [np.array([1.0, 0.1, 2e-9]), np.array([np.nan])]
    )
    assert rows == 3
    assert (tmp_path / "t.csv").read_text("utf-8") == '"x, y",\'=z\n1,\n0.1,\n2e-09,\n'
    with pytest.raises(TelemetryExportError):
        write_table_file(tmp_path / "missing" / "t.csv", ["x"], [np.zeros(1)])
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_correlation_of_known_pairs() -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert correlation(x, 3 - 2 * x) == pytest.approx(-1)
    assert correlation(x, np.array([1.0, -1.0, -1.0, 1.0])) == pytest.approx(0)
    assert np.isnan(correlation(x, np.ones(4)))
    assert np.isnan(correlation(x[:1], x[:1]))
