"""Copying a UF2 file to the drive of a boot loader (HW-6, HW-7; AC38, AC39, AC41, AC47, AC49).

The drive is a folder; a thread plays the boot ROM: it counts the blocks for its family and restarts, so that
the drive vanishes, when the last one has come (RP2040 data sheet, 2.8.4.2 "USB Mass Storage Interface").
"""

from __future__ import annotations

import asyncio
import errno
import os
import random
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.flash_bench import Notes, assert_real_progress, board_with, image_of, job_for, usb_port
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.contracts.boards import BoardProfile, MemoryRegion
from zeroclaw_desktop.contracts.flash_options import Uf2Options
from zeroclaw_desktop.hardware.errors import FlashError, PortMissingError
from zeroclaw_desktop.hardware.flashing import drive_copy
from zeroclaw_desktop.hardware.flashing.formats.uf2_file import to_uf2
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.methods import uf2
from zeroclaw_desktop.hardware.flashing.methods.uf2 import Uf2, board_of
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.flashing.volumes import Volume

RP2040, RP2350, ABSOLUTE = 0xE48BFF56, 0xE48BFF59, 0xE48BFF57
FLASH = MemoryRegion(0x1000_0000, 2 << 20)
PICO = board_with("Pico", "RP2040", FLASH, {"uf2": Uf2Options((RP2040,), ("RPI-RP2",), ("RPI-RP2",))})
PICO_2 = board_with(
    "Pico 2", "RP2350", FLASH, {"uf2": Uf2Options((RP2350, ABSOLUTE), ("RP2350",), ("RP2350",))}
)
PROGRAM = random.Random(2).randbytes(30_000)
FILE = to_uf2({FLASH.start: PROGRAM}, RP2040)
INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
WAY = Uf2()


def uf2_image(file: bytes = FILE, program: bytes = PROGRAM) -> FirmwareImage:
    """An image as it comes from a UF2 file."""
    return replace(image_of({FLASH.start: program}, "uf2"), original=file)


class BootDrive:
    """The drive of a boot ROM.

    Args:
        family: of the blocks that it counts.
        info: its INFO_UF2.TXT; '' for a drive without.
    """

    def __init__(self, folder: Path, family: int = RP2040, info: str = INFO, label: str = "RPI-RP2") -> None:
        self.folder = folder
        self.memory: dict[int, bytes] = {}
        self.restarted = False
        self._family, self._info, self._label = family, info, label
        self._ending = False
        self._thread: threading.Thread | None = None

    def plug_in(self) -> None:
        """Appear."""
        self.folder.mkdir()
        if self._info:
            (self.folder / "INFO_UF2.TXT").write_text(self._info)
        self._thread = threading.Thread(target=self._serve, name="BootDrive")
        self._thread.start()

    def vanish(self) -> None:
        """Be pulled, or restart."""
        self.folder.rename(self.folder.with_name(f"{self.folder.name}-{time.monotonic_ns()}"))

    def volume(self) -> list[Volume]:
        return [Volume(self._label, self.folder, "/dev/sdx1")] if self.folder.exists() else []

    def close(self) -> None:
        self._ending = True
        if self._thread is not None:
            self._thread.join()

    def _serve(self) -> None:
        while not self._ending and not self.restarted:
            time.sleep(0.01)
            for file in self.folder.glob("*.UF2"):
                self._take(file.read_bytes())

    def _take(self, content: bytes) -> None:
        seen = {}
        total = -1
        for at in range(0, len(content) - 511, 512):
            header = struct.unpack_from("<8I", content, at)
            if header[7] == self._family:
                total = header[6]
                seen[header[5]] = None
                self.memory[header[3]] = content[at + 32 : at + 32 + header[4]]
        if total > 0 and len(seen) == total:
            self.restarted = True
            self.vanish()

    def program(self) -> bytes:
        """What is in its flash."""
        return b"".join(self.memory[address] for address in sorted(self.memory))


@pytest.fixture
def drives() -> Iterator[list[BootDrive]]:
    """Drives of the test; unplugged afterwards."""
    made: list[BootDrive] = []
    yield made
    for drive in made:
        drive.close()


@pytest.fixture
def drive(tmp_path: Path, drives: list[BootDrive]) -> BootDrive:
    """A Pico whose BOOTSEL button was held."""
    drives.append(BootDrive(tmp_path / "RPI-RP2"))
    drives[0].plug_in()
    return drives[0]


def around(drives: list[BootDrive], *more: Volume, touch: object = None) -> Surroundings:
    def no_touch(port: str) -> None:
        raise AssertionError(f"{port} was touched")

    return Surroundings(
        lambda: [usb_port("/dev/ttyACM0", (0x2E8A, 0x000A))],
        lambda: [*more, *(volume for drive in drives for volume in drive.volume())],
        touch or no_touch,  # type: ignore[arg-type]
    )


async def flash(
    folder: Path,
    nearby: Surroundings,
    image: FirmwareImage | None = None,
    board: BoardProfile = PICO,
    port: str = "",
) -> Notes:
    job, notes = job_for(WAY, board, image or uf2_image(), folder / "job", port, nearby)
    await WAY.write(job)
    return notes


async def refused(folder: Path, nearby: Surroundings, **options: object) -> FlashError:
    with pytest.raises(FlashError) as caught:
        await flash(folder, nearby, **options)  # type: ignore[arg-type]
    return caught.value


class TestCopying:
    async def test_vanishing_after_the_last_block_is_success(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive]
    ) -> None:
        notes = await flash(tmp_path, around(drives))
        assert drive.program() == PROGRAM
        assert notes.phases == ["write", "reset"]
        assert_real_progress(notes, "write", len(FILE) // drive_copy.PIECE_BYTES)

    async def test_other_kinds_become_uf2_for_the_family_of_the_board(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive]
    ) -> None:
        await flash(tmp_path, around(drives), image_of({FLASH.start: PROGRAM}, "elf"))
        assert drive.program() == PROGRAM

    async def test_blocks_for_other_chips_behind_the_last_one_do_not_matter(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The ROM restarts before the rest is copied, so copying the rest fails, as it must."""
        both = FILE + to_uf2({FLASH.start: PROGRAM}, RP2350)
        until_gone(monkeypatch, drive, after=len(FILE))
        await flash(tmp_path, around(drives), uf2_image(both))
        assert drive.program() == PROGRAM

    async def test_vanishing_in_the_middle_is_a_failure(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        written = 0
        really_sync = os.fsync

        def pulled(number: int) -> None:
            nonlocal written
            written += 1
            if written == 3:
                drive.vanish()
                raise OSError(errno.EIO, "Input/output error")
            really_sync(number)

        monkeypatch.setattr(os, "fsync", pulled)
        error = await refused(tmp_path, around(drives))
        assert error.code == "volume_refused"
        assert f"broke off after {3 * drive_copy.PIECE_BYTES} of {len(FILE)}" in error.message
        assert "no working firmware" in error.message

    async def test_a_file_that_starts_nothing_is_a_failure(
        self, tmp_path: Path, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """AC41: blocks for another chip are taken and nothing happens."""
        monkeypatch.setattr(uf2, "RESTART_SECONDS", 0.5)
        drives.append(BootDrive(tmp_path / "drive", RP2350))
        drives[0].plug_in()
        error = await refused(tmp_path, around(drives))
        assert error.code == "volume_refused"
        assert "did not restart" in error.message
        assert "没有重启" in error_view_of(error, "zh").title

    async def test_cancelling_stops_between_pieces(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        really_sync = os.fsync

        def slow(number: int) -> None:
            time.sleep(0.05)
            really_sync(number)

        monkeypatch.setattr(os, "fsync", slow)
        monkeypatch.setattr(drive_copy, "PIECE_BYTES", 512)
        job, notes = job_for(WAY, PICO, uf2_image(), tmp_path / "job", "", around(drives))
        work = asyncio.create_task(WAY.write(job))
        async with asyncio.timeout(10):
            while not any(percent > 10 for percent in notes.percents("write")):
                await asyncio.sleep(0.01)
        work.cancel()
        async with asyncio.timeout(2):
            with pytest.raises(asyncio.CancelledError):
                await work
        assert drive.folder.exists()
        assert not drive.restarted


def until_gone(monkeypatch: pytest.MonkeyPatch, drive: BootDrive, after: int) -> None:
    """After so many bytes wait until the drive has gone, then fail as the system does."""
    really_write, done = os.write, 0

    def write(number: int, data: bytes) -> int:
        nonlocal done
        if done >= after:
            deadline = time.monotonic() + 5
            while drive.folder.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            raise OSError(errno.ENODEV, "No such device")
        count = really_write(number, data[: after - done])
        done += count
        return count

    monkeypatch.setattr(os, "write", write)


class TestWhichDrive:
    async def test_a_drive_without_info_is_never_touched(
        self, tmp_path: Path, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """AC47: not even when it has the right name."""
        monkeypatch.setattr(uf2, "WAIT_SECONDS", 0.0)
        drives.append(BootDrive(tmp_path / "stick", info=""))
        drives[0].plug_in()
        error = await refused(tmp_path, around(drives))
        assert error.code == "volume_missing"
        assert "BOOTSEL" in error.hint
        assert list(drives[0].folder.iterdir()) == []

    async def test_the_drive_of_another_board_is_refused_by_name(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """AC41: a Pico 2 was chosen, a Pico is plugged in."""
        monkeypatch.setattr(uf2, "WAIT_SECONDS", 0.0)
        file = to_uf2({FLASH.start: PROGRAM}, RP2350)
        error = await refused(tmp_path, around(drives), image=uf2_image(file), board=PICO_2)
        assert error.code == "wrong_board"
        assert "'RPI-RP2'" in error.message
        assert "Pico 2" in error.message
        assert not list(drive.folder.glob("*.UF2"))

    async def test_two_boards_in_boot_mode_are_refused_with_a_list(
        self, tmp_path: Path, drives: list[BootDrive]
    ) -> None:
        for name in ("one", "two"):
            drives.append(BootDrive(tmp_path / name))
            drives[-1].plug_in()
        error = await refused(tmp_path, around(drives))
        assert error.code == "volume_several"
        assert str(tmp_path / "one") in error.message
        assert str(tmp_path / "two") in error.message
        assert not any(drive.memory for drive in drives)

    async def test_a_drive_that_is_not_mounted_comes_with_the_command(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(uf2, "WAIT_SECONDS", 0.0)
        monkeypatch.setenv("PATH", str(tmp_path))
        error = await refused(tmp_path, around([], Volume("RPI-RP2", None, "/dev/sdx1")))
        assert error.code == "volume_unmounted"
        assert "udisksctl mount -b /dev/sdx1" in error.hint

    def test_the_board_is_read_from_the_info(self, tmp_path: Path) -> None:
        (tmp_path / "INFO_UF2.TXT").write_text(INFO)
        assert board_of(Volume("X", tmp_path, "d")) == "RPI-RP2"
        (tmp_path / "INFO_UF2.TXT").write_bytes(b"\xff\xfe Board-ID:\n")
        assert board_of(Volume("X", tmp_path, "d")) == ""
        assert board_of(Volume("X", None, "d")) == ""


class TestBootMode:
    async def test_a_board_that_runs_a_program_is_touched_and_waited_for(
        self, tmp_path: Path, drives: list[BootDrive]
    ) -> None:
        """AC38: no button needs to be held."""
        drives.append(BootDrive(tmp_path / "RPI-RP2"))
        touched: list[str] = []

        def touch(port: str) -> None:
            touched.append(port)
            drives[0].plug_in()

        notes = await flash(tmp_path, around(drives, touch=touch), port="/dev/ttyACM0")
        assert touched == ["/dev/ttyACM0"]
        assert drives[0].program() == PROGRAM
        assert any("1200 baud" in line for line in notes.lines)

    async def test_a_port_that_cannot_be_touched_leaves_the_button(
        self, tmp_path: Path, drives: list[BootDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(uf2, "WAIT_SECONDS", 3.0)
        drives.append(BootDrive(tmp_path / "RPI-RP2"))

        def touch(_port: str) -> None:
            timer = threading.Timer(0.3, drives[0].plug_in)
            timer.start()
            raise PortMissingError("There is no port /dev/ttyACM0.")

        notes = await flash(tmp_path, around(drives, touch=touch), port="/dev/ttyACM0")
        assert drives[0].program() == PROGRAM
        assert any("BOOTSEL" in line for line in notes.lines)

    async def test_a_board_in_boot_mode_is_not_touched(
        self, tmp_path: Path, drive: BootDrive, drives: list[BootDrive]
    ) -> None:
        await flash(tmp_path, around(drives), port="/dev/ttyACM0")
        assert drive.restarted
