"""Restore points of the simulated Uno with the real avrdude: kept once and written back (HW-6)."""

from __future__ import annotations

from pathlib import Path

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.events import FlashProgressed
from zeroclaw_desktop.hardware.flashing.images import find_image
from zeroclaw_desktop.runtime.simulators import UNO_ID


async def test_the_first_flash_keeps_what_was_there_and_it_can_be_written_back(bench: Bench) -> None:
    bench.runtime.config.set("flashing.save_first", True)
    events: list[FlashProgressed] = []
    bench.runtime.bus.subscribe(FlashProgressed, events.append)
    before = bench.connection.info.firmware
    result = await bench.do("flash_firmware", firmware="zeroclaw-demo")
    assert result.ok, result.faults
    phases = list(dict.fromkeys(event.phase for event in events))
    assert phases == ["check", "prepare", "backup", "write", "verify", "reset", "handshake", "done"]
    percents = [event.percent for event in events if event.phase == "backup"]
    assert percents == sorted(percents)
    assert percents[-1] == 100.0
    content = Path(result.value["restore_point"]).read_bytes()
    shipped = find_image("zeroclaw-arduino", bench.connection.profile).segments[0]
    assert len(content) == 32_768
    assert content.startswith(shipped)
    points = bench.runtime.restore_points(UNO_ID)
    assert [(point.tool, point.chip) for point in points] == [("avrdude", "ATmega328P")]
    back = await bench.do("flash_firmware", firmware=str(points[0].path))
    assert back.ok, back.faults
    assert back.value["firmware"] == before
    assert len(bench.runtime.restore_points(UNO_ID)) == 1


async def test_the_boot_loader_is_no_part_of_what_is_written_back(bench: Bench) -> None:
    bench.runtime.config.set("flashing.save_first", True)
    result = await bench.do("flash_firmware", firmware="default")
    image = find_image(result.value["restore_point"], bench.connection.profile)
    assert image.restore_point
    assert max(start + len(data) for start, data in image.segments.items()) <= 32_768 - 512
