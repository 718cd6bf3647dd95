"""Matches one sentence against the patterns and remembers how far it came and what was missing there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.parsers.numerals import Numerals, read_digits
from zeroclaw_desktop.execution.parsers.places import expected
from zeroclaw_desktop.execution.parsers.sentence_grammar import (
    Choice,
    Grammar,
    Kind,
    Literal,
    Node,
    Pattern,
    Row,
    Slot,
)

MAX_NAMED = 6
_ANALOG = re.compile(r"a([0-9]{1,2})(?![a-z0-9_.])")
_SHORT_NAME = re.compile(r"(?:[a-z]|[0-9]{1,2})(?![a-z0-9_%°]|\.[0-9])")
_JOINT = re.compile(r"\s*(?:,|、|\band\b|和|&)\s*(?=a[0-9])")
_PERCENT = re.compile(r"\s*(?:%|percent(?![a-z0-9]))")

State = tuple[int, Mapping[str, Any]]
"""(place reached, values so far)."""


class SentenceMatch:
    """One attempt at one sentence."""

    def __init__(self, grammar: Grammar, text: str) -> None:
        """Args: ``text`` is folded and has nothing around the sentence."""
        self._grammar = grammar
        self._text = text
        self.furthest = 0
        self._wanted: dict[Literal | Kind | None, None] = {}

    def run(self) -> tuple[str, dict[str, Any]] | None:
        """The command and its parameters; None when no pattern fits the whole sentence."""
        starts = [at for at, _values in self._match(self._grammar.before, 0, {})]
        for pattern in self._grammar.patterns:
            values = self._fit(pattern, starts)
            if values is not None:
                return pattern.action, {**pattern.params, **values}
        return None

    @property
    def wanted(self) -> Words:
        """What would have been understood at the furthest place."""
        if self.furthest == 0 or not self._wanted:
            examples = self._grammar.examples
            return Words(
                expected("sentence", examples=examples.en).en,
                expected("sentence", examples=examples.zh).zh,
            )
        phrases = dict.fromkeys(map(_phrase, self._wanted))
        named = list(phrases)[:MAX_NAMED]
        more = ("…",) if len(phrases) > MAX_NAMED else ()
        return Words(
            _alternatives([words.en for words in named] + list(more), " or "),
            _alternatives([words.zh for words in named] + list(more), "或"),
        )

    def _fit(self, pattern: Pattern, starts: Sequence[int]) -> Mapping[str, Any] | None:
        for start in starts:
            for at, values in self._match(pattern.row, start, {}):
                end = self._skip(at)
                if end == len(self._text):
                    return values
                self._note(end, None)
        return None

    def _match(self, node: Node, at: int, values: Mapping[str, Any]) -> Iterator[State]:
        if isinstance(node, Literal):
            end = self._literal(node.text, at)
            if end is not None:
                yield end, values
            elif not node.quiet:
                self._note(self._skip(at), node)
        elif isinstance(node, Slot):
            yield from self._slot(node, at, values)
        elif isinstance(node, Choice):
            for row in node.rows:
                yield from self._match(row, at, values)
        else:
            yield from self._row(node, 0, at, values)

    def _row(self, row: Row, index: int, at: int, values: Mapping[str, Any]) -> Iterator[State]:
        if index == len(row.nodes):
            yield at, values
            return
        for reached, found in self._match(row.nodes[index], at, values):
            yield from self._row(row, index + 1, reached, found)

    def _slot(self, slot: Slot, at: int, values: Mapping[str, Any]) -> Iterator[State]:
        start = self._skip(at)
        read = self._value(slot.kind, start) if slot.param not in values and start < len(self._text) else None
        if read is None:
            if slot.param not in values:
                self._note(start, slot.kind)
            return
        end, value = read
        yield end, {**values, slot.param: value}

    def _value(self, kind: Kind, at: int) -> tuple[int, Any] | None:
        if _cuts_word(self._text, at):
            return None
        if kind.type == "words":
            for words, value in kind.words:
                end = self._words(words, at)
                if end is not None:
                    return end, value
            return None
        if kind.type == "short_name":
            name = _SHORT_NAME.match(self._text, at)
            return (name.end(), name.group().upper()) if name else None
        if kind.type in ("analog", "signals"):
            return self._analog(at, several=kind.type == "signals")
        if kind.type == "percent":
            return read_percent(self._grammar.numerals, self._text, at)
        number = self._grammar.numerals.read(self._text, at)
        if number is None:
            return None
        if kind.type == "unit":
            return self._with_unit(kind, *number)
        if kind.type == "integer" and not isinstance(number[1], int):
            return None
        return number if not _letter_follows(self._text, number[0]) else None

    def _with_unit(self, kind: Kind, end: int, value: int | float) -> tuple[int, Any] | None:
        start = self._skip(end)
        for unit, factor in kind.units:
            if self._text.startswith(unit, start) and not _splits(self._text, start, start + len(unit)):
                scaled = value if factor == 1.0 else round(value * factor, 9)
                if kind.whole and isinstance(scaled, float) and scaled.is_integer():
                    scaled = int(scaled)
                return start + len(unit), scaled
        if kind.bare and not _letter_follows(self._text, end) and self._text[start : start + 1] != "%":
            return end, value
        return None

    def _analog(self, at: int, *, several: bool) -> tuple[int, Any] | None:
        match = _ANALOG.match(self._text, at)
        if match is None:
            return None
        if not several:
            return match.end(), f"A{int(match.group(1))}"
        names, end = [f"a{int(match.group(1))}"], match.end()
        while joint := _JOINT.match(self._text, end):
            match = _ANALOG.match(self._text, joint.end())
            if match is None:
                break
            names.append(f"a{int(match.group(1))}")
            end = match.end()
        return end, names

    def _words(self, words: Sequence[str], at: int) -> int | None:
        end: int | None = at
        for word in words:
            end = self._literal(word, end) if end is not None else None
        return end

    def _literal(self, word: str, at: int) -> int | None:
        start = self._skip(at)
        end = start + len(word)
        if not self._text.startswith(word, start) or _splits(self._text, start, end):
            return None
        return end

    def _skip(self, at: int) -> int:
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        return at

    def _note(self, at: int, missing: Literal | Kind | None) -> None:
        """Remember what a place lacked; None is the end of the sentence."""
        if at > self.furthest:
            self.furthest = at
            self._wanted.clear()
        if at == self.furthest:
            self._wanted[missing] = None


def read_percent(numerals: Numerals, text: str, at: int) -> tuple[int, float] | None:
    """Read '50%', 'fifty percent', '百分之五十' as a share of one."""
    if text.startswith("百分之", at):
        found = numerals.read(text, at + 3)
        return (found[0], _share(found[1])) if found else None
    found = read_digits(text, at) or numerals.read(text, at)
    sign = _PERCENT.match(text, found[0]) if found else None
    return (sign.end(), _share(found[1])) if found and sign else None


def _phrase(missing: Literal | Kind | None) -> Words:
    if missing is None:
        return expected("sentence_end")
    return missing.label if isinstance(missing, Kind) else expected("sentence_word", word=missing.text)


def _share(percent: int | float) -> float:
    return round(percent / 100, 9)


def _is_latin(letter: str) -> bool:
    return letter.isascii() and (letter.isalnum() or letter == "_")


def _cuts_word(text: str, at: int) -> bool:
    """Whether a value that begins here would begin within a Latin word or a number."""
    before = text[at - 1 : at] if at else ""
    return bool(before) and _is_latin(before) and _is_latin(text[at])


def _splits(text: str, start: int, end: int) -> bool:
    """Whether a word from start to end would cut through a longer Latin word or a number."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    first, last = text[start], text[end - 1]
    if _is_latin(first) and before and _is_latin(before) and first.isdigit() == before.isdigit():
        return True
    if last.isdigit() and after in (".", ",") and text[end + 1 : end + 2].isdigit():
        return True
    return _is_latin(last) and bool(after) and _is_latin(after)


def _letter_follows(text: str, at: int) -> bool:
    """Whether a number runs into a Latin letter or a sign that belongs to it."""
    after = text[at : at + 1]
    return bool(after) and (_is_latin(after) or after in "%°‰")


def _alternatives(names: Sequence[str], joint: str) -> str:
    if len(names) == 1:
        return names[0]
    comma = ", " if joint.isascii() else "、"
    return f"{comma.join(names[:-1])}{joint}{names[-1]}"
