"""OpenOCD (GPL, a child process) and an ST-LINK.

Its own ``program`` tells no percent, so the program is written in pieces by a script of the job; see the
OpenOCD User's Guide, "Flash Commands".
"""

from __future__ import annotations

import re
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

OPENOCD = ToolSpec(
    "openocd",
    ("openocd",),
    Words("writes to STM32 boards by their debug probe", "通过调试探针向 STM32 开发板写入固件"),
    {
        "linux": "sudo apt install openocd",
        "darwin": "brew install open-ocd",
        "win32": "choco install openocd",
    },
)
PIECE_BYTES = 8_192
MARK = "zeroclaw:"
SILENT = (
    r"unable to connect to the target|target not examined|timed out while waiting for target"
    r"|cannot identify target|error connecting dp|could not find mem-ap|target not halted|jtag scan chain"
)
CAUSES = (
    *probe_causes(
        missing=r"error: open failed|error: no device found|unable to find a matching",
        several=r"multiple (?:matching )?(?:devices|adapters|probes)",
        permission=r"libusb_open\(\) failed with LIBUSB_ERROR_ACCESS|LIBUSB_ERROR_BUSY|unable to claim",
        silent=SILENT,
        protected=r"device protected|failed to unlock|write protect|failed erasing sectors",
        differs=r"contents differ|\bdiff \d+ address",
    ),
    Cause(
        r"unexpected idcode|expected \d+ of \d+: 0x",
        "wrong_chip",
        "The chip on the board is not the one that was chosen. Nothing was written.",
        "Choose the right board.",
    ),
    Cause(
        r"can't find .*\.cfg",
        "target_unknown",
        "This OpenOCD does not know the {chip}. Nothing was written.",
        "Install a newer OpenOCD, or flash another way.",
    ),
)
_NO_SERVERS = ("-c", "gdb_port disabled", "-c", "tcl_port disabled", "-c", "telnet_port disabled")
_HELD_IN_RESET = ("-c", "reset_config srst_only srst_nogate connect_assert_srst")


def tcl_word(text: str) -> str:
    """A word of a Tcl script, whatever signs it has (Tcl(n), rules 4 and 9)."""
    return '"' + re.sub(r'([\\"$\[\]{};#])', r"\\\1", text) + '"'


Piece = tuple[int, Path, int]
"""(address, file, bytes)."""


def writing_script(pieces: list[Piece], whole: Piece) -> str:
    """Erase what is needed, write piece by piece, compare, start the program."""
    start, file, size = whole
    steps = [_told("write 0"), f"flash erase_address pad 0x{start:08x} {size}"]
    done = 0
    for address, piece, count in pieces:
        done += count
        steps.append(f"flash write_image {tcl_word(piece.as_posix())} 0x{address:08x} bin")
        steps.append(_told(f"write {100.0 * done / size:.1f}"))
    steps += [
        _told("verify 0"),
        f"verify_image {tcl_word(file.as_posix())} 0x{start:08x} bin",
        _told("verify 100"),
    ]
    return _guarded(steps)


def reading_script(pieces: list[Piece]) -> str:
    """Read piece by piece into files, and let the program go on."""
    size = sum(count for _, _, count in pieces)
    steps, done = [_told("backup 0")], 0
    for address, piece, count in pieces:
        done += count
        steps.append(f"dump_image {tcl_word(piece.as_posix())} 0x{address:08x} {count}")
        steps.append(_told(f"backup {100.0 * done / size:.1f}"))
    return _guarded(steps)


def _told(step: str) -> str:
    return f"echo {tcl_word(f'{MARK} {step}')}"


def _guarded(steps: list[str]) -> str:
    """The steps between a halt and a start of the chip; the first that fails ends it with an exit code."""
    lines = ["init", "if {[catch {", "reset init", *steps, "reset run", "} reason]} {"]
    lines += [f'echo "{MARK} failed: $reason"', "shutdown error", "} else {", "shutdown", "}"]
    return "\n".join(lines) + "\n"


IDENTIFYING = "init; reset init; flash probe 0; reset run; shutdown"
"""The flash driver of the target tells the device id; the old program goes on afterwards."""


class OpenOcd:
    """See FlashMethod and ReadableMethod."""

    key = "openocd"
    image_kinds = IMAGE_KINDS
    needs_port = False
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(OPENOCD)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_program(image, profile)

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod."""
        options = options_of(job.profile, self.key)
        run = ToolRun(job, "OpenOCD", CAUSES)

        async def ask(under_reset: bool) -> tuple[ChildExit, int | None]:
            base = await self._command(job, run, UNDER_RESET if under_reset else "")
            ended = await run.run([*base, "-c", IDENTIFYING], timeout=IDENTIFY_SECONDS)
            return ended, number_in(r"device id(?:code)? = (0x[0-9a-f]+)", ended.tail)

        return await identify_chip(job, run, options.device_id, ask, SILENT)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        identity = job.identity or await self.identify(job)
        run = ToolRun(job, "OpenOCD", CAUSES)
        program, start = flat_program(job.image), job.profile.memory["flash"].start
        whole = job.folder / "firmware.bin"
        whole.write_bytes(program)
        pieces = _pieces(job.folder, start, len(program))
        for address, file, count in pieces:
            file.write_bytes(program[address - start : address - start + count])
        script = writing_script(pieces, (start, whole, len(program)))
        await self._run_script(job, run, script, identity.how)
        return run.seconds

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod."""
        flash = job.profile.memory["flash"]
        pieces = _pieces(job.folder, flash.start, flash.bytes)
        how = job.identity.how if job.identity is not None else ""
        await self._run_script(job, ToolRun(job, "OpenOCD", CAUSES), reading_script(pieces), how)
        with file.open("wb") as whole:
            for _, piece, _ in pieces:
                whole.write(piece.read_bytes())

    async def _run_script(self, job: FlashJob, run: ToolRun, text: str, how: str) -> None:
        script = job.folder / "steps.cfg"
        script.write_text(text, encoding="utf-8")

        def on_line(line: str) -> None:
            step = re.match(rf"{MARK} (write|verify|backup) ([\d.]+)", line)
            if step:
                run.report(step[1], float(step[2]))

        command = await self._command(job, run, how)
        await run.must_run([*command, "-f", str(script)], timeout=WRITE_SECONDS, on_line=on_line)

    async def _command(self, job: FlashJob, run: ToolRun, how: str) -> list[str]:
        serial = await probe_serial(job, run)
        base = [*job.tool.argv, *_NO_SERVERS, "-f", "interface/stlink.cfg"]
        if serial:
            # Up to OpenOCD 0.11 the command had another name.
            base += ["-c", f"if {{[catch {{adapter serial {serial}}}]}} {{hla_serial {serial}}}"]
        base += ["-f", options_of(job.profile, self.key).openocd_target]
        return [*base, *(_HELD_IN_RESET if how == UNDER_RESET else ())]


def _pieces(folder: Path, start: int, size: int) -> list[Piece]:
    """Names for the pieces of a stretch of flash."""
    return [
        (start + at, folder / f"piece-{at:08x}.bin", min(PIECE_BYTES, size - at))
        for at in range(0, size, PIECE_BYTES)
    ]
