"""Numbers read back what other rules wrote: digits, English words and Chinese numerals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.providers.offline.numerals import parse_number

DIGITS = "零一二三四五六七八九"
TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", *TEENS]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def chinese(number: int) -> str:
    """Write 0..9999 in Chinese by the usual rule: digit and scale, one 零 for each gap."""
    if number == 0:
        return "零"
    text, gap = "", False
    for scale, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // scale % 10
        if digit == 0:
            gap = bool(text)
            continue
        text += ("零" if gap else "") + DIGITS[digit] + sign
        gap = False
    return text[1:] if text.startswith("一十") else text


def english(number: int) -> str:
    """Write 0..9999 in English words, British style with 'and'."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    scale, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = number % scale
    joined = f"{english(number // scale)} {name}"
    if not rest:
        return joined
    return f"{joined} {'and ' if rest < 100 else ''}{english(rest)}"


def test_every_chinese_numeral_up_to_9999_is_read_back() -> None:
    assert [n for n in range(10000) if parse_number(chinese(n)) != n] == []


def test_every_english_numeral_up_to_9999_is_read_back() -> None:
    assert [n for n in range(10000) if parse_number(english(n)) != n] == []


@given(st.integers(0, 999_999_999))
def test_digits_are_read_back(number: int) -> None:
    assert parse_number(str(number)) == number
    assert parse_number(f"{number:,}") == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("两百", 200),
        ("两千五", 2500),
        ("一百二", 120),
        ("一百零二", 102),
        ("二零零", 200),
        ("十", 10),
        ("十二", 12),
        ("三点五", 3.5),
        ("零点二五", 0.25),
        ("半", 0.5),
        ("一万二", 12000),
        ("一百十二", 112),
        ("百分之五十", 0.5),
        ("三分之一", 1 / 3),
        ("a hundred", 100),
        ("a dozen", 12),
        ("half a dozen", 6),
        ("two dozen", 24),
        ("a couple of", 2),
        ("zero point five", 0.5),
        ("one and a half", 1.5),
        ("half", 0.5),
        ("twenty five", 25),
        ("2.5", 2.5),
        (".5", 0.5),
        ("1,000", 1000),
        ("1/2", 0.5),
        ("128/255", 128 / 255),
        ("俩", 2),
        ("一百二十", 120),
    ],
)
def test_numbers_as_people_write_them(text: str, value: float) -> None:
    assert parse_number(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", "five six", "blink", "灯", "1/0", "twelve hundredweight", "点五", "3 times"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse_number(text) is None
