"""What the plots page can do besides drawing: measure, record, replay, watch limits, choose how to read."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.plot_analysis import PlotAnalysis
from zeroclaw_desktop.bridge.plot_views import (
    PlotMemoryView,
    RecordingView,
    ReplayView,
    SourceView,
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

    def _try(self, action: Callable[[], object]) -> ErrorView | None:
        try:
            action()
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        return None

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
        """Watch a limit; ``threshold_crossed`` and the procedures hear of it. Same name: it is replaced."""
        from zeroclaw_desktop.runtime.plot_analysis import Threshold

        assert self._runtime is not None
        views = self._runtime.plot_views
        fault = self._try(
            lambda: views.add_threshold(Threshold(name, source_id, label, limit, above, hysteresis))
        )
        self.thresholds_changed.emit()
        return fault

    def remove_threshold(self, name: str) -> ErrorView | None:
        """Forget a limit."""
        if self._runtime is None:
            return None
        views = self._runtime.plot_views
        fault = self._try(lambda: views.remove_threshold(name))
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
        fault = self._try(lambda: plots.start_recording(Path(path)))
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

        fault = self._try(open_it)
        if fault is None:
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
        fault = self._try(lambda: player.seek(position))
        self._show_replay()
        return fault

    def set_speed(self, speed: float) -> ErrorView | None:
        """Recorded seconds a second."""
        player = self._player
        if player is None:
            return None

        def change() -> None:
            player.speed = speed

        fault = self._try(change)
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
        )

    def _show_replay(self) -> None:
        self._plots.show_store(None if self._player is None else self._player.replay.store)
        self.replay_changed.emit()

    def _tick(self) -> None:
        player = self._player
        if player is None or not player.playing:
            return
        if self._try(player.tick) is not None or player.replay.at_end:
            player.pause()
        self.replay_changed.emit()

    # -- bookkeeping ----------------------------------------------------------------------------------
    def export_parquet(self, path: str, t0: float | None, t1: float | None) -> ErrorView | None:
        """Write samples to a file; needs the extra ``parquet``."""
        store = self._plots.store
        start, stop = -math.inf if t0 is None else t0, math.inf if t1 is None else t1
        return None if store is None else self._try(lambda: store.export_parquet(path, start, stop))

    def memory(self) -> PlotMemoryView:
        """How much memory the series hold and may hold."""
        store = self._plots.store
        if store is None:
            return PlotMemoryView(0, 0, False, 0)
        budget = store.budget
        return PlotMemoryView(budget.used, budget.limit, budget.refusals > 0, store.refused_samples)

    def sources(self) -> list[SourceView]:
        """What came from each board, UDP sender and the broker, counted where it leaves each hop."""
        if self._runtime is None:
            return []
        counters: dict[str, Any] = dict(self._runtime.plot_sources.counters())
        for board in self._runtime.roster.boards():
            counters[board.board_id] = self._runtime.roster.connection(board.board_id).line_counters
        views = []
        for source_id, found in counters.items():
            stored = sum(info.count for info in self._runtime.store.series(source_id))
            views.append(SourceView(source_id, dataclasses.asdict(found), stored))
        return views

    def source_faults(self) -> dict[str, ErrorView]:
        """Why a source does not work: by the key of its setting (``plots.udp`` ...), or name of a port."""
        if self._runtime is None:
            return {}
        sources = self._runtime.plot_sources
        faults = dict(sources.faults)
        faults |= {port: source.fault for port, source in sources.ports.items() if source.fault is not None}
        return {key: error_view_of(fault, self._core.language) for key, fault in faults.items()}

    def listen_to_port(
        self,
        port: str,
        baud: int,
        done: Callable[[ErrorView | None], None],
        *,
        encoding: str = "utf-8",
        frames: str = "",
        line_rate: float = 0.0,
    ) -> None:
        """Plot a port whose board speaks no protocol; ``done`` is called when it is open, or with the fault.

        Args:
            frames: path of the description of binary frames, '' for lines.
            line_rate: lines a second, for times at equal distances; 0 for the board's clock or arrival.
        """
        assert self._runtime is not None
        sources = self._runtime.plot_sources

        async def listen() -> None:
            fault = None
            try:
                await sources.listen(
                    port,
                    baud,
                    encoding=encoding,
                    frames=Path(frames) if frames else None,
                    line_rate=line_rate,
                )
            except ZeroClawError as error:
                fault = error_view_of(error, self._core.language)
            done(fault)

        self._core.start(listen(), "listen to a port")

    def leave_port(self, port: str) -> None:
        """Let go of such a port."""
        assert self._runtime is not None
        self._core.start(self._runtime.plot_sources.leave(port), "leave a port")

    def choose_reading(
        self, board_id: str, *, encoding: str | None = None, time_base: str | None = None, rate: float = 1.0
    ) -> ErrorView | None:
        """Read what a board sends from now on in another way; None leaves it as it is.

        Args:
            encoding: ``utf-8``, ``gbk`` ... (``line_parser.ENCODINGS``); earlier console lines too.
            time_base: ``device``, ``host`` or ``index``.
            rate: lines a second, for ``index``.
        """
        assert self._runtime is not None
        roster = self._runtime.roster
        return self._try(lambda: roster.connection(board_id).choose_reading(encoding, time_base, rate))
