"""Turns a normalised sentence into tokens: concepts, numbers with units, pins, names and unknown words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from zeroclaw_desktop.providers.offline.grammar import Unit, grammar
from zeroclaw_desktop.providers.offline.model import Token
from zeroclaw_desktop.providers.offline.numerals import (
    read_chinese,
    read_digits,
    read_english,
    read_fraction,
    read_times_word,
)

_QUOTED = re.compile(r'"([^"\n]{0,200})"|`([^`\n]{0,200})`|(?<![a-z0-9])\'([^\'\n]{1,200})\'(?![a-z])')
_ANALOG_PIN = re.compile(r"a(\d{1,2})(?![a-z0-9]|\.\d)")
_DIGITAL_PIN = re.compile(r"(?:d|gpio|io|#|pin|p)(\d{1,2})(?![a-z0-9.])")
_FILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.(?:hex|bin|uf2|ino|elf)(?![a-z0-9])|[_][a-z0-9_-]+)")
_LATIN_WORD = re.compile(r"[a-z][a-z'_-]*")
_TIMES_PREFIX = re.compile(r"[x×](\d{1,4})(?![a-z0-9])")
_COMPARE = re.compile(r"[<>]=?")
_MINUS = re.compile(r"(?:-|minus |negative |负)(?=[\d.零一二两三四五六七八九十百a-z])")
_BREAKS = {"\n": "newline", ".": "stop", "!": "stop", ";": "stop", ",": "comma", "?": "asked"}
SHORTEST_CHANGED = 5
_HAN = re.compile("[\u3400-\u9fff]")


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _bounded(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` does not cut through a Latin word or a number."""
    first, last = text[start], text[end - 1]
    before, after = text[start - 1 : start], text[end : end + 1]
    if _is_letter(first) and before and (_is_letter(before) or before == "'"):
        return False
    if _is_letter(last) and after and _is_letter(after):
        return False
    return not (last.isascii() and last.isdigit() and after.isdigit())


def _longest(text: str, start: int, table: Mapping[str, object], limit: int) -> int:
    """Return the end of the longest entry of ``table`` that stands at ``start``; ``start`` when none does."""
    for end in range(min(len(text), start + limit), start, -1):
        if text[start:end] in table and _bounded(text, start, end):
            return end
    return start


def _within_one_edit(word: str, other: str) -> bool:
    """Whether one letter was dropped, added, changed or swapped with its neighbour (Damerau 1964).

    A changed letter counts only in words of five letters and more: too many short words differ in one.
    """
    if abs(len(word) - len(other)) > 1 or word == other:
        return False
    head = 0
    while head < min(len(word), len(other)) and word[head] == other[head]:
        head += 1
    rest, other_rest = word[head:], other[head:]
    if len(word) == len(other):
        swapped = rest[:2] == other_rest[1::-1] and len(rest) > 1 and rest[2:] == other_rest[2:]
        return swapped or (rest[1:] == other_rest[1:] and len(word) >= SHORTEST_CHANGED)
    return rest[1:] == other_rest if len(word) > len(other) else rest == other_rest[1:]


@lru_cache(maxsize=512)
def corrected(word: str) -> str | None:
    """Return the one keyword that ``word`` is a single slip away from, None when none or several are."""
    data = grammar()
    if len(word) < 4 or word in data.not_typos or not word.isalpha():
        return None
    near = {keyword for keyword in data.keywords if _within_one_edit(word, keyword)}
    meanings = {data.phrases[keyword] for keyword in near}
    return min(near) if len(meanings) == 1 else None


class _Scanner:
    """Walks over one sentence; ``names`` maps extra phrases (pin names, board names) to their token."""

    def __init__(self, text: str, names: Mapping[str, Token]) -> None:
        self.text = text
        self.names = names
        self.longest_name = max(map(len, names), default=0)
        self.at = 0
        self.tokens: list[Token] = []
        self.corrected = False

    def scan(self) -> tuple[Token, ...]:
        steps = (self._break, self._quoted, self._named_or_known, self._number, self._word)
        while self.at < len(self.text):
            if not any(step() for step in steps):
                self.at += 1
        return tuple(self.tokens)

    def _add(self, kind: str, value: str | int | float, end: int, unit: str = "") -> bool:
        if self.corrected and kind == "concept":
            unit = "typo"
        self.corrected = False
        self.tokens.append(Token(kind, value, unit, self.text[self.at : end]))
        self.at = end
        return True

    def _break(self) -> bool:
        char = self.text[self.at]
        if char == "." and self.text[self.at + 1 : self.at + 2].isdigit():
            return False
        if char not in _BREAKS:
            return False
        return self._add("break", _BREAKS[char], self.at + 1)

    def _quoted(self) -> bool:
        match = _QUOTED.match(self.text, self.at)
        if match is None:
            return False
        return self._add("quoted", next(g for g in match.groups() if g is not None), match.end())

    def _named_or_known(self) -> bool:
        """The longest of: a given name, a pin, a file name, a lexicon phrase (unless a number is longer)."""
        text, at = self.text, self.at
        before = text[at - 1 : at]
        fresh = not (before and (_is_letter(before) or before.isdigit()) and _is_letter(text[at]))
        named = _longest(text, at, self.names, self.longest_name)
        if named > at:
            token = self.names[text[at:named]]
            return self._add(token.kind, token.value, named, token.unit)
        if fresh and self._pin_or_file():
            return True
        if match := _COMPARE.match(text, at):
            return self._add("concept", "compare", match.end())
        data = grammar()
        known = _longest(text, at, data.phrases, data.longest)
        number = self._read_number()
        if known == at or (number is not None and number[0] >= known):
            return False
        concepts = data.phrases[text[at:known]]
        start = at
        for concept in concepts:
            self.at = start
            if concept != "filler" or len(concepts) > 1:
                self._add("concept", concept, known)
        self.at = known
        return True

    def _pin_or_file(self) -> bool:
        for pattern, kind in ((_ANALOG_PIN, "analog"), (_DIGITAL_PIN, "pin"), (_FILE_NAME, "file")):
            match = pattern.match(self.text, self.at)
            if match is None:
                continue
            if kind == "file" and match.group() in grammar().phrases:
                continue
            if kind == "file":
                return self._add(kind, match.group(), match.end())
            if kind == "analog":
                return self._add(kind, f"A{int(match.group(1))}", match.end())
            return self._add(kind, int(match.group(1)), match.end())
        return False

    def _read_number(self) -> tuple[int, float, str] | None:
        text, at = self.text, self.at
        if match := _TIMES_PREFIX.match(text, at):
            return match.end(), float(match.group(1)), "times"
        if _is_letter(text[at]) and at and _is_letter(text[at - 1]):
            return None
        if found := read_times_word(text, at):
            return (*found, "times")
        if found := read_fraction(text, at):
            return (*found, "fraction")
        for reader in (read_digits, read_chinese, read_english):
            if found := reader(text, at):
                unit = "fraction" if text[at:].startswith("百分之") or "分之" in text[at : found[0]] else ""
                return (*found, unit)
        return None

    def _number(self) -> bool:
        start, sign = self.at, 1.0
        before = self.text[start - 1 : start]
        if (match := _MINUS.match(self.text, start)) and not before.isalnum():
            sign, self.at = -1.0, match.end()
        number = self._read_number()
        if number is None:
            self.at = start
            return False
        end, value, quantity = number
        self.at = start
        scale = 1.0
        if not quantity:
            end, unit, more = self._unit_after(end)
            if unit is not None:
                quantity, scale = unit.quantity, unit.scale
                value += more
        return self._add("number", sign * value * scale, end, quantity)

    def _unit_after(self, end: int) -> tuple[int, Unit | None, float]:
        """Return the end of the unit that follows a number, the unit, and 0.5 for '一秒半'."""
        data = grammar()
        start = end
        while self.text[start : start + 1] in (" ", "个", "-") and start - end < 2:
            start += 1
        if start >= len(self.text):
            return end, None, 0.0
        unit_end = _longest(self.text, start, data.units, data.longest_unit)
        phrase_end = max(_longest(self.text, start, data.phrases, data.longest), start)
        if unit_end == start or (phrase_end > unit_end and self.text[start:unit_end] not in ("", "号")):
            return end, None, 0.0
        unit = data.units[self.text[start:unit_end]]
        if self.text[unit_end : unit_end + 1] == "半" and unit.quantity == "s":
            return unit_end + 1, unit, 0.5
        return unit_end, unit, 0.0

    def _word(self) -> bool:
        match = _LATIN_WORD.match(self.text, self.at)
        if match:
            return self._latin_word(match.group().rstrip("'-_"), match.start())
        if not _HAN.match(self.text, self.at):
            return False
        lone = _longest(self.text, self.at, grammar().lone_units, 12)
        if lone > self.at:
            unit = grammar().lone_units[self.text[self.at : lone]]
            return self._add("unit", unit.quantity, lone, str(unit.scale))
        last = self.tokens[-1] if self.tokens else None
        if (
            last
            and last.kind == "word"
            and _HAN.match(last.text[-1:])
            and self.text[self.at - 1] == last.text[-1]
        ):
            self.tokens.pop()
            whole = last.text + self.text[self.at]
            self.tokens.append(Token("word", whole, "", whole))
            self.at += 1
            return True
        return self._add("word", self.text[self.at], self.at + 1)

    def _latin_word(self, word: str, start: int) -> bool:
        end = start + len(word)
        data = grammar()
        if word in data.lone_units:
            unit = data.lone_units[word]
            return self._add("unit", unit.quantity, end, str(unit.scale))
        better = corrected(word)
        if better is None:
            return self._add("word", word, end)
        self.text = self.text[:start] + better + self.text[end:]
        self.corrected = True
        return True


_PIN_MARKERS = frozenset({"pin", "on_pin", "analog", "on_analog"})
_ANALOG_MARKERS = frozenset({"analog", "on_analog"})
_PLACES = frozenset({"pin", "analog", "alias"})


def _marks_pin(token: Token | None) -> bool:
    """Whether a plain number after this token is a pin: 'pin 8', 'analog 0', 'pin mode 2'."""
    if token is None or token.kind != "concept":
        return False
    return token.value in _PIN_MARKERS or (token.value == "mode" and token.text.startswith("pin"))


def _is_repetition(token: Token, joined: list[Token]) -> bool:
    """Whether '一次' only says 'each' in '每200毫秒一次'."""
    if token.unit != "times" or token.value != 1 or len(joined) < 2:
        return False
    return joined[-1].unit == "s" and joined[-2].value == "every"


def _pair_up(tokens: tuple[Token, ...]) -> list[Token]:
    """Join neighbours that mean one thing: 'pin' + 8, 'analog pin' + 0, 'every' + 'second', 13 + pin unit."""
    joined: list[Token] = []
    listing = False
    for token in tokens:
        last = joined[-1] if joined else None
        number = token.kind == "number" and float(token.value).is_integer()  # there is no pin 13.5
        bare = number and token.unit == ""
        listing = token.text == "pins" or (listing and bare)
        if listing and bare and last is not None and last.kind == "pin":
            joined.append(_as_pin(token, joined))
            continue
        if number and token.unit in ("", "pin") and float(token.value) >= 0 and _marks_pin(last):
            _add_marked_pin(joined, token)
        elif number and token.unit == "pin":
            joined.append(_as_pin(token, joined))
        elif token.kind == "unit":
            joined.append(Token("number", float(token.unit), str(token.value), token.text))
        elif _is_repetition(token, joined):
            continue
        else:
            _add_after(joined, token, last)
    return joined


def _add_marked_pin(joined: list[Token], number: Token) -> None:
    """Replace the marker before a number by the pin; 'pin mode' stays, for it asks for something too."""
    marker = joined[-1]
    if marker.value != "mode":
        joined.pop()
    if marker.value in _ANALOG_MARKERS:
        joined.append(Token("analog", f"A{int(float(number.value))}", "", number.text))
    else:
        joined.append(_as_pin(number, joined))


def _add_after(joined: list[Token], token: Token, last: Token | None) -> None:
    """Add a token; what stands before it may turn out to be part of it ('pin A0', 'on D8', 'half speed')."""
    if last is not None and token.kind in _PLACES and last.kind == "concept":
        if (
            last.value in _PIN_MARKERS
            or last.value == "digital"
            or (last.value == "on" and last.text == "on")
        ):
            joined.pop()
    elif last is not None and last.value == "speed" and token.kind == "number" and token.unit == "":
        if float(token.value) <= 1:
            token = Token("number", token.value, "fraction", token.text)
    elif last is not None and token.value == "speed" and last.kind == "number" and last.unit == "":
        joined[-1] = Token("number", last.value, "fraction", last.text)
    joined.append(token)


def _with_listed_pins(tokens: list[Token]) -> list[Token]:
    """Make pins of the plain numbers in '3、4和5号引脚', where only the last one says what they are."""
    for index in range(len(tokens) - 3, -1, -1):
        number, joint, pin = tokens[index : index + 3]
        listed = joint.value in ("comma", "and") and pin.kind == "pin" and not pin.text.isascii()
        if number.kind == "number" and number.unit == "" and listed and float(number.value).is_integer():
            tokens[index] = Token("pin", int(float(number.value)), "", f"{number.text}号")
    return tokens


def _as_pin(number: Token, joined: list[Token]) -> Token:
    """The number as a pin; 'analog' or 'digital' before it decides which kind and is used up."""
    value = int(float(number.value))
    marker = joined[-1] if joined and joined[-1].kind == "concept" else None
    if marker is not None and marker.value in (*_ANALOG_MARKERS, "digital"):
        joined.pop()
    if marker is not None and marker.value in _ANALOG_MARKERS:
        return Token("analog", f"A{value}", "", number.text)
    return Token("pin", value, "", number.text)


def tokenize(text: str, names: Mapping[str, Token] | None = None) -> tuple[Token, ...]:
    """Return the tokens of a normalised sentence.

    Args:
        text: as :func:`normalize` returns it.
        names: phrases that stand for pins and boards, lower case, with the token for each.
    """
    return tuple(_with_listed_pins(_pair_up(_Scanner(text, names or {}).scan())))
