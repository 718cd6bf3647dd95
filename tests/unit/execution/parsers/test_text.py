"""EX-2: sentences in English and Chinese: the whole sentence or nothing, and what was expected where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.execution import Door
from tests.helpers.unclear_numbers import UNCLEAR_NUMBERS
from tests.unit.execution.parsers.faults import place, refusal
from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.bus import BUS_COMMANDS
from zeroclaw_desktop.execution.handlers.motor import MOTOR_COMMANDS
from zeroclaw_desktop.execution.handlers.sensors import SENSOR_COMMANDS
from zeroclaw_desktop.execution.parsers.errors import NotUnderstoodError
from zeroclaw_desktop.execution.parsers.numerals import Numerals
from zeroclaw_desktop.execution.parsers.protocol import SentenceAction
from zeroclaw_desktop.execution.parsers.sentence_grammar import (
    Choice,
    Node,
    Row,
    Slot,
    fold,
    grammar_of,
    sentence_grammar,
)
from zeroclaw_desktop.execution.parsers.sentence_match import SentenceMatch
from zeroclaw_desktop.execution.parsers.text import MAX_SENTENCES, TextParser

PARSER = TextParser()
ALL_COMMANDS = (*Door().registry.list_commands(), *BUS_COMMANDS, *MOTOR_COMMANDS, *SENSOR_COMMANDS)
NUMERALS: Numerals = sentence_grammar().numerals


def read(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Actions and parameters of a text."""
    return [(one.action, dict(one.params)) for one in PARSER.parse(text, source="channel")]


SENTENCES: list[tuple[str, str, dict[str, Any]]] = [
    # the four of the specification
    ("move servo to 90", "servo_move", {"angle": 90}),
    ("turn on the led", "led_set", {"state": 1}),
    ("把舵机转到90度", "servo_move", {"angle": 90}),
    ("读取温度", "sensor_read", {"sensor": "temperature"}),
    ("blink led 3 times", "led_blink", {"count": 3}),
    # the same said otherwise
    ("Please turn the LED off.", "led_set", {"state": 0}),
    ("TURN ON THE LIGHT ON PIN 7!", "led_set", {"state": 1, "pin": 7}),
    ("关灯", "led_set", {"state": 0}),
    ("请把13号引脚的灯打开。", "led_set", {"state": 1, "pin": 13}),
    ("rotate the servo on pin 10 to 45.5 degrees", "servo_move", {"angle": 45.5, "pin": 10}),
    ("set servo to the middle", "servo_move", {"angle": 90}),
    ("将 10 号引脚上的舵机 转到 一百二十 度", "servo_move", {"angle": 120, "pin": 10}),
    ("blink twice", "led_blink", {"count": 2}),
    ("blink the led five times every 250 ms", "led_blink", {"count": 5, "interval": 0.25}),
    ("让LED闪两下，每隔1.5秒", "led_blink", {"count": 2, "interval": 1.5}),
    ("fade the led for 3 seconds", "led_breath", {"duration": 3}),
    ("set pin 7 high", "digital_write", {"pin": 7, "value": 1}),
    ("把7号引脚设为低电平", "digital_write", {"pin": 7, "value": 0}),
    ("set pin 9 to 12.5%", "pwm_write", {"pin": 9, "duty": 0.125}),
    ("把9号引脚的亮度调到百分之五十", "pwm_write", {"pin": 9, "duty": 0.5}),
    ("make pin 2 an input with pull-up", "pin_mode", {"pin": 2, "mode": "input_pullup"}),
    ("read pin 7", "digital_read", {"pin": 7}),
    ("measure the voltage at a3", "analog_read", {"pin": "A3"}),
    ("读取A0的电压", "analog_read", {"pin": "A0"}),
    ("play 1.5 kHz on pin 8 for 2 s", "tone", {"pin": 8, "frequency": 1500, "duration": 2}),
    ("plot a0, a1 and a2", "plot_series", {"signals": ["a0", "a1", "a2"]}),
    ("emergency stop", "motor_emergency_stop", {}),
    ("急停！", "motor_emergency_stop", {}),
    ("列出开发板", "device_list", {}),
    (
        "measure the temperature at A1 with the TMP36",
        "sensor_read",
        {"sensor": "temperature", "pin": "A1", "driver": "tmp36"},
    ),
    (
        "start the motor on pin 5 at 40% backward for 2 s",
        "motor_start",
        {"pwm_pin": 5, "duty": 0.4, "direction": "backward", "duration": 2},
    ),
    (
        "让5号引脚的电机以百分之四十的速度反转2秒",
        "motor_start",
        {"pwm_pin": 5, "duty": 0.4, "direction": "backward", "duration": 2},
    ),
    ("stop the motor on pin 5", "motor_stop", {"pwm_pin": 5}),
    ("停止5号引脚的电机", "motor_stop", {"pwm_pin": 5}),
    ("scan the i2c bus", "i2c_scan", {}),
]


@pytest.mark.parametrize(("sentence", "action", "params"), SENTENCES)
def test_a_sentence_names_a_command_and_its_values(
    sentence: str, action: str, params: dict[str, Any]
) -> None:
    """EX-2."""
    assert read(sentence) == [(action, params)]


@pytest.mark.parametrize("sentence", [sentence for sentence, _action, _params in SENTENCES])
def test_a_sentence_has_one_meaning(sentence: str) -> None:
    """EX-2: every pattern that fits says the same, so the order of the patterns decides nothing."""
    grammar = sentence_grammar()
    text = fold(sentence).rstrip(".!。")
    meanings = [
        SentenceMatch(replace(grammar, patterns=(pattern,)), text).run() for pattern in grammar.patterns
    ]
    fitting = [meaning for meaning in meanings if meaning is not None]
    assert fitting
    assert all(meaning == fitting[0] for meaning in fitting)


def test_several_sentences_are_several_actions_in_their_order() -> None:
    """EX-2."""
    assert [action for action, _ in read("turn on the led; then blink twice\n急停。")] == [
        "led_set",
        "led_blink",
        "motor_emergency_stop",
    ]


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
        "turned on the led",
        "打开灯了吗",
    ],
)
def test_what_is_not_plainly_a_command_does_nothing(sentence: str) -> None:
    """EX-2: negations, questions, conditions, quotations and anything left over are refused whole."""
    assert "expected" in refusal(PARSER, sentence).message


@pytest.mark.parametrize("number", UNCLEAR_NUMBERS)
def test_a_number_that_can_be_taken_in_two_ways_is_none(number: str) -> None:
    """EX-2, EX-5: a wrong angle must not reach a motor."""
    fault = refusal(PARSER, f"move servo to {number}")
    assert place(fault)[0] == 1
    assert place(fault)[1] >= 13


@pytest.mark.parametrize(
    ("text", "where", "expected_en", "expected_zh", "got"),
    [
        ("move servo to", (1, 14), "an angle such as 90", "角度", "the end of the text"),
        ("move servo too 90", (1, 12), "'to'", "“to”", "'too'"),
        ("把舵机转到", (1, 6), "an angle", "角度", "the end of the text"),
        ("turn on the led\nmove servo over 9", (2, 12), "'to'", "“to”", "'over'"),
        ("hello", (1, 1), "a command such as 'move servo to 90'", "一条指令", "'hello'"),
        ("turn on the led please now", (1, 24), "the end of the sentence", "句子结尾", "'now'"),
        ("", (1, 1), "a command such as", "一条指令", "the end of the text"),
    ],
)
def test_a_fault_says_what_was_expected_and_where(
    text: str, where: tuple[int, int], expected_en: str, expected_zh: str, got: str
) -> None:
    """EX-2: counted by hand; both languages."""
    fault = refusal(PARSER, text)
    assert place(fault) == where
    assert expected_en in fault.details["expected"]
    assert expected_zh in fault.details["expected_zh"]
    assert fault.details["got"] == got


def test_one_bad_sentence_of_several_stops_all() -> None:
    """EX-2: half of a plan is not carried out."""
    assert place(refusal(PARSER, "turn on the led; dance")) == (1, 18)


def test_the_number_of_sentences_is_bounded() -> None:
    """EX-2."""
    assert len(read("开灯。" * MAX_SENTENCES)) == MAX_SENTENCES
    assert place(refusal(PARSER, "开灯。" * (MAX_SENTENCES + 1))) == (1, MAX_SENTENCES * 3 + 1)


def test_every_command_of_the_grammar_fits_the_schema_of_its_command() -> None:
    """EX-2, EX-5: no pattern gives a parameter that its command does not know."""
    known = {command.name: command.schema for command in ALL_COMMANDS}
    for pattern in sentence_grammar().patterns:
        asked = {*pattern.params, *slots(pattern.row)}
        assert asked <= set(known[pattern.action]), pattern.action


def slots(node: Node) -> set[str]:
    """Parameters that a pattern reads."""
    if isinstance(node, Slot):
        return {node.param}
    inner = node.nodes if isinstance(node, Row) else node.rows if isinstance(node, Choice) else ()
    return {name for one in inner for name in slots(one)}


def test_another_reader_of_sentences_can_be_handed_in() -> None:
    """EX-2: the reader is a port; its place of failure becomes a fault in both languages."""

    class Reader:
        def read(self, text: str) -> list[SentenceAction]:
            if "no" in text:
                raise NotUnderstoodError(text.index("no"), Words("yes", "是"), "no")
            return [SentenceAction("board_info")]

    parser = TextParser(Reader())
    assert parser.parse("anything", source="agent")[0].action == "board_info"
    fault = refusal(parser, "oh no")
    assert (place(fault), fault.details["expected_zh"]) == ((1, 4), "是")


# -- numerals -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("zero", 0), ("nineteen", 19), ("forty", 40), ("forty-five", 45), ("forty five", 45),
        ("one hundred", 100), ("two hundred and six", 206), ("nine hundred ninety-nine", 999),
        ("零", 0), ("十", 10), ("十二", 12), ("二十", 20), ("九十", 90), ("一百", 100), ("一百零五", 105),
        ("一百一十", 110), ("一百八十", 180), ("两百", 200), ("一千零二十", 1020), ("三点五", 3.5),
    ],
)  # fmt: skip
def test_numbers_in_words(written: str, number: float) -> None:
    """EX-2: the standard ways of writing them."""
    assert NUMERALS.read(written, 0) == (len(written), number)


@given(st.integers(0, 9999))
def test_chinese_numerals_come_back(number: int) -> None:
    """EX-2: written the standard way and read again."""
    written = NUMERALS.write_chinese(number)
    assert NUMERALS.read_chinese(written, 0) == (len(written), number)


@given(st.text(alphabet="零一二两九十百千点", min_size=1, max_size=7))
def test_a_chinese_numeral_has_one_meaning_or_none(written: str) -> None:
    """EX-2: what is read whole is the standard form of its value, up to 两 and a leading 一十."""
    found = NUMERALS.read_chinese(written, 0)
    if found is None or found[0] != len(written) or "点" in written:
        return
    plain = written.replace("两", "二")
    standard = NUMERALS.write_chinese(int(found[1]))
    assert plain in (standard, "一" + standard)


# -- the notation --------------------------------------------------------------------------------------------
TABLE: dict[str, Any] = {
    "separators": ["then"],
    "examples": {"en": "'go'", "zh": "“走”"},
    "parts": {"before": "please", "after": "now", "loop": "<loop>"},
    "kinds": {"int": {"type": "integer", "en": "a number", "zh": "数"}},
    "numerals": {
        "en": {"ones": ["zero"], "tens": [""], "hundred": "hundred", "and": "and"},
        "zh": {"digits": "零一", "same": {}, "scales": {"十": 10}, "point": "点"},
    },
    "action": [],
}


@pytest.mark.parametrize(
    "pattern", ["(a", "a)", "[a)", "a | b", "<nowhere>", "<loop>", "{x:nokind}", "{x}", "a < b", "{X:int}"]
)
def test_a_malformed_pattern_is_refused(pattern: str) -> None:
    """EX-2: a mistake in the data file is found when it is read."""
    with pytest.raises(ValueError, match=r"pattern|part|kind|closed"):
        grammar_of({**TABLE, "action": [{"name": "a", "patterns": [pattern]}]})


@given(st.text())
def test_folding_keeps_every_place(text: str) -> None:
    """EX-2: columns are those of the text as it was written."""
    assert len(fold(text)) == len(text)


def test_folding_takes_no_digits_of_other_scripts() -> None:
    """EX-2: full-width signs are what Chinese keyboards give; other digits stay foreign."""
    assert fold("ＡＢ９０％，；") == "ab90%,;"
    assert fold("٣²①½") == "٣²①½"


WORDS = """
move turn set read blink the led servo pin to on off 90 9 a0 high 50% 3 times please then ; .
把 舵机 转到 灯 打开 号 引脚 度 次 闪烁 ，
"""
words = st.sampled_from(WORDS.split())


@given(st.lists(words, max_size=9), st.sampled_from(["", " "]))
def test_any_words_give_actions_or_one_fault_within_the_text(pieces: list[str], gap: str) -> None:
    """EX-2: and whatever is read asks for a command, with numbers that stand in the text."""
    text = gap.join(pieces)
    try:
        actions = read(text)
    except FaultError as error:
        (fault,) = error.faults
        assert place(fault)[1] <= len(text) + 1
        return
    for _action, params in actions:
        for number in (one for one in params.values() if isinstance(one, float | int)):
            assert number in (0, 1, 3, 9, 90, 0.5, 390, 909, 903, 939, 990) or str(number) in text


def test_a_sentence_has_no_more_rights_than_a_payload() -> None:
    """EX-6: the source of the text is the source of the payload."""
    (payload,) = PARSER.parse("set pin 7 high", source="webhook")
    assert payload.source == "webhook"
    assert Door().registry.resolve(payload.action).permission is Permission.ROOT
