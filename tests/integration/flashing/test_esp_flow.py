"""The whole way through the door to an Espressif board: restore points, cancelling, warnings (HW-6)."""

from __future__ import annotations

import asyncio
import os
import stat
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.esp_images import esp_image, merged_image
from tests.helpers.esp_loader import MAC, LoaderDouble
from tests.helpers.flash_boards import esp_board
from tests.integration.flashing.conftest import MakeLoader
from tests.unit.hardware.far_end import as_our_firmware, until
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import ActionResult, ActionState, Permission
from zeroclaw_desktop.contracts.events import FlashProgressed
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.runtime.runtime import Runtime

BOARD = "esp32c3-on-usb"
MEGABYTE = 1 << 20


class EspDesk:
    """A runtime with one board."""

    def __init__(self, runtime: Runtime, double: LoaderDouble, folder: Path) -> None:
        self.runtime = runtime
        self.double = double
        self.events: list[FlashProgressed] = []
        self._folder = folder
        runtime.bus.subscribe(FlashProgressed, self.events.append)
        profile = esp_board(double.chip.name, megabytes=1)
        runtime.roster.add(BOARD, "Board", profile, str(double.path))

    def file(self, content: bytes) -> str:
        path = self._folder / "firmware.bin"
        path.write_bytes(content)
        return str(path)

    async def flash(self, firmware: bytes | str, **params: Any) -> ActionResult:
        name = self.file(firmware) if isinstance(firmware, bytes) else firmware
        payload = make_payload(
            "flash_firmware", {"firmware": name, **params}, source="manual", device_id=BOARD
        )
        return await self.runtime.executor.submit(payload)

    async def erase(self, name: str) -> ActionResult:
        payload = make_payload("erase_flash", {"confirm": name}, source="manual", device_id=BOARD)
        return await self.runtime.executor.submit(payload)

    def phases(self) -> list[str]:
        return list(dict.fromkeys(event.phase for event in self.events))

    async def until_phase(self, phase: str) -> None:
        await until(lambda: any(event.phase == phase for event in self.events), phase, 20)


@pytest.fixture
async def desk(loader: MakeLoader, tmp_path: Path) -> AsyncIterator[EspDesk]:
    """A C3 with a megabyte of flash whose present program is random bytes."""
    runtime = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)
    await runtime.start()
    double = loader("esp32c3", flash_bytes=MEGABYTE)
    double.flash[0x10000:] = os.urandom(MEGABYTE - 0x10000)
    try:
        yield EspDesk(runtime, double, tmp_path)
    finally:
        await runtime.stop()


NEW = merged_image("esp32c3", app=esp_image("esp32c3", b"the new program."), megabytes=1)


async def test_what_was_on_the_board_is_kept_once_and_can_be_written_back(desk: EspDesk) -> None:
    before = bytes(desk.double.flash)
    result = await desk.flash(NEW)
    assert result.ok, result.faults
    assert desk.phases() == ["check", "prepare", "backup", "write", "verify", "reset", "handshake", "done"]
    assert desk.double.flash[: len(NEW)] == NEW
    folder = home_folder() / "backups" / folder_of_mac()
    content = next(folder.glob("*.bin"))
    assert content.read_bytes() == before
    assert str(content) == result.value["restore_point"] == desk.events[-1].details["restore_point"]
    assert stat.S_IMODE(content.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    row = tomllib.loads(content.with_suffix(".toml").read_text("utf-8"))
    assert row["chip"] == "ESP32-C3"
    assert row["unique"] == ":".join(f"{byte:02x}" for byte in MAC)
    assert (row["bytes"], row["tool"], row["board_id"]) == (MEGABYTE, "esptool", BOARD)
    desk.events.clear()
    again = await desk.flash(NEW)
    assert again.ok
    assert "backup" not in desk.phases()
    assert again.value["restore_point"] == ""
    points = desk.runtime.restore_points(BOARD)
    assert [point.path for point in points] == [content]
    back = await desk.flash(str(points[0].path))
    assert back.ok, back.faults
    assert desk.double.flash == before
    assert list(folder.glob("*.part")) == []


def folder_of_mac() -> str:
    """Of a name with colons, which not every file system takes."""
    folders = [path.name for path in (home_folder() / "backups").iterdir()]
    assert len(folders) == 1
    assert folders[0].startswith("a4-cf-12-34-56-78-")
    return folders[0]


async def test_the_setting_and_the_person_decide_whether_it_is_kept(desk: EspDesk) -> None:
    assert (await desk.flash(NEW, save_first=False)).ok
    desk.runtime.config.set("flashing.save_first", False)
    assert (await desk.flash(NEW)).ok
    assert "backup" not in desk.phases()
    assert (await desk.flash(NEW, save_first=True)).ok
    assert "backup" in desk.phases()
    assert len(desk.runtime.restore_points(BOARD)) == 1


async def test_saving_can_be_skipped_while_it_goes_on(desk: EspDesk) -> None:
    desk.double.faults.seconds_a_block = 0.05  # 256 blocks
    work = asyncio.create_task(desk.flash(NEW))
    await until(lambda: any(e.phase == "backup" and e.percent for e in desk.events), "reading", 20)
    desk.runtime.flashing.skip_saving(BOARD)
    result = await asyncio.wait_for(work, 30)
    assert result.ok, result.faults
    assert result.value["restore_point"] == ""
    assert desk.double.flash[: len(NEW)] == NEW
    assert desk.runtime.restore_points(BOARD) == []
    assert list((home_folder() / "backups").glob("*/*")) == []


async def test_what_cannot_be_kept_stops_the_job_before_anything_is_written(desk: EspDesk) -> None:
    before = bytes(desk.double.flash)
    home_folder().joinpath("backups").write_text("in the way")
    result = await desk.flash(NEW)
    assert result.error_code == Code.FLASH_FAILED
    assert desk.events[-1].fault_code == "restore_point_failed"
    assert "without saving" in desk.events[-1].fault_hint
    assert desk.double.flash == before
    assert (await desk.flash(NEW, save_first=False)).ok


async def test_a_damaged_restore_point_is_not_written(desk: EspDesk) -> None:
    assert (await desk.flash(NEW)).ok
    point = desk.runtime.restore_points(BOARD)[0]
    content = bytearray(point.path.read_bytes())
    content[500_000] ^= 1
    point.path.write_bytes(content)
    result = await desk.flash(str(point.path))
    assert "checksum is wrong" in result.faults[0].message


async def test_a_cancel_says_what_state_the_board_is_in(desk: EspDesk) -> None:
    """AC49: before and while it is written are two different things."""
    desk.double.faults.seconds_a_block = 0.1
    for phase, code in (("backup", "flash_cancelled"), ("write", "flash_cancelled_writing")):
        desk.events.clear()
        firmware = NEW + os.urandom(200_000)
        work = asyncio.create_task(desk.flash(firmware, save_first=phase == "backup"))
        await desk.until_phase(phase)
        task_id = desk.runtime.executor.queue_entries()[0].holder
        assert desk.runtime.executor.cancel(task_id)
        result = await asyncio.wait_for(work, 10)
        assert result.state is ActionState.CANCELLED
        assert (desk.events[-1].phase, desk.events[-1].fault_code) == ("cancelled", code)
        assert desk.events[-1].fault_message


async def test_a_board_that_greets_afterwards(loader: MakeLoader, desk: EspDesk) -> None:
    import json

    desk.double.program = lambda line: as_our_firmware(json.loads(line)) or b""
    result = await desk.flash(NEW, save_first=False)
    assert result.value["firmware"] == "zeroclaw-arduino 1.0.0"
    assert result.value["warning"] == ""


@pytest.mark.parametrize(
    ("printed", "code"),
    [
        (b"Brownout detector was triggered\r\n", "brown_out"),
        (b"rst:0xf (BROWNOUT_RST),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n", "brown_out"),
        (b"invalid header: 0xffffffff\r\n", "no_program"),
        (b"Guru Meditation Error: Core  0 panic'ed (LoadProhibited)\r\n", "program_crashes"),
        (b"boot:0x3 (DOWNLOAD_BOOT)\r\nwaiting for download\r\n", "still_in_loader"),
        (b"Hello world\r\n", ""),
    ],
)
async def test_what_the_board_prints_after_its_start_is_looked_at(
    desk: EspDesk, printed: bytes, code: str
) -> None:
    """AC35: written and verified, and yet the board may not run."""
    desk.double.program = lambda _line: printed
    result = await desk.flash(NEW, save_first=False)
    assert result.ok
    assert (desk.events[-1].phase, desk.events[-1].fault_code) == ("done", code)
    assert bool(result.value["warning"]) is (code != "")


async def test_erasing_needs_the_boards_own_name(desk: EspDesk) -> None:
    before = bytes(desk.double.flash)
    for name in ("", "board", "Another board"):
        result = await desk.erase(name)
        assert [fault.code for fault in result.faults] == [Code.NOT_A_CHOICE]
        assert "Board" in result.faults[0].message
    assert bytes(desk.double.flash) == before
    assert desk.double.seen.whole_erases == 0
    assert desk.events == []


async def test_only_a_person_may_erase(desk: EspDesk) -> None:
    command = desk.runtime.registry.find("erase_flash")
    assert command is not None
    assert command.permission is Permission.ROOT
    assert not command.for_models


async def test_everything_is_erased_after_it_was_kept(desk: EspDesk) -> None:
    """HW-6: asks before erase; what was there can be written back."""
    assert (await desk.flash(NEW)).ok  # so that there is a restore point already
    before = bytes(desk.double.flash)
    desk.events.clear()
    result = await desk.erase("Board")
    assert result.ok, result.faults
    assert desk.double.seen.whole_erases == 1
    assert set(desk.double.flash) == {0xFF}
    assert desk.phases() == ["check", "prepare", "backup", "erase", "reset", "done"]
    kept = Path(result.value["restore_point"])
    assert kept.read_bytes() == before
    assert (await desk.flash(str(kept))).ok
    assert bytes(desk.double.flash) == before


async def test_a_board_that_cannot_be_erased_says_so(desk: EspDesk) -> None:
    desk.runtime.roster.add("uno", "Uno", board_catalog()["arduino-uno"], str(desk.double.path))
    payload = make_payload("erase_flash", {"confirm": "Uno"}, source="manual", device_id="uno")
    result = await desk.runtime.executor.submit(payload)
    assert result.faults[0].details["kind"] == "flash_unsupported"
