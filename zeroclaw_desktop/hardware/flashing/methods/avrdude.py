"""avrdude (GPL, a child process) and a serial boot loader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import AvrdudeOptions
from zeroclaw_desktop.hardware.flashing.failures import PORT_CAUSES, Cause, explain_failure
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.tool_output import ToolOutput
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool
from zeroclaw_desktop.hardware.simulator.intel_hex import to_intel_hex

FLASH_SECONDS = 120.0
BAR_CHARACTERS = 50
"""avrdude draws 50 '#' for 100 %."""
AVRDUDE = ToolSpec(
    "avrdude",
    ("avrdude",),
    "writes firmware to this board",
    {
        "linux": "sudo apt install avrdude",
        "darwin": "brew install avrdude",
        "win32": "winget install AVRDudes.AVRDUDE",
    },
)
_PHASES = {b"Writing": "write", b"Reading": "verify"}
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
        r"not in sync|programmer is not responding|stk500_getsync|stk500_recv",
        "not_in_sync",
        "The boot loader of the board does not answer. Nothing was written.",
        "Press the reset button just before you try again; check that it is an Arduino Uno.",
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


def bar_progress(line: bytearray) -> Progress | None:
    """What an unfinished line with a bar says."""
    if not line.endswith(b"#"):
        return None
    head, bar, hashes = bytes(line).partition(b" | ")
    phase = _PHASES.get(head.strip())
    if not bar or phase is None:
        return None
    return Progress(phase, min(100.0, hashes.count(b"#") * 100.0 / BAR_CHARACTERS))


def avrdude_output(on_progress: Callable[[Progress], None], on_line: Callable[[str], None]) -> ToolOutput:
    """Follows avrdude: bars become progress, the rest becomes log lines."""

    def on_growth(line: bytearray) -> None:
        progress = bar_progress(line)
        if progress is not None:
            on_progress(progress)

    return ToolOutput(on_line, on_growth)


def avrdude_arguments(tool: Tool, profile: BoardProfile, port: str, image: Path) -> list[str]:
    """The command line that writes and verifies an image without erasing the boot loader."""
    return [*_connecting_arguments(tool, profile, port), "-D", "-U", f"flash:w:{image}:i"]


def reading_arguments(tool: Tool, profile: BoardProfile, port: str, file: Path) -> list[str]:
    """The command line that reads the whole flash into a raw file."""
    return [*_connecting_arguments(tool, profile, port), "-U", f"flash:r:{file}:r"]


def _connecting_arguments(tool: Tool, profile: BoardProfile, port: str) -> list[str]:
    options = profile.flash.options["avrdude"]
    assert isinstance(options, AvrdudeOptions)
    return [
        *tool.argv,
        "-c", options.programmer,
        "-p", options.part,
        "-P", port,
        "-b", str(options.baud),
    ]  # fmt: skip


class Avrdude:
    """See FlashMethod."""

    key = "avrdude"
    image_kinds = frozenset({"hex", "bin", "elf"})
    needs_port = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(AVRDUDE)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_fit(image, profile)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        wrote = False

        def on_progress(progress: Progress) -> None:
            nonlocal wrote
            wrote = True
            job.listener.phase(progress.phase, progress.percent, "")

        file = job.folder / "firmware.hex"
        # Written anew from what was checked: the person's file may change, and its name may hold anything.
        file.write_text(to_intel_hex(job.image.segments), encoding="ascii")
        output = avrdude_output(on_progress, job.listener.line)
        arguments = avrdude_arguments(job.tool, job.profile, job.port, file)
        job.listener.line("$ " + " ".join(arguments))
        ended = await job.runner.run(arguments, timeout=FLASH_SECONDS, on_output=output.feed)
        output.finish()
        if ended.returncode != 0 or ended.timed_out:
            raise explain_failure("avrdude", CAUSES, ended, wrote=wrote, port=job.port)
        return ended.seconds

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """See ReadableMethod; avrdude compares the signature itself in each run, and there is no number."""
        return ChipIdentity(job.profile.chip, "", job.profile.flash_bytes)

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """See ReadableMethod."""
        output = avrdude_output(
            lambda progress: job.listener.phase("backup", progress.percent, ""), job.listener.line
        )
        arguments = reading_arguments(job.tool, job.profile, job.port, file)
        job.listener.line("$ " + " ".join(arguments))
        ended = await job.runner.run(arguments, timeout=FLASH_SECONDS, on_output=output.feed)
        output.finish()
        if ended.returncode != 0 or ended.timed_out:
            raise explain_failure("avrdude", CAUSES, ended, wrote=False, port=job.port)
