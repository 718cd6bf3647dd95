"""The store: series as they appear, figures, markers, limits, export."""

from __future__ import annotations

import csv
import io
import math
import threading
from pathlib import Path

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.errors import (
    TelemetryExportError,
    TelemetrySettingError,
    UnknownSeriesError,
)
from zeroclaw_desktop.hardware.telemetry.export import ExportOptions
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore

GAP = float("nan")


def exported(store: TelemetryStore, **wanted: object) -> list[list[str]]:
    file = io.StringIO()
    options = ExportOptions(**wanted)  # type: ignore[arg-type]
    store.export_csv(file, options=options)
    return list(csv.reader(io.StringIO(file.getvalue()), delimiter=options.delimiter))


@pytest.fixture
def store() -> TelemetryStore:
    """One source with two series, one of them with a gap."""
    store = TelemetryStore(clock=lambda: 100.0, wall_clock=lambda: 0.0)
    store.append("uno", "temp", [0.0, 1.0, 2.0], [20.5, GAP, 21.0], "C")
    store.append("uno", "light", [0.0, 2.0, 2.0], [512, 513, 514])
    return store


def test_series_appear_by_themselves(store: TelemetryStore) -> None:
    store.append("mega", "temp", 5.0, 1.0)
    assert store.sources() == ["uno", "mega"]
    assert [info.key for info in store.series("uno")] == [("uno", "temp"), ("uno", "light")]
    temp = store.series("uno")[0]
    assert (temp.unit, temp.count, temp.retained, temp.last_time, temp.last_value) == ("C", 3, 3, 2.0, 21.0)
    assert len(store.series()) == 3


def test_generation_tells_of_every_change(store: TelemetryStore) -> None:
    seen = [store.generation]
    store.append("uno", "temp", 3.0, 1.0)
    seen.append(store.generation)
    store.add_marker("LED on")
    seen.append(store.generation)
    store.clear("uno")
    seen.append(store.generation)
    assert seen == sorted(set(seen))


def test_figures_leave_gaps_out(store: TelemetryStore) -> None:
    stats = store.stats(("uno", "temp"))
    assert (stats.count, stats.gaps, stats.minimum, stats.maximum, stats.last) == (3, 1, 20.5, 21.0, 21.0)
    assert stats.mean == pytest.approx(20.75)
    assert stats.rate == pytest.approx(1.0)
    window = store.stats(("uno", "temp"), 0.5, 1.5)
    assert (window.count, window.gaps, window.rate) == (1, 1, 0.0)
    assert math.isnan(window.mean)


def test_memory_is_bound(store: TelemetryStore) -> None:
    small = TelemetryStore(max_samples=1000, max_series=2)
    small.append("uno", "a", np.arange(5000.0), np.arange(5000.0))
    assert small.series()[0].count == 5000
    assert 1000 <= small.series()[0].retained <= 1015
    assert small.append("uno", "b", 0.0, 0.0)
    assert not small.append("uno", "c", [0.0, 1.0], [0.0, 1.0])
    assert small.refused_samples == 2
    assert small.append("uno", "a", 6000.0, 0.0)
    assert small.memory_bytes() < 2 * 1024 * 24
    with pytest.raises(TelemetrySettingError):
        TelemetryStore(max_samples=0)


def test_clear_one_source_or_all(store: TelemetryStore) -> None:
    store.append("mega", "x", 0.0, 0.0)
    store.add_marker("flashed", "flash", marker_time=1.0, source_id="uno")
    store.add_marker("button", marker_time=2.0)
    store.clear("uno")
    assert store.sources() == ["mega"]
    assert [marker.text for marker in store.markers] == ["button"]
    store.clear()
    assert (store.sources(), store.markers) == ([], [])
    with pytest.raises(UnknownSeriesError, match="'temp'"):
        store.stats(("uno", "temp"))


def test_markers_stand_on_the_same_axis() -> None:
    clock = iter([100.0, 103.5])
    store = TelemetryStore(clock=lambda: next(clock))
    marker = store.add_marker("LED on")
    assert (marker.time, marker.kind, store.to_store_time(104.0)) == (3.5, "action", 4.0)


def test_wide_form_keeps_gaps_and_samples_of_the_same_time(store: TelemetryStore) -> None:
    assert exported(store) == [
        ["time_s", "temp [C]", "light"],
        ["0.000000", "20.5", "512"],
        ["1.000000", "", ""],
        ["2.000000", "21", "513"],
        ["2.000000", "", "514"],
    ]


def test_long_form_has_a_row_for_each_sample(store: TelemetryStore) -> None:
    rows = exported(store, form="long", time_format="iso")
    assert rows[0] == ["time", "source", "series", "unit", "value"]
    assert rows[1] == ["1970-01-01T00:00:00.000000Z", "uno", "temp", "C", "20.5"]
    assert rows[2] == ["1970-01-01T00:00:01.000000Z", "uno", "temp", "C", ""]
    assert len(rows) == 7


def test_semicolon_and_decimal_comma(store: TelemetryStore) -> None:
    assert exported(store, delimiter=";", decimal_comma=True)[1] == ["0,000000", "20,5", "512"]


def test_several_sources_are_told_apart_and_formulas_are_text() -> None:
    store = TelemetryStore()
    store.append("uno", "temp", 0.0, 0.1)
    store.append("=mega", "temp", 0.0, -1e300)
    assert exported(store) == [["time_s", "uno/temp", "'=mega/temp"], ["0.000000", "0.1", "-1e+300"]]


def test_export_to_a_path_is_whole_or_not_at_all(store: TelemetryStore, tmp_path: Path) -> None:
    target = tmp_path / "run.csv"
    rows = store.export_csv(target, 0.5, 2.5, [SeriesKey("uno", "temp")])
    assert rows == 2
    assert target.read_text("utf-8").splitlines() == ["time_s,temp [C]", "1.000000,", "2.000000,21"]
    with pytest.raises(TelemetryExportError) as caught:
        store.export_csv(tmp_path / "missing" / "run.csv")
    assert caught.value.hint
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.csv"]


def test_a_writer_and_a_reader_at_once_lose_nothing() -> None:
    store = TelemetryStore(max_samples=50_000)
    wrong: list[str] = []
    done = threading.Event()

    def write() -> None:
        for block in range(400):
            indexes = np.arange(block * 250, (block + 1) * 250, dtype=np.float64)
            store.append("uno", "count", indexes, indexes)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        while not done.is_set():
            for info in store.series():
                snapshot = store.snapshot(info.key)
                if not np.array_equal(snapshot.value, np.arange(len(snapshot.value)) + snapshot.first_index):
                    wrong.append("snapshot")
                view = store.minmax_columns(info.key, 0.0, 100_000.0, 500)
                if (view.low > view.high).any() or not np.all(view.low == view.time):
                    wrong.append("columns")
    finally:
        writer.join()
    assert wrong == []
    assert store.series()[0].count == 100_000


def test_all_series_together_keep_within_the_bound_and_old_samples_go_first() -> None:
    """HW-12: the memory bound is settable and shown."""
    store = TelemetryStore(100_000, max_bytes=500_000, clock=lambda: 0.0)
    for number in range(40):
        values = np.arange(number * 1000, (number + 1) * 1000, dtype=np.float64)
        store.append("uno", "a", values, values)
        store.append("uno", "b", values, values)
    assert store.memory_bytes() == store.budget.used <= store.budget.limit == 500_000
    assert store.budget.refusals > 0
    kept = store.snapshot(("uno", "a")).value
    assert store.ring(("uno", "a")).count == 40_000
    np.testing.assert_array_equal(kept, np.arange(40_000 - len(kept), 40_000))
    assert len(kept) >= 1000


def test_a_series_for_which_there_is_no_memory_is_refused_and_counted() -> None:
    store = TelemetryStore(1000, max_bytes=50_000, clock=lambda: 0.0)
    assert [store.append("uno", label, [0.0], [1.0]) for label in "abcd"] == [True, True, False, False]
    assert store.refused_samples == 2
    store.clear()
    assert store.budget.used == 0
    assert store.append("uno", "c", [0.0], [1.0])


def test_figures_of_values_whose_squares_no_number_can_hold() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    store.append("uno", "huge", [0.0, 1.0, 2.0, 3.0], [1e300, -1e300, 1e300, -1e300])
    found = store.stats(("uno", "huge"))
    assert (found.mean, found.deviation, found.rms) == pytest.approx((0.0, 1e300, 1e300))
    assert found.peak_to_peak == 2e300


def test_one_series_is_described_as_in_the_list(store: TelemetryStore) -> None:
    listed = {info.key: info for info in store.series()}
    assert store.info(("uno", "temp")) == listed[SeriesKey("uno", "temp")]
    assert store.info(("uno", "none")) is None
    assert store.info(("other", "temp")) is None
