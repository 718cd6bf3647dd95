"""AG-12: Chinese is searchable, words of two characters too; full-width forms are the plain ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.memory.words import MOST_TERMS, fold, question_terms, says_the_same, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("温度", ["温度"]),
        ("温度传感器", ["温度", "度传", "传感", "感器"]),
        ("请检查GPIO13接线", ["请检", "检查", "gpio13", "接线"]),
        ("风", ["风"]),
        ("The FAN, on pin_7!", ["the", "fan", "on", "pin", "7"]),
        ("ＧＰＩＯ１３　２５℃", ["gpio13", "25", "c"]),
        ("風扇 팬 ファン", ["風扇", "팬", "ファ", "ァン"]),
        ("", []),
    ],
)
def test_terms_of_a_text(text: str, expected: list[str]) -> None:
    assert [term for term in terms(fold(text)) if term != "°"] == expected


def test_a_question_is_asked_without_the_words_that_say_nothing() -> None:
    assert question_terms("What is the fan on?") == ["fan"]
    assert question_terms("what is it") == ["what", "is", "it"]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("the fan is on pin 7", "fan: pin 7", True),
        ("the fan is on pin 7", "the fan is on pin 8", False),
        ("the fan is on", "the fan is not on", False),
        ("风扇不能开", "风扇能开", False),
    ],
)
def test_other_numbers_or_negations_say_something_else(first: str, second: str, same: bool) -> None:
    assert says_the_same(fold(first), fold(second)) is same


@given(st.text(max_size=200))
def test_terms_are_safe_inside_a_quoted_question_of_fts(text: str) -> None:
    for term in terms(fold(text)):
        assert '"' not in term
        assert term.split() == [term]


def test_a_long_text_has_a_bounded_number_of_terms() -> None:
    assert len(terms("长" * 100_000)) == MOST_TERMS
