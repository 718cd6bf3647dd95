"""Recordings, replays and alarms of the plots, for the window and the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.events import ThresholdCrossed
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.telemetry.errors import RecordingError
from zeroclaw_desktop.hardware.telemetry.recorder import Recorder, RecordingCounters
from zeroclaw_desktop.hardware.telemetry.replay import Replay, ReplayPlayer
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Crossing, Threshold, ThresholdWatch

LOOK_SECONDS = 0.05
_log = logger("runtime")


class PlotService:
    """What the plots can do besides showing.

    Args:
        store: series of all sources.
        bus: hears of thresholds that are crossed.

    Attributes:
        watch: the thresholds.
    """

    def __init__(self, store: TelemetryStore, bus: EventBus) -> None:
        self.watch = ThresholdWatch(store)
        self._store = store
        self._bus = bus
        self._recorder: Recorder | None = None
        self._watching = asyncio.Event()

    # -- recording ------------------------------------------------------------------------------------
    @property
    def recording(self) -> Recorder | None:
        """The recording that goes on, or that ended by itself with a fault; None when there is none."""
        return self._recorder

    def start_recording(self, path: Path) -> Recorder:
        """Record everything that comes from now on.

        Raises:
            RecordingError: the file exists or cannot be made.
            TelemetrySettingError: a recording goes on already.
        """
        self._recorder = Recorder(path, self._store)
        return self._recorder

    async def stop_recording(self) -> RecordingCounters:
        """End the recording.

        Raises:
            RecordingError: there was none, or it ended by itself; the message says why.
        """
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            raise RecordingError("Nothing is being recorded.")
        counters = await asyncio.to_thread(recorder.stop)
        if recorder.fault is not None:
            raise recorder.fault
        return counters

    @staticmethod
    def open_recording(path: Path, speed: float = 1.0) -> ReplayPlayer:
        """Open a recording; its series are in ``player.replay.store``.

        Raises:
            RecordingError: the file is no recording.
            TelemetrySettingError: the speed is not positive.
        """
        return ReplayPlayer(Replay(path), speed=speed)

    # -- thresholds -----------------------------------------------------------------------------------
    def add_threshold(self, threshold: Threshold) -> None:
        """Raise ``ThresholdCrossed`` on the bus from now on; one of the same name is replaced."""
        self.watch.add(threshold)
        self._watching.set()

    def remove_threshold(self, name: str) -> None:
        """Forget a threshold; nothing happens when there is none."""
        self.watch.remove(name)
        if not self.watch.thresholds:
            self._watching.clear()

    def look_at_thresholds(self) -> list[Crossing]:
        """Tell the bus of what was crossed since the last look, with a marker on the plots."""
        found = self.watch.look()
        for crossing in found:
            threshold = crossing.threshold
            unit = self._store.unit(SeriesKey(threshold.source_id, threshold.label))
            self._store.add_marker(
                threshold.name,
                "alarm" if crossing.alarm else "alarm_over",
                marker_time=crossing.time,
                source_id=threshold.source_id,
            )
            self._bus.publish(
                ThresholdCrossed(
                    threshold.name,
                    threshold.source_id,
                    threshold.label,
                    crossing.alarm,
                    crossing.value,
                    threshold.limit,
                    unit,
                    crossing.time,
                )
            )
        return found

    async def watch_thresholds(self) -> None:
        """Look again and again; ends by cancellation."""
        while True:
            await self._watching.wait()
            self.look_at_thresholds()
            await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """End a recording that goes on."""
        if self._recorder is None:
            return
        try:
            await self.stop_recording()
        except RecordingError as error:
            _log.error("The recording ended early: %s", error.message)
