"""esptool (GPL, a child process) and the loader in the ROM of an Espressif chip.

A job is two runs, or three with a restore point: ask the chip, read what is on it, write and verify. Each run
resets the chip anew, because opening a port may reset it anyway; when the person has put the board into its
boot mode by hand, no run does, and all stay at the rate at which the loader begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError
from zeroclaw_desktop.hardware.flashing.formats.esp_image import chip_title
from zeroclaw_desktop.hardware.flashing.formats.esp_layout import has_boot_loader, whole_sectors
from zeroclaw_desktop.hardware.flashing.formats.esp_partitions import TABLE_BYTES
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit, unfit
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.methods.esp_placement import (
    check_size,
    image_of_program,
    needs_table,
    place_by_table,
)
from zeroclaw_desktop.hardware.flashing.methods.esptool_run import LARGEST_USUAL_FLASH, EsptoolRun, options_of
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

ESPTOOL = ToolSpec(
    "esptool",
    (),
    Words("writes firmware to boards with an Espressif chip", "向采用乐鑫芯片的开发板写入固件"),
    {"linux": "python -m pip install esptool"},
    module="esptool",
)
"""Only our own environment's: what stands on the search path may have another command line."""


class Esptool:
    """See FlashMethod, ReadableMethod and ErasableMethod."""

    key = "esptool"
    image_kinds = frozenset({"bin", "hex", "elf"})
    needs_port = True
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(ESPTOOL)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_fit(image, profile)
        if image.kind == "elf" and not has_boot_loader(options_of(profile)):
            raise unfit(
                image.path, "an ESP8266 takes the .bin file that its build makes beside the .elf file"
            )

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod; an app alone needs the partition table, so that is read on the way."""
        run = EsptoolRun(job)
        options = options_of(job.profile)
        table = job.folder / "partitions.bin"
        if needs_table(job.image, options):
            command = ["read-flash", hex(options.partitions_offset), hex(TABLE_BYTES), str(table)]
        else:
            command = ["flash-id"]
        await run.go(command, stub=False)
        found = run.identity
        if found is None:
            raise run.failed("it does not say which chip it has found")
        if found.chip.lower().replace("-", "") != options.chip:
            raise FlashError(
                f"The chip on the board is an {found.chip}, but the {job.profile.name} has an "
                f"{chip_title(options.chip)}. Nothing was written.",
                hint="Choose the right board.",
                code="wrong_chip",
                details={"found": found.chip, "port": job.port, "output": ""},
            )
        known = {options.partitions_offset: table.read_bytes()} if table.exists() else {}
        identity = ChipIdentity(found.chip, found.unique, found.flash_bytes, known)
        check_size(job.image, identity, options)
        return identity

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod."""
        size = job.identity.flash_bytes if job.identity is not None else 0
        run = EsptoolRun(job, sizes=[size or LARGEST_USUAL_FLASH])
        await run.go_down_the_ladder(["read-flash", "0", "ALL", str(file)])

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        options = options_of(job.profile)
        seconds = 0.0
        segments = job.image.segments
        if job.image.kind == "elf":
            run = EsptoolRun(job)
            segments = await image_of_program(run, job, options)
            seconds += run.seconds
        identity = job.identity or ChipIdentity("")
        if needs_table(job.image, options):
            try:
                segments = place_by_table(segments, identity.known, options, job.listener.line)
            except FormatError as error:
                raise unfit(job.image.path, error.reason) from error
        parts = self._files(job, segments)
        sizes = [path.stat().st_size for _, path in parts]
        run = EsptoolRun(job, sizes=sizes)
        names = [word for offset, path in parts for word in (hex(offset), str(path))]
        await run.go_down_the_ladder(["write-flash", *names], last=True)
        if run.verified != len(parts):
            raise run.failed("it did not verify what it wrote")
        return seconds + run.seconds

    async def erase(self, job: FlashJob) -> None:
        """See ErasableMethod."""
        size = job.identity.flash_bytes if job.identity is not None else 0
        job.listener.phase("erase", None, "")
        run = EsptoolRun(job, sizes=[size or LARGEST_USUAL_FLASH])
        await run.go(["erase-flash"])

    @staticmethod
    def _files(job: FlashJob, segments: Mapping[int, bytes]) -> list[tuple[int, Path]]:
        """What was checked, as files of the job: the person's own may change meanwhile."""
        parts = []
        for offset, data in whole_sectors(segments).items():
            path = job.folder / f"{offset:x}.bin"
            path.write_bytes(data)
            parts.append((offset, path))
        return parts
