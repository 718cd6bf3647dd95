"""The drive of an ST-LINK: a program that is copied to it is written to the chip by the probe itself."""

from __future__ import annotations

import asyncio
import shutil
import time

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.flashing.drive_copy import copy_to_drive
from zeroclaw_desktop.hardware.flashing.drive_search import WantedDrive, drive_refused, find_drive
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.stm32_program import (
    IMAGE_KINDS,
    check_program,
    flat_program,
    options_of,
)
from zeroclaw_desktop.hardware.flashing.tools import Tool
from zeroclaw_desktop.hardware.flashing.volumes import Volume

FILE_NAME = "FIRMWARE.BIN"
FAILURE_NOTE = "FAIL.TXT"
WAIT_SECONDS = 3.0
REACTION_SECONDS = 8.0
"""The probe takes its medium away and shows it again; the system looks for that every 2 s."""
RETURN_SECONDS = 10.0
POLL_SECONDS = 0.1
COPY_SECONDS = 120.0
ADVICE = (
    "Connect the board by the USB socket of its ST-LINK. If no drive appears, close both CN2 jumpers, "
    "and try another cable: many carry power only."
)


class Stm32MassStorage:
    """See FlashMethod."""

    key = "stm32-mass-storage"
    image_kinds = IMAGE_KINDS
    needs_port = False
    verifies = False

    def find_tool(self) -> Tool:
        """See FlashMethod; the system can copy files by itself."""
        return Tool("copy", ())

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_program(image, profile)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        labels = options_of(job.profile, self.key).volumes
        wanted = WantedDrive(labels, lambda volume: volume.label in labels, ADVICE)
        volume = await find_drive(job, wanted, WAIT_SECONDS)
        assert volume.path is not None
        program = flat_program(job.image)
        before = await asyncio.to_thread(volume.read_text, FAILURE_NOTE)
        await self._check_room(job, volume, len(program), before)
        started = time.monotonic()
        job.listener.line(f"Copying {len(program)} bytes to {volume.path}")
        job.listener.phase("write", 0.0, "")
        try:
            async with asyncio.timeout(COPY_SECONDS):
                result = await copy_to_drive(
                    volume.path / FILE_NAME, program, lambda done: job.listener.phase("write", done, "")
                )
        except TimeoutError:
            raise drive_refused(job, volume, Words("it does not take the file in time", "写入超时")) from None
        if result.error is not None and result.written < len(program):
            note = _first_line(await asyncio.to_thread(volume.read_text, FAILURE_NOTE))
            said = note or str(result.error.strerror or result.error)
            raise drive_refused(job, volume, Words(said, said))
        await self._watch(job, volume, before)
        return time.monotonic() - started

    @staticmethod
    async def _check_room(job: FlashJob, volume: Volume, needed: int, note: str | None) -> None:
        """A probe that cannot reach its chip shows a drive of 12 KB, and says so in FAIL.TXT."""
        assert volume.path is not None
        try:
            free = (await asyncio.to_thread(shutil.disk_usage, volume.path)).free
        except OSError as error:
            said = str(error.strerror)
            raise drive_refused(job, volume, Words(said, said), wrote=False) from error
        if free < needed:
            said = _first_line(note)
            room = Words(
                f"it has room for {free} bytes, and {needed} are needed",
                f"剩余空间 {free} 字节，需要 {needed} 字节",
            )
            raise drive_refused(job, volume, Words(said, said) if said else room, wrote=False)

    async def _watch(self, job: FlashJob, volume: Volume, before: str | None) -> None:
        """Wait for the probe's answer: FAIL.TXT, or the drive that goes away and comes back."""
        job.listener.phase("reset", None, "")
        started = time.monotonic()
        left_at = 0.0
        while (now := time.monotonic()) - started < (RETURN_SECONDS if left_at else REACTION_SECONDS):
            shown = await self._shown(job, volume)
            if shown is None:
                if not left_at:
                    left_at = started = now
            else:
                note = await asyncio.to_thread(shown.read_text, FAILURE_NOTE)
                if note is not None and (left_at or note != before):
                    said = _first_line(note) or FAILURE_NOTE
                    raise drive_refused(job, volume, Words(said, said))
                if left_at:
                    return
            await asyncio.sleep(POLL_SECONDS)
        if left_at:
            job.listener.line("The drive did not come back, so its note about failures could not be read.")
        else:
            job.listener.line(
                "The drive showed no reaction; whether the board runs is seen in the next step."
            )

    @staticmethod
    async def _shown(job: FlashJob, volume: Volume) -> Volume | None:
        """The drive as it is now, also under another path; None while it is away."""
        volumes = await asyncio.to_thread(job.surroundings.find_volumes)
        for one in volumes:
            if (one.label, one.serial) == (volume.label, volume.serial) and one.path is not None:
                return one if await asyncio.to_thread(one.present) else None
        return None


def _first_line(note: str | None) -> str:
    return (note or "").strip().split("\n", 1)[0].strip().rstrip(".")
