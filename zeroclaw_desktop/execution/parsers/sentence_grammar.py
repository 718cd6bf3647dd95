"""The patterns of the sentences, from ``resources/prompts/actions.toml``, as trees that can be matched."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.parsers.numerals import Numerals
from zeroclaw_desktop.foundation.assets import resource_path

_PIECE = re.compile(r"[\[\]()|]|<[^<>]+>|\{[a-z_]+:[a-z0-9_]+\}|[^\s\[\]()|<>{}]+")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FOLD = {**_FULL_WIDTH, 0x3000: 0x20, 0x2212: 0x2D}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of value that a sentence may carry.

    Attributes:
        type: ``integer``, ``number``, ``percent``, ``unit``, ``analog``, ``signals``, ``short_name`` or
            ``words``.
        label: how it is named in a fault.
        words: for ``words``: (words as written, value), the longest first.
        units: for ``unit``: (unit, factor), the longest first.
        bare: for ``unit``: whether the unit may be left out.
        whole: whether a whole result is an int.
    """

    name: str
    type: str
    label: Words
    words: tuple[tuple[tuple[str, ...], Any], ...] = ()
    units: tuple[tuple[str, float], ...] = ()
    bare: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Literal:
    """A word that must stand there; a quiet one is not proposed when it is missing."""

    text: str
    quiet: bool = False


@dataclass(frozen=True)
class Slot:
    """A value for a parameter."""

    param: str
    kind: Kind


@dataclass(frozen=True)
class Row:
    """One after the other."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """One of several; an optional part has the empty row as its last choice."""

    rows: tuple[Row, ...]


Node = Literal | Slot | Row | Choice


@dataclass(frozen=True)
class Pattern:
    """One way of saying a command."""

    action: str
    params: Mapping[str, Any]
    row: Row


@dataclass(frozen=True)
class Grammar:
    """Everything in the data file; ``before`` may stand before every pattern."""

    before: Node
    patterns: tuple[Pattern, ...]
    numerals: Numerals
    separators: tuple[str, ...]
    examples: Words


def fold(text: str) -> str:
    """The text in lower case with plain signs for full-width ones; every character keeps its place.

    Only what means the same is folded. Digits of other scripts and superscripts stay what they are.
    """
    return text.translate(_FOLD).translate(_LOWER)


@cache
def sentence_grammar() -> Grammar:
    """Read the data file."""
    with resource_path("prompts/actions.toml").open("rb") as file:
        table = tomllib.load(file)
    return grammar_of(table)


def grammar_of(table: Mapping[str, Any]) -> Grammar:
    """Build the grammar of a table as in the data file.

    Raises:
        ValueError: a pattern is malformed or names an unknown part or kind.
    """
    kinds = {name: _kind(name, row) for name, row in table["kinds"].items()}
    reader = _PatternReader(table["parts"], kinds)
    before, after = (Choice((reader.read(f"<{name}>", quiet=True), Row(()))) for name in ("before", "after"))
    patterns = tuple(
        Pattern(row["name"], row.get("params", {}), Row((reader.read(text), after)))
        for row in table["action"]
        for text in row["patterns"]
    )
    examples = Words(table["examples"]["en"], table["examples"]["zh"])
    numerals = Numerals.from_table(table["numerals"])
    return Grammar(before, patterns, numerals, tuple(map(fold, table["separators"])), examples)


def _kind(name: str, row: Mapping[str, Any]) -> Kind:
    words = [(tuple(fold(written).split()), value) for written, value in row.get("words", {}).items()]
    units = [(fold(written), factor) for written, factor in row.get("units", {}).items()]
    words.sort(key=lambda pair: -len(" ".join(pair[0])))
    units.sort(key=lambda pair: -len(pair[0]))
    return Kind(
        name,
        row["type"],
        Words(row["en"], row["zh"]),
        tuple(words),
        tuple(units),
        row.get("bare", False),
        row.get("whole", False),
    )


class _PatternReader:
    """Reads the notation of the patterns."""

    def __init__(self, parts: Mapping[str, str], kinds: Mapping[str, Kind]) -> None:
        self._parts = parts
        self._kinds = kinds
        self._open_parts: list[str] = []
        self._quiet = False

    def read(self, text: str, *, quiet: bool = False) -> Row:
        """The tree of a pattern; raises ValueError."""
        self._quiet = quiet or self._quiet
        pieces = _PIECE.findall(text)
        if "".join(pieces) != re.sub(r"\s+", "", text):
            raise ValueError(f"malformed pattern: {text}")
        rest = iter(pieces)
        rows, closed_by = self._choices(rest)
        if closed_by or len(rows) != 1:
            raise ValueError(f"unbalanced pattern: {text}")
        if not self._open_parts:
            self._quiet = False
        return rows[0]

    def _choices(self, pieces: Iterator[str]) -> tuple[tuple[Row, ...], str]:
        rows: list[list[Node]] = [[]]
        for piece in pieces:
            if piece in (")", "]"):
                return tuple(Row(tuple(row)) for row in rows), piece
            if piece == "|":
                rows.append([])
            else:
                rows[-1].append(self._node(piece, pieces))
        return tuple(Row(tuple(row)) for row in rows), ""

    def _node(self, piece: str, pieces: Iterator[str]) -> Node:
        if piece in ("(", "["):
            rows, closed_by = self._choices(pieces)
            if closed_by != {"(": ")", "[": "]"}[piece]:
                raise ValueError(f"'{piece}' is closed by '{closed_by}'")
            return Choice((*rows, Row(())) if piece == "[" else rows)
        if piece[0] == "<":
            return self._part(piece[1:-1])
        if piece[0] == "{":
            param, _, kind = piece[1:-1].partition(":")
            if kind not in self._kinds:
                raise ValueError(f"unknown kind '{kind}'")
            return Slot(param, self._kinds[kind])
        return Literal(fold(piece), self._quiet)

    def _part(self, name: str) -> Row:
        if name not in self._parts or name in self._open_parts:
            raise ValueError(f"unknown or circular part '{name}'")
        self._open_parts.append(name)
        row = self.read(self._parts[name])
        self._open_parts.pop()
        return row
