"""B6: the Plots page of the running window with live samples, against pyqtgraph in the same run.

Scenes: 8 series at 1,000, 10,000 and 100,000 samples/s each with windows of 10 and 60 s, and 16 series at
100,000 with 60 s. Each runs in a process of its own, begins with a whole window of samples and gets more from
a thread every 10 ms, as a port's thread does.

- live: frames that the page paints at its own pace (a curve moves by whole pixels: a window of 60 s moves
  17 times a second), gaps of the event loop, share of a core with the thread that makes the samples, memory.
- unthrottled: each step appends what has come since the last one, pulls and paints at once through ``grab``.
- peers, unthrottled at the same size: ``setData`` of the whole window, without grid; the same with
  pyqtgraph's own downsampling to peaks and clipping to the view.

Sums: samples made = stored, for every series. The exponent is that of the frame's cost over the samples in
view, from a tenth of the middle rate to ten times it. ``python -m benchmarks.plot_frames --short`` takes
fewer scenes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import statistics
import sys
import threading
import time
from typing import Any

import numpy as np

from benchmarks._bench import add_up, percentile
from benchmarks._watched_window import Bench, drive, in_window, resident

RATES = (1_000, 10_000, 100_000)
WINDOWS = (10, 60)
SCENES = [(8, rate, window) for window in WINDOWS for rate in RATES] + [(16, 100_000, 60)]
SHORT = [(8, 10_000, 10), (8, 100_000, 60)]
LIVE_SECONDS = 6.0
FRAMES = 60
PEER_SECONDS = 8.0
BATCH_SECONDS = 0.01
FRAME_SECONDS = 1 / 60
SIZE = (1000, 500)
_SAVED = 1.1


class Signals:
    """Sines with noise; a block of any length from any moment on, made cheaply.

    Args:
        series: how many.
        rate: samples a second of each.
    """

    def __init__(self, series: int, rate: int) -> None:
        self.rate = rate
        noise = np.random.default_rng(1)
        times = np.arange(rate * 10) / rate
        self._period = len(times)
        self._rows = [
            np.sin(2 * np.pi * times * (n + 1) / 10) + n + noise.normal(0, 0.1, self._period)
            for n in range(series)
        ]

    def block(self, first: int, count: int) -> list[Any]:
        """Values of the samples ``first`` to ``first + count`` of each series."""
        places = np.arange(first, first + count) % self._period
        return [row[places] for row in self._rows]


async def live_page(bench: Bench) -> dict[str, Any]:
    """Fill a window, let the page draw while more comes, then draw as fast as it goes."""
    series, rate, window = map(int, bench.arguments)
    store = bench.runtime.store
    signals = Signals(series, rate)
    bench.window.show_page("plots")
    page = bench.window.page("plots")
    canvas = page.canvas
    begin, made = store.now() - window, 0

    def append(count: int) -> None:
        nonlocal made
        times = begin + np.arange(made, made + count) / rate
        for number, values in enumerate(signals.block(made, count)):
            store.append("benchmark", f"s{number}", times, values)
        made += count

    def due() -> int:
        return int((store.now() - begin) * rate) - made

    while due() > rate / 20:
        append(min(rate, due()))
        await asyncio.sleep(0)
    page.refresh_series()
    canvas.set_window(float(window))
    await asyncio.sleep(1.5)
    figures = await _live(bench, canvas, append, due)
    canvas.resize(*SIZE)
    page._timer.stop()
    costs = _unthrottled(canvas, lambda: append(due()))
    counts = [info.count for info in store.series("benchmark")]
    return {**figures, "costs": costs, "made": made, "least": min(counts), "most": max(counts)}


async def _live(bench: Bench, canvas: Any, append: Any, due: Any) -> dict[str, Any]:
    painted = 0
    paint = canvas.paintEvent

    def counted(event: Any) -> None:
        nonlocal painted
        painted += 1
        paint(event)

    canvas.paintEvent = counted
    ended = threading.Event()

    def produce() -> None:
        while not ended.wait(BATCH_SECONDS):
            count = due()
            if count > 0:
                append(count)

    thread = threading.Thread(target=produce)
    thread.start()
    await asyncio.sleep(1.0)
    bench.restart()
    painted, before, begun = 0, bench.figures()["cpu"], time.perf_counter()
    await asyncio.sleep(LIVE_SECONDS)
    figures: dict[str, Any] = bench.figures()
    passed = time.perf_counter() - begun
    ended.set()
    await asyncio.to_thread(thread.join)
    figures["cpu"] = (figures["cpu"] - before) / passed
    figures["frames"] = painted / passed
    return figures


def _unthrottled(canvas: Any, append: Any) -> list[float]:
    costs = []
    for number in range(FRAMES + 1):
        begin = time.perf_counter()
        append()
        canvas.redraw()
        canvas.grab()
        if number:
            costs.append(time.perf_counter() - begin)
    return costs


def peer_frames(kind: str, series: int, rate: int, window: int) -> dict[str, Any]:
    """Frames of pyqtgraph in this process, for a few seconds.

    Args:
        kind: ``naive`` or ``peak``.
    """
    from PySide6.QtWidgets import QApplication

    from benchmarks._peer import peer

    application = QApplication.instance() or QApplication([])
    assert application is not None
    pyqtgraph = peer("pyqtgraph", "pyqtgraph==0.14.0")
    widget = pyqtgraph.PlotWidget()
    widget.resize(*SIZE)
    widget.show()
    if kind == "peak":
        widget.setDownsampling(auto=True, mode="peak")
        widget.setClipToView(True)
    signals = Signals(series, rate)
    times = np.arange(window * rate) / rate
    values = signals.block(0, window * rate)
    curves = [widget.plot(pen=pyqtgraph.mkPen(pyqtgraph.intColor(n), width=1)) for n in range(series)]
    costs: list[float] = []
    count = max(1, round(rate * FRAME_SECONDS))
    ends = time.perf_counter() + PEER_SECONDS
    made = window * rate
    while len(costs) < FRAMES and (time.perf_counter() < ends or len(costs) < 3):
        begin = time.perf_counter()
        times = np.concatenate((times[count:], (made + np.arange(count)) / rate))
        fresh = signals.block(made, count)
        made += count
        values = [np.concatenate((old[count:], new)) for old, new in zip(values, fresh, strict=True)]
        for curve, row in zip(curves, values, strict=True):
            curve.setData(times, row)
        widget.setXRange(times[0], times[-1], padding=0)
        widget.grab()
        costs.append(time.perf_counter() - begin)
    return {"costs": costs[1:] or costs, "resident": resident()}


def scene(series: int, rate: int, window: int) -> list[dict[str, Any]]:
    """Rows of one scene.

    Raises:
        RuntimeError: samples were lost.
    """
    settings = {
        "plots.max_samples": max(1_000, int(rate * window * _SAVED)),
        "plots.memory_mb": max(64, int(series * rate * window * _SAVED * 24 / 1e6)),
        "plots.window_seconds": window,
    }
    words = [str(series), str(rate), str(window)]
    ours = in_window("benchmarks.plot_frames", "ours", *words, settings=settings, seconds=240)
    told = add_up(ours["made"], fewest_stored_of_a_series=ours["least"], most=ours["most"])
    name = f"{series} x {rate:,}/s, {window} s"
    frame = statistics.median(ours["costs"])
    rows = [
        {
            "id": "B6",
            "name": f"Plots page live, {name}",
            "median": ours["frames"],
            "p99": ours["p99"],
            "ratio": None,
            "unit": "fps, ms gap",
            "note": f"gap p50 {ours['p50']:.1f}, max {ours['max']:.1f} ms, {ours['cpu']:.0%} of a core,"
            f" {ours['resident'] / 1e6:.0f} MB, {told} a series",
        },
        _rate_row("B6-frames", f"Plots page unthrottled, {name}", ours["costs"], None, "grid, axes, legend"),
    ]
    for kind, label in (("naive", "pyqtgraph setData"), ("peak", "pyqtgraph peak downsampling")):
        try:
            found = in_window("benchmarks.plot_frames", kind, *words, seconds=240)
        except RuntimeError as error:
            print(f"{label} could not run: {str(error).strip()[-200:]}", file=sys.stderr)
            continue
        times = statistics.median(found["costs"]) / frame
        rows.append(
            _rate_row(
                f"B6-{kind}", f"{label}, {name}", found["costs"], times, "ours is that many times faster"
            )
        )
    return rows


def _rate_row(number: str, name: str, costs: list[float], ratio: float | None, note: str) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "median": 1 / statistics.median(costs),
        "p99": 1 / percentile(costs, 0.99),
        "ratio": ratio,
        "unit": "frames/s",
        "note": note,
    }


def run(short: bool = False) -> list[dict[str, Any]]:
    """Return the rows of all scenes, and how the cost of a frame grows."""
    rows: list[dict[str, Any]] = []
    found: dict[tuple[int, int, int], float] = {}
    for one in SHORT if short else SCENES:
        print(f"  {one[0]} x {one[1]:,}/s, {one[2]} s ...", file=sys.stderr, flush=True)
        some = scene(*one)
        found[one] = 1 / some[1]["median"]
        rows += some
    for window in WINDOWS:
        few, many = found.get((8, RATES[0], window)), found.get((8, RATES[-1], window))
        if few and many:
            exponent = math.log10(many / few) / math.log10(RATES[-1] / RATES[0])
            note = f"cost of a frame over samples in view, 8 series, {window} s"
            rows.append(
                {"id": "B6-growth", "name": note, "median": exponent, "p99": exponent, "ratio": None}
                | {"unit": "exponent", "note": "1,000 to 100,000 samples/s"}
            )
    return rows


def main() -> int:
    """Print the figures, or be one of the processes."""
    if sys.argv[1:2] == ["--inside"]:
        kind, *arguments = sys.argv[2:]
        if kind == "ours":
            return drive(live_page, arguments)
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        print(json.dumps(peer_frames(kind, *map(int, arguments))), flush=True)
        return 0
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plot_frames")
    parser.add_argument("--short", action="store_true", help="two scenes only")
    options = parser.parse_args()
    for row in run(options.short):
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f} x"
        figures = f"{row['median']:9.2f} {row['p99']:9.2f} {row['unit']:12} {ratio:>8}"
        print(f"{row['name']:58} {figures}  {row['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
