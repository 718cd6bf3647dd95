"""HW-13: when the beginning of a line is shown before its end has come."""

from __future__ import annotations

from zeroclaw_desktop.bridge.unfinished_lines import PATIENT_PULLS, UnfinishedLines


def test_only_what_waits_is_shown_and_goes_with_its_end() -> None:
    unfinished = UnfinishedLines()
    news = [unfinished.news("uno", 5, lambda: "Password: ") for _ in range(PATIENT_PULLS + 2)]
    assert [text for text in news if text is not None] == ["Password: "]
    assert unfinished.news("uno", 6, lambda: "") == ""
    assert unfinished.news("uno", 6, lambda: "") is None


def test_lines_that_end_do_not_flicker() -> None:
    unfinished = UnfinishedLines()
    assert [unfinished.news("uno", number, lambda: "half a li") for number in range(100)] == [None] * 100
