"""JSON as the board protocol needs it: strict, 8 levels deep, each value with the bytes it was written in.

The standard library's reader forgets how an id was written, lets later duplicates of a key win and takes
``NaN``; SPEC.md asks for the opposite. Grammar: RFC 8259; one line, so white space is blank and tab.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

MAX_DEPTH = 8
"""Levels of objects and arrays (SPEC.md, Request and reply)."""
_SPACE = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile(rb"true|false|null")
_LITERAL_KINDS = {b"true": "bool", b"false": "bool", b"null": "null"}


class NotJsonError(ValueError):
    """The bytes are no JSON value, or one that is nested too deep."""


@dataclass(frozen=True)
class JsonValue:
    """One value.

    Attributes:
        kind: ``object``, ``array``, ``string``, ``number``, ``bool`` or ``null``.
        raw: the bytes that it was written in.
        members: keys and values of an object, in order, duplicates included; in an array each key is ''.
    """

    kind: str
    raw: bytes
    members: tuple[tuple[str, JsonValue], ...] = field(default=())

    @property
    def text(self) -> str | None:
        """Content of a string with its escapes read; None for other kinds."""
        return str(json.loads(self.raw)) if self.kind == "string" else None

    @property
    def integer(self) -> int | None:
        """A number written without point and exponent; None for everything else."""
        if self.kind != "number" or not self.raw.removeprefix(b"-").isdigit():
            return None
        return int(self.raw)

    def find(self, key: str) -> list[JsonValue]:
        """All values of a key of this object; none when it is no object."""
        return [value for name, value in self.members if name == key] if self.kind == "object" else []


def read_json(line: bytes) -> JsonValue:
    """Read a line as one value.

    Raises:
        NotJsonError: it is none, is nested deeper than MAX_DEPTH, or is not UTF-8 (RFC 3629).
    """
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJsonError("not UTF-8") from error
    reader = _Reader(line)
    value = reader.value(MAX_DEPTH)
    if reader.position != len(line):
        raise NotJsonError("something follows the value")
    return value


class _Reader:
    """Goes through the line once; white space behind a value belongs to it."""

    def __init__(self, line: bytes) -> None:
        self._line = line
        self.position = 0
        self._skip_space()

    def _skip_space(self) -> None:
        match = _SPACE.match(self._line, self.position)
        self.position = match.end() if match is not None else self.position

    def _next(self) -> bytes:
        return self._line[self.position : self.position + 1]

    def _take(self, mark: bytes) -> bool:
        """Pass a punctuation mark when it stands here."""
        if self._next() != mark:
            return False
        self.position += 1
        self._skip_space()
        return True

    def _match(self, pattern: re.Pattern[bytes]) -> bytes:
        match = pattern.match(self._line, self.position)
        if match is None:
            raise NotJsonError(f"no value at byte {self.position}")
        self.position = match.end()
        self._skip_space()
        return match.group()

    def value(self, depth: int) -> JsonValue:
        """Read the value that begins here; ``depth`` levels are still allowed."""
        start = self._next()
        if start in (b"{", b"["):
            return self._container(start, depth)
        if start == b'"':
            return JsonValue("string", self._match(_STRING))
        if start in (b"t", b"f", b"n"):
            word = self._match(_LITERAL)
            return JsonValue(_LITERAL_KINDS[word], word)
        return JsonValue("number", self._match(_NUMBER))

    def _container(self, opening: bytes, depth: int) -> JsonValue:
        if depth == 0:
            raise NotJsonError("nested too deep")
        start, is_object = self.position, opening == b"{"
        closing = b"}" if is_object else b"]"
        self._take(opening)
        members: list[tuple[str, JsonValue]] = []
        more = self._next() != closing
        while more:
            key = self._key() if is_object else ""
            members.append((key, self.value(depth - 1)))
            more = self._take(b",")
        end = self.position + 1
        if not self._take(closing):
            raise NotJsonError(f"'{closing.decode()}' or ',' is missing")
        return JsonValue("object" if is_object else "array", self._line[start:end], tuple(members))

    def _key(self) -> str:
        key = str(json.loads(self._match(_STRING)))
        if not self._take(b":"):
            raise NotJsonError("':' is missing")
        return key
