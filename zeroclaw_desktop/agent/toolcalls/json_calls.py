"""Calls in JSON, whatever envelope they come in: one, several behind one another, a list, OpenAI's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_repair import RepairingReader
from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, check_depth, decode, decode_at
from zeroclaw_desktop.agent.toolcalls.limits import MAX_CALLS
from zeroclaw_desktop.agent.toolcalls.model import RawCall, RawFault

Found = list[RawCall | RawFault]

_OPENER = re.compile(r"[\[{［｛]")
_BETWEEN = re.compile(r"[\s;,；，]*")
_NAME_KEYS = ("name", "tool", "tool_name", "function_name")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "params")
_ID_KEYS = ("id", "tool_call_id", "call_id")
_ENVELOPE_KEYS = {*_NAME_KEYS, *_ARGUMENT_KEYS, *_ID_KEYS, "type", "function", "index"}
_UNWRAPPINGS = 3


def read_value(text: str, at: int) -> tuple[Any, int, tuple[str, ...]]:
    """One value at a place: strictly, else with repaired punctuation.

    Returns:
        The value, the place behind it, and what was repaired.

    Raises:
        JsonFaultError: it cannot be read without guessing.
    """
    try:
        value, end = decode_at(text, at)
    except JsonFaultError as error:
        if error.code not in ("syntax", "truncated"):
            raise
        reader = RepairingReader(text)
        value, end = reader.read(at)
        return value, end, tuple(reader.repairs)
    return value, end, ()


def read_values(text: str) -> list[tuple[Any, tuple[str, ...]]]:
    """Every object or list of a text from the first on; words before the first are passed over.

    Raises:
        JsonFaultError: there is none, or one cannot be read.
    """
    check_depth(text)
    first = _OPENER.search(text)
    if first is None:
        raise JsonFaultError("syntax", "there is no JSON object in it")
    found: list[tuple[Any, tuple[str, ...]]] = []
    at = first.start()
    while True:
        value, at, repairs = read_value(text, at)
        found.append((value, repairs))
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if at >= len(text) or not _OPENER.match(text, at):
            return found


def json_calls(text: str, dialect: str, *, name: str = "") -> Found:
    """The calls of a body.

    Args:
        text: JSON, perhaps within words or a code fence.
        dialect: for the result.
        name: tool that the tag around the body names; then the body is its arguments.
    """
    try:
        if name:
            return [_named(text, dialect, name)]
        return [found for value, repairs in read_values(text) for found in calls_of(value, dialect, repairs)]
    except JsonFaultError as error:
        return [RawFault(error.code, f"The call is {_lower(error.reason)}.", dialect, name)]


def _lower(reason: str) -> str:
    return reason if reason.startswith("no ") else f"not readable: {reason}"


def _named(text: str, dialect: str, name: str) -> RawCall:
    if not text.strip():
        return RawCall(name, None, dialect)
    values = read_values(text)
    if len(values) != 1 or not isinstance(values[0][0], dict):
        raise JsonFaultError("arguments", "the arguments must be one JSON object")
    row, repairs = values[0]
    if row.get("name") == name and any(key in row for key in _ARGUMENT_KEYS):
        found = call_of(row, dialect, repairs)
        if isinstance(found, RawCall):
            return found
    return RawCall(name, row, dialect, repairs=repairs)


def calls_of(value: Any, dialect: str, repairs: tuple[str, ...] = ()) -> Found:
    """The calls of a value that was read: an object, a list of them, or an OpenAI message."""
    if isinstance(value, list):
        if not value:
            return []
        return [found for row in value[: MAX_CALLS + 1] for found in calls_of(row, dialect, repairs)]
    if not isinstance(value, dict):
        return [RawFault("syntax", "A call is a JSON object with 'name' and 'arguments'.", dialect)]
    if isinstance(value.get("tool_calls"), list) and "name" not in value:
        return calls_of(value["tool_calls"], dialect, repairs)
    return [call_of(value, dialect, repairs)]


def call_of(row: Mapping[str, Any], dialect: str, repairs: tuple[str, ...] = ()) -> RawCall | RawFault:
    """One call from its object."""
    inner = row.get("function")
    call_id = next((str(row[key]) for key in _ID_KEYS if isinstance(row.get(key), str | int)), "")
    if isinstance(inner, dict):
        row = inner
    name_keys = (*_NAME_KEYS, "function") if isinstance(inner, str) else _NAME_KEYS
    name = next((row[key] for key in name_keys if isinstance(row.get(key), str)), None)
    if name is None or not name.strip():
        return RawFault("no_name", "The call has no 'name' of a tool.", dialect)
    for key in _ARGUMENT_KEYS:
        if key in row:
            return RawCall(name.strip(), row[key], dialect, call_id, repairs)
    if set(row) - _ENVELOPE_KEYS:
        reason = "The parameters must stand in an object called 'arguments'."
        return RawFault("arguments", reason, dialect, name.strip())
    return RawCall(name.strip(), None, dialect, call_id, repairs)


def is_envelope(value: Any) -> bool:
    """Whether a bare value has the shape of a call, so that it may be one when it is the whole answer.

    ``{"tool_calls": [{"service": "billing"}]}`` is somebody's data and none.
    """
    rows = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        return False
    for row in rows:
        if isinstance(row.get("tool_calls"), list) and "name" not in row:
            if not row["tool_calls"]:
                return set(row) <= {"content", "role", "tool_calls", "refusal"}
            if not all(isinstance(call, dict) and _is_call(call) for call in row["tool_calls"]):
                return False
        elif not _is_call(row):
            return False
    return True


def _is_call(row: Mapping[str, Any]) -> bool:
    inner = row.get("function")
    if isinstance(inner, dict):
        row = inner
    return (
        isinstance(row.get("name"), str)
        and any(key in row for key in _ARGUMENT_KEYS[:2])
        and set(row) <= _ENVELOPE_KEYS
    )


def read_arguments(value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Arguments as an object: a text is read, also when it was encoded twice; nothing is an empty object.

    Args:
        value: what stood under ``arguments``, or what came over the wire.

    Raises:
        JsonFaultError: it is no object, or a text that cannot be read without guessing.
    """
    repairs: list[str] = []
    for _ in range(_UNWRAPPINGS):
        if not isinstance(value, str):
            break
        if not value.strip():
            value = None
            break
        try:
            value = decode(value)
        except JsonFaultError as error:
            if not _OPENER.match(value.strip()) or error.code not in ("syntax", "truncated"):
                raise _not_an_object(value, error) from error
            value = _repaired(value, repairs)
    if value is None:
        return {}, tuple(repairs)
    if not isinstance(value, dict):
        raise JsonFaultError("arguments", "the arguments must be one JSON object")
    return value, tuple(repairs)


def _not_an_object(text: str, error: JsonFaultError) -> JsonFaultError:
    if _OPENER.match(text.strip()):
        return error
    return JsonFaultError("arguments", "the arguments must be one JSON object, not a text")


def _repaired(text: str, repairs: list[str]) -> Any:
    check_depth(text)
    value, end, mended = read_value(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise JsonFaultError("syntax", f"something follows the arguments at character {end + 1}")
    repairs += mended
    return value
