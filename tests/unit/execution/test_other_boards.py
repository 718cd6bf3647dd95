"""The door and boards that are no Uno: LEDs that shine while low, colour LEDs, pins that only read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers import loopback_board
from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.boards import BoardProfile, RgbLed
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.runtime.explain import explain_payload

UNO = loopback_board.UNO


def door_to(monkeypatch: pytest.MonkeyPatch, board: BoardProfile) -> Door:
    monkeypatch.setattr(loopback_board, "UNO", board)
    return Door()


def explained(board: str, action: str, **params: Any) -> dict[str, Any]:
    """What the door makes of a person's command for a board of the registry, freshly reset."""
    return explain_payload(json.dumps({"action": action, "params": params}), board)


class TestLedThatShinesWhileLow:
    @pytest.fixture
    def door(self, monkeypatch: pytest.MonkeyPatch) -> Door:
        return door_to(monkeypatch, replace(UNO, led_active_low=True))

    @pytest.mark.parametrize(("state", "level"), [(1, 0), (0, 1)])
    async def test_on_is_low(self, door: Door, state: int, level: int) -> None:
        result = await door.do("led_set", {"state": state})
        assert result.ok
        assert result.value == {"pin": 13, "state": state}
        assert result.hardware_states["pin_13"]["level"] == level
        assert door.boards.level(13) == level

    async def test_it_is_off_after_blinking(self, door: Door) -> None:
        assert (await door.do("led_blink", {"count": 2, "interval": 0.05})).ok
        written = [args["value"] for _, command, args in door.boards.sent if command == "gpio_write"]
        assert written == [1, 0, 1, 0, 1]

    async def test_fading_begins_and_ends_dark(self, monkeypatch: pytest.MonkeyPatch) -> None:
        door = door_to(monkeypatch, replace(UNO, led_active_low=True, led_pin=9))
        assert (await door.do("led_breath", {"duration": 1.0})).ok
        duties = [args["duty"] for _, command, args in door.boards.sent if command == "pwm_write"]
        assert duties[0] == duties[-1] == 255
        assert min(duties) < 50

    async def test_another_led_shines_while_high(self, door: Door) -> None:
        assert (await door.do("led_set", {"state": 1, "pin": 7})).ok
        assert door.boards.level(7) == 1

    async def test_plain_levels_stay_what_they_are(self, door: Door) -> None:
        assert (await door.do("digital_write", {"pin": 13, "value": 1})).ok
        assert door.boards.level(13) == 1

    async def test_the_safe_state_is_low_all_the_same(self, door: Door) -> None:
        """A stop never depends on what hangs on a pin."""
        await door.do("led_set", {"state": 0})
        await door.do("output_release", {"pin": 13})
        assert door.boards.level(13) == 0

    def test_the_card_tells_the_level_that_the_pin_will_have(self) -> None:
        row = explained("esp8266", "led_set", state=1)
        assert row["pins"] == [{"pin": 2, "before": 0, "after": 0}]


async def test_a_colour_led_is_no_led_for_a_plain_command(monkeypatch: pytest.MonkeyPatch) -> None:
    door = door_to(monkeypatch, replace(UNO, led_pin=None, rgb_led=RgbLed(8, "ws2812")))
    for action, params in (("led_set", {"state": 1}), ("led_blink", {}), ("led_breath", {})):
        result = await door.do(action, params)
        assert [(row.code, row.param) for row in result.faults] == [(Code.MISSING_PARAMETER, "pin")]
        assert "WS2812 on pin 8" in result.faults[0].message
    assert door.boards.sent == []
    assert (await door.do("led_set", {"state": 1, "pin": 7})).ok


@pytest.mark.parametrize("board", ["esp32-s2", "esp32-s3", "esp32-c3", "esp32-c6", "raspberry-pi-pico-w"])
def test_boards_without_a_plain_led_ask_for_the_pin(board: str) -> None:
    row = explained(board, "led_set", state=1)
    assert [error["code"] for error in row["errors"]] == [Code.MISSING_PARAMETER]


@pytest.mark.parametrize(
    ("board", "action", "params", "code"),
    [
        ("esp32", "digital_write", {"pin": 34, "value": 1}, Code.POLICY_LIMIT),
        ("esp32", "pin_mode", {"pin": 36, "mode": "output"}, Code.POLICY_LIMIT),
        ("esp32", "pin_mode", {"pin": 39, "mode": "input_pullup"}, Code.POLICY_LIMIT),
        ("esp32", "pwm_write", {"pin": 35, "duty": 0.5}, Code.ILLEGAL_PIN),
        ("esp32", "digital_write", {"pin": 6, "value": 1}, Code.ILLEGAL_PIN),
        ("esp32", "digital_write", {"pin": 24, "value": 1}, Code.ILLEGAL_PIN),
        ("esp32-s2", "digital_write", {"pin": 26, "value": 1}, Code.ILLEGAL_PIN),
        ("esp32-s3", "digital_write", {"pin": 19, "value": 1}, Code.ILLEGAL_PIN),
        ("arduino-nano", "digital_write", {"pin": 20, "value": 1}, Code.ILLEGAL_PIN),
        ("arduino-nano", "digital_read", {"pin": 21}, Code.ILLEGAL_PIN),
        ("esp8266", "digital_write", {"pin": 17, "value": 1}, Code.ILLEGAL_PIN),
        ("nucleo-f401re", "digital_write", {"pin": 13, "value": 1}, Code.ILLEGAL_PIN),
        ("nucleo-f103rb", "led_breath", {"pin": 5}, Code.ILLEGAL_PIN),
        ("raspberry-pi-pico-w", "digital_write", {"pin": 25, "value": 1}, Code.ILLEGAL_PIN),
    ],
)
def test_what_a_pin_cannot_do_is_refused(board: str, action: str, params: dict[str, Any], code: Code) -> None:
    row = explained(board, action, **params)
    assert row["verdict"] == "refuse"
    assert [error["code"] for error in row["errors"]] == [code]


@pytest.mark.parametrize(
    ("board", "action", "params"),
    [
        ("esp32", "pin_mode", {"pin": 34, "mode": "input"}),
        ("esp32", "digital_read", {"pin": 34}),
        ("esp32", "analog_read", {"pin": "34"}),
        ("esp32", "analog_read", {"pin": "GPIO34"}),
        ("esp32", "led_set", {"state": 1}),
        ("nucleo-f401re", "led_breath", {}),
        ("nucleo-f401re", "analog_read", {"pin": "PA0"}),
        ("nucleo-f401re", "analog_read", {"pin": "A0"}),
        ("raspberry-pi-pico", "analog_read", {"pin": "GP26"}),
        ("raspberry-pi-pico", "led_blink", {}),
        ("arduino-nano", "analog_read", {"pin": "A7"}),
        ("arduino-leonardo", "analog_read", {"pin": "A11"}),
        ("arduino-mega", "analog_read", {"pin": "A15"}),
    ],
)
def test_what_it_can_do_is_not(board: str, action: str, params: dict[str, Any]) -> None:
    row = explained(board, action, **params)
    assert row["errors"] == []
    assert row["verdict"] != "refuse"


@pytest.mark.parametrize(
    ("names", "asked", "sent"),
    [
        (("A2", ()), "A2", {"channel": 2}),
        (("34", ("GPIO34",)), "34", {"pin": 16}),
        (("34", ("GPIO34",)), "gpio34", {"pin": 16}),
        (("34", ("GPIO34",)), 16, {"pin": 16}),
        (("PA4", ("A2",)), "PA4", {"pin": 16}),
        (("PA4", ("A2",)), "a2", {"pin": 16}),
        (("PA4", ("A2", "D30")), "D30", {"pin": 16}),
        (("PA4", ("A2", "D30")), 16, {"pin": 16}),
    ],
)
async def test_an_analog_pin_is_asked_for_by_its_channel_or_else_by_its_number(
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, tuple[str, ...]],
    asked: str | int,
    sent: dict[str, int],
) -> None:
    """SPEC.md: ``adc_read`` takes a channel or a pin; channel N is what the board calls AN."""
    pins = tuple(
        replace(pin, name=names[0], aliases=names[1]) if pin.number == 16 else pin for pin in UNO.pins
    )
    door = door_to(monkeypatch, replace(UNO, pins=pins))
    assert (await door.do("analog_read", {"pin": asked})).ok
    assert [args for _, command, args in door.boards.sent if command == "adc_read"] == [sent]


def test_a_number_is_a_number_although_an_arduino_name_sounds_like_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a Nucleo D0 is PA3, which belongs to the serial line, and pin 0 is PA0."""
    assert explained("nucleo-f401re", "analog_read", pin=0)["errors"] == []
    refused = explained("nucleo-f401re", "analog_read", pin="D0")["errors"]
    assert [error["code"] for error in refused] == [Code.ILLEGAL_PIN]
