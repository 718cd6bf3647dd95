"""How many frames a second the Plots page draws, against pyqtgraph's plain ``setData`` in the same run.

Eight series of 10,000 samples a second with a window of ten seconds, 1,000 x 500 pixels. Each frame appends
what a 60 Hz frame brings (167 samples a series), pulls and paints at once; nothing waits for a timer. Both
paint through ``grab`` on the same display, so window systems and screen rates stay out of it. The naive side
keeps its samples in numpy arrays and hands all of the window to ``setData``, without any grid.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks._peer import peer
from zeroclaw_desktop.bridge.views import MarkerView
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.theme import install_theme
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

SERIES = 8
RATE_HZ = 10_000
WINDOW_S = 10.0
FRAME_S = 1 / 60
SIZE = (1000, 500)
OUR_FRAMES = 150
NAIVE_FRAMES = 12

Samples = tuple[NDArray[np.float64], list[NDArray[np.float64]]]


class _Source:
    """The plots bridge reduced to a store whose clock is moved by the benchmark."""

    def __init__(self) -> None:
        self.time = 0.0
        self.store = TelemetryStore(clock=lambda: self.time)

    def now(self) -> float:
        return self.store.now()

    def wall_offset(self) -> float:
        return self.store.started_wall

    def generation(self) -> int:
        return self.store.generation

    def columns(self, source_id: str, label: str, t0: float, t1: float, columns: int) -> object:
        return self.store.minmax_columns((source_id, label), t0, t1, columns)[:3]

    def markers(self, t0: float, t1: float) -> list[MarkerView]:
        return []

    def take(self, samples: Samples) -> None:
        times, values = samples
        for number, row in enumerate(values):
            self.store.append("benchmark", f"s{number}", times, row)
        self.time = float(times[-1])


def _signal() -> Iterator[Samples]:
    """Yield first a whole window, then one frame's samples after the other."""
    noise = np.random.default_rng(1)
    count, done = int(WINDOW_S * RATE_HZ), 0
    while True:
        times = np.arange(done, done + count) / RATE_HZ
        yield times, [np.sin(times * (n + 1)) + n + noise.normal(0, 0.1, count) for n in range(SERIES)]
        done, count = done + count, round(FRAME_S * RATE_HZ)


def _measure(step: Callable[[], None], frames: int) -> list[float]:
    step()
    costs = []
    for _ in range(frames):
        begin = time.perf_counter()
        step()
        costs.append(time.perf_counter() - begin)
    return costs


def _ours() -> list[float]:
    source, signal = _Source(), _signal()
    source.take(next(signal))
    canvas = PlotCanvas(source)
    canvas.resize(*SIZE)
    canvas.show()
    canvas.set_window(WINDOW_S)
    canvas.set_rates({SeriesId("benchmark", f"s{n}"): RATE_HZ for n in range(SERIES)})
    canvas.set_series([PlotSeries(SeriesId("benchmark", f"s{n}"), "V", n) for n in range(SERIES)], "overlay")

    def step() -> None:
        source.take(next(signal))
        canvas.refresh()
        canvas.grab()

    costs = _measure(step, OUR_FRAMES)
    _dispose(canvas)
    return costs


def _naive() -> list[float]:
    pyqtgraph = peer("pyqtgraph", "pyqtgraph==0.14.0")
    widget = pyqtgraph.PlotWidget()
    widget.resize(*SIZE)
    widget.show()
    signal = _signal()
    times, values = next(signal)
    curves = [widget.plot(pen=pyqtgraph.mkPen(pyqtgraph.intColor(n), width=1)) for n in range(SERIES)]

    def step() -> None:
        nonlocal times, values
        more, rows = next(signal)
        count = len(more)
        times = np.concatenate((times[count:], more))
        values = [np.concatenate((old[count:], row)) for old, row in zip(values, rows, strict=True)]
        for curve, row in zip(curves, values, strict=True):
            curve.setData(times, row)
        widget.grab()

    costs = _measure(step, NAIVE_FRAMES)
    _dispose(widget)
    return costs


def _dispose(widget: QWidget) -> None:
    widget.close()
    widget.deleteLater()
    QApplication.processEvents()


def run() -> list[dict[str, object]]:
    """Return rows with id, name, median, p99, ratio, unit and note: first ours, then the naive one."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    install_theme(application, "light")
    naive = _naive()
    ours = _ours()
    scene = f"{SERIES} series x {RATE_HZ:,} samples/s, {WINDOW_S:.0f} s window"
    ratio = statistics.median(naive) / statistics.median(ours)
    return [
        _row(
            "plots.frames", f"Plots page, {scene}", ours, ratio, "with grid, axes, legend; ratio: times naive"
        ),
        _row("plots.frames.naive", f"pyqtgraph setData, {scene}", naive, None, "without grid"),
    ]


def _row(row_id: str, name: str, costs: list[float], ratio: float | None, note: str) -> dict[str, object]:
    slowest = sorted(costs)[min(len(costs) - 1, int(0.99 * len(costs)))]
    return {
        "id": row_id,
        "name": name,
        "median": 1 / statistics.median(costs),
        "p99": 1 / slowest,
        "ratio": ratio,
        "unit": "frames/s",
        "note": note,
    }


def main() -> None:
    """Print the figures."""
    for row in run():
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f} x"
        print(f"{row['name']:65} {row['median']:8.1f} {row['p99']:8.1f} {row['unit']} {ratio}  {row['note']}")


if __name__ == "__main__":
    main()
