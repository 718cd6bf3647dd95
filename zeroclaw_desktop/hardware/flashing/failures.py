"""Turns the output of a tool that failed into an error for the person, by a table of its messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.errors import FlashError

OUTPUT_KEPT = 4_000
FIRMWARE_GONE = " The board may have no working firmware now; flash again."


@dataclass(frozen=True)
class Cause:
    """One message of a tool.

    Attributes:
        pattern: regular expression, any case.
        code: of the FlashError.
        message: English, whole sentences; names of details in braces are filled in (``{board}``).
        hint: what to do next; the same.
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
    tool: str,
    causes: Sequence[Cause],
    ended: ChildExit,
    *,
    wrote: bool,
    port: str = "",
    details: Mapping[str, Any] | None = None,
) -> FlashError:
    """Explain a failed run.

    Args:
        tool: name of the tool.
        causes: the first match is taken, so the nearest cause comes first.
        wrote: whether writing had begun, so that the old firmware is gone.
        details: values for the texts, such as ``board``.
    """
    after = FIRMWARE_GONE if wrote else ""
    values: dict[str, Any] = {
        "returncode": ended.returncode,
        "output": ended.tail[-OUTPUT_KEPT:],
        "port": port,
        "holder": "",
        "tool": tool,
        "wrote": wrote,
        **(details or {}),
    }
    if ended.timed_out:
        return FlashError(
            f"{tool} did not finish in time.{after}",
            hint="Unplug the board, plug it in again and retry.",
            code="flash_timeout",
            retryable=True,
            details={**values, "reason": "time-out", "reason_zh": "超时"},
        )
    for cause in causes:
        if re.search(cause.pattern, ended.tail, re.IGNORECASE):
            return failure_of(cause, values)
    killed = ended.returncode < 0
    number = ended.returncode
    ended_by = Words("it was ended from outside", "被外部结束")
    reason = ended_by if killed else Words(f"exit code {number}", f"退出码 {number}")
    return FlashError(
        f"{tool} failed ({reason.en}).{after}",
        hint="Read the log below, then try again.",
        code="flash_failed",
        retryable=True,
        details={**values, "reason": reason.en, "reason_zh": reason.zh},
    )


def failure_of(cause: Cause, details: Mapping[str, Any]) -> FlashError:
    """The error for a cause that is known.

    Args:
        details: values for the texts; ``wrote`` says whether writing had begun.
    """
    values = _Values(details)
    message = cause.message.format_map(values)
    return FlashError(
        message + (FIRMWARE_GONE if details.get("wrote") else ""),
        hint=cause.hint.format_map(values),
        code=cause.code,
        retryable=True,
        details={"reason": message, **details},
    )


class _Values(dict[str, Any]):
    """Leaves a gap for what is not known."""

    def __missing__(self, key: str) -> str:
        return "…"
