"""The error table of EX-10: numbers, symbols, retry advice and texts in both languages.

The data is in ``resources/errors/execution.toml``; it is read when the first text is needed.
"""

from __future__ import annotations

import enum
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.templates import filled


class Code(enum.IntEnum):
    """Every error code by its symbol."""

    OK = 0x00
    UNKNOWN_ACTION = 0x01
    MALFORMED_PAYLOAD = 0x02
    MISSING_PARAMETER = 0x03
    UNKNOWN_PARAMETER = 0x04
    UNKNOWN_FIELD = 0x05
    UNREADABLE_TEXT = 0x06
    PARSER_FAULT = 0x07
    WRONG_TYPE = 0x10
    OUT_OF_RANGE = 0x11
    ILLEGAL_PIN = 0x12
    PERMISSION_DENIED = 0x13
    NOT_A_CHOICE = 0x14
    BAD_FORMAT = 0x15
    POLICY_LIMIT = 0x16
    EXCLUSIVE_PIN = 0x17
    APPROVAL_DENIED = 0x18
    APPROVAL_TIMED_OUT = 0x19
    RATE_LIMITED = 0x1A
    TOO_SOON = 0x1B
    APPROVAL_OUTDATED = 0x1C
    RESOURCE_BUSY = 0x20
    DEVICE_NOT_CONNECTED = 0x21
    UNKNOWN_DEVICE = 0x22
    RESOURCE_QUARANTINED = 0x23
    QUEUE_FULL = 0x24
    DEVICE_NOT_CHOSEN = 0x25
    TOOL_MISSING = 0x26
    JOURNAL_UNAVAILABLE = 0x27
    DEVICE_HELD = 0x28
    LOCK_UNAVAILABLE = 0x29
    CANCELLED = 0x30
    TIMEOUT = 0x31
    BUDGET_EXHAUSTED = 0x32
    IGNORED_CANCEL = 0x33
    EMERGENCY_STOPPED = 0x34
    DEVICE_REFUSED = 0x35
    HANDLER_FAULT = 0x36
    VERIFY_FAILED = 0x37
    FLASH_FAILED = 0x38
    LOCK_LOST = 0x39
    SUPERSEDED = 0x3A
    FIRMWARE_NOT_MADE = 0x3B
    BUS_FAULT = 0x40
    NO_REPLY = 0x41
    PORT_BUSY = 0x42
    NO_DEVICE = 0x43
    NO_ACKNOWLEDGE = 0x44
    BUS_STUCK = 0x45


@dataclass(frozen=True)
class ErrorEntry:
    """One row of the table; texts contain ``{names}`` that a fault's details fill."""

    code: int
    symbol: str
    retry: str
    text: Mapping[Language, str]
    next_step: Mapping[Language, str]


@cache
def error_table() -> Mapping[int, ErrorEntry]:
    """Read the table; keys are codes."""
    with resource_path("errors/execution.toml").open("rb") as file:
        rows = tomllib.load(file)
    return {
        int(key, 16): ErrorEntry(
            int(key, 16),
            row["symbol"],
            row["retry"],
            {"en": row["en"], "zh": row["zh"]},
            {"en": row["next_en"], "zh": row["next_zh"]},
        )
        for key, row in rows.items()
    }


def fault(code: Code, message: str, param: str = "", **details: Any) -> ActionFault:
    """Make a fault; ``param`` is put into the details as well, for the texts.

    A detail that is a phrase of ours comes in both languages: ``reason`` and ``reason_zh``.
    """
    return ActionFault(int(code), code.name, message, param, {"param": param, **details})


def explain_error(code: int, lang: Language = "en", details: Mapping[str, Any] | None = None) -> str:
    """Return what a code means in words.

    Args:
        code: number from the table.
        lang: ``en`` or ``zh``.
        details: values for the names in the text; missing ones show as an ellipsis.
    """
    entry = error_table().get(code)
    if entry is None:
        return f"Unknown error code 0x{code:02X}." if lang == "en" else f"未知错误码 0x{code:02X}。"
    return filled(entry.text[lang], details or {}, lang)


def next_step(code: int, lang: Language = "en", details: Mapping[str, Any] | None = None) -> str:
    """Return what to do about a code; '' when there is nothing to say."""
    entry = error_table().get(code)
    return filled(entry.next_step[lang], details or {}, lang) if entry else ""
