"""Copying to the drive of an ST-LINK: progress, FAIL.TXT, which drive, cancel (HW-6, HW-7; AC39, AC47, AC49).

The drive is a folder; a thread plays the probe: it takes the file, goes away and comes back.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.flash_bench import (
    STM32_FLASH,
    assert_real_progress,
    image_of,
    job_for,
    nucleo,
    path_with,
    stand_in,
    stm32_image,
    stm32_program,
    usb_port,
)
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing import drive_copy
from zeroclaw_desktop.hardware.flashing.drive_copy import copy_to_drive
from zeroclaw_desktop.hardware.flashing.methods import stm32_mass_storage
from zeroclaw_desktop.hardware.flashing.methods.stm32_mass_storage import Stm32MassStorage
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.flashing.volumes import Volume

BOARD = nucleo("stm32-mass-storage")
PROGRAM = stm32_program()
CANNOT_RESET = "The interface firmware FAILED to reset/halt the target MCU"


class ProbeDrive:
    """The folder of a drive and what its probe does once the whole program has come.

    Args:
        failure: what FAIL.TXT says afterwards; '' for success.
        silent: whether the drive just stays.
    """

    def __init__(
        self,
        folder: Path,
        label: str = "NODE_F401RE",
        serial: str = "",
        *,
        failure: str = "",
        silent: bool = False,
    ) -> None:
        self.folder = folder
        self.programmed = b""
        folder.mkdir()
        (folder / "DETAILS.TXT").write_text("Version: 0221\n")
        self._label, self._serial = label, serial
        self._failure, self._silent = failure, silent
        self._ending = False
        self._thread = threading.Thread(target=self._serve, name="ProbeDrive")
        self._thread.start()

    def volume(self) -> Volume | None:
        if not self.folder.exists():
            return None
        return Volume(self._label, self.folder, f"/dev/{self.folder.name}", self._serial)

    def close(self) -> None:
        self._ending = True
        self._thread.join()

    def _serve(self) -> None:
        while not self._ending:
            time.sleep(0.02)
            for file in self.folder.glob("*.BIN"):
                if file.stat().st_size == len(PROGRAM):
                    self._react(file)

    def _react(self, file: Path) -> None:
        self.programmed = file.read_bytes()
        if self._silent:
            self._ending = True
            return
        away = self.folder.with_name(self.folder.name + "-away")
        self.folder.rename(away)
        time.sleep(0.3)
        (away / file.name).unlink()
        (away / "FAIL.TXT").unlink(missing_ok=True)
        if self._failure:
            (away / "FAIL.TXT").write_text(self._failure + "\r\n")
        away.rename(self.folder)


@pytest.fixture
def drives(tmp_path: Path) -> Iterator[list[ProbeDrive]]:
    """Drives of the test; unplugged afterwards."""
    made: list[ProbeDrive] = []
    yield made
    for drive in made:
        drive.close()


def around(drives: list[ProbeDrive], *more: Volume) -> Surroundings:
    return Surroundings(
        lambda: [usb_port("/dev/ttyACM0", (0x0483, 0x374B), "1-2:1.2", "066BFF")],
        lambda: [*more, *(volume for drive in drives if (volume := drive.volume()) is not None)],
    )


async def flash(folder: Path, surroundings: Surroundings, program: bytes = PROGRAM) -> list[str]:
    """Flash; returns the phases."""
    way = Stm32MassStorage()
    job, notes = job_for(way, BOARD, stm32_image(program), folder / "job", "/dev/ttyACM0", surroundings)
    await way.write(job)
    assert_real_progress(notes, "write", len(program) // drive_copy.PIECE_BYTES)
    return [*notes.phases, *notes.lines]


async def refused(folder: Path, surroundings: Surroundings, program: bytes = PROGRAM) -> FlashError:
    with pytest.raises(FlashError) as caught:
        await flash(folder, surroundings, program)
    return caught.value


class TestWriting:
    async def test_the_probe_gets_the_program_and_nothing_else(
        self, tmp_path: Path, drives: list[ProbeDrive]
    ) -> None:
        drives.append(ProbeDrive(tmp_path / "drive"))
        told = await flash(tmp_path, around(drives))
        assert drives[0].programmed == PROGRAM
        assert told[:2] == ["write", "reset"]

    async def test_gaps_are_filled_as_if_erased(self, tmp_path: Path, drives: list[ProbeDrive]) -> None:
        drives.append(ProbeDrive(tmp_path / "drive"))
        way = Stm32MassStorage()
        start = STM32_FLASH.start
        pieces = {start: PROGRAM[:5_000], start + 6_000: PROGRAM[6_000:]}
        job, _ = job_for(way, BOARD, image_of(pieces), tmp_path / "job", "", around(drives))
        await way.write(job)
        assert drives[0].programmed == PROGRAM[:5_000] + b"\xff" * 1_000 + PROGRAM[6_000:]

    async def test_what_the_probe_notes_is_told(self, tmp_path: Path, drives: list[ProbeDrive]) -> None:
        drives.append(ProbeDrive(tmp_path / "drive", failure="SWD ERROR"))
        error = await refused(tmp_path, around(drives))
        assert error.code == "volume_refused"
        assert "SWD ERROR" in error.message
        assert "no working firmware" in error.message

    async def test_a_note_of_an_earlier_failure_means_nothing(
        self, tmp_path: Path, drives: list[ProbeDrive]
    ) -> None:
        drives.append(ProbeDrive(tmp_path / "drive"))
        (tmp_path / "drive" / "FAIL.TXT").write_text("an old story")
        await flash(tmp_path, around(drives))
        assert drives[0].programmed == PROGRAM

    async def test_a_drive_without_reaction_is_told_and_left_to_the_greeting(
        self, tmp_path: Path, drives: list[ProbeDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stm32_mass_storage, "REACTION_SECONDS", 0.4)
        drives.append(ProbeDrive(tmp_path / "drive", silent=True))
        told = await flash(tmp_path, around(drives))
        assert any("showed no reaction" in line for line in told)
        assert not Stm32MassStorage.verifies

    @pytest.mark.skipif(
        not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("mkfs.ext2") is None,
        reason="a file system of its own is mounted: run it as root on Linux, with e2fsprogs",
    )
    async def test_a_probe_that_cannot_reach_its_chip_shows_a_tiny_drive(self, tmp_path: Path) -> None:
        """Such a drive has 12 KB of room, and FAIL.TXT says why."""
        image, place = tmp_path / "image", tmp_path / "drive"
        image.write_bytes(bytes(256 << 10))
        place.mkdir()
        subprocess.run(["mkfs.ext2", "-q", image], check=True)
        mounted = subprocess.run(["mount", "-o", "loop", image, place], check=False)
        if mounted.returncode != 0:
            pytest.skip("this machine cannot mount a file: load the kernel module 'loop'")
        try:
            (place / "FAIL.TXT").write_text(CANNOT_RESET)
            volume = Volume("NODE_F401RE", place, "/dev/loop")
            program = stm32_program(300_000)
            error = await refused(tmp_path, Surroundings(lambda: [], lambda: [volume]), program)
            assert error.code == "volume_refused"
            assert CANNOT_RESET in error.message
            assert "Nothing was written" in error.message
            assert not (place / stm32_mass_storage.FILE_NAME).exists()
        finally:
            subprocess.run(["umount", place], check=True)


class TestWhichDrive:
    async def test_none_is_told_with_what_to_connect(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stm32_mass_storage, "WAIT_SECONDS", 0.0)
        stranger = Volume("HOLIDAY", tmp_path, "/dev/sdx1")
        error = await refused(tmp_path, Surroundings(lambda: [], lambda: [stranger]))
        assert error.code == "volume_missing"
        assert "NODE_F401RE" in error.message
        assert "ST-LINK" in error.hint

    async def test_of_two_the_one_on_the_same_usb_device_as_the_port_is_taken(
        self, tmp_path: Path, drives: list[ProbeDrive]
    ) -> None:
        drives.append(ProbeDrive(tmp_path / "other", serial="0670FF"))
        drives.append(ProbeDrive(tmp_path / "drive", serial="066BFF"))
        await flash(tmp_path, around(drives))
        assert [drive.programmed == PROGRAM for drive in drives] == [False, True]

    async def test_of_two_that_cannot_be_told_apart_none_is_touched(
        self, tmp_path: Path, drives: list[ProbeDrive]
    ) -> None:
        drives += [ProbeDrive(tmp_path / name) for name in ("one", "two")]
        error = await refused(tmp_path, around(drives))
        assert error.code == "volume_several"
        assert str(tmp_path / "one") in error.message
        assert str(tmp_path / "two") in error.message
        assert [drive.programmed for drive in drives] == [b"", b""]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="udisksctl is Linux' way to mount")
class TestMounting:
    IDLE = Volume("NODE_F401RE", None, "/dev/sdx1")

    async def test_without_udisks_the_command_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stm32_mass_storage, "WAIT_SECONDS", 0.0)
        monkeypatch.setenv("PATH", str(tmp_path))
        error = await refused(tmp_path, Surroundings(lambda: [], lambda: [self.IDLE]))
        assert error.code == "volume_unmounted"
        assert "udisksctl mount -b /dev/sdx1" in error.hint

    async def test_udisks_is_asked_once_and_its_refusal_is_logged(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stm32_mass_storage, "WAIT_SECONDS", 0.6)
        script = f"echo \"$@\" >> '{tmp_path}/asked'; echo 'Error mounting: Not authorized'; exit 1"
        monkeypatch.setenv("PATH", path_with([stand_in(tmp_path / "bin", "udisksctl", script).parent]))
        way = Stm32MassStorage()
        nearby = Surroundings(lambda: [], lambda: [self.IDLE])
        job, notes = job_for(way, BOARD, stm32_image(PROGRAM), tmp_path / "job", "", nearby)
        with pytest.raises(FlashError, match="not mounted"):
            await way.write(job)
        assert (tmp_path / "asked").read_text().splitlines() == ["mount -b /dev/sdx1 --no-user-interaction"]
        assert "Error mounting: Not authorized" in notes.lines

    async def test_what_udisks_mounts_is_written(
        self, tmp_path: Path, drives: list[ProbeDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drives.append(ProbeDrive(tmp_path / "drive"))
        script = f"touch '{tmp_path}/mounted'; echo 'Mounted /dev/sdx1 at {tmp_path}/drive'"
        monkeypatch.setenv("PATH", path_with([stand_in(tmp_path / "bin", "udisksctl", script).parent]))
        shown = around(drives)
        nearby = Surroundings(
            shown.find_ports,
            lambda: shown.find_volumes() if (tmp_path / "mounted").exists() else [self.IDLE],
        )
        await flash(tmp_path, nearby)
        assert drives[0].programmed == PROGRAM


class TestCancel:
    async def test_it_stops_between_pieces_and_lets_go_of_the_drive(
        self, tmp_path: Path, drives: list[ProbeDrive], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drives.append(ProbeDrive(tmp_path / "drive"))
        halfway = asyncio.Event()
        really_sync = os.fsync

        def slow_sync(number: int) -> None:
            time.sleep(0.05)
            really_sync(number)

        monkeypatch.setattr(os, "fsync", slow_sync)
        monkeypatch.setattr(drive_copy, "PIECE_BYTES", 512)
        way = Stm32MassStorage()
        job, notes = job_for(way, BOARD, stm32_image(PROGRAM), tmp_path / "job", "", around(drives))
        note_phase = notes.phase

        def phase(name: str, percent: float | None, message: str) -> None:
            note_phase(name, percent, message)
            if (percent or 0) > 20:
                halfway.set()

        notes.phase = phase  # type: ignore[method-assign]
        work = asyncio.create_task(way.write(job))
        await asyncio.wait_for(halfway.wait(), 10)
        work.cancel()
        async with asyncio.timeout(2):
            with pytest.raises(asyncio.CancelledError):
                await work
        size = (tmp_path / "drive" / stm32_mass_storage.FILE_NAME).stat().st_size
        assert 0 < size < len(PROGRAM)
        await asyncio.sleep(0.2)
        assert (tmp_path / "drive" / stm32_mass_storage.FILE_NAME).stat().st_size == size
        assert open_files_below(tmp_path / "drive") == []
        assert notes.percents("write")[-1] < 100


def open_files_below(folder: Path) -> list[str]:
    """Files of this process that are open in a folder; Linux tells."""
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        return []
    links = [os.readlink(link) for link in descriptors.iterdir() if link.is_symlink()]
    return [link for link in links if link.startswith(str(folder))]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a device that is always full")
async def test_a_drive_that_takes_nothing_is_told_with_how_far_it_came() -> None:
    result = await copy_to_drive(Path("/dev/full"), b"x" * 20_000, lambda _percent: None)
    assert result.written < 20_000
    assert result.error is not None
    assert result.error.errno == 28
