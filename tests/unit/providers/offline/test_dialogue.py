"""Conversations: answers to questions, pronouns, repetition, changes, names, undoing."""

from __future__ import annotations

import pytest

from tests.unit.providers.offline.scenes import NAMED_UNO, UNO, Calls, calls_of, do, talk
from zeroclaw_desktop.providers.offline import understand

DIALOGUES: list[tuple[list[str], Calls]] = [
    (["move the servo", "90"], do("servo_move", angle=90.0)),
    (["move the servo", "to 90 degrees"], do("servo_move", angle=90.0)),
    (["move the servo on pin 10", "to the middle"], do("servo_move", angle=90.0, pin=10)),
    (["转动舵机", "九十度"], do("servo_move", angle=90.0)),
    (["转动舵机", "中间"], do("servo_move", angle=90.0)),
    (["舵机转到270度", "120"], do("servo_move", angle=120.0)),
    (["turn on", "the led"], do("led_set", state=1)),
    (["turn on", "pin 5"], do("digital_write", pin=5, value=1)),
    (["turn on", "5"], do("digital_write", pin=5, value=1)),
    (["打开", "灯"], do("led_set", state=1)),
    (["打开", "5号引脚"], do("digital_write", pin=5, value=1)),
    (["turn on the fan", "pin 5"], do("digital_write", pin=5, value=1)),
    (["turn on the fan", "it's on pin 5"], do("digital_write", pin=5, value=1)),
    (["turn on the fan", "5", "turn the fan off"], do("digital_write", pin=5, value=0)),
    (["打开风扇", "5号", "关掉风扇"], do("digital_write", pin=5, value=0)),
    (["read the sensor", "A2"], do("analog_read", pin="A2")),
    (["读取温度", "A1"], do("analog_read", pin="A1")),
    (["读取温度", "1"], do("analog_read", pin="A1")),
    (["blink 500 times", "20"], do("led_blink", count=20)),
    (["blink 500 times", "twenty times"], do("led_blink", count=20)),
    (["blink 3 times every 10 seconds", "2 s"], do("led_blink", count=3, interval=2.0)),
    (["blink 3 times every 10 seconds", "half a second"], do("led_blink", count=3, interval=0.5)),
    (["set pin 9 to 150%", "80"], do("pwm_write", pin=9, duty=0.8)),
    (["set pin 7 to 50%", "pin 9"], do("pwm_write", pin=9, duty=0.5)),
    (["pwm pin 9 50", "50%"], do("pwm_write", pin=9, duty=0.5)),
    (["toggle the led", "off"], do("led_set", state=0)),
    (["the led", "on please"], do("led_set", state=1)),
    (["flash", "the led"], do("led_blink", count=3)),
    (["flash", "firmware"], do("flash_firmware", firmware="default")),
    (["configure pin 7", "input"], do("pin_mode", pin=7, mode="input")),
    (["plot", "A0"], do("plot_series", signals=["a0"], period=0.1)),
    (["beep", "8"], do("tone", pin=8, frequency=1000, duration=0.5)),
    (["turn on the red led", "pin 7"], do("led_set", state=1, pin=7)),
    (["turn on the led", "turn it off"], do("led_set", state=0)),
    (["turn on the led", "off"], do("led_set", state=0)),
    (["开灯", "关掉"], do("led_set", state=0)),
    (["开灯", "把它关掉"], do("led_set", state=0)),
    (["set pin 5 high", "set it low"], do("digital_write", pin=5, value=0)),
    (["blink 3 times", "again"], do("led_blink", count=3)),
    (["blink 3 times", "do it again"], do("led_blink", count=3)),
    (["blink 3 times", "again 5 times"], do("led_blink", count=5)),
    (["blink 3 times", "once more"], do("led_blink", count=3)),
    (["闪3次", "再来一次"], do("led_blink", count=3)),
    (["闪3次", "再闪5次"], do("led_blink", count=5)),
    (["blink 3 times", "faster"], do("led_blink", count=3, interval=0.15)),
    (["闪3次", "快一点"], do("led_blink", count=3, interval=0.15)),
    (["blink 3 times every 1 s", "slower"], do("led_blink", count=3, interval=2.0)),
    (["move the servo to 90", "slower"], do("servo_move", angle=90.0, speed=0.25)),
    (["move the servo to 90", "10 degrees more"], do("servo_move", angle=100.0)),
    (["舵机转到90度", "再转10度"], do("servo_move", angle=100.0)),
    (["set pin 9 to 50%", "brighter"], do("pwm_write", pin=9, duty=0.7)),
    (["把9号引脚设为50%", "暗一点"], do("pwm_write", pin=9, duty=0.3)),
    (["turn on the led", "undo that"], do("led_set", state=0)),
    (["把5号引脚拉高", "撤销"], do("digital_write", pin=5, value=0)),
    (["read A3", "again"], do("analog_read", pin="A3")),
    (["plot A0", "stop"], do("telemetry_stop")),
    (["the fan is on pin 5", "turn on the fan"], do("digital_write", pin=5, value=1)),
    (["风扇接在5号引脚", "打开风扇"], do("digital_write", pin=5, value=1)),
    (["move the servo", "blink 3 times"], do("led_blink", count=3)),
    (["move the servo", "stop everything"], do("motor_emergency_stop")),
    (["read A0 every second", "yes"], do("plot_series", signals=["a0"], period=1.0)),
    (["blink the led?", "yes"], do("led_blink", count=3)),
    (["blink the led twice", "why did it fail?"], do("explain_last")),
]
NOTHING = [
    ["move the servo", "never mind"],
    ["move the servo", "no"],
    ["转动舵机", "算了"],
    ["blink the led?", "no"],
    ["again"],
    ["再来一次"],
    ["undo that"],
    ["faster"],
    ["stop everything", "again"],
    ["turn on the fan", "the blue one over there"],
    ["blink 3 times, wait 10 seconds, then blink again", "no thanks"],
]


@pytest.mark.parametrize(("sentences", "calls"), DIALOGUES, ids=lambda value: str(value)[:60])
def test_a_conversation_ends_in_these_calls(sentences: list[str], calls: Calls) -> None:
    last = talk(sentences)[-1]
    assert calls_of(last) == calls, (last.intent, last.question, last.reason)


@pytest.mark.parametrize("sentences", NOTHING, ids=" / ".join)
def test_a_conversation_ends_in_nothing(sentences: list[str]) -> None:
    last = talk(sentences)[-1]
    assert last.calls == ()
    assert last.say or last.question


def test_a_bare_answer_keeps_the_language_of_the_conversation() -> None:
    heard = talk(["转动舵机", "90"])
    assert [understanding.language for understanding in heard] == ["zh", "zh"]


def test_the_question_is_over_after_something_else_was_said() -> None:
    heard = talk(["move the servo", "blink 3 times", "90"])
    assert heard[1].state.pending is None
    assert heard[2].calls == ()


def test_a_state_is_never_changed_in_place() -> None:
    first = understand("move the servo", boards=[UNO])
    before = first.state
    understand("90", boards=[UNO], state=first.state)
    assert first.state is before
    assert first.state.pending is not None


def test_a_name_of_the_board_is_known_without_being_told() -> None:
    last = talk(["turn on the fan", "turn it off"], [NAMED_UNO])[-1]
    assert calls_of(last) == do("digital_write", pin=5, value=0)
