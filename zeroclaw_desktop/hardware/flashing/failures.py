"""Turns the output of a tool that failed into an error for the person, by a table of its messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.errors import FlashError

OUTPUT_KEPT = 4_000


@dataclass(frozen=True)
class Cause:
    """One message of a tool.

    Attributes:
        pattern: regular expression, any case.
        code: of the FlashError.
        message: English, whole sentences.
        hint: what to do next.
    """

    pattern: str
    code: str
    message: str
    hint: str


PORT_CAUSES = (
    Cause(
        r"permission denied",
        "port_permission",
        "You may not open the port.",
        "Join the group that owns it (sudo usermod -aG dialout $USER), then log in again.",
    ),
    Cause(
        r"resource busy|device or resource|access is denied",
        "port_busy",
        "The port is in use by another program.",
        "Close the other program and try again.",
    ),
)
"""Messages of the system that every tool passes on."""


def explain_failure(
    tool: str, causes: Sequence[Cause], ended: ChildExit, *, wrote: bool, port: str = ""
) -> FlashError:
    """Explain a failed run.

    Args:
        tool: name of the tool.
        causes: the first match is taken, so the nearest cause comes first.
        wrote: whether writing had begun, so that the old firmware is gone.
    """
    after = " The board may have no working firmware now; flash again." if wrote else ""
    details = {
        "returncode": ended.returncode,
        "output": ended.tail[-OUTPUT_KEPT:],
        "port": port,
        "holder": "",
    }
    if ended.timed_out:
        return FlashError(
            f"{tool} did not finish in time.{after}",
            hint="Unplug the board, plug it in again and retry.",
            code="flash_timeout",
            retryable=True,
            details={**details, "reason": "time-out"},
        )
    for cause in causes:
        if re.search(cause.pattern, ended.tail, re.IGNORECASE):
            return FlashError(
                cause.message + after,
                hint=cause.hint,
                code=cause.code,
                retryable=True,
                details={**details, "reason": cause.message},
            )
    killed = ended.returncode < 0
    reason = "it was ended from outside" if killed else f"exit code {ended.returncode}"
    return FlashError(
        f"{tool} failed ({reason}).{after}",
        hint="Read the log below, then try again.",
        code="flash_failed",
        retryable=True,
        details={**details, "reason": reason},
    )
