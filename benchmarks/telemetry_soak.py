"""Eight series at 10,000 samples/s each through a pseudo terminal, watched, exported and recorded meanwhile.

Sums at each hop: lines sent = lines read, bytes through the port = bytes recorded, samples read = stored =
replayed from the recording. Views are drawn 30 times a second, a second of data is exported every five.
``python -m benchmarks.telemetry_soak SECONDS`` runs longer.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import tty
from pathlib import Path
from typing import Any

from benchmarks._bench import add_up, row
from zeroclaw_desktop.hardware.sources.port_lines import PortLines
from zeroclaw_desktop.hardware.telemetry.byte_tap import SourceReading
from zeroclaw_desktop.hardware.telemetry.recorder import Recorder
from zeroclaw_desktop.hardware.telemetry.replay import Replay
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

SECONDS = 20
RATE = 10_000
SERIES = 8
FRAME_SECONDS = 1 / 30
_SENDER = """
import os, sys, time
seconds, rate = float(sys.argv[1]), int(sys.argv[2])
sys.stdin.readline()
os.write(1, b"\\n")
begin, sent = time.monotonic(), 0
total = int(seconds * rate)
while sent < total:
    due = min(total, int((time.monotonic() - begin) * rate))
    data = b"".join(b"%d,%d.5,%d,%d.25,%d,%d,%d,%d\\n" % (n, n % 7, n % 100, n % 9, n & 1, n % 3, n % 11, -n)
                    for n in range(sent, due))
    sent = due
    while data:
        data = data[os.write(1, data):]
    time.sleep(0.002)
"""


def _watch(
    store: TelemetryStore, port: str, folder: Path, lines: int, source: PortLines, patience: float
) -> int:
    """Draw and export until all lines came; returns how many views were made."""
    frames, exported = 0, time.monotonic()
    deadline = time.monotonic() + patience
    while source.ingest.counters.lines < lines:
        if time.monotonic() > deadline:
            raise RuntimeError(f"only {source.ingest.counters.lines:,} of {lines:,} lines came")
        now = store.now()
        for info in store.series():
            store.minmax_columns(info.key, now - 10.0, now, 1000)
        frames += 1
        if time.monotonic() - exported > 5.0:
            store.export_csv(folder / "second.csv", now - 1.0, now)
            exported = time.monotonic()
        time.sleep(FRAME_SECONDS)
    return frames


def soak(seconds: float) -> dict[str, Any]:
    """Run and return a row; raises RuntimeError where the sums do not add up."""
    board, host = os.openpty()
    tty.setraw(host)
    port = os.ttyname(host)
    store = TelemetryStore(1_000_000)
    lines = int(seconds * RATE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reading = SourceReading(port, synchronised=False)
        source = PortLines(store, port, PortSettings(), reading)
        recorder = Recorder(folder / "soak.zcrec", store)
        source.start()
        os.close(host)
        command = [sys.executable, "-c", _SENDER, str(seconds), str(RATE)]
        sender = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=board)
        assert sender.stdin is not None
        before = resource.getrusage(resource.RUSAGE_SELF)
        sender.stdin.write(b"go\n")
        sender.stdin.close()
        frames = _watch(store, port, folder, lines, source, seconds * 2 + 30)
        used = resource.getrusage(resource.RUSAGE_SELF)
        sender.wait()
        source.stop()
        counters = recorder.stop()
        os.close(board)
        stored = sum(info.count for info in store.series())
        told = add_up(source.bytes_read, read=source.ingest.counters.bytes, recorded=counters.recorded_bytes)
        replay = Replay(folder / "soak.zcrec", max_samples=100_000)
        replay.advance_to(replay.end)
        again = sum(info.count for info in replay.store.series())
        told += "; " + add_up(
            lines * SERIES, samples=source.ingest.counters.samples, stored=stored, replayed=again
        )
    share = (used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime) / seconds
    note = f"{seconds:g} s, {frames} frames, {store.memory_bytes() / 1e6:.0f} MB of series, {told}"
    return row(
        "telemetry.soak", "8 x 10,000 samples/s watched and recorded", [share * 100], "% of a core", note=note
    )


def run() -> list[dict[str, Any]]:
    """Return one row."""
    return [soak(SECONDS)]


if __name__ == "__main__":
    result = soak(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
    print(f"{result['name']}: {result['median']} {result['unit']}, {result['note']}")
