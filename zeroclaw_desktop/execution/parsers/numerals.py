"""Numbers in sentences: digits, English words up to 999, Chinese numerals up to 9999.

Strict on purpose: a numeral that can be read in two ways ('一百二', '1,5', '10²') is no number here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_DIGITS = re.compile(r"-?(?:[0-9]{1,12}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})")
_WORD = re.compile(r"[a-z]+")
_GAP = re.compile(r"[ -]")
_GOES_ON = re.compile(r"[.,:/'’_][0-9]|[0-9_²³½¼¾^]|[eE][-+]?[0-9]")

Found = tuple[int, int | float]
"""(end of the number, its value)."""


@dataclass(frozen=True)
class Numerals:
    """The words for numbers, from ``resources/prompts/actions.toml``."""

    ones: tuple[str, ...]
    tens: tuple[str, ...]
    hundred: str
    joint: str
    zh_digits: str
    zh_same: Mapping[str, str]
    zh_scales: Mapping[str, int]
    zh_point: str

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Numerals:
        """Build from the ``numerals`` table of the data file."""
        en, zh = table["en"], table["zh"]
        return cls(
            tuple(en["ones"]),
            tuple(en["tens"]),
            en["hundred"],
            en["and"],
            zh["digits"],
            dict(zh["same"]),
            dict(zh["scales"]),
            zh["point"],
        )

    def read(self, text: str, at: int) -> Found | None:
        """Read the number that begins at ``at`` of a folded text; None when there is none."""
        for reader in self._readers():
            found = reader(text, at)
            if found is not None:
                return found
        return None

    def _readers(self) -> tuple[Callable[[str, int], Found | None], ...]:
        return (read_digits, self.read_english, self.read_chinese)

    def read_english(self, text: str, at: int) -> Found | None:
        """Read 'ninety', 'forty-five', 'one hundred and eighty'."""
        end, word = _word(text, at)
        value = self._below_hundred(word)
        if value is None:
            return None
        after, following = _next_word(text, end)
        if value < 20 and value % 10 == value and following == self.hundred and value:
            end, value = after, value * 100
            after, following = _next_word(text, end)
            joined, joined_word = _next_word(text, after) if following == self.joint else (after, following)
            more = self._below_hundred(joined_word)
            if not more:
                return end, value
            end, following = joined, joined_word
            return self._with_ones(text, end, value, more)
        return self._with_ones(text, end, 0, value)

    def _with_ones(self, text: str, end: int, base: int, value: int) -> Found:
        after, word = _next_word(text, end)
        if value >= 20 and value % 10 == 0 and word in self.ones[1:10]:
            return after, base + value + self.ones.index(word)
        return end, base + value

    def _below_hundred(self, word: str) -> int | None:
        if not word:
            return None
        if word in self.ones:
            return self.ones.index(word)
        return self.tens.index(word) * 10 if word in self.tens else None

    def read_chinese(self, text: str, at: int) -> Found | None:
        """Read '九十', '一百八十', '两千', '三点五'; only the standard way of writing counts."""
        alphabet = set(self.zh_digits) | set(self.zh_same) | set(self.zh_scales)
        end = at
        while end < len(text) and text[end] in alphabet:
            end += 1
        whole = self._chinese_whole(text[at:end])
        if whole is None:
            return None
        if text[end : end + 1] != self.zh_point:
            return end, whole
        digits = end + 1
        while digits < len(text) and text[digits] in self.zh_digits:
            digits += 1
        if digits == end + 1:
            return None
        decimals = "".join(str(self.zh_digits.index(letter)) for letter in text[end + 1 : digits])
        return digits, float(f"{whole}.{decimals}")

    def _chinese_whole(self, written: str) -> int | None:
        plain = "".join(self.zh_same.get(letter, letter) for letter in written)
        if not plain or len(plain) > 8:
            return None
        total, digit = 0, 0
        for letter in plain:
            if letter in self.zh_scales:
                total += (digit or 1) * self.zh_scales[letter]
                digit = 0
            else:
                digit = self.zh_digits.index(letter)
        total += digit
        standard = self.write_chinese(total)
        return total if plain in (standard, f"{self.zh_digits[1]}{standard}") else None

    def write_chinese(self, value: int) -> str:
        """The standard way of writing a whole number from 0 to 9999 ('十二', '一百零五')."""
        if value == 0:
            return self.zh_digits[0]
        parts, gap = "", False
        for scale, size in (*sorted(self.zh_scales.items(), key=lambda row: -row[1]), ("", 1)):
            digit = value // size % 10
            if digit == 0:
                gap = bool(parts)
                continue
            parts += (self.zh_digits[0] if gap else "") + self.zh_digits[digit] + scale
            gap = False
        ten = next(sign for sign, size in self.zh_scales.items() if size == 10)
        return parts[1:] if 10 <= value < 20 and parts[1] == ten else parts


def read_digits(text: str, at: int) -> Found | None:
    """Read '90', '-3', '0.5' in ASCII digits; not when it goes on in a way that changes the number."""
    match = _DIGITS.match(text, at)
    if match is None or _GOES_ON.match(text, match.end()) or _is_digit(text[match.end() : match.end() + 1]):
        return None
    written = match.group()
    return match.end(), float(written) if "." in written else int(written)


def _is_digit(letter: str) -> bool:
    """Whether a letter is a digit or number sign of any script ('٣', '²')."""
    return bool(letter) and unicodedata.category(letter) in ("Nd", "No")


def _word(text: str, at: int) -> tuple[int, str]:
    match = _WORD.match(text, at)
    return (match.end(), match.group()) if match else (at, "")


def _next_word(text: str, at: int) -> tuple[int, str]:
    gap = _GAP.match(text, at)
    return _word(text, gap.end()) if gap else (at, "")
