"""A stand-in of the plots bridge over a real telemetry store, beside the shared demo bridge.

The store's clock is in the hand of the test (``world.time``), so that a picture is the same each time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from tests.gui.demo_bridge import DemoBridge
from zeroclaw_desktop.bridge.plot_measure_bridge import PlotMeasureBridge
from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge
from zeroclaw_desktop.bridge.views import BoardView, ErrorView, MarkerView, SeriesView
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.runtime.plot_service import PlotService
from zeroclaw_desktop.runtime.plot_views import PlotViews

BOARD = "sim-uno"


class StorePlots(QObject):
    """``PlotsBridge`` over a store, without batching and without a core."""

    series_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0
        self.calls: list[tuple[Any, ...]] = []
        self.store = TelemetryStore(clock=lambda: self.time, wall_clock=lambda: 1_700_000_000.0)

    def feed(self, label: str, times: Any, values: Any, unit: str = "", source: str = BOARD) -> None:
        """Append samples, as the thread of a port does."""
        known = self.store.series()
        self.store.append(source, label, times, values, unit)
        if len(self.store.series()) != len(known):
            self.series_changed.emit()

    def now(self) -> float:
        return self.store.now()

    def generation(self) -> int:
        return self.store.generation

    def series(self) -> list[SeriesView]:
        return [
            SeriesView(
                info.key.source_id,
                info.key.label,
                info.unit,
                info.last_value,
                info.count,
                self.store.stats(info.key, self.time - 5, np.inf).rate,
            )
            for info in self.store.series()
        ]

    def columns(self, source_id: str, label: str, t0: float, t1: float, columns: int) -> Any:
        found = self.store.minmax_columns(SeriesKey(source_id, label), t0, t1, columns)
        return found.time, found.low, found.high

    def samples_since(self, source_id: str, label: str, index: int) -> Any:
        return self.store.since((source_id, label), index)

    def samples(self, source_id: str, label: str, t0: float, t1: float) -> Any:
        return self.store.snapshot(SeriesKey(source_id, label), t0, t1)

    def markers(self, t0: float, t1: float) -> list[MarkerView]:
        return [MarkerView(m.time, m.text, m.kind) for m in self.store.markers if t0 <= m.time <= t1]

    def clear(self) -> None:
        self.calls.append(("clear",))
        self.store.clear()
        self.series_changed.emit()

    def export_csv(self, path: str, t0: float | None, t1: float | None) -> ErrorView | None:
        self.calls.append(("export_csv", path, t0, t1))
        try:
            self.store.export_csv(Path(path), -np.inf if t0 is None else t0, np.inf if t1 is None else t1)
        except ZeroClawError as error:
            return ErrorView(
                title="The file could not be written.",
                not_done="Nothing was saved.",
                next_step="Choose another folder.",
                raw=error.message,
                code=error.code,
            )
        return None

    def start_demo_signals(self) -> None:
        self.calls.append(("start_demo_signals",))


class PlotCore:
    """``CoreAccess`` whose coroutines end before ``start`` returns."""

    language = "en"

    def __init__(self, runtime: SimpleNamespace) -> None:
        self.runtime = runtime

    def when_ready(self, attach: Callable[[Any], None]) -> None:
        attach(self.runtime)

    def start(self, coroutine: Coroutine[Any, Any, Any], _name: str) -> None:
        asyncio.run(coroutine)


class PlotWorld(DemoBridge):
    """The demo bridge with the real bridges of the plots over the store of the test."""

    def __init__(self, *boards: BoardView, views_file: Path | None = None) -> None:
        super().__init__(*boards)
        self.plots = StorePlots()
        bus = EventBus()
        service = PlotService(self.plots.store, bus)
        self.runtime = SimpleNamespace(
            store=self.plots.store,
            bus=bus,
            plots=service,
            plot_views=PlotViews(views_file, self.plots.store, service),
        )
        core: Any = PlotCore(self.runtime)
        self.core = core
        plots: Any = self.plots
        self.plot_tools = PlotToolsBridge(core, plots)
        self.plot_measure = PlotMeasureBridge(core, plots)
        self.plot_views = PlotViewsBridge(core, plots)


def fill_workbench(plots: StorePlots, until: float = 60.0, seed: int = 7) -> None:
    """Put a believable minute of a workbench into the store: two voltages, a temperature, a gap, markers."""
    noise = np.random.default_rng(seed)
    times = np.arange(0, until, 0.05)
    knob = 2.5 + 1.8 * np.sin(times / 5.5) * np.clip(np.sin(times / 17), 0.2, 1)
    supply = 4.92 - 0.25 * ((times % 9) < 2.5) + noise.normal(0, 0.012, len(times))
    supply[(times > 47) & (times < 49)] = np.nan
    slow = np.arange(0, until, 0.5)
    heat = 22.4 + 9 / (1 + np.exp(-(slow - 40) / 4)) + noise.normal(0, 0.06, len(slow))
    plots.feed("a0", times, knob, "V")
    plots.feed("a1", times, supply, "V")
    plots.feed("temp", slow, heat, "°C")
    plots.feed("light", times, np.round(512 + 380 * np.sin(times / 3.1) + noise.normal(0, 4, len(times))))
    plots.store.add_marker("Blink the LED 3 times", "action", marker_time=38.2, source_id=BOARD)
    plots.store.add_marker("Flashed ZeroClaw firmware", "flash", marker_time=46.9, source_id=BOARD)
    plots.store.add_marker("Stop everything", "stop", marker_time=57.0)
    plots.time = until
