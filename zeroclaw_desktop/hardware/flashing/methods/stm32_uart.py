"""The boot loader in the ROM of an STM32 on its UART (ST AN3155), by stm32flash or stm32loader.

Both are GPL and run as child processes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.debug_probe import compare_chip
from zeroclaw_desktop.hardware.flashing.failures import PORT_CAUSES, Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.stm32_program import (
    IMAGE_KINDS,
    check_program,
    flat_program,
    options_of,
)
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun, number_in, succeeded
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

BAUD = 115_200
"""The highest rate that AN3155 promises for every chip; the ROM measures it."""
IDENTIFY_SECONDS = 20.0
WRITE_SECONDS = 400.0
"""512 KB take 50 s each way; erasing all of it takes up to 30 s."""
STM32FLASH = ToolSpec(
    "stm32flash",
    ("stm32flash",),
    Words("writes to STM32 chips by the boot loader in their ROM", "通过 ROM 引导程序向 STM32 芯片写入固件"),
    {
        "linux": "sudo apt install stm32flash",
        "darwin": "brew install stm32flash",
        "win32": "python -m pip install stm32loader",
    },
    version=(os.devnull,),  # it has no option for that, but names itself before it finds no port there
)
STM32LOADER = ToolSpec(
    "stm32loader",
    (),
    Words("writes to STM32 chips by the boot loader in their ROM", "通过 ROM 引导程序向 STM32 芯片写入固件"),
    {"linux": "python -m pip install stm32loader"},
    "stm32loader",
)
"""Only our own environment's, as with esptool."""
LOADER_FAMILIES = ("F0", "F1", "F3", "F4", "F7", "H7", "L4", "L0", "G0")
"""Families that stm32loader tells apart by the sizes of their blocks."""
BOOT_MODE = (
    "Connect BOOT0 with 3V3, press reset and try again. The ROM listens on PA9 (TX) and PA10 (RX): a "
    "Nucleo's own port is not there, so use a USB serial adapter."
)
CAUSES = (
    *PORT_CAUSES,
    Cause(
        r"failed to verify at address|verification failed",
        "verify_failed",
        "What was read back from the board differs from what was written.",
        "Flash again; if it fails again, try another cable or port.",
    ),
    Cause(
        r"nack from device on command 0x(?:11|31|43|44)|readout protection|commanderror: nack"
        r"|failed to (?:read|write|erase) memory",
        "write_protected",
        "The boot loader refuses to read or write the flash: it is protected.",
        "Lift the protection (stm32flash -k, or STM32CubeProgrammer); that erases the chip.",
    ),
    Cause(
        r"failed to init device(?:\.| after retry)|unknown response|instead of ack|bad reply from bootloader",
        "rom_noise",
        "What the boot loader of the {chip} answers is garbled. Nothing was written.",
        "Press reset and try again; shorten the wires, connect ground, and check that RX and TX are crossed.",
    ),
    Cause(
        r"failed to init device, timeout|can't init into bootloader|can't read port or timeout",
        "rom_silent",
        "The boot loader in the ROM of the {chip} does not answer. Nothing was written.",
        BOOT_MODE,
    ),
    Cause(
        r"(?:can't|cannot|could not|failed to) open port|no such file",
        "port_missing",
        "The port could not be opened.",
        "Plug the board in again, or choose another port.",
    ),
)
NOTHING_ERASED = r"nack from device on command 0x4[34]|erase failed -- probably"
_MOVED_ON = re.compile(r"(?:wrote (?:and verified )?|read )address 0x[0-9a-f]+ \(([\d.]+)%\)", re.IGNORECASE)
_BLOCK = re.compile(r"(write|read) (\d+) bytes at 0x([0-9a-f]+)$", re.IGNORECASE)
_CHATTER = re.compile(r"\*\*\* command|\[\d+\] bytes to write|write memory done", re.IGNORECASE)
Report = Callable[[str, float | None], None]


class Stm32Uart:
    """See FlashMethod and ReadableMethod."""

    key = "stm32-uart"
    image_kinds = IMAGE_KINDS
    needs_port = True
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        try:
            return find_tool(STM32FLASH)
        except FlashError as missing:
            try:
                return find_tool(STM32LOADER)
            except FlashError:
                raise missing from None

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_program(image, profile)

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod."""
        run = ToolRun(job, job.tool.name, CAUSES)
        job.listener.phase("prepare", None, "")
        asked = await run.must_run(identify_arguments(job.tool, job.port), timeout=IDENTIFY_SECONDS)
        found = number_in(r"(?:device id|chip id)\s*: (0x[0-9a-f]+)", asked.tail)
        if found is None:
            raise run.failure(asked)
        compare_chip(run, found, options_of(job.profile, self.key).device_id, asked.tail)
        return ChipIdentity(job.profile.chip, "", job.profile.flash_bytes)

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod."""
        run = ToolRun(job, job.tool.name, CAUSES)
        flash = job.profile.memory["flash"]
        job.listener.phase("backup", 0.0, "")

        def report(_phase: str, percent: float | None) -> None:
            job.listener.phase("backup", percent, "")

        await run.must_run(
            read_arguments(job.tool, job.port, job.profile, file),
            timeout=WRITE_SECONDS,
            take=lambda line: take_progress(line, flash.start, flash.bytes, report),
        )

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        if job.identity is None:
            await self.identify(job)
        run = ToolRun(job, job.tool.name, CAUSES)
        file = job.folder / "firmware.bin"
        program, start = flat_program(job.image), job.profile.memory["flash"].start
        file.write_bytes(program)
        ended = await run.run(
            write_arguments(job.tool, job.port, job.profile, file, len(program)),
            timeout=WRITE_SECONDS,
            take=lambda line: take_progress(line, start, len(program), run.report),
        )
        if not succeeded(ended):
            run.wrote = run.wrote and re.search(NOTHING_ERASED, ended.tail, re.IGNORECASE) is None
            raise run.failure(ended)
        run.report("verify", 100.0)
        job.listener.line("Connect BOOT0 with GND again, or the next reset starts the boot loader.")
        return run.seconds


def identify_arguments(tool: Tool, port: str) -> list[str]:
    """The command that asks for the device id and touches nothing."""
    if tool.name == STM32FLASH.name:
        return [*tool.argv, "-b", str(BAUD), port]
    return [*tool.argv, "-p", port, "-b", str(BAUD)]


def read_arguments(tool: Tool, port: str, profile: BoardProfile, file: Path) -> list[str]:
    """The command that reads the whole flash."""
    flash = profile.memory["flash"]
    start = f"0x{flash.start:08x}"
    if tool.name == STM32FLASH.name:
        return [*tool.argv, "-b", str(BAUD), "-r", str(file), "-S", f"{start}:{flash.bytes}", port]
    steps = ["-V", "-r", "-a", start, "-l", str(flash.bytes)]
    return [*tool.argv, "-p", port, "-b", str(BAUD), *steps, str(file)]


def write_arguments(tool: Tool, port: str, profile: BoardProfile, file: Path, size: int) -> list[str]:
    """The command that erases, writes, compares and starts the program.

    stm32flash erases the sectors that the program needs. stm32loader knows no sectors of different sizes, so
    it erases all of the flash, except on the STM32F1.
    """
    start = f"0x{profile.memory['flash'].start:08x}"
    if tool.name == STM32FLASH.name:
        return [*tool.argv, "-b", str(BAUD), "-w", str(file), "-v", "-g", start, port]
    family = profile.chip.upper().removeprefix("STM32")[:2]
    named = ["-f", family] if family in LOADER_FAMILIES else []
    pages = ["-l", str(-(-size // 1024) * 1024)] if family == "F1" else []
    steps = ["-V", "-e", "-w", "-v", "-a", start, *pages, "-g", start]
    return [*tool.argv, "-p", port, "-b", str(BAUD), *named, *steps, str(file)]


def take_progress(line: str, start: int, size: int, report: Report) -> bool:
    """Whether a line is progress alone; it is reported then.

    Args:
        start: address of the program.
        size: bytes of the program.
    """
    percent = _MOVED_ON.search(line)
    if percent:
        report("write", float(percent[1]))
        return True
    block = _BLOCK.match(line)
    if block:
        done = int(block[3], 16) + int(block[2]) - start
        if 0 <= done <= size:
            report("write" if block[1].lower() == "write" else "verify", 100.0 * done / size)
        return True
    _erasing(line, report)
    return _CHATTER.match(line) is not None


def _erasing(line: str, report: Report) -> None:
    if re.search(r"^erasing memory|command: (?:extended )?erase memory", line, re.IGNORECASE):
        report("write", None)
