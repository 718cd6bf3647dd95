"""HW-12: recordings and alarms of the plots as the window and procedures use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.events import ThresholdCrossed
from zeroclaw_desktop.hardware.telemetry.errors import RecordingError
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold
from zeroclaw_desktop.runtime.plot_service import PlotService


class Service(PlotService):
    """With what it told."""

    def __init__(self) -> None:
        self.store = TelemetryStore(clock=lambda: 0.0)
        self.heard: list[ThresholdCrossed] = []
        bus = EventBus()
        bus.subscribe(ThresholdCrossed, self.heard.append)
        super().__init__(self.store, bus)


async def test_a_crossing_is_told_on_the_bus_once_with_a_marker() -> None:
    service = Service()
    service.add_threshold(Threshold("too hot", "uno", "temp", 30.0, hysteresis=1.0))
    service.store.append("uno", "temp", [1.0, 2.0, 3.0], [20.0, 35.0, 36.0], "°C")
    service.look_at_thresholds()
    service.look_at_thresholds()
    assert service.heard == [ThresholdCrossed("too hot", "uno", "temp", True, 35.0, 30.0, "°C", 2.0)]
    assert [(mark.text, mark.kind, mark.time) for mark in service.store.markers] == [
        ("too hot", "alarm", 2.0)
    ]
    service.store.append("uno", "temp", [4.0], [28.0])
    service.look_at_thresholds()
    assert [event.alarm for event in service.heard] == [True, False]
    service.remove_threshold("too hot")
    assert service.watch.thresholds == []


async def test_record_stop_and_open(tmp_path: Path) -> None:
    service = Service()
    ingest = TelemetryIngest("uno", service.store)
    service.start_recording(tmp_path / "a.zcrec")
    ingest.feed(b"\nn:1\nn:2\n", 1.0)
    counters = await service.stop_recording()
    assert counters.recorded_bytes == counters.bytes == 9
    player = service.open_recording(tmp_path / "a.zcrec", speed=2.0)
    player.replay.advance_to(player.replay.end)
    assert player.replay.store.snapshot(("uno", "n")).value.tolist() == [1, 2]
    with pytest.raises(RecordingError, match="Nothing"):
        await service.stop_recording()


async def test_the_end_of_the_program_ends_the_recording(tmp_path: Path) -> None:
    service = Service()
    service.start_recording(tmp_path / "a.zcrec")
    await service.close()
    assert service.open_recording(tmp_path / "a.zcrec").replay.advance_to(1e9)
    assert service.store.tap is None
