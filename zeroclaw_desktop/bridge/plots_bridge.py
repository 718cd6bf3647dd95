"""Series for the plots page: pulled by the page at frame rate, never pushed sample by sample."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
from zeroclaw_desktop.bridge.marker_words import marker_text
from zeroclaw_desktop.bridge.views import MarkerView, SeriesView

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_analysis import SeriesSnapshot, TelemetryStore
    from zeroclaw_desktop.runtime.runtime import Runtime

LIST_MILLISECONDS = 250
RATE_WINDOW_SECONDS = 2.0


class PlotsBridge(QObject):
    """Read access to the telemetry store."""

    series_changed = Signal()

    def __init__(self, core: CoreAccess, devices: DevicesBridge) -> None:
        super().__init__()
        self._core = core
        self._devices = devices
        self._runtime: Runtime | None = None
        self._shown: TelemetryStore | None = None
        self._known: tuple[Any, ...] = ()
        self._timer = QTimer(self)
        self._timer.setInterval(LIST_MILLISECONDS)
        self._timer.timeout.connect(self._look)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._timer.start()

    def _look(self) -> None:
        if self.store is None:
            return
        known = tuple(info.key for info in self.store.series())
        if known != self._known:
            self._known = known
            self.series_changed.emit()

    @property
    def store(self) -> TelemetryStore | None:
        """What is shown: the store of a replay, else the one of what comes now; None before the start."""
        if self._shown is not None:
            return self._shown
        return self._runtime.store if self._runtime is not None else None

    def show_store(self, store: TelemetryStore | None) -> None:
        """Show another store (of a replay); None for what comes now."""
        self._shown = store
        if store is not None and self._runtime is not None:
            self._runtime.plot_views.dress(store)
        self._look()

    def samples(self, source_id: str, label: str, t0: float, t1: float) -> SeriesSnapshot:
        """Samples of a window: ``time`` in seconds, ``value``, ``first_index``."""
        assert self.store is not None
        return self.store.snapshot((source_id, label), t0, t1)

    def samples_since(self, source_id: str, label: str, index: int) -> SeriesSnapshot:
        """Samples from a running number on that are still kept; for triggers."""
        assert self.store is not None
        return self.store.since((source_id, label), index)

    def now(self) -> float:
        """Seconds of the telemetry clock."""
        return self.store.now() if self.store else 0.0

    def wall_offset(self) -> float:
        """What makes seconds since 1970 of the telemetry clock: of a replay, those of its recording."""
        return time.time() - self.now() if self._shown is None else self._shown.started_wall

    def generation(self) -> int:
        """Changes when any sample came."""
        return self.store.generation if self.store else 0

    def series(self) -> list[SeriesView]:
        """All series."""
        store = self.store
        if store is None:
            return []
        now = store.now()
        views = []
        for info in store.series():
            rate = store.ring(info.key).rate(now - RATE_WINDOW_SECONDS, now)
            views.append(
                SeriesView(info.key.source_id, info.key.label, info.unit, info.last_value, info.count, rate)
            )
        return views

    def newest(self) -> dict[tuple[str, str], tuple[float | None, float | None, int, str]]:
        """The newest sample of every series by (source, label): its time in s, value, running number, unit.

        Time and value are None before the first sample; the value is NaN in a gap.
        """
        if self.store is None:
            return {}
        return {
            (info.key.source_id, info.key.label): (info.last_time, info.last_value, info.count, info.unit)
            for info in self.store.series()
        }

    def newest_of(self, source_id: str, label: str) -> tuple[float | None, float | None, int, str] | None:
        """The newest sample of one series as in ``newest``; None when there is no such series."""
        info = self.store.info((source_id, label)) if self.store is not None else None
        return None if info is None else (info.last_time, info.last_value, info.count, info.unit)

    def columns(self, source_id: str, label: str, t0: float, t1: float, columns: int) -> tuple[Any, Any, Any]:
        """Lowest and highest value for each pixel column.

        Returns:
            Three numpy arrays: time in seconds, low, high.
        """
        assert self.store is not None
        found = self.store.minmax_columns((source_id, label), t0, t1, columns)
        return found.time, found.low, found.high

    def raw(self, source_id: str, label: str, t0: float, t1: float) -> tuple[Any, Any]:
        """Samples of a window: time in seconds and value."""
        assert self.store is not None
        found = self.store.snapshot((source_id, label), t0, t1)
        return found.time, found.value

    def statistics(self, source_id: str, label: str, t0: float, t1: float) -> dict[str, float]:
        """Figures of a window: min, max, mean, last, rate, count, deviation, rms, peak_to_peak, gaps."""
        assert self.store is not None
        found = self.store.stats((source_id, label), t0, t1)
        return {
            "min": found.minimum,
            "max": found.maximum,
            "mean": found.mean,
            "last": found.last,
            "rate": found.rate,
            "count": float(found.count),
            "deviation": found.deviation,
            "rms": found.rms,
            "peak_to_peak": found.peak_to_peak,
            "gaps": float(found.gaps),
        }

    def markers(self, t0: float, t1: float) -> list[MarkerView]:
        """What happened in a window."""
        if self.store is None:
            return []
        language = self._core.language
        return [
            MarkerView(marker.time, marker_text(marker.text, marker.kind, language), marker.kind)
            for marker in self.store.markers
            if t0 <= marker.time <= t1
        ]

    def clear(self) -> None:
        """Forget all samples."""
        if self.store is not None:
            self.store.clear()
            self._look()

    def start_demo_signals(self) -> None:
        """Let the current board report its analog inputs; goes through the execution layer."""
        board_id = self._devices.current_board_id()
        if board_id:
            self._devices.show_live_signals(board_id)
        else:
            self._devices.start_simulator_with_signals()
