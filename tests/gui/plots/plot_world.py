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
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.plot_export_bridge import PlotExportBridge
from zeroclaw_desktop.bridge.plot_measure_bridge import PlotMeasureBridge
from zeroclaw_desktop.bridge.plot_sources_bridge import PlotSourcesBridge
from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge
from zeroclaw_desktop.bridge.settings_bridge import SettingsBridge
from zeroclaw_desktop.bridge.views import BoardView, MarkerView, SeriesView
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.runtime.board_readings import BoardReadings
from zeroclaw_desktop.runtime.plot_habits import PlotHabits
from zeroclaw_desktop.runtime.plot_service import PlotService
from zeroclaw_desktop.runtime.plot_sources import PlotSources
from zeroclaw_desktop.runtime.plot_views import PlotViews

BOARD = "sim-uno"


class StorePlots(QObject):
    """``PlotsBridge`` over a store, without batching and without a core."""

    series_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0
        self.calls: list[tuple[Any, ...]] = []
        self.own_store = TelemetryStore(clock=lambda: self.time, wall_clock=lambda: 1_700_000_000.0)
        self.store = self.own_store

    def feed(self, label: str, times: Any, values: Any, unit: str = "", source: str = BOARD) -> None:
        """Append samples, as the thread of a port does."""
        known = self.store.series()
        self.store.append(source, label, times, values, unit)
        if len(self.store.series()) != len(known):
            self.series_changed.emit()

    def now(self) -> float:
        return self.store.now()

    def wall_offset(self) -> float:
        return self.store.started_wall

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

    def show_store(self, store: TelemetryStore | None) -> None:
        """Show the store of a replay; None for the one of the test."""
        self.store = store or self.own_store
        self.series_changed.emit()

    def start_demo_signals(self) -> None:
        self.calls.append(("start_demo_signals",))


class PlotCore:
    """``CoreAccess`` whose coroutines end before ``start`` returns."""

    language = "en"
    fault_of = CoreAccess.fault_of

    def __init__(self, runtime: SimpleNamespace, config: ConfigStore | None = None) -> None:
        self.runtime = runtime
        self.config = config

    def when_ready(self, attach: Callable[[Any], None]) -> None:
        attach(self.runtime)

    def start(self, coroutine: Coroutine[Any, Any, Any], _name: str) -> None:
        asyncio.run(coroutine)


async def no_address(_key: str) -> str:
    return ""


class PlotWorld(DemoBridge):
    """The demo bridge with the real bridges of the plots over the store of the test."""

    def __init__(self, *boards: BoardView, views_file: Path | None = None) -> None:
        super().__init__(*boards)
        self.plots = StorePlots()
        bus = EventBus()
        service = PlotService(self.plots.store, bus)
        config = ConfigStore(home_folder() / "config.toml")
        store = self.plots.store
        habits = PlotHabits(views_file.with_name("plot-sources.json") if views_file else None)
        roster = BoardRoster(bus, store, find_ports=tuple)
        self.runtime = SimpleNamespace(
            store=store,
            bus=bus,
            config=config,
            plots=service,
            plot_views=PlotViews(views_file, store, service),
            plot_habits=habits,
            plot_sources=PlotSources(store, config, no_address, habits=habits),
            roster=roster,
            board_readings=BoardReadings(bus, roster, habits),
        )
        core: Any = PlotCore(self.runtime, config)
        self.core = core
        plots: Any = self.plots
        self.settings = SettingsBridge(core)
        self.plot_export = PlotExportBridge(core, plots)
        self.plot_sources = PlotSourcesBridge(core)
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
