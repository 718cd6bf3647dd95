"""HW-11: the offline assistant looks into data sheets when asked to, and no order is lost in a question."""

from __future__ import annotations

import pytest

from tests.unit.providers.offline.scenes import NANO, UNO
from zeroclaw_desktop.providers.offline import understand
from zeroclaw_desktop.providers.offline.answers import summarize
from zeroclaw_desktop.providers.offline.model import CallOutcome

ROW = {"document": "driver.pdf", "section": "Power", "place": "page 7", "text": "2 A for each\nchannel"}


@pytest.mark.parametrize(
    ("sentence", "topic"),
    [
        ("What do the data sheets say about the fan?", "the fan"),
        ("what does my datasheet say about blinking the led", "blinking the led"),
        ("search the data sheets for maximum current", "maximum current"),
        ("please look up the pull-up resistor in the data sheet.", "the pull-up resistor"),
        ("在数据手册里查风扇的电压", "风扇的电压"),
        ("查一下数据手册里的上拉电阻", "上拉电阻"),
        ("数据手册里关于电机怎么说？", "电机"),
    ],
)
def test_a_question_to_the_data_sheets_is_looked_up(sentence: str, topic: str) -> None:
    understood = understand(sentence, boards=[UNO])
    (call,) = understood.calls
    assert (call.name, call.arguments) == (
        "datasheet_search",
        {"question": topic, "board_type": "arduino-uno"},
    )


@pytest.mark.parametrize("boards", [[], [UNO, NANO]])
def test_without_one_board_all_data_sheets_are_asked(boards: list[object]) -> None:
    understood = understand("search the data sheets for current", boards=boards)  # type: ignore[arg-type]
    assert understood.calls[0].arguments == {"question": "current"}


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("search the data sheets for the fan and stop everything", "motor_emergency_stop"),
        ("stop everything and search the data sheets for the fan", "motor_emergency_stop"),
        ("在数据手册里查风扇，全部停止", "motor_emergency_stop"),
    ],
)
def test_a_stop_in_the_sentence_wins(sentence: str, wanted: str) -> None:
    assert wanted in [call.name for call in understand(sentence, boards=[UNO]).calls]


@pytest.mark.parametrize(
    "sentence",
    [
        "search the data sheets for the fan and turn on the led",
        "the data sheet says turn on the led",
        "data sheet",
    ],
)
def test_what_is_more_than_a_question_is_no_lookup(sentence: str) -> None:
    calls = [call.name for call in understand(sentence, boards=[UNO]).calls]
    assert "datasheet_search" not in calls


@pytest.mark.parametrize(("language", "none"), [("en", "Nothing"), ("zh", "没有")])
def test_the_answer_quotes_the_passage_with_its_place(language: str, none: str) -> None:
    understood = understand("search the data sheets for current", boards=[UNO])
    arguments = understood.calls[0].arguments
    found = CallOutcome("datasheet_search", arguments, "ok", {"passages": [ROW]})
    answer = summarize(understood, [found], language)
    assert "driver.pdf" in answer
    assert "Power" in answer
    assert "“2 A for each channel”" in answer
    nothing = CallOutcome("datasheet_search", arguments, "ok", {"passages": []})
    assert none in summarize(understood, [nothing], language)


def test_a_long_passage_is_cut() -> None:
    understood = understand("search the data sheets for current", boards=[UNO])
    long = CallOutcome(
        "datasheet_search",
        understood.calls[0].arguments,
        "ok",
        {"passages": [{**ROW, "text": "volts " * 500}]},
    )
    assert len(summarize(understood, [long])) < 600
