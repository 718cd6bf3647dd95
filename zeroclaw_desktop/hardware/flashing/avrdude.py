"""avrdude as a child process (GPL, never linked): where it is, how it is called, what its output means."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.errors import FlashError

BAR_CHARACTERS = 50
"""avrdude draws 50 '#' for 100 %."""
MAX_LINE_BYTES = 1_000
MAX_LINES = 2_000
"""avrdude prints some 40 lines in verbose mode; a tool that prints without end must not fill the memory."""
INSTALL_HINTS = {
    "linux": "sudo apt install avrdude",
    "darwin": "brew install avrdude",
    "win32": "winget install AVRDudes.AVRDUDE",
}
_PHASES = {b"Writing": "write", b"Reading": "verify"}


def find_avrdude() -> str:
    """Path of avrdude: ``$ZEROCLAW_AVRDUDE``, then the search path.

    Raises:
        FlashError: code ``tool_missing``, with the command that installs it.
    """
    named = os.environ.get("ZEROCLAW_AVRDUDE", "")
    found = shutil.which(named or "avrdude")
    if found:
        return found
    install = INSTALL_HINTS.get(sys.platform, INSTALL_HINTS["linux"])
    raise FlashError(
        f"The program 'avrdude', which writes firmware to this board, is not installed{_named(named)}.",
        hint=f"Install it: {install}",
        code="tool_missing",
        details={"tool": "avrdude", "install": install},
    )


def _named(path: str) -> str:
    return f" at {path}" if path else ""


def avrdude_arguments(tool: str, profile: BoardProfile, port: str, image: Path) -> list[str]:
    """The command line that writes and verifies an image without erasing the boot loader."""
    return [
        tool,
        "-c", profile.avrdude_programmer,
        "-p", profile.avrdude_part,
        "-P", port,
        "-b", str(profile.flash_baud),
        "-D",
        "-U", f"flash:w:{image}:i",
    ]  # fmt: skip


@dataclass(frozen=True)
class Progress:
    """A step of the tool's own progress."""

    phase: str
    percent: float


class AvrdudeOutput:
    """Follows the output: bars become percent, the rest becomes log lines.

    Args:
        on_progress: told of each step.
        on_line: told of each complete line.
    """

    def __init__(self, on_progress: Callable[[Progress], None], on_line: Callable[[str], None]) -> None:
        self._on_progress = on_progress
        self._on_line = on_line
        self._line = bytearray()
        self._lines = 0

    def feed(self, data: bytes) -> None:
        """Take a piece of output; of a line or a log without end only the beginning is kept."""
        if self._lines > MAX_LINES:
            return
        for byte in data:
            if byte in b"\r\n":
                self._finish_line()
                continue
            if len(self._line) >= MAX_LINE_BYTES:
                continue
            self._line.append(byte)
            if byte == 0x23:
                self._bar_grew()

    def finish(self) -> None:
        """The output has ended: what stands without a line end is a line too."""
        self._finish_line()

    def _bar_grew(self) -> None:
        head, bar, hashes = bytes(self._line).partition(b" | ")
        phase = _PHASES.get(head.strip())
        if bar and phase is not None:
            self._on_progress(Progress(phase, min(100.0, hashes.count(b"#") * 100.0 / BAR_CHARACTERS)))

    def _finish_line(self) -> None:
        text = self._line.decode(errors="replace").strip()
        self._line.clear()
        if not text:
            return
        self._lines += 1
        if self._lines <= MAX_LINES:
            self._on_line(visible(text))
        elif self._lines == MAX_LINES + 1:
            self._on_line(f"(more than {MAX_LINES} lines; the rest is left out)")


# Order matters: the first match is the nearest cause.
_CAUSES: tuple[tuple[str, str, str, str], ...] = (
    (
        r"verification (?:mismatch|error)|content mismatch",
        "verify_failed",
        "What was read back from the board differs from what was written.",
        "Flash again; if it fails again, try another cable or port.",
    ),
    (
        r"permission denied",
        "port_permission",
        "You may not open the port.",
        "Join the group that owns it (sudo usermod -aG dialout $USER), then log in again.",
    ),
    (
        r"resource busy|device or resource|access is denied",
        "port_busy",
        "The port is in use by another program.",
        "Close the other program and try again.",
    ),
    (
        r"signature .*(?:doesn't match|does not match)|expected signature",
        "wrong_chip",
        "The chip on the board is not the one that was chosen. Nothing was written.",
        "Choose the right board.",
    ),
    (
        r"not in sync|programmer is not responding|stk500_getsync|stk500_recv",
        "not_in_sync",
        "The boot loader of the board does not answer. Nothing was written.",
        "Press the reset button just before you try again; check that it is an Arduino Uno.",
    ),
    (
        r"(?:can't|cannot|unable to) open (?:device|port)|no such file",
        "port_missing",
        "The port could not be opened.",
        "Plug the board in again, or choose another port.",
    ),
)


def explain_failure(output: str, returncode: int, *, timed_out: bool, wrote: bool) -> FlashError:
    """Turn the output of a failed run into an error for the person.

    Args:
        output: what avrdude printed.
        wrote: whether writing had begun, so that the old firmware is gone.
    """
    after = " The board may have no working firmware now; flash again." if wrote else ""
    details = {"returncode": returncode, "output": output[-4000:], "port": "", "holder": ""}
    if timed_out:
        return FlashError(
            f"avrdude did not finish in time.{after}",
            hint="Unplug the board, plug it in again and retry.",
            code="flash_timeout",
            retryable=True,
            details={**details, "reason": "time-out"},
        )
    for pattern, code, message, hint in _CAUSES:
        if re.search(pattern, output, re.IGNORECASE):
            return FlashError(
                message + after, hint=hint, code=code, retryable=True, details={**details, "reason": message}
            )
    killed = returncode < 0
    reason = "it was ended from outside" if killed else f"exit code {returncode}"
    return FlashError(
        f"avrdude failed ({reason}).{after}",
        hint="Read the log below, then try again.",
        code="flash_failed",
        retryable=True,
        details={**details, "reason": reason},
    )
