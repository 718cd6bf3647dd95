"""How fast lines become series, and what drawing a long window costs.

Each line format is fed in reads of 4,095 bytes (what a pseudo terminal hands out) through the whole ingest
into the store, in the same run against the cheapest thing a reader could do with the same bytes: splitting
them into lines. ``ratio`` is our time over that time. Views are timed against a naive minimum and maximum
over the whole window.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.ring import SeriesRing
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

LINES = 40_000
READ_SIZE = 4095
ROUNDS = 5

LINE_FORMATS: dict[str, Callable[[int], bytes]] = {
    "labelled, 2 values": lambda n: b"temp:%d.25,light:%d\n" % (n % 50, n % 1000),
    "CSV, 8 values": lambda n: b",".join(b"%d.5" % (n % k + 1) for k in range(1, 9)) + b"\n",
    "firmware telemetry, 3 signals": lambda n: (
        b'{"evt":"telemetry","signal":"a%d","value":%d,"t":%d}\n' % (n % 3, n % 1024, n)
    ),
    "Teleplot, 4 names": lambda n: b">s%d:%d.5\n" % (n % 4, n % 100),
    "JSON, 2 values": lambda n: b'{"a":%d,"b":%d.5}\n' % (n, n % 7),
    "log text": lambda n: b"I (%d) wifi: connected to ap\n" % n,
}


def run() -> list[dict[str, object]]:
    """Return one row for each figure: id, name, median, p99, ratio, unit, note."""
    rows = [_parse_row(name, line) for name, line in LINE_FORMATS.items()]
    rows.append(_append_row())
    rows.append(_view_row())
    return rows


def _row(
    row_id: str, name: str, figures: list[float], unit: str, note: str, ratio: float | None
) -> dict[str, object]:
    ordered = sorted(figures)
    return {
        "id": row_id,
        "name": name,
        "median": statistics.median(ordered),
        "p99": ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))],
        "ratio": ratio,
        "unit": unit,
        "note": note,
    }


def _parse_row(name: str, line: Callable[[int], bytes]) -> dict[str, object]:
    data = b"\n" + b"".join(line(number) for number in range(LINES))
    reads = [data[start : start + READ_SIZE] for start in range(0, len(data), READ_SIZE)]
    ours: list[float] = []
    splitting: list[float] = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for read in reads:
            read.split(b"\n")
        splitting.append((time.perf_counter() - begin) / LINES * 1e6)
        ingest = TelemetryIngest("benchmark", TelemetryStore())
        begin = time.perf_counter()
        done = 0
        for read in reads:
            done += read.count(b"\n")
            ingest.feed(read, done / 1000)  # as the device times of the firmware lines
        ours.append((time.perf_counter() - begin) / LINES * 1e6)
    middle = statistics.median(ours)
    note = f"{1e6 / middle:,.0f} lines/s, {len(data) / LINES / middle:.1f} MB/s"
    return _row("telemetry.parse", name, ours, "us/line", note, middle / statistics.median(splitting))


def _filled_ring() -> tuple[SeriesRing, list[float]]:
    ring = SeriesRing(6_000_000, np.float32)
    frame = np.sin(np.arange(1667) / 50)
    costs: list[float] = []
    for number in range(3600):
        times = np.arange(number * 1667, (number + 1) * 1667) / 1e5
        begin = time.perf_counter()
        ring.append(times, frame)
        costs.append((time.perf_counter() - begin) * 1e6)
    return ring, costs


def _append_row() -> dict[str, object]:
    ring, costs = _filled_ring()
    note = f"{1667 / statistics.median(costs):.1f} million samples/s, {ring.memory_bytes / 1e6:.0f} MB held"
    return _row("telemetry.append", "60 Hz frame of 1,667 samples into a ring", costs, "us", note, None)


def _view_row() -> dict[str, object]:
    ring, _ = _filled_ring()
    values = ring.snapshot().value
    ours: list[float] = []
    naive: list[float] = []
    for number in range(60):
        begin = time.perf_counter()
        ring.minmax_columns(number / 60, 59.0 + number / 60, 1000)
        ours.append((time.perf_counter() - begin) * 1e3)
    for _ in range(10):
        begin = time.perf_counter()
        columns = values[: len(values) // 1000 * 1000].reshape(1000, -1)
        _ = columns.min(axis=1), columns.max(axis=1)
        naive.append((time.perf_counter() - begin) * 1e3)
    ratio = statistics.median(ours) / statistics.median(naive)
    return _row(
        "telemetry.view", "60 s at 100,000 samples/s in 1,000 columns", ours, "ms", "one series", ratio
    )


def main() -> None:
    """Print the figures as a table."""
    print(f"{'name':45} {'median':>9} {'p99':>9} {'ratio':>7} unit     note")
    for row in run():
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        figures = f"{row['median']:9.2f} {row['p99']:9.2f} {ratio:>7}"
        print(f"{row['name']:45} {figures} {row['unit']:8} {row['note']}")


if __name__ == "__main__":
    main()
