"""The answer after the calls: done, failed with cause and next step, and what was not done."""

from __future__ import annotations

import pytest

from tests.unit.providers.offline.scenes import UNO
from zeroclaw_desktop.providers.offline import CallOutcome, Understanding, summarize, understand


def heard(sentence: str) -> Understanding:
    return understand(sentence, boards=[UNO])


def ok(understanding: Understanding, **result: object) -> list[CallOutcome]:
    return [CallOutcome(call.name, call.arguments, "ok", result) for call in understanding.calls]


@pytest.mark.parametrize(
    ("sentence", "result", "said"),
    [
        ("blink the led 3 times", {"pin": 13, "count": 3}, ["three times", "off"]),
        ("让LED闪烁3次", {"pin": 13, "count": 3}, ["3次", "熄灭"]),
        ("turn on the led", {"pin": 13, "state": 1}, ["LED", "on"]),
        ("关灯", {"pin": 13, "state": 0}, ["LED", "关闭"]),
        ("set pin 5 high", {"pin": 5, "value": 1}, ["pin 5", "high"]),
        ("read A0", {"pin": "A0", "raw": 512, "volts": 2.5024}, ["A0", "512", "2.50 V"]),
        ("读一下A0", {"pin": "A0", "raw": 512, "volts": 2.5024}, ["A0", "512", "2.50 V"]),
        ("is the led on?", {"pin": 13, "value": 1}, ["pin 13", "high"]),
        ("灯亮着吗", {"pin": 13, "value": 0}, ["13", "低电平"]),
        ("move the servo to 45", {"pin": 9, "angle": 45.0}, ["45 degrees"]),
        ("set pin 9 to 50%", {"pin": 9, "duty": 0.5}, ["pin 9", "50 %"]),
        ("plot A0 and A1", {"signals": ["a0", "a1"]}, ["A0", "A1", "Plots"]),
        (
            "list boards",
            {"boards": [{"name": "Simulated Arduino Uno", "state": "live"}]},
            ["Simulated Arduino Uno"],
        ),
        ("list boards", {"boards": []}, ["No board"]),
        ("为什么失败了", {"text": "端口被占用。"}, ["端口被占用"]),
        ("set pin 7 as input", {"pin": 7, "mode": "input"}, ["pin 7", "input"]),
        ("play 440 Hz on pin 8", {"pin": 8, "frequency": 440}, ["440 Hz", "pin 8"]),
        ("flash the board", {"firmware": "zeroclaw-arduino"}, ["zeroclaw-arduino"]),
        ("what board is this?", {"name": "Uno", "chip": "ATmega328P"}, ["Uno", "ATmega328P"]),
    ],
)
def test_success_is_told_with_its_figures(sentence: str, result: dict[str, object], said: list[str]) -> None:
    understanding = heard(sentence)
    text = summarize(understanding, ok(understanding, **result))
    assert [part for part in said if part not in text] == []


def test_a_failure_tells_cause_what_was_left_and_the_next_step() -> None:
    understanding = heard("set pin 5 high, then move the servo to 90")
    failed = CallOutcome(
        "digital_write",
        understanding.calls[0].arguments,
        "failed",
        error_code=0x40,
        error="The port is busy",
        hint="Close the other program and try again",
    )
    text = summarize(understanding, [failed])
    assert "The port is busy" in text
    assert "0x40" in text
    assert "Moving the servo" in text
    assert "Not done" in text
    assert "Next step: Close the other program and try again." in text


def test_a_refusal_is_not_told_as_a_success() -> None:
    understanding = heard("把5号引脚拉高")
    outcome = CallOutcome("digital_write", {"pin": 5, "value": 1}, "refused", error="没有得到批准")
    text = summarize(understanding, [outcome])
    assert "没有被允许" in text
    assert "完成" not in text


def test_skipped_and_cancelled_calls_are_told() -> None:
    understanding = heard("blink 3 times, then read A0")
    outcomes = [
        CallOutcome("led_blink", {"count": 3}, "cancelled"),
        CallOutcome("analog_read", {"pin": "A0"}, "skipped"),
    ]
    text = summarize(understanding, outcomes)
    assert "cancelled" in text
    assert "Not done: Reading the analog input" in text


def test_a_result_without_a_value_is_not_invented() -> None:
    understanding = heard("read A0")
    text = summarize(understanding, ok(understanding))
    assert "no value" in text


def test_without_calls_the_question_is_the_answer() -> None:
    understanding = heard("move the servo")
    assert summarize(understanding, []) == understanding.question


def test_the_language_can_be_chosen() -> None:
    understanding = heard("blink the led 3 times")
    assert "闪烁了" in summarize(understanding, ok(understanding, count=3), "zh")


def test_an_unknown_command_is_named() -> None:
    understanding = heard("turn on the led")
    text = summarize(understanding, [CallOutcome("i2c_scan", {}, "ok", {})])
    assert "i2c_scan" in text
