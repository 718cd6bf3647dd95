"""What the plots page can do besides drawing: measure, record, replay, watch limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.plot_analysis import PlotAnalysis
from zeroclaw_desktop.bridge.plot_views import (
    RecordingView,
    ReplayView,
    ThresholdView,
)
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.events import ThresholdCrossed
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_analysis import ReplayPlayer
    from zeroclaw_desktop.runtime.runtime import Runtime

REPLAY_MILLISECONDS = 33


class PlotToolsBridge(QObject):
    """Beside ``PlotsBridge``; all times are seconds on the axis of the plots.

    Whatever can fail returns an ``ErrorView``, None when it went well.

    Attributes:
        analysis: spectra, histograms and pairs; may be used from any thread.
    """

    recording_changed = Signal()
    replay_changed = Signal()
    replay_failed = Signal(object)
    """An ``ErrorView``: the file could not be read on."""
    thresholds_changed = Signal()
    threshold_crossed = Signal(object)
    """A ``ThresholdCrossed``."""

    def __init__(self, core: CoreAccess, plots: PlotsBridge) -> None:
        super().__init__()
        self._core = core
        self._plots = plots
        self.analysis = PlotAnalysis(core, plots)
        self._runtime: Runtime | None = None
        self._player: ReplayPlayer | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(REPLAY_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        runtime.bus.subscribe(ThresholdCrossed, self.threshold_crossed.emit)

    # -- measuring ------------------------------------------------------------------------------------
    def cursors(self, source_id: str, label: str, t0: float, t1: float) -> Any:
        """Read two cursors at ``t0`` and ``t1``: see ``analysis.CursorReading`` (a tuple with names)."""
        from zeroclaw_desktop.runtime.plot_analysis import read_cursors

        low, high = min(t0, t1), max(t0, t1)
        margin = max(1.0, high - low)
        return read_cursors(self._plots.samples(source_id, label, low - margin, high + margin), t0, t1)

    @staticmethod
    def trigger(**setting: Any) -> Any:
        """Make a ``trigger.Trigger``; feed it with ``PlotsBridge.samples_since``. See ``TriggerSetting``.

        Raises:
            ZeroClawError: the setting is not possible.
        """
        from zeroclaw_desktop.runtime.plot_analysis import Trigger, TriggerSetting

        return Trigger(TriggerSetting(**setting))

    # -- limits ---------------------------------------------------------------------------------------
    def add_threshold(
        self,
        name: str,
        source_id: str,
        label: str,
        limit: float,
        *,
        above: bool = True,
        hysteresis: float = 0.0,
    ) -> ErrorView | None:
        """Watch a limit; ``threshold_crossed`` tells of it. Same name: it is replaced."""
        from zeroclaw_desktop.runtime.plot_analysis import Threshold

        assert self._runtime is not None
        views = self._runtime.plot_views
        fault = self._core.fault_of(
            lambda: views.add_threshold(Threshold(name, source_id, label, limit, above, hysteresis))
        )
        self.thresholds_changed.emit()
        return fault

    def remove_threshold(self, name: str) -> ErrorView | None:
        """Forget a limit."""
        if self._runtime is None:
            return None
        views = self._runtime.plot_views
        fault = self._core.fault_of(lambda: views.remove_threshold(name))
        self.thresholds_changed.emit()
        return fault

    def thresholds(self) -> list[ThresholdView]:
        """All limits."""
        if self._runtime is None:
            return []
        watch = self._runtime.plots.watch
        alarms = set(watch.alarms)
        return [
            ThresholdView(
                found.name,
                found.source_id,
                found.label,
                found.limit,
                found.above,
                found.hysteresis,
                found.name in alarms,
            )
            for found in watch.thresholds
        ]

    # -- recording ------------------------------------------------------------------------------------
    def start_recording(self, path: str) -> ErrorView | None:
        """Record everything that comes from now on; ``recording`` tells how it goes."""
        assert self._runtime is not None
        plots = self._runtime.plots
        fault = self._core.fault_of(lambda: plots.start_recording(Path(path)))
        if fault is None:
            self._runtime.plot_habits.add_recent(path)
            self._runtime.plot_habits.set_folder("recording", str(Path(path).parent))
        self.recording_changed.emit()
        return fault

    def stop_recording(self, done: Callable[[ErrorView | None], None]) -> None:
        """End the recording; ``done`` is called when all is in the file, or with what went wrong."""
        assert self._runtime is not None
        plots = self._runtime.plots

        async def stop() -> None:
            fault = None
            try:
                await plots.stop_recording()
            except ZeroClawError as error:
                fault = error_view_of(error, self._core.language)
            self.recording_changed.emit()
            done(fault)

        self._core.start(stop(), "stop recording")

    def recording(self) -> RecordingView | None:
        """The recording that goes on or that ended by itself; None when there is none."""
        recorder = self._runtime.plots.recording if self._runtime is not None else None
        if recorder is None:
            return None
        counters, fault = recorder.counters, recorder.fault
        return RecordingView(
            str(recorder.path),
            recorder.seconds,
            counters.bytes,
            counters.recorded_bytes,
            counters.dropped_bytes,
            counters.file_bytes,
            None if fault is None else error_view_of(fault, self._core.language),
        )

    # -- replaying ------------------------------------------------------------------------------------
    def open_replay(self, path: str) -> ErrorView | None:
        """Show a recording instead of what comes now, which goes on unseen; it stands at its beginning."""
        assert self._runtime is not None
        plots = self._runtime.plots

        def open_it() -> None:
            self._player = plots.open_recording(Path(path))

        fault = self._core.fault_of(open_it)
        if fault is None:
            self._runtime.plot_habits.add_recent(path)
            self._show_replay()
            self._timer.start()
        return fault

    def close_replay(self) -> None:
        """Show again what comes now."""
        self._timer.stop()
        self._player = None
        self._show_replay()

    def play(self) -> None:
        """Go on with the replay."""
        if self._player is not None:
            self._player.play()
            self.replay_changed.emit()

    def pause(self) -> None:
        """Let the replay stand still."""
        if self._player is not None:
            self._player.pause()
            self.replay_changed.emit()

    def seek(self, position: float) -> ErrorView | None:
        """Go to a position of the replay; reads from the start when it lies before the present one."""
        player = self._player
        if player is None:
            return None
        fault = self._core.fault_of(lambda: player.go_to(position))
        self._show_replay()
        return fault

    def set_speed(self, speed: float) -> ErrorView | None:
        """Recorded seconds a second."""
        player = self._player
        if player is None:
            return None

        def change() -> None:
            player.speed = speed

        fault = self._core.fault_of(change)
        self.replay_changed.emit()
        return fault

    def replay(self) -> ReplayView | None:
        """The replay that is shown; None when the plots are live."""
        if self._player is None:
            return None
        player, replay = self._player, self._player.replay
        return ReplayView(
            str(replay.path),
            replay.start,
            replay.end,
            replay.position,
            player.speed,
            player.playing,
            replay.at_end,
            replay.damaged_bytes,
            replay.store.started_wall,
            player.goal,
        )

    def _show_replay(self) -> None:
        self._plots.show_store(None if self._player is None else self._player.replay.store)
        self.replay_changed.emit()

    def _tick(self) -> None:
        player = self._player
        if player is None or not player.busy:
            return
        fault = self._core.fault_of(player.tick)
        if fault is not None:
            self.replay_failed.emit(fault)
        if fault is not None or player.replay.at_end:
            player.pause()
        self.replay_changed.emit()
