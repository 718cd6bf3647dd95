"""Budget B7: bytes of a pseudo terminal to samples in rings, against the pipe without parsing.

A child process writes lines into the terminal as fast as they are taken; the app's own port handle and the
whole ingest read them in this process. The peer reads the same bytes through the same handle and drops them.
Each format runs at a tenth, at the size and at ten times the size; the exponent of time over lines should be
1. Sums: bytes sent = read, lines sent = lines read, samples = stored. Latency: lines with the time of their
writing in them at 1 kHz, until their sample is in the store.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
import tty
from typing import Any

from benchmarks._bench import add_up, percentile, row
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortHandle, PortSettings, open_port

LINES = 300_000
ROUNDS = 3
FORMATS: dict[str, tuple[str, int]] = {
    "a:1.2,b:3.4": ('b"a:%d.%d,b:%d.%d\\n" % (n % 9, n % 10, n % 7, n % 8)', 2),
    "JSON, 2 values": ('b\'{"a":%d.%d,"b":%d.5}\\n\' % (n % 9, n % 10, n % 7)', 2),
    "CSV, 8 values": ('b",".join(b"%d.%d" % (n % k, k) for k in range(1, 9)) + b"\\n"', 8),
    "TSV, 8 values": ('b"\\t".join(b"%d.%d" % (n % k, k) for k in range(1, 9)) + b"\\n"', 8),
    "spaces, 8 values": ('b" ".join(b"%d.%d" % (n % k, k) for k in range(1, 9)) + b"\\n"', 8),
    "semicolons, 8 values": ('b";".join(b"%d.%d" % (n % k, k) for k in range(1, 9)) + b"\\n"', 8),
    "label=value, 2 values": ('b"temp=%d.5 hum=%d\\n" % (n % 50, n % 100)', 2),
    "units, 2 values": ('b"T: %d.5 C, H: %d %%\\n" % (n % 50, n % 100)', 2),
    "Teleplot with time": ('b">a:%d:%d.5\\n" % (n, n % 100)', 1),
    "Teleplot, 4 names": ('b">s%d:%d.5\\n" % (n % 4, n % 100)', 1),
    "telemetry JSON, 3 signals": (
        'b\'{"evt":"telemetry","signal":"a%d","value":%d,"t":%d}\\n\' % (n % 3, n % 1024, n // 1000)',
        1,
    ),
}
_WRITER = """
import os, sys
lines = int(sys.argv[1])
piece = b"".join({line} for n in range(5040))
data = piece * (lines // 5040) + b"".join({line} for n in range(lines % 5040))
view = memoryview(data)
sys.stdin.readline()
while view:
    view = view[os.write(1, view[:65536]):]
"""
_SLOW_WRITER = """
import os, sys, time
sys.stdin.readline()
begin = time.monotonic()
for n in range(3000):
    while time.monotonic() < begin + n / 1000:
        time.sleep(0.0001)
    os.write(1, b"sent:%.6f\\n" % (time.monotonic() - begin))
"""


class _Line:
    """A pseudo terminal with a program at its other end."""

    def __init__(self, program: str, *arguments: str) -> None:
        board, host = os.openpty()
        tty.setraw(host)
        tty.setraw(board)
        self.handle: PortHandle = open_port(os.ttyname(host), PortSettings())
        self._child = subprocess.Popen(
            [sys.executable, "-c", program, *arguments], stdin=subprocess.PIPE, stdout=board
        )
        self._board = board
        os.close(host)
        time.sleep(0.3)
        assert self._child.stdin is not None
        self._child.stdin.write(b"go\n")
        self._child.stdin.close()

    def close(self) -> None:
        self._child.wait()
        self.handle.close()
        os.close(self._board)


def _size(source: str, lines: int) -> int:
    make = eval(f"lambda n: {source}")  # the text stands above
    return sum(len(make(n % 5040)) for n in range(lines))


def _run(source: str, lines: int, *, parse: bool) -> tuple[float, TelemetryIngest, TelemetryStore, int]:
    expected = _size(source, lines)
    line = _Line(_WRITER.replace("{line}", source), str(lines))
    store = TelemetryStore()
    ingest = TelemetryIngest("pty", store)
    ingest.feed(b"\n", time.monotonic())
    came, begin = 0, 0.0
    while came < expected:
        data = line.handle.read(5.0)
        if not data:
            raise RuntimeError(f"{expected - came:,} bytes did not come")
        begin = begin or time.perf_counter()
        came += len(data)
        if parse:
            ingest.feed(data, time.monotonic())
    passed = time.perf_counter() - begin
    line.close()
    return passed, ingest, store, expected + 1


def _format_row(name: str, source: str, values: int) -> dict[str, Any]:
    rates: dict[int, list[float]] = {}
    sums = ""
    for lines in (LINES // 10, LINES, LINES * 10):
        for _ in range(ROUNDS if lines <= LINES else 1):
            passed, ingest, store, expected = _run(source, lines, parse=True)
            rates.setdefault(lines, []).append(lines / passed)
            add_up(expected, bytes_read=ingest.counters.bytes)
            add_up(lines, lines=ingest.counters.lines, understood=ingest.counters.telemetry_lines)
            stored = sum(info.count for info in store.series())
            sums = add_up(lines * values, samples=ingest.counters.samples, stored=stored)
    peer = [LINES / _run(source, LINES, parse=False)[0] for _ in range(ROUNDS)]
    best = {lines: max(found) for lines, found in rates.items()}
    exponent = math.log10((LINES * 10 / best[LINES * 10]) / (LINES / 10 / best[LINES // 10])) / 2
    note = f"peer {max(peer):,.0f}; exponent {exponent:.2f}; {sums}"
    ratio = max(rates[LINES]) / max(peer)
    return row("B7", f"pty {name}", rates[LINES], "lines/s", ratio=ratio, note=note)


def _latency_row() -> dict[str, Any]:
    line = _Line(_SLOW_WRITER)
    store = TelemetryStore()
    ingest = TelemetryIngest("pty", store)
    ingest.feed(b"\n", time.monotonic())
    delays: list[float] = []
    first = None
    while ingest.counters.lines < 3000:
        data = line.handle.read(5.0)
        ingest.feed(data, time.monotonic())
        now = time.monotonic()
        last = store.ring(("pty", "sent")).last()
        if last is not None:
            first = first if first is not None else now - last[1]
            first = min(first, now - last[1])
            delays.append(now - last[1])
    line.close()
    # The clocks begin at different moments: the quickest line shows the difference, and itself counts as the
    # least that a read of a terminal takes.
    floor = 0.00003
    milliseconds = [(delay - (first or 0.0) + floor) * 1000 for delay in delays]
    note = f"p50 {percentile(milliseconds, 0.5):.3f} ms, beyond the quickest line"
    return row("B7", "latency at 1,000 lines/s", milliseconds, "ms", note=note)


def run() -> list[dict[str, Any]]:
    """Return one row for each format and one for the latency."""
    rows = [_format_row(name, source, values) for name, (source, values) in FORMATS.items()]
    return [*rows, _latency_row()]


if __name__ == "__main__":
    for found in run():
        figures = f"{found['median']:14,.3f} {found['unit']:8} {found['ratio']}"
        print(f"{found['name']:32} {figures} {found['note']}")
