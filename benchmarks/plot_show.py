"""Eight series at 10,000 samples/s through a pseudo terminal into the running Plots page, used meanwhile.

Pauses, zooms, boxes, follows, exports as CSV, Parquet and PNG, recordings started and stopped, one deed every
second. Every line begins with its number, so that proofs need no trust in our own counters:

- lines sent = lines read; values sent = samples stored;
- every export and every recording holds numbers that follow on each other without a gap, as many as its
  stretch of time has, in all eight series alike;
- the gaps of the window's event loop are told, beside those while an export was written.

``python -m benchmarks.plot_show --seconds 600`` is the long form.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import importlib.util
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._bench import add_up
from benchmarks._watched_window import Bench, drive, in_window

SECONDS = 20.0
RATE = 10_000
SERIES = 8
LABELS = "nbcdefgh"
DEED_SECONDS = 1.0
EXPORTED_SECONDS = 0.5
_SENDER = """
import os, sys, time
seconds, rate = float(sys.argv[1]), int(sys.argv[2])
sys.stdin.readline()
os.write(1, b"\\n")
begin, sent = time.monotonic(), 0
total = int(seconds * rate)
while sent < total:
    due = min(total, int((time.monotonic() - begin) * rate))
    data = b"".join(b"n:%d,b:%d.5,c:%d,d:%d.25,e:%d,f:%d,g:%d,h:%d\\n"
                    % (n, n % 7, n % 100, n % 9, n & 1, n % 3, n % 11, -n) for n in range(sent, due))
    sent = due
    while data:
        data = data[os.write(1, data):]
    time.sleep(0.004)
"""


class Deeds:
    """What a person does on the page, one after the other, with what must come of it.

    Args:
        bench: the window.
        folder: for exports and recordings.
        port: source of the series.
    """

    def __init__(self, bench: Bench, folder: Path, port: str) -> None:
        self.page = bench.window.page("plots")
        self.counts = dict.fromkeys(("pauses", "zooms", "boxes", "exports", "pictures", "recordings"), 0)
        self.while_exporting: list[float] = []
        self._bench = bench
        self._folder = folder
        self._port = port
        self._number = itertools.count()
        self._recording: Path | None = None
        parquet = importlib.util.find_spec("arro3") is not None
        self.cycle: list[Callable[[], Awaitable[None] | None]] = [
            self.record,
            self.pause,
            self.export_csv,
            self.zoom,
            self.box,
            self.picture,
            *([self.export_parquet] if parquet else []),
            self.follow,
            self.stop_recording,
        ]

    def pause(self) -> None:
        """Freeze the view; what comes meanwhile must not be lost."""
        self.page.toggle_pause()
        self.counts["pauses"] += 1

    def zoom(self) -> None:
        """Show half, then a fifth more."""
        self.page.canvas.zoom(0.5)
        self.page.canvas.zoom(1.2)
        self.counts["zooms"] += 2

    def box(self) -> None:
        """Draw a box around a part of the first panel."""
        from PySide6.QtCore import QRectF

        frame = self.page.canvas.frames()[0]
        area = frame.area
        corner = area.width() * 0.4, area.height() * 0.2
        box = QRectF(area.left() + corner[0], area.top() + corner[1], area.width() / 4, area.height() / 2)
        self.page.canvas.zoom_to_box(box, frame)
        self.counts["boxes"] += 1

    def follow(self) -> None:
        """Back to the present, with a window of five seconds."""
        self.page.canvas.follow()
        self.page.canvas.set_window(5.0)

    def picture(self) -> None:
        """Write a PNG."""
        path = self._folder / "plot.png"
        self.page.exports.export_png(str(path))
        if path.read_bytes()[:4] != b"\x89PNG":
            raise RuntimeError("the picture is none")
        self.counts["pictures"] += 1

    async def export_csv(self) -> None:
        """Write a stretch as CSV and read it with Python's own reader."""
        start, end = self._stretch()
        path = self._folder / "part.csv"
        begin = time.perf_counter()
        from zeroclaw_desktop.bridge.plot_export_bridge import CsvForm

        fault = await self._exported(lambda export: export.export_csv(str(path), start, end, CsvForm()))
        self.while_exporting.append((time.perf_counter() - begin) * 1000)
        if fault is not None:
            raise RuntimeError(fault.raw or fault.title)
        self._check(await in_process(read_csv, path), start, end)
        self.counts["exports"] += 1

    async def export_parquet(self) -> None:
        """Write a stretch as Parquet and read it with another library."""
        start, end = self._stretch()
        path = self._folder / "part.parquet"
        begin = time.perf_counter()
        fault = await self._exported(lambda export: export.export_parquet(str(path), start, end))
        self.while_exporting.append((time.perf_counter() - begin) * 1000)
        if fault is not None:
            raise RuntimeError(fault.raw or fault.title)
        self._check(await in_process(read_parquet, path), start, end)
        self.counts["exports"] += 1

    async def _exported(self, begin: Callable[[Any], None]) -> Any:
        export = self._bench.bridge.plot_export
        ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def finished(_path: str, fault: object) -> None:
            if not ended.done():
                ended.set_result(fault)

        export.finished.connect(finished)
        begin(export)
        fault = await ended
        export.finished.disconnect(finished)
        return fault

    def record(self) -> None:
        """Begin a recording."""
        self._recording = self._folder / f"part{next(self._number)}.zcrec"
        fault = self._bench.bridge.plot_tools.start_recording(str(self._recording))
        if fault is not None:
            raise RuntimeError(fault.raw or fault.title)

    async def stop_recording(self) -> None:
        """End it and replay it: its numbers follow on each other."""
        if self._recording is None:
            return
        ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._bench.bridge.plot_tools.stop_recording(ended.set_result)
        fault = await ended
        if fault is not None:
            raise RuntimeError(fault.raw or fault.title)
        path, self._recording = self._recording, None
        held = await in_process(replayed, path)
        if len(held) != SERIES or len(set(held.values())) != 1:
            raise RuntimeError(f"the recording has {held}")
        path.unlink()
        self.counts["recordings"] += 1

    def _stretch(self) -> tuple[float, float]:
        end = self._bench.runtime.store.now() - 0.5
        return end - EXPORTED_SECONDS, end

    def _check(self, counts: dict[str, int], start: float, end: float) -> None:
        expected = len(self._bench.runtime.store.snapshot((self._port, "n"), start, end).value)
        if set(counts.values()) != {expected}:
            raise RuntimeError(f"an export of {expected} samples a series has {counts}")


def read_csv(path: Path) -> dict[str, int]:
    """Values of each series in a file of ours; see ``counts_of``."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    columns = zip(*([float(cell or "nan") for cell in row] for row in rows[1:]), strict=True)
    found = {}
    for head, column in zip(rows[0], columns, strict=True):
        words = head.replace("/", " ").replace(":", " ").split()
        label = next((word for word in words if word in LABELS), "")
        if label:
            values = np.array(column)
            found[label] = values[~np.isnan(values)]
    return counts_of(found)


def read_parquet(path: Path) -> dict[str, int]:
    """The same of a Parquet file, where a row is a sample."""
    from arro3.io import read_parquet as read

    table = read(str(path)).read_all()
    values = table["value"].to_numpy()
    names = np.array([name.as_py() for name in table["series"]])
    return counts_of({label: values[names == label] for label in LABELS})


def counts_of(columns: dict[str, Any]) -> dict[str, int]:
    """How many values each series has.

    Raises:
        RuntimeError: a series is missing, or the numbers of the lines do not follow on each other.
    """
    if sorted(columns) != sorted(LABELS):
        raise RuntimeError(f"the series are {sorted(columns)}")
    numbers = columns["n"]
    if not len(numbers) or (np.diff(numbers) != 1).any() or (columns["h"] != -numbers).any():
        raise RuntimeError("the numbers do not follow on each other")
    return {label: len(values) for label, values in columns.items()}


def replayed(path: Path) -> dict[str, int]:
    """Samples of each series of a recording; raises RuntimeError where a number is missing."""
    from zeroclaw_desktop.hardware.telemetry.replay import Replay

    replay = Replay(path, max_samples=5_000_000)
    replay.advance_to(replay.end)
    found = {}
    for info in replay.store.series():
        found[info.key.label] = info.count
        if info.key.label == "n" and (np.diff(replay.store.snapshot(info.key).value) != 1).any():
            raise RuntimeError("the recording misses numbers")
    return found


async def in_process(work: Callable[[Path], Any], path: Path) -> Any:
    """Run one of the functions above in a process of its own, so that the window's figures stay its own."""
    code = "import json,sys; from pathlib import Path; "
    code += f"from benchmarks.plot_show import {work.__name__} as work; "
    code += "print(json.dumps(work(Path(sys.argv[1]))))"
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(path), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await child.communicate()
    if child.returncode:
        raise RuntimeError(f"{work.__name__} failed")
    return json.loads(said)


def _start_sender(seconds: float, board: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _SENDER, str(seconds), str(RATE)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=board, stderr=subprocess.DEVNULL)


async def use_page(bench: Bench) -> dict[str, Any]:
    """The scenario inside the window's process."""
    seconds = float(bench.arguments[0])
    board, host = os.openpty()
    tty.setraw(host)
    tty.setraw(board)
    port = os.ttyname(host)
    bench.window.show_page("plots")
    opened: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    bench.bridge.plot_sources.listen_to_port(port, 115_200, opened.set_result)
    if (fault := await opened) is not None:
        raise RuntimeError(fault.raw or fault.title)
    os.close(host)
    sender = _start_sender(seconds, board)
    try:
        return await _use(bench, sender, port, seconds)
    finally:
        sender.kill()
        await asyncio.to_thread(sender.wait)
        bench.bridge.plot_sources.leave_port(port)
        await asyncio.sleep(0.5)
        os.close(board)


async def _use(bench: Bench, sender: subprocess.Popen[bytes], port: str, seconds: float) -> dict[str, Any]:
    lines = int(seconds * RATE)
    assert sender.stdin is not None
    with tempfile.TemporaryDirectory() as folder:
        deeds = Deeds(bench, Path(folder), port)
        source = bench.runtime.plot_sources.ports.open[port]
        sender.stdin.write(b"go\n")
        sender.stdin.close()
        await asyncio.sleep(2.0)
        bench.restart()
        before, early = bench.figures(), 0.0
        begin = time.monotonic()
        for number in itertools.count():
            await asyncio.sleep(DEED_SECONDS)
            if time.monotonic() - begin > seconds - 3.5:
                break
            done = deeds.cycle[number % len(deeds.cycle)]()
            if done is not None:
                await done
            if not early and time.monotonic() - begin > min(120.0, seconds / 2):
                early = bench.figures()["resident"]
        await deeds.stop_recording()
        figures = bench.figures()
        # What does not come is told by the sums.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.to_thread(sender.wait), 30.0)
        await asyncio.sleep(1.0)
    counts = [info.count for info in bench.runtime.store.series(port)]
    passed = seconds - 3.5
    return {
        **figures,
        **deeds.counts,
        "cpu": (figures["cpu"] - before["cpu"]) / passed,
        "growth": figures["resident"] - early,
        "exporting": max(deeds.while_exporting, default=0.0),
        "lines": lines,
        "read": source.ingest.counters.lines,
        "samples": source.ingest.counters.samples,
        "stored": sum(counts),
    }


def show(seconds: float) -> dict[str, Any]:
    """Run it; returns a row.

    Raises:
        RuntimeError: a sample is missing somewhere.
    """
    found = in_window("benchmarks.plot_show", str(seconds), seconds=3 * seconds + 120)
    told = add_up(found["lines"], lines_sent=found["lines"], read=found["read"])
    told += "; " + add_up(found["lines"] * SERIES, samples=found["samples"], stored=found["stored"])
    done = ", ".join(f"{found[name]} {name}" for name in ("pauses", "zooms", "boxes", "exports", "pictures"))
    note = (
        f"max {found['max']:.0f} ms (longest export {found['exporting']:.0f} ms), {found['cpu']:.0%} of a"
        f" core, {found['resident'] / 1e6:.0f} MB ({found['growth'] / 1e6:+.0f} since the first half or two"
        f" minutes); {done}, {found['recordings']} recordings without a gap; {told}"
    )
    name = f"8 x 10,000 samples/s for {seconds:g} s, used meanwhile"
    return {"id": "plots.show", "name": name, "median": found["p50"], "p99": found["p99"]} | {
        "ratio": None,
        "unit": "ms gap",
        "note": note,
    }


def run(seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Return the row of the short form."""
    return [show(seconds)]


def main() -> int:
    """Print the figures, or be the window."""
    if sys.argv[1:2] == ["--inside"]:
        return drive(use_page, sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plot_show")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    row = show(parser.parse_args().seconds)
    print(f"{row['name']}: gap p50 {row['median']:.2f} ms, p99 {row['p99']:.2f} ms, {row['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
