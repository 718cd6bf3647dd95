"""avrdude (GPL, a child process) and a serial boot loader."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import AvrdudeOptions
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing.boot_port import start_boot_loader
from zeroclaw_desktop.hardware.flashing.failures import PORT_CAUSES, Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun, succeeded
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool
from zeroclaw_desktop.hardware.simulator.intel_hex import to_intel_hex

FLASH_SECONDS = 180.0
"""A Mega's 256 KB go and come back at 115200 baud in some 60 s."""
BAR_CHARACTERS = 50
"""avrdude draws 50 '#' for 100 %."""
OTHER_BAUD = {57_600: 115_200, 115_200: 57_600}
"""The Nano's old boot loader and the new one (Arduino, ``boards.txt``); both speak ``arduino``."""
ATTEMPTS_AT_A_RATE = 3
SILENT_SECONDS = 12.0
"""avrdude makes 10 attempts, of 5 s each when the board keeps silent; with a rate in doubt, fewer do."""
AVRDUDE = ToolSpec(
    "avrdude",
    ("avrdude",),
    Words("writes firmware to Arduino boards with an AVR chip", "向采用 AVR 芯片的 Arduino 板写入固件"),
    {
        "linux": "sudo apt install avrdude",
        "darwin": "brew install avrdude",
        "win32": "winget install AVRDudes.AVRDUDE",
    },
)
_PHASES = {b"Writing": "write", b"Reading": "verify"}
OUT_OF_SYNC = (
    r"not in sync|programmer is not responding|stk500_getsync|stk500_recv"
    r"|timeout communicating with programmer|programmer did not respond"
)
CAUSES = (
    Cause(
        r"verification (?:mismatch|error)|content mismatch",
        "verify_failed",
        "What was read back from the board differs from what was written.",
        "Flash again; if it fails again, try another cable or port.",
    ),
    *PORT_CAUSES,
    Cause(
        r"signature .*(?:doesn't match|does not match)|expected signature",
        "wrong_chip",
        "The chip on the board is not the one that was chosen. Nothing was written.",
        "Choose the right board.",
    ),
    Cause(
        # An answer of letters, digits or line ends is text: a boot loader's would be 0x14 or noise.
        r"not in sync: resp=0x(?:0[ad]|[2-6][0-9a-f]|7[0-9a-e])",
        "sketch_prints",
        "The board runs another program, which prints text while the boot loader should answer. "
        "Nothing was written.",
        "Press the reset button just as you try again. If that is always needed, the line that resets the "
        "board (DTR) is not connected.",
    ),
    Cause(
        OUT_OF_SYNC,
        "not_in_sync",
        "The boot loader of the board does not answer (tried: {rates} baud). Nothing was written.",
        "Press the reset button just before you try again; check that it is the board '{board}'.",
    ),
    Cause(
        r"(?:can't|cannot|unable to) open (?:device|port)|no such file",
        "port_missing",
        "The port could not be opened.",
        "Plug the board in again, or choose another port.",
    ),
)


@dataclass(frozen=True)
class Progress:
    """A step of the tool's own progress."""

    phase: str
    percent: float


OnProgress = Callable[[Progress], None]
Command = Callable[[str, int], Sequence[str]]
"""(port, baud rate) -> command line."""


def bar_progress(line: bytearray) -> Progress | None:
    """What an unfinished line with a bar says."""
    if not line.endswith(b"#"):
        return None
    head, bar, hashes = bytes(line).partition(b" | ")
    phase = _PHASES.get(head.strip())
    if not bar or phase is None:
        return None
    return Progress(phase, min(100.0, hashes.count(b"#") * 100.0 / BAR_CHARACTERS))


def follow_bars(on_progress: Callable[[Progress], None]) -> Callable[[bytearray], None]:
    """Turns avrdude's bars into progress; for ``on_growth`` of ToolOutput."""

    def on_growth(line: bytearray) -> None:
        progress = bar_progress(line)
        if progress is not None:
            on_progress(progress)

    return on_growth


def avrdude_arguments(tool: Tool, profile: BoardProfile, port: str, image: Path, baud: int = 0) -> list[str]:
    """The command line that writes and verifies an image without erasing the boot loader.

    Args:
        baud: another rate than the board file's; 0 for that one.
    """
    return [*_connecting_arguments(tool, profile, port, baud), "-D", "-U", f"flash:w:{image}:i"]


def reading_arguments(tool: Tool, profile: BoardProfile, port: str, file: Path, baud: int = 0) -> list[str]:
    """The command line that reads the whole flash into a raw file."""
    return [*_connecting_arguments(tool, profile, port, baud), "-U", f"flash:r:{file}:r"]


def _connecting_arguments(tool: Tool, profile: BoardProfile, port: str, baud: int) -> list[str]:
    options = options_of(profile)
    return [
        *tool.argv,
        "-c", options.programmer,
        "-p", options.part,
        "-P", port,
        "-b", str(baud or options.baud),
    ]  # fmt: skip


def options_of(profile: BoardProfile) -> AvrdudeOptions:
    """The board's table for avrdude."""
    options = profile.flash.options["avrdude"]
    assert isinstance(options, AvrdudeOptions)
    return options


class Avrdude:
    """See FlashMethod and ReadableMethod."""

    key = "avrdude"
    image_kinds = frozenset({"hex", "bin", "elf"})
    needs_port = True
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(AVRDUDE)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_fit(image, profile)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        file = job.folder / "firmware.hex"
        # Written anew from what was checked: the person's file may change, and its name may hold anything.
        file.write_text(to_intel_hex(job.image.segments), encoding="ascii")
        run = ToolRun(job, "avrdude", CAUSES)
        await self._talk(
            run,
            job,
            lambda port, baud: avrdude_arguments(job.tool, job.profile, port, file, baud),
            lambda progress: run.report(progress.phase, progress.percent),
        )
        return run.seconds

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod; avrdude compares the signature itself in each run, and there is no number."""
        return ChipIdentity(job.profile.chip, "", job.profile.flash_bytes)

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod."""
        await self._talk(
            ToolRun(job, "avrdude", CAUSES),
            job,
            lambda port, baud: reading_arguments(job.tool, job.profile, port, file, baud),
            lambda progress: job.listener.phase("backup", progress.percent, ""),
        )

    @staticmethod
    async def _talk(run: ToolRun, job: FlashJob, command: Command, on_progress: OnProgress) -> None:
        """Start the boot loader and run avrdude; where two boot loaders are usual, at the other's rate, too.

        Raises:
            FlashError: it failed, at both rates where there are two.
        """
        options = options_of(job.profile)
        port = await start_boot_loader(job) if options.touch_1200 else job.port
        run.details["rates"] = str(options.baud)
        other = OTHER_BAUD.get(options.baud) if options.programmer == "arduino" else None
        ended = await _attempt(run, command(port, options.baud), on_progress, hurry=other is not None)
        if not succeeded(ended) and other is not None and is_out_of_sync(ended) and not run.wrote:
            job.listener.line(
                f"No answer at {options.baud} baud; {other} is tried once (this harms nothing)."
            )
            again = await _attempt(run, command(port, other), on_progress, hurry=True)
            if succeeded(again):
                job.listener.line(
                    f"The boot loader speaks at {other} baud: choose the board with that boot loader, "
                    "then no time is lost."
                )
            run.details["rates"] = f"{options.baud}, {other}"
            ended = ended if is_out_of_sync(again) else again
        if not succeeded(ended):
            raise run.failure(ended)


async def _attempt(
    run: ToolRun, arguments: Sequence[str], on_progress: OnProgress, *, hurry: bool
) -> ChildExit:
    """Run avrdude once.

    Args:
        hurry: whether to end it early at a board that keeps silent.
    """
    started = time.monotonic()

    def hopeless(line: str) -> bool:
        found = re.search(r"attempt (\d+) of \d+: not in sync", line)
        silent = hurry and time.monotonic() - started >= SILENT_SECONDS
        return silent and found is not None and int(found[1]) >= ATTEMPTS_AT_A_RATE

    return await run.run(
        arguments, timeout=FLASH_SECONDS, on_growth=follow_bars(on_progress), give_up=hopeless
    )


def is_out_of_sync(ended: ChildExit) -> bool:
    """Whether the boot loader did not answer, and no nearer cause is told."""
    return not ended.timed_out and re.search(OUT_OF_SYNC, ended.tail, re.IGNORECASE) is not None
