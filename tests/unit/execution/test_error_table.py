"""EX-10: the table is complete, in its segments and says something in both languages."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.execution.error_table import Code, error_table, explain_error, fault, next_step

SEGMENTS = {0x00: "general", 0x10: "validation", 0x20: "resource", 0x30: "execution", 0x40: "bus"}
ADVICE = {"never", "after_reset", "reconnect_then_retry"}


def test_every_code_has_a_row_and_every_row_a_code() -> None:
    assert {int(code) for code in Code} == set(error_table())
    for code in Code:
        assert error_table()[int(code)].symbol == code.name


@pytest.mark.parametrize("code", list(Code))
def test_a_row_speaks_both_languages_and_lies_in_a_segment(code: Code) -> None:
    entry = error_table()[int(code)]
    assert int(code) & 0xF0 in SEGMENTS
    assert entry.retry in ADVICE
    assert entry.text["en"].isascii()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in entry.text["zh"])
    assert bool(entry.next_step["en"]) == bool(entry.next_step["zh"])


def test_the_codes_that_the_specification_names() -> None:
    assert Code.OUT_OF_RANGE == 0x11
    assert Code.ILLEGAL_PIN == 0x12
    assert Code.PERMISSION_DENIED == 0x13
    assert Code.TIMEOUT == 0x31
    assert Code.BUDGET_EXHAUSTED == 0x32
    assert Code.IGNORED_CANCEL == 0x33
    assert error_table()[0x31].retry == "never"


def test_details_fill_the_text_in_both_languages() -> None:
    found = fault(Code.OUT_OF_RANGE, "", "angle", got="200", minimum="0", maximum="180", unit=" degrees")
    assert explain_error(found.code, "en", found.details) == "'angle' is 200; allowed is 0 to 180 degrees."
    assert "angle" in explain_error(found.code, "zh", found.details)


def test_missing_details_leave_a_readable_text() -> None:
    text = explain_error(0x31, "en")
    assert "{" not in text
    assert "{" not in next_step(0x26, "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_unknown_code_is_said_to_be_unknown(lang: str) -> None:
    assert "0xFE" in explain_error(0xFE, lang)  # type: ignore[arg-type]
