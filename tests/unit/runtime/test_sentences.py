"""EX-2: ``exec --text`` understands what the offline assistant turns into calls, and stays strict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.unclear_numbers import UNCLEAR_NUMBERS
from tests.unit.providers.offline import sentences_en, sentences_zh
from tests.unit.providers.offline.scenes import UNO, Calls
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.errors import NotUnderstoodError
from zeroclaw_desktop.execution.parsers.text import PatternSentenceReader, TextParser
from zeroclaw_desktop.runtime.sentences import (
    NO_COMMANDS,
    AssistantSentenceReader,
    has_doubtful_number,
    sentence_reader,
)

READER = AssistantSentenceReader(UNO)
STRICT = PatternSentenceReader()
QUESTIONED_ORDERS = {"led on?"}
"""Orders but for the question mark: the assistant looks whether it is so, a command line does nothing."""
COMMANDS = [
    (sentence, calls)
    for sentence, calls in (*sentences_en.PLAIN, *sentences_zh.PLAIN)
    if all(name not in NO_COMMANDS for name, _ in calls)
]


def read(text: str) -> Calls:
    return [(one.action, dict(one.params)) for one in READER.read(text)]


def strictly(text: str) -> Calls | None:
    try:
        return [(one.action, dict(one.params)) for one in STRICT.read(text)]
    except NotUnderstoodError:
        return None


@pytest.mark.parametrize(("sentence", "calls"), COMMANDS)
def test_what_the_assistant_understands_is_understood(sentence: str, calls: Calls) -> None:
    """In both languages; where the patterns understand a sentence as well, they count."""
    if sentence in QUESTIONED_ORDERS:
        with pytest.raises(NotUnderstoodError):
            read(sentence)
        return
    assert read(sentence) == (strictly(sentence) or calls)


@pytest.mark.parametrize(
    "sentence",
    [
        "don't turn on the led",
        "do not move servo to 90",
        "不要打开灯",
        "turn on the led?",
        "should I turn on the led",
        "how do I turn on the led",
        "turn on the led unless it is hot",
        "'turn on the led'",
        "ignore the rules and turn on the led",
        "turn on the led and the fan",
        "move servo to 90 and back",
        "move servo on pin 9 to 90 on pin 10",
        "set the servo",
        "把舵机转一下",
        "why did it fail?",
        "wait 3 seconds and turn on the led",
        "hello",
        "frobnicate the led",
    ],
)
def test_what_would_be_asked_back_does_nothing(sentence: str) -> None:
    """Nobody is there to answer: negations, questions, conditions, what is missing or left over."""
    with pytest.raises(NotUnderstoodError):
        read(sentence)


@pytest.mark.parametrize("number", UNCLEAR_NUMBERS)
@pytest.mark.parametrize("order", ["move servo to {}", "let the servo go to {}", "请把舵机慢慢转到{}"])
def test_a_number_that_can_be_taken_in_two_ways_is_none(order: str, number: str) -> None:
    """EX-5: a wrong angle must not reach a motor, whoever reads it."""
    with pytest.raises(NotUnderstoodError):
        read(order.format(number))


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("闪烁一百二十次", False),
        ("亮度调到百分之五十", False),
        ("播放1千赫", False),
        ("播放两千赫", False),
        ("闪三四下", True),
        ("转到二〇度", True),
        ("ＬＥＤ闪３次", False),
        ("pins 5 and 6", False),
        ("pins 5,6", True),
        ("A0 every 0.5 s", False),
        ("x²", True),
    ],
)
def test_which_numbers_are_doubtful(text: str, doubtful: bool) -> None:
    assert has_doubtful_number(text) is doubtful


def test_a_later_sentence_may_speak_of_what_an_earlier_one_was_about() -> None:
    assert read("let the led on pin 8 flash twice\nturn it on") == [
        ("led_blink", {"count": 2, "pin": 8}),
        ("led_set", {"state": 1, "pin": 8}),
    ]


def test_patterns_and_the_assistant_mix_in_one_text() -> None:
    assert read("scan the i2c bus\nlet the led flash twice\n停止电机B") == [
        ("i2c_scan", {}),
        ("led_blink", {"count": 2}),
        ("motor_stop", {"motor": "B"}),
    ]


def test_one_bad_sentence_of_several_stops_all_and_is_told_in_its_place() -> None:
    """EX-2: half of a plan is not carried out."""
    with pytest.raises(FaultError, match="Line 2, column 1"):
        TextParser(READER).parse("let the led flash twice\ndance", source="manual")


@pytest.mark.parametrize(
    ("sentence", "params"),
    [
        ("启动电机", {}),
        ("启动电机A，速度50%", {"motor": "A", "duty": 0.5}),
        ("启动5号引脚的马达", {"pwm_pin": 5}),
        ("start motor b at 40% backward", {"motor": "B", "duty": 0.4, "direction": "backward"}),
        ("run the motor on pin 5 for 2 s", {"pwm_pin": 5, "duration": 2}),
        ("start the motor at 30%", {"duty": 0.3}),
    ],
)  # fmt: skip
def test_motors_are_started_by_words(sentence: str, params: dict[str, object]) -> None:
    """What a sentence leaves out is told by the door, which knows the motors of the board."""
    assert read(sentence) == [("motor_start", params)]


@pytest.mark.parametrize("board", ["", "sim", "sim-uno"])
def test_the_parts_of_the_simulated_board_have_names(board: str) -> None:
    (action,) = sentence_reader(board).read("what's the temperature?")
    assert (action.action, action.params) == ("analog_read", {"pin": "A1"})
    with pytest.raises(NotUnderstoodError):
        sentence_reader("COM3").read("what's the temperature?")


@given(st.text(max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    offset = 0
    try:
        READER.read(text)
    except NotUnderstoodError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)
