"""HW-12: exports go on in a thread, can be cancelled, and leave a whole file or none (complaint 81 too)."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.errors import ExportCancelledError, TelemetryExportError
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_export import ExportJob, ExportWish

COUNT = 40_000


def filled() -> TelemetryStore:
    store = TelemetryStore(clock=lambda: 0.0, wall_clock=lambda: 1_700_000_000.0)
    times = np.arange(COUNT) / 1000
    store.append("uno", "a", times, times / 2, "V")
    store.append("uno", "b", times[::2], np.full(COUNT // 2, np.nan))
    return store


async def test_every_sample_is_written_and_the_progress_reaches_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    job = ExportJob(ExportWish(path))
    assert await job.run(filled()) == COUNT
    assert (job.done, job.whole) == (COUNT + COUNT // 2,) * 2
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time_s", "a [V]", "b"]
    assert rows[1:4] == [["0.000000", "0", ""], ["0.001000", "0.0005", ""], ["0.002000", "0.001", ""]]
    assert len(rows) == COUNT + 1
    assert float(rows[-1][1]) == (COUNT - 1) / 2000
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]


async def test_separators_decimals_and_iso_time(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    wish = ExportWish(path, start=0.5, end=0.5015, delimiter=";", decimal_comma=True, iso_time=True)
    await ExportJob(wish).run(filled())
    assert path.read_text(encoding="utf-8").splitlines() == [
        "time;a [V];b",
        "2023-11-14T22:13:20.500000Z;0,25;",
        "2023-11-14T22:13:20.501000Z;0,2505;",
    ]


async def test_a_row_for_each_sample(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    await ExportJob(ExportWish(path, end=0.0005, long=True, delimiter="\t")).run(filled())
    assert path.read_text(encoding="utf-8").splitlines() == [
        "time_s\tsource\tseries\tunit\tvalue",
        "0.000000\tuno\ta\tV\t0",
        "0.000000\tuno\tb\t\t",
    ]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
async def test_a_cancelled_export_leaves_the_old_file_and_no_other(tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("arro3.io", reason="install with the extra 'parquet'")
    path = tmp_path / f"a.{kind}"
    path.write_text("older")
    job = ExportJob(ExportWish(path, kind))  # type: ignore[arg-type]
    job.cancel()
    with pytest.raises(ExportCancelledError):
        await job.run(filled())
    assert path.read_text() == "older"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


async def test_the_loop_goes_on_while_it_is_written(tmp_path: Path) -> None:
    job = ExportJob(ExportWish(tmp_path / "a.csv"))
    work = asyncio.create_task(job.run(filled()))
    seen = []
    while not work.done():
        seen.append(job.done)
        await asyncio.sleep(0)
    assert await work == COUNT
    assert any(0 < done < job.whole for done in seen)


async def test_commas_in_both_places_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(TelemetryExportError, match="Commas"):
        await ExportJob(ExportWish(tmp_path / "a.csv", decimal_comma=True)).run(filled())
    assert list(tmp_path.iterdir()) == []
