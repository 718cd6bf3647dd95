"""Reads C++ text lightly: comments and strings out, constants, calls with their arguments.

No parser of C++: it finds what sketches are written like, and leaves alone what it does not understand. Every
repetition has a limit, so that no text takes longer than its length.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|R"([^()\\\s]{0,16})\(.{0,1000}?\)\1"|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?',
    re.DOTALL,
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]+)$", re.MULTILINE)
_TYPE = r"(?:unsigned\s+|signed\s+)?(?:u?int(?:8|16|32)?(?:_t)?|byte|short|long|char|size_t|auto|pin_size_t)"
_DECLARATION = re.compile(rf"\b{_TYPE}[ \t]+(\w[^;{{}}\n]{{1,300}});")
_INITIALISER = re.compile(r"\s*(\w+)\s*=(?!=)\s*(.+?)\s*", re.DOTALL)
_ARRAY = re.compile(
    rf"\b{_TYPE}[ \t]+(\w+)[ \t]*\[[ \t]*\w{{0,40}}[ \t]*\][ \t]*=\s{{0,20}}\{{([^{{}}]{{0,4000}})\}}"
)
_CALL = re.compile(r"(?<![\w.])((?:\w+\.)?\w+)\s{0,20}\(")
_CHANGE = re.compile(r"\b(\w+)[ \t]*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)[ \t]*(\w+)")
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")
_CAST = re.compile(rf"^\(\s*(?:const\s+)?{_TYPE}\s*\)")
MAX_DEPTH = 8
MAX_CALLS = 2_000
MAX_CALL_CHARACTERS = 500
MAX_ARGUMENTS = 20


@dataclass(frozen=True)
class Call:
    """A call: ``digitalWrite`` or ``wire.begin``, its arguments as text, its line and position."""

    name: str
    arguments: tuple[str, ...]
    line: int
    at: int


class CppText:
    """A sketch without comments and strings; line numbers stay."""

    def __init__(self, text: str) -> None:
        self.text = _HIDDEN.sub(_blank, text)
        self._starts = [match.end() for match in re.finditer("\n", self.text)]
        self.constants = self._find_constants()
        self.arrays: Mapping[str, tuple[str, ...]] = {
            match[1]: tuple(item.strip() for item in match[2].split(",") if item.strip())
            for match in _ARRAY.finditer(self.text)
        }

    def line_of(self, position: int) -> int:
        """The line of a position, from 1."""
        return bisect.bisect_right(self._starts, position) + 1

    def _find_constants(self) -> dict[str, str]:
        found = {match[1]: match[2].strip() for match in _DEFINE.finditer(self.text)}
        # A variable that changes later is no constant: its own initialiser is its only change.
        changes = Counter(match[1] or match[2] for match in _CHANGE.finditer(self.text))
        for match in _DECLARATION.finditer(self.text):
            for piece in match[1].split(","):
                initialiser = _INITIALISER.fullmatch(piece)
                if initialiser and changes[initialiser[1]] == 1:
                    found[initialiser[1]] = initialiser[2]
        return found

    def values(self, expression: str, depth: int = 0) -> tuple[tuple[str, str], ...]:
        """What an expression may be: (value, name of the constant) each; empty when only running tells."""
        text = expression.strip()
        while text.startswith("(") and text.endswith(")") and not _CAST.match(text):
            text = text[1:-1].strip()
        text = _CAST.sub("", text).strip()
        if depth > MAX_DEPTH:
            return ()
        if _NUMBER.fullmatch(text):
            digits = text.rstrip("uUlL").lower()
            base = 16 if digits.startswith("0x") else 2 if digits.startswith("0b") else 10
            return ((str(int(digits, base)), ""),)
        if text in self.constants:
            inner = self.values(self.constants[text], depth + 1)
            return tuple((value, text) for value, _name in inner) or ()
        element = re.fullmatch(r"(\w+)\s*\[[^\[\]]*\]", text)
        if element and element[1] in self.arrays:
            return tuple(
                (value, "") for item in self.arrays[element[1]] for value, _ in self.values(item, depth + 1)
            )
        return ((text, ""),) if re.fullmatch(r"[A-Z]\w*", text) else ()

    def calls(self) -> Iterator[Call]:
        """Every call in the text, declarations of objects with arguments included."""
        for match in itertools.islice(_CALL.finditer(self.text), MAX_CALLS):
            arguments = _arguments(self.text, match.end())
            if arguments is not None:
                yield Call(match[1], arguments, self.line_of(match.start()), match.start())


def preprocessed_lines(text: str) -> str:
    """The text as the preprocessor sees directives: lines joined, comments blank, ``%:`` as ``#``.

    The standard's translation phases 2 and 3 and its alternative tokens (ISO C++ 2011, 2.2 and 2.6).
    """
    joined = re.sub(r"\\[ \t]*\r?\n", "", text)
    kept = _HIDDEN.sub(lambda hit: _blank(hit) if hit[0].startswith(("//", "/*")) else hit[0], joined)
    return kept.replace("%:", "#")


def _blank(found: re.Match[str]) -> str:
    if found[0].startswith(("//", "/*")):
        return re.sub(r"[^\n]", " ", found[0])
    inner = re.sub(r"[^\n]", " ", found[0][1:-1]) if len(found[0]) > 1 else ""
    return found[0][:1] + inner + (found[0][-1:] if len(found[0]) > 1 else "")


def _arguments(text: str, start: int) -> tuple[str, ...] | None:
    """The arguments of a call that opens before ``start``; None when it does not end."""
    depth, begun = 0, start
    found: list[str] = []
    for position in range(start, min(len(text), start + MAX_CALL_CHARACTERS)):
        character = text[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            if depth == 0:
                found.append(text[begun:position].strip())
                return tuple(found[:MAX_ARGUMENTS]) if found != [""] else ()
            depth -= 1
        elif character == "," and depth == 0:
            found.append(text[begun:position].strip())
            begun = position + 1
    return None
