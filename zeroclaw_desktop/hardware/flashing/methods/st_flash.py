"""st-flash of the stlink tools (BSD, a child process) and an ST-LINK."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing.debug_probe import (
    IDENTIFY_SECONDS,
    UNDER_RESET,
    WRITE_SECONDS,
    identify_chip,
    probe_causes,
    probe_serial,
)
from zeroclaw_desktop.hardware.flashing.failures import Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.stm32_program import (
    IMAGE_KINDS,
    check_program,
    flat_program,
    options_of,
)
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun, number_in
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

ST_FLASH = ToolSpec(
    "st-flash",
    ("st-flash",),
    Words("writes to STM32 boards by their ST-LINK", "通过 ST-LINK 向 STM32 开发板写入固件"),
    {
        "linux": "sudo apt install stlink-tools",
        "darwin": "brew install stlink",
        "win32": "choco install stlink",
    },
)
SILENT = (
    r"failed to connect to target|can ?not connect to target|unknown chip id|could not find chip id"
    r"|failed to halt the core|failed to enter swd mode|chipid: +0x0+\s"
)
CAUSES = (
    *probe_causes(
        missing=r"couldn't find any st-link devices|found 0 stlink programmers",
        several=r"found (?:[2-9]|\d\d+) stlink programmers",
        permission=r"access error|libusb error: -3|unable to claim|LIBUSB_ERROR_ACCESS",
        silent=SILENT,
        protected=r"write protected|flash memory is (?:write )?protected",
        differs=r"verification of flash failed",
    ),
    Cause(
        r"voltage .*too low",
        "target_silent",
        "The {chip} has too little voltage to be written.",
        "Check the power supply and the jumpers of the board.",
    ),
)
_PAGES = re.compile(r"(\d+)\s*/\s*(\d+)\s+(?:half)?pages written|(\d+)\s*/\s*(\d+)\s+bytes written")


def progress_of(line: str) -> tuple[str, float | None] | None:
    """Phase and percent that a line of st-flash 1.6 to 1.8 tells; None for other lines.

    The percent come from the pages that it counts; for some chips it counts none.
    """
    found = _PAGES.findall(line)
    if found:
        done, total = (int(text) for text in found[-1] if text)
        return "write", 100.0 * done / total if total else None
    if "attempting to write" in line.lower() or re.search(r"flash page at .*erased", line, re.IGNORECASE):
        return "write", None
    if "Starting verification" in line:
        return "verify", None
    if "Flash written and verified" in line:
        return "verify", 100.0
    return None


class StFlash:
    """See FlashMethod and ReadableMethod."""

    key = "st-flash"
    image_kinds = IMAGE_KINDS
    needs_port = False
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(ST_FLASH)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_program(image, profile)

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod."""
        run = ToolRun(job, "st-flash", CAUSES)
        serial = await probe_serial(job, run)

        async def ask(under_reset: bool) -> tuple[ChildExit, int | None]:
            more = ["--connect-under-reset"] if under_reset else []
            ended = await run.run([_info_program(job.tool), "--probe", *more], timeout=IDENTIFY_SECONDS)
            return ended, chip_of(ended.tail, serial)

        return await identify_chip(job, run, options_of(job.profile, self.key).device_id, ask, SILENT)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        identity = job.identity or await self.identify(job)
        run = ToolRun(job, "st-flash", CAUSES)
        file = job.folder / "firmware.bin"
        file.write_bytes(flat_program(job.image))

        def on_line(line: str) -> None:
            progress = progress_of(line)
            if progress is not None:
                run.report(*progress)

        start = f"0x{job.profile.memory['flash'].start:08x}"
        command = await self._command(job, run, identity)
        await run.must_run(
            [*command, "--reset", "write", str(file), start], timeout=WRITE_SECONDS, on_line=on_line
        )
        return run.seconds

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod; st-flash tells no percent while it reads."""
        run = ToolRun(job, "st-flash", CAUSES)
        job.listener.phase("backup", None, "")
        flash = job.profile.memory["flash"]
        command = await self._command(job, run, job.identity or ChipIdentity(""))
        reading = ["--reset", "read", str(file), f"0x{flash.start:08x}", f"0x{flash.bytes:x}"]
        await run.must_run([*command, *reading], timeout=WRITE_SECONDS)

    @staticmethod
    async def _command(job: FlashJob, run: ToolRun, identity: ChipIdentity) -> list[str]:
        serial = await probe_serial(job, run)
        under_reset = ["--connect-under-reset"] if identity.how == UNDER_RESET else []
        return [*job.tool.argv, *under_reset, *(["--serial", serial] if serial else [])]


def chip_of(listing: str, serial: str) -> int | None:
    """The chip id behind a probe, from ``st-info --probe``.

    Args:
        serial: of the probe; '' when there is one only.

    Returns:
        None when the probe is not there, is not the only one, or got no answer from the chip.
    """
    blocks = re.split(r"^\s*version:", listing, flags=re.MULTILINE | re.IGNORECASE)[1:]
    if serial:
        blocks = [block for block in blocks if serial.lower() in block.lower()]
    if len(blocks) != 1:
        return None
    return number_in(r"chipid:\s*(0x[0-9a-f]+)", blocks[0]) or None


def _info_program(tool: Tool) -> str:
    """st-info, which comes in the same package."""
    beside = Path(tool.argv[0]).with_name("st-info" + Path(tool.argv[0]).suffix)
    return str(beside) if beside.is_file() else shutil.which("st-info") or "st-info"
