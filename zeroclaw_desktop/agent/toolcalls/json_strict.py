"""JSON after RFC 8259, and stricter: a name once in an object, finite numbers, bounded nesting and length.

``raw_decode`` style: a value is read at a place of a text, what follows it is the caller's business.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from zeroclaw_desktop.agent.toolcalls.limits import MAX_DEPTH, MAX_DIGITS

_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?+|[\[\]{}]', re.DOTALL)


class JsonFaultError(ValueError):
    """Not readable; ``code`` as in RawFault, the message is for the model."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        raise JsonFaultError("duplicate_key", "a name stands twice in one object")
    return row


def _not_finite(text: str) -> float:
    raise JsonFaultError("not_finite", f"{text[:20]} is no number that a tool can take")


def finite_float(text: str) -> float:
    """A decimal number; raises JsonFaultError when it is too large for a double."""
    number = float(text) if len(text) <= MAX_DIGITS else math.inf
    return number if math.isfinite(number) else _not_finite(text)


def bounded_int(text: str) -> int:
    """A whole number; raises JsonFaultError when it has too many digits."""
    if len(text) > MAX_DIGITS:
        _not_finite(text)
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_not_finite, parse_float=finite_float, parse_int=bounded_int
)


def check_depth(text: str) -> None:
    """Raise JsonFaultError when brackets outside texts nest deeper than MAX_DEPTH."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for token in _BRACKET_OR_STRING.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise JsonFaultError("too_deep", f"nested more than {MAX_DEPTH} levels deep")
        elif token[0] in "]}":
            depth -= 1


def decode_at(text: str, at: int) -> tuple[Any, int]:
    """Read one value.

    Args:
        text: checked by check_depth.
        at: where the value begins.

    Returns:
        The value and the place behind it.

    Raises:
        JsonFaultError: also for what Python's decoder would take (NaN, a name twice).
    """
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        code = "truncated" if error.pos >= len(text.rstrip()) or "Unterminated" in error.msg else "syntax"
        raise JsonFaultError(code, f"no valid JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise JsonFaultError("too_deep", f"nested more than {MAX_DEPTH} levels deep") from error
    return value, end


def decode(text: str) -> Any:
    """Read a text that is one value and nothing else; raises JsonFaultError."""
    check_depth(text)
    start = len(text) - len(text.lstrip())
    value, end = decode_at(text, start)
    if text[end:].strip():
        raise JsonFaultError("syntax", f"no valid JSON: something follows at character {end + 1}")
    return value
