"""HW-10: a pure Python model of every board with a serial line, made from its board file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.protocol import decode_capabilities, decode_state
from zeroclaw_desktop.hardware.simulator.pure_board import BOOT_SECONDS, PureBoard
from zeroclaw_desktop.hardware.simulator.pure_model import pure_model
from zeroclaw_desktop.runtime.simulators import simulated_kinds

BOARDS = [profile.key for profile in simulated_kinds()]


def started(kind: str) -> PureBoard:
    board = PureBoard(pure_model(kind))
    board.advance(BOOT_SECONDS)
    assert json.loads(board.transmitted())["evt"] == "boot"
    return board


def reply(board: PureBoard, command: str, **args: Any) -> dict[str, Any]:
    board.receive(json.dumps({"id": 1, "cmd": command, "args": args}).encode() + b"\n")
    answer: dict[str, Any] = json.loads(board.transmitted().splitlines()[-1])
    return answer


def refused(board: PureBoard, command: str, **args: Any) -> tuple[str, str]:
    """(code, text) of a request that must be refused."""
    answer = reply(board, command, **args)
    assert not answer["ok"], answer
    return answer["code"], answer["error"]


@pytest.mark.parametrize("kind", BOARDS)
def test_the_capabilities_are_those_of_the_board_file(kind: str) -> None:
    profile = board_catalog()[kind]
    found = decode_capabilities(reply(started(kind), "capabilities")["result"])
    usable = {pin.number for pin in profile.pins if not pin.reserved}
    assert found["board"] == kind
    assert found.get("led_pin") == profile.led_pin
    digital = {pin.number for pin in profile.pins if "digital" in pin.functions} & usable
    assert set(found["gpio"]) == digital
    for function in ("pwm", "servo"):
        wanted = {pin.number for pin in profile.pins if function in pin.functions} & usable
        assert set(found[function]) == wanted


@pytest.mark.parametrize("kind", BOARDS)
def test_every_pin_is_in_the_state_and_reserved_pins_are_closed(kind: str) -> None:
    profile = board_catalog()[kind]
    state = decode_state(reply(started(kind), "state")["result"], profile)
    assert set(state) == {pin.number for pin in profile.pins}
    for pin in profile.pins:
        assert (state[pin.number].mode == "serial") is pin.reserved


@pytest.mark.parametrize("kind", BOARDS)
def test_every_output_of_the_file_can_be_driven_and_read_back(kind: str) -> None:
    board = started(kind)
    for pin in board_catalog()[kind].pins:
        if not pin.reserved and not pin.input_only and "digital" in pin.functions:
            assert reply(board, "gpio_write", pin=pin.number, value=1)["ok"]
            assert reply(board, "gpio_read", pin=pin.number)["result"] == "1"


@pytest.mark.parametrize("kind", BOARDS)
def test_every_analog_pin_gives_the_share_of_the_reference_in_its_steps(kind: str) -> None:
    profile = board_catalog()[kind]
    board = started(kind)
    for channel, pin in pure_model(kind).channels.items():
        board.set_volts(channel, profile.adc_reference_volts / 2)
        half = reply(board, "adc_read", pin=pin)["result"]
        assert half == 1 << (profile.adc_bits - 1)
        assert reply(board, "adc_read", channel=channel)["result"] == half


def test_an_esp32_refuses_what_its_pins_cannot_do() -> None:
    board = started("esp32")
    assert refused(board, "gpio_write", pin=34, value=1) == ("unsupported", "Pin 34 is input only")
    assert refused(board, "pin_mode", pin=35, mode="input_pullup")[0] == "unsupported"
    assert reply(board, "pin_mode", pin=35, mode="input")["ok"]
    assert refused(board, "gpio_write", pin=6, value=1) == ("bad_pin", "Invalid pin 6: the flash chip (CLK)")
    assert refused(board, "gpio_read", pin=20) == ("bad_pin", "Invalid pin 20")
    assert refused(board, "adc_read", pin=5) == ("unsupported", "Pin 5 has no ADC")
    assert refused(board, "adc_read", channel=1) == ("bad_value", "There is no channel 1")


def test_a_nano_measures_a6_and_can_do_nothing_else_with_it() -> None:
    board = started("arduino-nano")
    board.set_volts(6, 2.5)
    assert reply(board, "adc_read", pin=20)["result"] == 512
    assert refused(board, "gpio_read", pin=20) == ("unsupported", "Pin 20 is analog only")


def test_an_esp32_has_no_timer_that_servos_and_pwm_share() -> None:
    """On an Uno pins 9 and 10 do PWM or servo; the ESP32 has a channel for each pin."""
    board = started("esp32")
    assert reply(board, "servo_write", pin=18, angle=90)["ok"]
    assert reply(board, "pwm_write", pin=19, duty=100)["ok"]
    uno = started("arduino-uno")
    assert reply(uno, "servo_write", pin=9, angle=90)["ok"]
    assert refused(uno, "pwm_write", pin=10, duty=100)[0] == "conflict"


def test_a_short_holds_a_pin_whatever_the_board_does() -> None:
    board = started("raspberry-pi-pico")
    board.short_pin(5, 1)
    assert reply(board, "gpio_write", pin=5, value=0)["ok"]
    assert reply(board, "gpio_read", pin=5)["result"] == "1"
    board.short_pin(26, 0)
    board.set_volts(0, 3.0)
    assert reply(board, "adc_read", pin=26)["result"] == 0
    board.short_pin(5, None)
    assert reply(board, "gpio_read", pin=5)["result"] == "0"


@pytest.mark.parametrize(("kind", "pin", "wrong"), [("esp32", 0, 0), ("esp32", 12, 1), ("esp32-c3", 9, 0)])
def test_a_strapping_pin_at_the_wrong_level_keeps_the_board_from_starting(
    kind: str, pin: int, wrong: int
) -> None:
    """ESP32 data sheet, strapping pins: low at GPIO0 waits for a download; they are looked at on a reset."""
    board = started(kind)
    board.drive_pin(pin, wrong)
    assert reply(board, "ping")["result"] == "pong"
    board.reset("power")
    board.advance(5.0)
    assert board.transmitted() == b""
    board.receive(b'{"id":1,"cmd":"ping"}\n')
    board.advance(1.0)
    assert board.transmitted() == b""
    board.drive_pin(pin, None)
    board.reset("external")
    board.advance(BOOT_SECONDS)
    assert json.loads(board.transmitted())["evt"] == "boot"


def test_a_restart_by_command_does_not_look_at_strapping_pins() -> None:
    board = started("esp32")
    board.drive_pin(0, 0)
    assert reply(board, "board_reset")["evt"] == "boot"
