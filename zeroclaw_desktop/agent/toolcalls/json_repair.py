"""JSON as models write it: reads what differs from JSON in punctuation only, and says what it mended.

Taken: full-width and typographic punctuation outside texts, single quotes, trailing commas, names and words
without quotes, ``True``/``False``/``None``, raw line breaks in texts, ``0x3C`` (kept as text, the schema
decides). Never guessed: what is cut off, a number with a unit, NaN, two texts joined by ``+``, a missing
comma or colon, an escape that JSON does not have (``C:\\Users``).
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, bounded_int, finite_float
from zeroclaw_desktop.agent.toolcalls.limits import MAX_DEPTH

LOOSE_NUMBER = "number form"
"""The one repair that is a reading of a value, not of punctuation: for tools that only look."""

_SPACE = re.compile(r"[\s\u3000]*")
_CLOSING_QUOTE = {'"': '"', "'": "'", "“": "”", "‘": "’", "＂": "＂"}
_PLAIN_PART = {
    '"': re.compile(r'[^"\\]*'),
    "'": re.compile(r"[^'\\]*"),
    "“": re.compile(r"[^”\\\"]*"),
    "‘": re.compile(r"[^’\\]*"),
    "＂": re.compile(r"[^＂\\]*"),
}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_ATOM = re.compile(r"[^\s\u3000,，:：\[\]{}［］｛｝\"'“”‘’＂()（）;；]+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_LOOSE = re.compile(r"[+-]?(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,16}")
_WORD = re.compile(r"[^\W\d][\w.\-/]*")
_WORDS = {"true": True, "false": False, "null": None}
_PYTHON_WORDS = {"True": True, "False": False, "None": None}
_NOT_NUMBERS = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_OPEN = {"{": "}", "[": "]", "｛": "}", "［": "]"}
_CLOSE = {"}": "}", "]": "]", "｝": "}", "］": "]"}


class RepairingReader:
    """Reads one value at a place of a text.

    Attributes:
        repairs: what was mended, each kind once, in the order of the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.repairs: list[str] = []

    def read(self, at: int) -> tuple[Any, int]:
        """The value and the place behind it.

        Raises:
            JsonFaultError: it cannot be read without guessing.
        """
        self._at = at
        return self._value(0), self._at

    # -- walking -------------------------------------------------------------------------------------------
    def _peek(self) -> str:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        if self._at >= len(self._text):
            raise JsonFaultError("truncated", "the JSON ends too early; write the whole call")
        return self._text[self._at]

    def _mended(self, what: str) -> None:
        if what not in self.repairs:
            self.repairs.append(what)

    def _refuse(self, reason: str, code: str = "syntax") -> NoReturn:
        raise JsonFaultError(code, f"{reason} at character {self._at + 1}")

    def _value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            self._refuse(f"nested more than {MAX_DEPTH} levels deep", "too_deep")
        mark = self._peek()
        if mark in _OPEN:
            if mark not in "{[":
                self._mended("full-width punctuation")
            self._at += 1
            return self._object(depth) if _OPEN[mark] == "}" else self._array(depth)
        value = self._string(mark) if mark in _CLOSING_QUOTE else self._atom()
        rest = _SPACE.match(self._text, self._at)
        if rest and self._text[rest.end() : rest.end() + 1] == "+":
            self._refuse("'+' is no JSON: write the finished text")
        return value

    def _object(self, depth: int) -> dict[str, Any]:
        row: dict[str, Any] = {}
        while True:
            mark = self._peek()
            if mark in _CLOSE:
                self._closed(mark, "}")
                return row
            key = self._string(mark) if mark in _CLOSING_QUOTE else self._key()
            colon = self._peek()
            if colon not in ":：":
                self._refuse("a ':' is missing")
            if colon == "：":
                self._mended("full-width punctuation")
            self._at += 1
            if key in row:
                self._refuse("a name stands twice in one object", "duplicate_key")
            row[key] = self._value(depth + 1)
            self._separator()

    def _array(self, depth: int) -> list[Any]:
        row: list[Any] = []
        while True:
            mark = self._peek()
            if mark in _CLOSE:
                self._closed(mark, "]")
                return row
            row.append(self._value(depth + 1))
            self._separator()

    def _closed(self, mark: str, wanted: str) -> None:
        if _CLOSE[mark] != wanted:
            self._refuse(f"'{wanted}' was expected")
        if mark not in "}]":
            self._mended("full-width punctuation")
        self._at += 1

    def _separator(self) -> None:
        """A comma, or the end of what is open."""
        mark = self._peek()
        if mark in ",，":
            if mark == "，":
                self._mended("full-width punctuation")
            self._at += 1
            if self._peek() in _CLOSE:
                self._mended("trailing comma")
        elif mark not in _CLOSE:
            self._refuse("a ',' is missing")

    # -- leaves --------------------------------------------------------------------------------------------
    def _string(self, quote: str) -> str:
        closing, plain = _CLOSING_QUOTE[quote], _PLAIN_PART[quote]
        if quote == "'":
            self._mended("single quotes")
        elif quote != '"':
            self._mended("typographic quotes")
        self._at += 1
        pieces: list[str] = []
        while True:
            found = plain.match(self._text, self._at)
            assert found is not None  # the pattern matches nothing as well
            pieces.append(found[0])
            self._at = found.end()
            mark = self._text[self._at : self._at + 1]
            if not mark:
                raise JsonFaultError("truncated", "a text in the JSON has no end; write the whole call")
            self._at += 1
            if mark == "\\":
                pieces.append(self._escape())
            elif mark == closing or (quote == "“" and mark == '"'):
                text = "".join(pieces)
                if "\n" in text or "\t" in text or "\r" in text:
                    self._mended("line break or tab in a text")
                return text

    def _escape(self) -> str:
        mark = self._text[self._at : self._at + 1]
        if not mark:
            raise JsonFaultError("truncated", "a text in the JSON has no end; write the whole call")
        self._at += 1
        if mark in _ESCAPES:
            return _ESCAPES[mark]
        digits = _HEX4.match(self._text, self._at)
        if mark != "u" or digits is None:
            self._at -= 1
            self._refuse("an escape that JSON does not have (write a backslash twice)")
        self._at = digits.end()
        code = int(digits[0], 16)
        if 0xD800 <= code < 0xDC00 and self._text[self._at : self._at + 2] == "\\u":
            low = _HEX4.match(self._text, self._at + 2)
            if low is not None and 0xDC00 <= int(low[0], 16) < 0xE000:
                self._at = low.end()
                return chr(0x10000 + ((code - 0xD800) << 10) + int(low[0], 16) - 0xDC00)
        return chr(code)

    def _key(self) -> str:
        found = _ATOM.match(self._text, self._at)
        if found is None or not _WORD.fullmatch(found[0]):
            self._refuse("a name in quotes was expected")
        self._mended("name without quotes")
        self._at = found.end()
        return found[0]

    def _atom(self) -> Any:
        found = _ATOM.match(self._text, self._at)
        if found is None:
            self._refuse("a value was expected")
        atom = found[0]
        number = _NUMBER.fullmatch(atom)
        value: Any
        if number is not None:
            value = finite_float(atom) if number[1] or number[2] else bounded_int(atom)
        elif atom in _WORDS:
            value = _WORDS[atom]
        elif atom in _PYTHON_WORDS:
            self._mended("Python word")
            value = _PYTHON_WORDS[atom]
        elif _HEX.fullmatch(atom):
            self._mended("hexadecimal number")
            value = atom
        elif _NOT_NUMBERS.fullmatch(atom):
            self._refuse(f"{atom} is no number that a tool can take", "not_finite")
        elif _LOOSE.fullmatch(atom):
            self._mended(LOOSE_NUMBER)
            plain = atom.replace("_", "")
            whole = plain.lstrip("+-").isdigit()
            value = bounded_int(plain) if whole else finite_float(plain)
        elif _WORD.fullmatch(atom):
            self._mended("word without quotes")
            value = atom
        else:
            self._refuse("no value of JSON (a number has no unit, a text has quotes)")
        self._at = found.end()
        return value
