"""JSON payloads: the decoder of the standard library, made strict, with the place of every fault.

Stricter than RFC 8259 asks: a name stands once in an object, numbers are finite, nesting and length are
bounded, no half of a surrogate pair. A good text is decoded at full speed; only a bad one is walked
through for its place.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, Source
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.envelope import MAX_DEPTH, MAX_INTEGER_DIGITS, payload_of
from zeroclaw_desktop.execution.parsers.places import (
    Place,
    expected,
    found,
    found_at,
    found_text,
    place_at,
    unreadable,
)

MAX_CHARACTERS = 65_536
EXAMPLE = '{"action": "led_set", "params": {"state": 1}}'

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_COLON = re.compile(r"\s*:")
_NOT_FINITE = re.compile(r"-?(?:NaN|Infinity)")
_KEY_OF_MESSAGE = (
    ("Expecting property name", "json_key"),
    ("Illegal trailing comma", "json_no_comma"),
    ("Expecting ':'", "json_colon"),
    ("Expecting ','", "json_comma"),
    ("Expecting value", "json_value"),
    ("Extra data", "json_end"),
    ("Unterminated string", "json_quote"),
    ("Invalid control character", "json_control"),
    ("Invalid \\", "json_escape"),
)
"""Beginnings of the messages of json.decoder and json.scanner."""


class _RefusedError(ValueError):
    """A value that JSON's grammar or Python's decoder allows and this reader does not."""


class _Step(NamedTuple):
    """One token on the walk: its place in the text and in the structure."""

    offset: int
    token: str
    path: str
    depth: int
    is_key: bool
    repeated: bool


class JsonParser:
    """Reads one payload as a JSON object; implements Parser."""

    name = "json"
    description = "One action as a JSON object"
    suffixes = (".json",)

    def parse(self, text: str, *, source: Source) -> tuple[ActionPayload]:
        """See Parser; raises FaultError."""
        raw = decode_json(text)
        if not isinstance(raw, dict):
            start = len(text) - len(text.lstrip())
            raise FaultError([_not_an_object(text, start)])
        return (payload_of(raw, source, lambda path: _place_of(text, path)),)


def decode_json(text: str) -> Any:
    """Decode a JSON text strictly.

    Raises:
        FaultError: what was expected and where.
    """
    if len(text) > MAX_CHARACTERS:
        raise FaultError([_too_long(text)])
    if text.count("[") + text.count("{") > MAX_DEPTH:
        deep = next((step for step in _walk(text) if step.depth > MAX_DEPTH), None)
        if deep is not None:
            got = found("levels", count=deep.depth)
            raise FaultError([_at(text, deep.offset, expected("depth", limit=MAX_DEPTH), got)])
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_finite,
            parse_int=_bounded,
        )
    except json.JSONDecodeError as error:
        raise FaultError([_syntax_fault(text, error)]) from error
    except (_RefusedError, RecursionError) as error:
        raise FaultError([_refusal(text)]) from error
    _check_characters(text, value)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        raise _RefusedError
    return row


def _refuse(_constant: str) -> float:
    raise _RefusedError


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError
    return value


def _bounded(digits: str) -> int:
    if len(digits) > MAX_INTEGER_DIGITS:
        raise _RefusedError
    return int(digits)


def _at(text: str, offset: int, wanted: Words, got: Words | None = None) -> ActionFault:
    return unreadable(place_at(text, offset), wanted, got or found_at(text, offset))


def _not_an_object(text: str, offset: int) -> ActionFault:
    return _at(text, offset, expected("json_object", example=EXAMPLE))


def _too_long(text: str) -> ActionFault:
    wanted = expected("length", limit=MAX_CHARACTERS)
    return _at(text, MAX_CHARACTERS, wanted, found("characters", count=len(text)))


def _syntax_fault(text: str, error: json.JSONDecodeError) -> ActionFault:
    if not text.strip():
        return _not_an_object(text, len(text))
    key = next((key for start, key in _KEY_OF_MESSAGE if error.msg.startswith(start)), "json")
    offset = error.pos
    if key in ("json_value", "json_key", "json_comma", "json_colon"):
        offset += len(text[offset:]) - len(text[offset:].lstrip())
    if key == "json_value" and offset == len(text) - len(text.lstrip()):
        return _not_an_object(text, offset)
    if key == "json_quote":
        return _at(text, offset, expected(key), found("end"))
    if key in ("json_escape", "json_control"):
        return _at(text, offset, expected(key), found_text(text[offset : offset + 1]))
    return _at(text, offset, expected(key))


def _refusal(text: str) -> ActionFault:
    """The fault of a text that the decoder took and a hook refused: walk until the cause is met."""
    for step in _walk(text):
        if step.is_key and step.repeated:
            wanted, got = expected("once"), found("again", text=_short_key(step.token))
            return _at(text, step.offset, wanted, got)
        if not step.token.startswith('"') and _is_refused_number(step.token):
            wanted = expected("finite", digits=MAX_INTEGER_DIGITS)
            return _at(text, step.offset, wanted, found_text(step.token))
    return _at(text, 0, expected("depth", limit=MAX_DEPTH))


def _short_key(token: str) -> str:
    return (found_text(token[1:-1]).en).strip("'")


def _is_refused_number(token: str) -> bool:
    if _NOT_FINITE.fullmatch(token):
        return True
    if len(token) > MAX_INTEGER_DIGITS and token.lstrip("-").isdecimal():
        return True
    try:
        return not math.isfinite(float(token))
    except (ValueError, OverflowError):
        return False


def _check_characters(text: str, value: Any) -> None:
    """Refuse halves of surrogate pairs, written plainly or as escapes: they cannot be shown or kept."""
    try:
        text.encode("utf-8")
        if _SURROGATE_ESCAPE.search(text):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        escape = _SURROGATE_ESCAPE.search(text)
        offset = error.start if error.object == text or escape is None else escape.start()
        raise FaultError([_at(text, offset, expected("characters"))]) from error


def _place_of(text: str, path: str) -> Place:
    """Place of the value at a path, else of the nearest object around it."""
    start = len(text) - len(text.lstrip())
    places = {"": start}
    for step in _walk(text):
        if step.is_key:
            places.setdefault(step.path, step.offset)
    while path not in places:
        path = path.rpartition(".")[0]
    return place_at(text, places[path])


def _walk(text: str) -> Iterator[_Step]:
    """Go through the tokens of a text, right or wrong, keeping the path and the depth."""
    stack: list[tuple[str, str, set[str]]] = []  # (bracket, path, names so far)
    last_key = ""
    for match in _TOKEN.finditer(text):
        token, offset = match.group(), match.start()
        path = _join(stack[-1][1] if stack else "", last_key) if stack else ""
        if token in ("{", "["):
            stack.append((token, path, set()))
            last_key = ""
        elif token in ("}", "]"):
            if stack:
                stack.pop()
            last_key = ""
        elif token[0] == '"' and stack and stack[-1][0] == "{" and _COLON.match(text, match.end()):
            last_key = _key_text(token)
            names = stack[-1][2]
            yield _Step(offset, token, _join(stack[-1][1], last_key), len(stack), True, last_key in names)
            names.add(last_key)
            continue
        yield _Step(offset, token, path, len(stack), False, False)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def _key_text(token: str) -> str:
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]
