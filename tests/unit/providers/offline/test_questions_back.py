"""Where a sentence leaves something open, or asks for too much, the assistant asks and calls nothing."""

from __future__ import annotations

import pytest

from tests.unit.providers.offline.scenes import BARE_CHIP, NAMED_UNO, NANO, UNO, calls_of, do, talk
from zeroclaw_desktop.providers.offline import understand

OPEN = [
    ("move the servo", "angle"),
    ("turn the servo", "angle"),
    ("转动舵机", "angle"),
    ("把舵机转一下", "angle"),
    ("turn on", "pin"),
    ("打开", "pin"),
    ("turn it off", "pin"),
    ("read the sensor", "analog"),
    ("read the temperature", "analog"),
    ("读取温度", "analog"),
    ("读传感器", "analog"),
    ("plot", "analog"),
    ("画图", "analog"),
    ("turn on the fan", "pin"),
    ("打开风扇", "pin"),
    ("beep", "pin"),
    ("turn on the red led", "pin"),
    ("flash", "flash"),
    ("toggle the led", "state"),
    ("the led", "state"),
    ("set the pwm of pin 9", "duty"),
    ("let the led breathe", "pin"),
    ("turn the servo to the left", "angle"),
    ("舵机向左转", "angle"),
    ("keep blinking forever", "count"),
    ("一直闪", "count"),
    ("configure pin 7", "mode"),
    ("move the servo 10 degrees to the right", "angle"),
    ("舵机往左转30度", "angle"),
    ("turn on the fan for 2 seconds", "pin"),
    ("turn pin 5 on for 2 seconds", "confirm"),
    ("beep 3 times on pin 8", "confirm"),
    ("3秒后开灯", "confirm"),
    ("灯调暗一点", "duty"),
    ("move the servo to 10²", "angle"),
    ("把舵机转到9⁰度", "angle"),
    ("move the servo on pin 9 to 90 on pin 10", "pin"),
    ("move the servo to 90 and back", "confirm"),
]
TOO_MUCH = [
    ("move the servo to 200 degrees", "angle", "180"),
    ("舵机转到270度", "angle", "180"),
    ("move the servo to -10 degrees", "angle", "0"),
    ("blink 500 times", "count", "100"),
    ("blink 0 times", "count", "100"),
    ("闪烁一千次", "count", "100"),
    ("blink 3 times every 10 seconds", "interval", "5"),
    ("闪3次，间隔一分钟", "interval", "5"),
    ("blink 3 times every 1 ms", "interval", "0.05"),
    ("blink two and a half times", "count", "100"),
    ("set pin 9 to 150%", "duty", "100"),
    ("把9号引脚设为百分之一百五十", "duty", "100"),
    ("set pin 40 high", "pin", "19"),
    ("把99号引脚拉高", "pin", "19"),
    ("turn on pin 1", "pin", "19"),
    ("read A9", "analog", "A5"),
    ("move the servo on pin 4 to 90", "pin", "9"),
    ("set pin 7 to 50%", "pin", "9"),
    ("dim the led to 30%", "pin", "9"),
    ("set pin 5 to 7", "state", "1"),
    ("play 5 Hz on pin 8", "frequency", "20000"),
    ("play 440 Hz on pin 8 for 60 s", "duration", "10"),
    ("let the led on pin 9 breathe for 5 minutes", "duration", "60"),
    ("plot A0 every 5 minutes", "interval", "60"),
]


@pytest.mark.parametrize(("sentence", "slot"), OPEN)
def test_what_is_left_open_is_asked(sentence: str, slot: str) -> None:
    understanding = understand(sentence, boards=[UNO])
    assert understanding.calls == ()
    assert understanding.question
    assert understanding.state.pending is not None
    assert understanding.state.pending.slot == slot


@pytest.mark.parametrize(("sentence", "slot", "limit"), TOO_MUCH)
def test_a_value_out_of_range_is_asked_again_with_the_limit(sentence: str, slot: str, limit: str) -> None:
    understanding = understand(sentence, boards=[UNO])
    assert understanding.calls == ()
    assert limit in (understanding.question or "")
    assert understanding.state.pending is not None
    assert understanding.state.pending.slot == slot


@pytest.mark.parametrize("sentence", ["blink the led 3 times", "开灯", "read A0", "turn on pin 5"])
def test_without_a_board_the_simulator_is_offered(sentence: str) -> None:
    understanding = understand(sentence, boards=[])
    assert understanding.calls == ()
    assert "simulated" in (understanding.question or "") or "模拟" in (understanding.question or "")


@pytest.mark.parametrize("sentence", ["list boards", "stop everything", "why did it fail?"])
def test_some_things_need_no_board(sentence: str) -> None:
    assert len(understand(sentence, boards=[]).calls) == 1


def test_the_request_runs_once_a_board_is_there() -> None:
    asked = understand("blink 3 times", boards=[])
    again = understand("yes", boards=[UNO], state=asked.state)
    assert calls_of(again) == do("led_blink", count=3)


def test_several_boards_and_none_named_is_asked() -> None:
    understanding = understand("blink 3 times", boards=[UNO, NANO])
    assert understanding.calls == ()
    assert UNO.board_name in (understanding.question or "")
    assert NANO.board_name in (understanding.question or "")


@pytest.mark.parametrize(
    ("sentence", "board"),
    [
        ("blink the led on the uno 3 times", "sim-uno"),
        ("blink the led on the nano 3 times", "nano-1"),
        ("on the Arduino Nano, blink 3 times", "nano-1"),
        ("blink 3 times on nano-1", "nano-1"),
        ("blink the simulated board 3 times", "sim-uno"),
        ("让nano的灯闪3次", "nano-1"),
        ("让模拟板的灯闪3次", "sim-uno"),
        ("let the second board blink 3 times", "nano-1"),
        ("让第二块板子闪3次", "nano-1"),
    ],
)
def test_a_named_board_gets_the_call(sentence: str, board: str) -> None:
    understanding = understand(sentence, boards=[UNO, NANO])
    assert calls_of(understanding) == do("led_blink", count=3, device_id=board)


def test_the_board_used_last_is_meant_when_none_is_named() -> None:
    heard = talk(["blink 3 times", "the nano", "turn on the led"], [UNO, NANO])
    assert calls_of(heard[1]) == do("led_blink", count=3, device_id="nano-1")
    assert calls_of(heard[2]) == do("led_set", state=1, device_id="nano-1")


def test_a_board_that_is_not_there_is_not_replaced_by_another() -> None:
    understanding = understand("blink the led on the esp32", boards=[UNO])
    assert understanding.calls == ()
    assert UNO.board_name in (understanding.question or "")


def test_all_boards_get_a_call_each() -> None:
    understanding = understand("blink 3 times on both boards", boards=[UNO, NANO])
    boards = [arguments["device_id"] for _, arguments in calls_of(understanding)]
    assert boards == ["sim-uno", "nano-1"]


def test_a_board_without_an_led_is_asked_for_the_pin() -> None:
    heard = talk(["turn on the led", "pin 3"], [BARE_CHIP])
    assert heard[0].calls == ()
    assert calls_of(heard[1]) == do("led_set", state=1, pin=3)


def test_a_wait_between_steps_is_not_pretended() -> None:
    heard = talk(["blink 3 times, wait 10 seconds, then move the servo to 90", "yes"])
    assert heard[0].calls == ()
    assert "10" in (heard[0].question or "")
    assert calls_of(heard[1]) == [*do("led_blink", count=3), *do("servo_move", angle=90.0)]


def test_unknown_words_are_named_before_anything_moves() -> None:
    heard = talk(["blink the led 3 times frobnicated", "yes"])
    assert heard[0].calls == ()
    assert "frobnicated" in (heard[0].question or "")
    assert calls_of(heard[1]) == do("led_blink", count=3)


def test_a_tone_on_the_led_asks_for_a_pin() -> None:
    understanding = understand("beep on the led", boards=[NAMED_UNO])
    assert understanding.calls == ()
    assert understanding.question


def test_a_long_light_is_not_cut_silently() -> None:
    heard = talk(["turn on the led for 30 seconds", "ok"])
    assert heard[0].calls == ()
    assert "5" in (heard[0].question or "")
    assert calls_of(heard[1]) == do("led_set", state=1)
