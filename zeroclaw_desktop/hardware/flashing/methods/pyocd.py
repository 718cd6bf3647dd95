"""pyOCD (Apache-2.0, a child process) and any debug probe that it knows."""

from __future__ import annotations

import re
from collections.abc import Callable
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

PYOCD = ToolSpec(
    "pyocd",
    ("pyocd",),
    Words("writes to ARM boards by their debug probe", "通过调试探针向 ARM 开发板写入固件"),
    {"linux": "python -m pip install pyocd"},
    "pyocd",
)
BAR_SIGNS = 40
"""pyOCD draws 40 '=' for 100 % where there is no terminal, after a ruler of dashes."""
IDCODE_ADDRESSES = (
    (("STM32F0", "STM32G0", "STM32L0", "STM32C0"), 0x4001_5800),
    (("STM32H7",), 0x5C00_1000),
    (("STM32L5", "STM32U5", "STM32H5"), 0xE004_4000),
)
"""DBGMCU_IDCODE by family (ST reference manuals, "MCU device ID code"); elsewhere it is at 0xE0042000."""
CORTEX_M_IDCODE = 0xE004_2000
SILENT = (
    r"no ack|transfer (?:fault|error|timeout)|memory transfer|stlink error|error while initing"
    r"|swd/jtag communication failure|dp error|no device connected"
)
CAUSES = (
    Cause(
        r"target type .* not recognized",
        "target_unknown",
        "pyOCD does not know the {chip} yet. Nothing was written.",
        "Fetch its description: pyocd pack install {target}",
    ),
    *probe_causes(
        missing=r"no connected debug probe|no available debug probes|no target device available",
        several=r"enter the number of the debug probe|more than one debug probe",
        permission=r"udev rule|access denied|insufficient permissions|LIBUSB_ERROR_ACCESS",
        silent=SILENT,
        protected=r"is locked|flash (?:erase|program).*failure|write protect",
        differs=r"mismatched byte",
    ),
)


def idcode_address(chip: str) -> int:
    """Where the chip tells which one it is."""
    for families, address in IDCODE_ADDRESSES:
        if chip.upper().startswith(families):
            return address
    return CORTEX_M_IDCODE


def bar_percent(line: bytes | bytearray) -> float | None:
    """Percent of an unfinished line that is pyOCD's bar; None for the ruler and other lines."""
    if not line.startswith(b"[=") or line.strip(b"[=]"):
        return None
    return min(100.0, line.count(b"=") * 100.0 / BAR_SIGNS)


class LoadBars:
    """The bars of ``pyocd load``: one for erasing, one for programming, each half of the way.

    Args:
        report: told the phase and percent.
    """

    def __init__(self, report: Callable[[str, float], None]) -> None:
        self._report = report
        self._bars = 0

    def line_came(self, line: str) -> None:
        """A whole line: the ruler is drawn before each bar, and erasing begins with the first."""
        if line.startswith("[---|"):
            self._bars += 1
            self._report("write", min(50.0 * (self._bars - 1), 100.0))

    def line_grew(self, line: bytearray) -> None:
        """An unfinished line."""
        percent = bar_percent(line)
        if percent is not None:
            self._report("write", min(50.0 * max(self._bars - 1, 0) + percent / 2, 100.0))


class PyOcd:
    """See FlashMethod and ReadableMethod."""

    key = "pyocd"
    image_kinds = IMAGE_KINDS
    needs_port = False
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(PYOCD)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_program(image, profile)

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod."""
        run = self._run_of(job)
        read = f"read32 0x{idcode_address(job.profile.chip):08x} 4"

        async def ask(under_reset: bool) -> tuple[ChildExit, int | None]:
            how = UNDER_RESET if under_reset else ""
            ended = await run.run(
                await self._command(job, run, how, "commander", "-c", read), timeout=IDENTIFY_SECONDS
            )
            word = re.search(r"^[0-9a-f]{8}:\s+([0-9a-f]{8})\b", ended.tail, re.MULTILINE | re.IGNORECASE)
            return ended, int(word[1], 16) if word else None

        return await identify_chip(job, run, options_of(job.profile, self.key).device_id, ask, SILENT)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        identity = job.identity or await self.identify(job)
        run = self._run_of(job)
        program, start = flat_program(job.image), f"0x{job.profile.memory['flash'].start:08x}"
        file = job.folder / "firmware.bin"
        file.write_bytes(program)
        bars = LoadBars(run.report)
        load = ("load", "--format", "bin", "--base-address", start, str(file))
        await run.must_run(
            await self._command(job, run, identity.how, *load),
            timeout=WRITE_SECONDS,
            on_line=bars.line_came,
            on_growth=bars.line_grew,
        )
        run.report("write", 100.0)
        run.report("verify", None)
        compare = ("commander", "-c", f"compare {start} '{file.as_posix()}'", "-c", "reset")
        ended = await run.must_run(
            await self._command(job, run, identity.how, *compare), timeout=WRITE_SECONDS
        )
        # The commander ends well although bytes differ, so its words decide.
        if number_in(r"all (\d+) bytes match", ended.tail) != len(program):
            raise run.failure(ended)
        run.report("verify", 100.0)
        return run.seconds

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod; pyOCD tells no percent while it reads."""
        run = self._run_of(job)
        job.listener.phase("backup", None, "")
        flash = job.profile.memory["flash"]
        save = f"savemem 0x{flash.start:08x} {flash.bytes} '{file.as_posix()}'"
        how = job.identity.how if job.identity is not None else ""
        await run.must_run(
            await self._command(job, run, how, "commander", "-c", save, "-c", "reset"), timeout=WRITE_SECONDS
        )

    def _run_of(self, job: FlashJob) -> ToolRun:
        return ToolRun(job, "pyOCD", CAUSES, {"target": options_of(job.profile, self.key).pyocd_target})

    async def _command(self, job: FlashJob, run: ToolRun, how: str, name: str, *words: str) -> list[str]:
        serial = await probe_serial(job, run)
        target = options_of(job.profile, self.key).pyocd_target
        # The job's folder as project: no settings and no script of the folder that we were started in.
        common = ["--color", "never", "--no-wait", "-j", str(job.folder), "-t", target]
        mode = ["-M", "under-reset"] if how == UNDER_RESET else []
        return [*job.tool.argv, name, *common, *(["-u", serial] if serial else []), *mode, *words]
