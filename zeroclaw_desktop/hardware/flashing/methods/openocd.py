"""OpenOCD (GPL, a child process) and an ST-LINK.

Its own ``program`` tells no percent, so the program is written in pieces by a script of the job; see the
OpenOCD User's Guide, "Flash Commands".
"""

from __future__ import annotations

import re
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing.debug_probe import (
    IDENTIFY_SECONDS,
    WRITE_SECONDS,
    compare_chip,
    connect,
    probe_causes,
    probe_serial,
)
from zeroclaw_desktop.hardware.flashing.failures import Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import FlashJob
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
    "writes to STM32 boards by their debug probe",
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
_UNDER_RESET = ("-c", "reset_config srst_only srst_nogate connect_assert_srst")


def tcl_word(text: str) -> str:
    """A word of a Tcl script, whatever signs it has (Tcl(n), rules 4 and 9)."""
    return '"' + re.sub(r'([\\"$\[\]{};#])', r"\\\1", text) + '"'


def writing_script(pieces: list[tuple[int, Path, int]], whole: tuple[int, Path, int]) -> str:
    """Erase what is needed, write piece by piece, compare, start the program.

    Args:
        pieces: address, file and bytes of each piece.
        whole: the same of the whole program.
    """
    start, file, size = whole
    lines = [
        "init",
        "if {[catch {",
        "reset init",
        f"echo {tcl_word(f'{MARK} write 0')}",
        f"flash erase_address pad 0x{start:08x} {size}",
    ]
    done = 0
    for address, piece, count in pieces:
        done += count
        lines.append(f"flash write_image {tcl_word(piece.as_posix())} 0x{address:08x} bin")
        lines.append(f"echo {tcl_word(f'{MARK} write {100.0 * done / size:.1f}')}")
    lines += [
        f"echo {tcl_word(f'{MARK} verify 0')}",
        f"verify_image {tcl_word(file.as_posix())} 0x{start:08x} bin",
        f"echo {tcl_word(f'{MARK} verify 100')}",
        "reset run",
        "} reason]} {",
        f'echo "{MARK} failed: $reason"',
        "shutdown error",
        "} else {",
        "shutdown",
        "}",
    ]
    return "\n".join(lines) + "\n"


IDENTIFYING = "init; reset init; flash probe 0; reset run; shutdown"
"""The flash driver of the target tells the device id; the old program goes on afterwards."""


class OpenOcd:
    """See FlashMethod."""

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

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        options = options_of(job.profile, self.key)
        run = ToolRun(job, "OpenOCD", CAUSES)
        serial = await probe_serial(job, run)
        base = [*job.tool.argv, *_NO_SERVERS, "-f", "interface/stlink.cfg"]
        if serial:
            # Up to OpenOCD 0.11 the command had another name.
            base += ["-c", f"if {{[catch {{adapter serial {serial}}}]}} {{hla_serial {serial}}}"]
        base += ["-f", options.openocd_target]
        told = ""

        async def identify(under_reset: bool) -> tuple[ChildExit, int | None]:
            nonlocal told
            more = _UNDER_RESET if under_reset else ()
            ended = await run.run([*base, *more, "-c", IDENTIFYING], timeout=IDENTIFY_SECONDS)
            told = ended.tail
            return ended, number_in(r"device id(?:code)? = (0x[0-9a-f]+)", ended.tail)

        found, under_reset = await connect(
            job, run, identify, lambda ended: re.search(SILENT, ended.tail, re.IGNORECASE) is not None
        )
        compare_chip(run, found, options.device_id, told)
        script = self._prepare(job)

        def on_line(line: str) -> None:
            step = re.match(rf"{MARK} (write|verify) ([\d.]+)", line)
            if step:
                run.report(step[1], float(step[2]))

        more = _UNDER_RESET if under_reset else ()
        await run.must_run([*base, *more, "-f", str(script)], timeout=WRITE_SECONDS, on_line=on_line)
        return run.seconds

    @staticmethod
    def _prepare(job: FlashJob) -> Path:
        """Write the program, its pieces and the script into the folder of the job."""
        program, start = flat_program(job.image), job.profile.memory["flash"].start
        whole = job.folder / "firmware.bin"
        whole.write_bytes(program)
        pieces = []
        for at in range(0, len(program), PIECE_BYTES):
            piece = program[at : at + PIECE_BYTES]
            file = job.folder / f"piece-{at:08x}.bin"
            file.write_bytes(piece)
            pieces.append((start + at, file, len(piece)))
        script = job.folder / "write.cfg"
        text = writing_script(pieces, (start, whole, len(program)))
        script.write_text(text, encoding="utf-8")
        return script
