"""HW-12: unit and scale of a series hold for curves, figures, limits, triggers and exports alike."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.calibration import Calibration
from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold, ThresholdWatch

KEY = SeriesKey("uno", "adc")
CELSIUS = Calibration(0.5, -50.0, "°C")
"""The line of a TMP36 behind a converter with two steps a degree."""


@pytest.fixture
def store() -> TelemetryStore:
    """A hundred samples 0, 1, 2 ..., one a second, that the board calls steps."""
    made = TelemetryStore(clock=lambda: 0.0)
    made.append(*KEY, np.arange(100.0), np.arange(100.0), "steps")
    return made


def test_every_reader_sees_the_same_figures(store: TelemetryStore) -> None:
    store.calibrate(KEY, CELSIUS)
    assert store.snapshot(KEY, 0, 3).value.tolist() == [-50.0, -49.5, -49.0]
    assert store.since(KEY, 98).value.tolist() == [-1.0, -0.5]
    assert store.series()[0].last_value == -0.5
    assert (store.series()[0].unit, store.unit(KEY), store.sent_unit(KEY)) == ("°C", "°C", "steps")
    stats = store.stats(KEY)
    assert (stats.minimum, stats.maximum, stats.peak_to_peak) == (-50.0, -0.5, 49.5)
    text = io.StringIO()
    store.export_csv(text)
    assert "°C" in text.getvalue()
    assert "-49.5" in text.getvalue()


def test_it_changes_the_past_and_can_be_taken_back(store: TelemetryStore) -> None:
    store.calibrate(KEY, CELSIUS)
    store.calibrate(KEY, Calibration())
    assert store.snapshot(KEY).value.tolist() == list(range(100))
    assert store.unit(KEY) == "steps"


@pytest.mark.parametrize("columns", [10, 1000])
def test_a_negative_factor_turns_the_columns_over(store: TelemetryStore, columns: int) -> None:
    before = store.minmax_columns(KEY, 0, 100, columns)
    store.calibrate(KEY, Calibration(-2.0, 1.0))
    found = store.minmax_columns(KEY, 0, 100, columns)
    assert np.array_equal(found.low, 1 - 2 * before.high)
    assert np.array_equal(found.high, 1 - 2 * before.low)
    assert (found.low is found.high) == (before.low is before.high)


def test_a_limit_is_in_the_unit_that_is_shown(store: TelemetryStore) -> None:
    store.calibrate(KEY, CELSIUS)
    watch = ThresholdWatch(store)
    watch.add(Threshold("warm", *KEY, limit=0.0))
    store.append(*KEY, [100.0, 101.0], [99.0, 101.0])
    assert [(found.alarm, found.value) for found in watch.look()] == [(True, 0.5)]


def test_a_gap_stays_a_gap(store: TelemetryStore) -> None:
    store.append(*KEY, [100.0], [np.nan])
    store.calibrate(KEY, CELSIUS)
    assert math.isnan(store.snapshot(KEY, 100).value[0])


def test_a_calibration_may_come_before_its_series() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    store.calibrate(KEY, CELSIUS)
    store.append(*KEY, [0.0], [100.0])
    assert store.series()[0].last_value == 0.0


@pytest.mark.parametrize(
    ("factor", "offset"),
    [
        (0.0, 0.0),
        (math.nan, 0.0),
        (math.inf, 0.0),
        (1.0, math.inf),
        (1e31, 0.0),
        (1e-31, 0.0),
        (1.0, -1e31),
        (1.0, math.nan),
    ],
)
def test_what_cannot_be_undone_is_refused(factor: float, offset: float) -> None:
    with pytest.raises(TelemetrySettingError, match="cannot be scaled"):
        Calibration(factor, offset)


def test_the_rate_of_a_window_needs_no_copy(store: TelemetryStore) -> None:
    ring = store.ring(KEY)
    assert ring.rate(10, 21) == pytest.approx(1.0)
    assert ring.rate(10, 11) == 0.0
    assert ring.rate(500, 600) == 0.0
    store.append(*KEY, [200.0, 200.0, 200.0], [1.0, 2.0, 3.0])
    assert ring.rate(150, 300) == 0.0


def test_what_no_number_can_hold_is_a_gap(store: TelemetryStore) -> None:
    store.append(*KEY, [100.0, 101.0], [1e300, -1e300])
    store.calibrate(KEY, Calibration(1e30))
    assert np.isnan(store.snapshot(KEY, 100).value).all()
    assert math.isnan(store.series()[0].last_value or 0.0)
