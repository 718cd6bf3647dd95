"""HW-12: series as Parquet."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.errors import TelemetryExportError
from zeroclaw_desktop.hardware.telemetry.export_parquet import PIECE_ROWS
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore


def filled() -> TelemetryStore:
    store = TelemetryStore(clock=lambda: 0.0, wall_clock=lambda: 1_700_000_000.0)
    times = np.arange(PIECE_ROWS + 10) / 1000
    store.append("uno", "温度", times, np.where(np.arange(len(times)) == 3, np.nan, times * 2), "℃")
    store.append("nano", "light", [0.5], [7.0])
    return store


def test_a_reader_gets_the_samples_back(tmp_path: Path) -> None:
    files = pytest.importorskip("arro3.io", reason="install with the extra 'parquet'")
    path = tmp_path / "a.parquet"
    assert filled().export_parquet(path) == PIECE_ROWS + 11
    table = files.read_parquet(path).read_all()
    assert table.column_names == ["time_s", "time", "source", "series", "unit", "value"]
    value = table["value"].to_numpy()
    assert np.isnan(value[3])
    assert value[PIECE_ROWS + 9] == pytest.approx((PIECE_ROWS + 9) / 500)
    assert value[-1] == 7.0
    last = {name: table[name][-1].as_py() for name in ("time_s", "time", "source", "series", "unit")}
    assert last["time"].timestamp() == 1_700_000_000.5
    assert (last["source"], last["series"], last["unit"], last["time_s"]) == ("nano", "light", "", 0.5)
    assert table["series"][0].as_py() == "温度"


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "arro3.core", None)
    with pytest.raises(TelemetryExportError, match="extra 'parquet'"):
        filled().export_parquet(tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("arro3.io", reason="install with the extra 'parquet'")
    with pytest.raises(TelemetryExportError, match="Could not write"):
        filled().export_parquet(tmp_path / "none" / "a.parquet")
