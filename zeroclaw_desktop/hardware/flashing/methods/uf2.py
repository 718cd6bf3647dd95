"""UF2: the drive of a boot loader takes the firmware as a file and restarts the board by itself.

Source: Microsoft, "USB Flashing Format (UF2)"; the drive tells in INFO_UF2.TXT which board it belongs to.
"""

from __future__ import annotations

import asyncio
import re
import time

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import Uf2Options
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.errors import FlashError, PortError
from zeroclaw_desktop.hardware.flashing.drive_copy import CopyResult, copy_to_drive
from zeroclaw_desktop.hardware.flashing.drive_search import WantedDrive, drive_refused, find_drive
from zeroclaw_desktop.hardware.flashing.formats.uf2_file import BLOCK_BYTES, block_families, to_uf2
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.tools import Tool
from zeroclaw_desktop.hardware.flashing.volumes import Volume

FILE_NAME = "FIRMWARE.UF2"
INFO_NAME = "INFO_UF2.TXT"
WAIT_SECONDS = 10.0
RESTART_SECONDS = 10.0
POLL_SECONDS = 0.1
COPY_SECONDS = 300.0
ADVICE = (
    "Unplug the board, hold its BOOTSEL button (or BOOT) while you plug it in again, and try again at once. "
    "Use a cable that carries data."
)


def options_of(profile: BoardProfile) -> Uf2Options:
    """The board's table for UF2."""
    options = profile.flash.options["uf2"]
    assert isinstance(options, Uf2Options)
    return options


def board_of(volume: Volume) -> str:
    """The Board-ID that a drive tells; '' for one without INFO_UF2.TXT, which is never written."""
    info = volume.read_text(INFO_NAME)
    found = re.search(r"^Board-ID:\s*(\S.*?)\s*$", info or "", re.MULTILINE)
    return found[1] if found else ""


class Uf2:
    """See FlashMethod."""

    key = "uf2"
    image_kinds = frozenset({"uf2", "elf", "hex", "bin"})
    needs_port = False
    verifies = False

    def find_tool(self) -> Tool:
        """See FlashMethod; the system can copy files by itself."""
        return Tool("copy", ())

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod; that a file has blocks for the board's families was found when it was read."""
        check_fit(image, profile)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        options = options_of(job.profile)
        # A file that was read holds blocks for special purposes as well, so it is copied as it is.
        content = job.image.original if job.image.kind == "uf2" else b""
        content = content or to_uf2(job.image.segments, options.families[0])
        volume = await self._find(job, options)
        assert volume.path is not None
        started = time.monotonic()
        job.listener.line(f"Copying {len(content)} bytes to {volume.path} ({board_of(volume)})")
        job.listener.phase("write", 0.0, "")
        try:
            async with asyncio.timeout(COPY_SECONDS):
                result = await copy_to_drive(
                    volume.path / FILE_NAME, content, lambda done: job.listener.phase("write", done, "")
                )
        except TimeoutError:
            raise drive_refused(job, volume, Words("it does not take the file in time", "写入超时")) from None
        await self._end(job, volume, result, _needed_bytes(content, options.families))
        return time.monotonic() - started

    async def _find(self, job: FlashJob, options: Uf2Options) -> Volume:
        """The drive, after starting the boot loader where the board runs a program.

        Raises:
            FlashError: ``wrong_board``, or as find_drive says.
        """
        wanted = WantedDrive(options.volumes, lambda volume: board_of(volume) in options.board_ids, ADVICE)
        volumes = await asyncio.to_thread(job.surroundings.find_volumes)
        there = await asyncio.to_thread(lambda: [one for one in volumes if wanted.accepts(one)])
        if not there and options.touch_1200 and job.port and not job.by_hand:
            job.listener.line(f"Opening {job.port} at 1200 baud, which starts the boot loader.")
            try:
                await asyncio.to_thread(job.surroundings.touch, job.port)
            except PortError as error:
                job.listener.line(error.message)
        if not there:
            job.listener.line(f"Waiting {WAIT_SECONDS:.0f} s for the drive. {ADVICE}")
        try:
            return await find_drive(job, wanted, WAIT_SECONDS)
        except FlashError as error:
            if error.code == "volume_missing":
                await self._refuse_stranger(job)
            raise

    @staticmethod
    async def _refuse_stranger(job: FlashJob) -> None:
        """Tell of a drive that is there but belongs to another board.

        Raises:
            FlashError: ``wrong_board``.
        """
        volumes = await asyncio.to_thread(job.surroundings.find_volumes)
        for volume in volumes:
            found = await asyncio.to_thread(board_of, volume)
            if found:
                raise FlashError(
                    f"The drive {volume.label} belongs to a board '{found}', not to a {job.profile.name}. "
                    "Nothing was written.",
                    hint="Choose the right board, or connect the other one.",
                    code="wrong_board",
                    retryable=True,
                    details={
                        "label": volume.label,
                        "found": found,
                        "board": job.profile.name,
                        "wrote": False,
                    },
                )

    @staticmethod
    async def _end(job: FlashJob, volume: Volume, result: CopyResult, needed: int) -> None:
        """Decide by what the drive does: it vanishes when the last block that the board needs has come.

        Raises:
            FlashError: ``volume_refused``.
        """
        job.listener.phase("reset", None, "")
        deadline = time.monotonic() + RESTART_SECONDS
        while result.written >= needed and time.monotonic() < deadline:
            if not await asyncio.to_thread(volume.present):
                return
            await asyncio.sleep(POLL_SECONDS)
        if result.written < needed:
            reason = Words(
                f"it broke off after {result.written} of {needed} bytes ({_why(result)})",
                f"写入 {result.written}/{needed} 字节后中断（{_why(result)}）",
            )
            raise drive_refused(job, volume, reason)
        reason = Words(
            "it took the file, but the board did not restart, so the firmware may be for another chip",
            "文件已复制，但开发板没有重启，固件可能不适用于这块芯片",
        )
        raise drive_refused(job, volume, reason)


def _why(result: CopyResult) -> str:
    return str(result.error.strerror or result.error) if result.error is not None else "?"


def _needed_bytes(content: bytes, families: tuple[int, ...]) -> int:
    """Bytes up to the last block for this board; a boot loader restarts then, whatever comes behind."""
    ours = [
        number
        for number, family in enumerate(block_families(content))
        if family is None or family in families
    ]
    return (ours[-1] + 1) * BLOCK_BYTES if ours else len(content)
