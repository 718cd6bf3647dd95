"""HW-3, HW-5: a board that this program answers for speaks the protocol: the vectors and more."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.firmware.schema_check import faults
from tests.unit.firmware.vectors import FIRMWARE, Case, check_replies, load_cases, request_bytes
from tests.unit.hardware.peripherals.played_driver import PlayedDriver
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.peripherals.hosted_board import HostedBoard
from zeroclaw_desktop.hardware.simulator.pure_line import LineReader

UNO = board_catalog()["arduino-uno"]
FIRST_ANALOG_PIN = 14
#: Cases about what such a board has not, by name; a case with ``needs`` is about timers of an ATmega328P.
LEFT_OUT = {
    "board_reset": "it is no chip that could restart",
    "the serial line's pins are refused": "there is no serial line; a reserved pin is called reserved",
    "capabilities": "firmware and board are others",
}
#: On an Uno a tone needs no PWM pin; here it is a wave like any other.
TONES_ELSEWHERE = ("tone ends by itself", "stop_all", "state")
CASES = [case for case in load_cases() if not case.needs and case.name not in LEFT_OUT]


def with_waves_everywhere(profile: BoardProfile) -> BoardProfile:
    """The board with PWM on every digital pin."""
    pins = tuple(replace(pin, functions=pin.functions | {"pwm"}) for pin in profile.pins)
    return replace(profile, pins=pins)


class Played:
    """A board, its hardware and a clock that the test moves."""

    def __init__(self, profile: BoardProfile = UNO) -> None:
        self.driver = PlayedDriver()
        self.milliseconds = 0
        self.board = HostedBoard(profile, self.driver, lambda: self.milliseconds / 1000)
        self._reader = LineReader()

    def send(self, data: bytes) -> list[bytes]:
        answers = b"".join(self.board.answer(line) for line in self._reader.feed(data))
        return answers.splitlines()

    def pass_time(self, milliseconds: int) -> list[bytes]:
        said = bytearray()
        for _ in range(milliseconds):
            self.milliseconds += 1
            said += self.board.poll()
        return said.splitlines()

    def ask(self, command: str, **args: Any) -> Any:
        line = json.dumps({"id": 1, "cmd": command, "args": args}).encode() + b"\n"
        (answer,) = self.send(line)
        return json.loads(answer)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.name}")
def test_the_vectors(case: Case) -> None:
    played = Played(with_waves_everywhere(UNO) if case.name in TONES_ELSEWHERE else UNO)
    for number, step in enumerate(case.steps):
        for pin, level in step.get("drive", {}).items():
            if level is None:
                played.driver.driven.pop(int(pin), None)
            else:
                played.driver.driven[int(pin)] = level
        for channel, value in step.get("analog", {}).items():
            played.driver.volts[FIRST_ANALOG_PIN + int(channel)] = value << 6
        lines: list[bytes] = []
        sent = request_bytes(step)
        if sent is not None:
            lines += played.send(sent)
        lines += played.pass_time(step.get("advance_ms", 0))
        expected = {**step, "state": _known(step)} if "state" in step else step
        check_replies(expected, lines, f"{case.file}, {case.name}, step {number}")
        for pin, effect in step.get("pins", {}).items():
            if effect.get("mode") == "o":
                assert played.driver.outputs[int(pin)] == effect.get("level", 0)


def _known(step: dict[str, Any]) -> dict[str, Any]:
    """Members of the state; modes of pins that nobody touched are told as unknown here and not as inputs."""
    return {key: value for key, value in step.get("state", {}).items() if key not in ("mode", "level")}


@pytest.mark.parametrize("key", sorted(board_catalog()))
def test_the_answers_keep_to_the_schema_for_every_kind_of_board(key: str) -> None:
    schema = json.loads((FIRMWARE / "protocol/schema.json").read_text(encoding="utf-8"))
    played = Played(board_catalog()[key])
    capabilities = json.loads(played.ask("capabilities")["result"])
    assert faults(capabilities, schema["$defs"]["capabilities"], schema) == []
    assert faults(played.ask("state")["result"], schema["$defs"]["state"], schema) == []


def test_a_pin_that_nobody_touched_is_left_alone_and_told_as_unknown() -> None:
    played = Played()
    state = played.ask("state")["result"]
    assert state["mode"] == "--" + "?" * 18
    assert state["level"] == "-" * 20
    assert (played.driver.outputs, played.driver.pulled) == ({}, set())


def test_one_pin_that_is_stuck_keeps_the_others_from_nothing() -> None:
    """The safe state is for every output that still obeys; the fault is told."""
    played = Played()
    for pin in (2, 3, 4):
        played.ask("gpio_write", pin=pin, value=1)
    played.driver.refusing.add(2)
    answer = played.ask("stop_all")
    assert (answer["ok"], answer["code"]) == (False, "bus_fault")
    assert [played.driver.outputs[pin] for pin in (3, 4)] == [0, 0]


def test_a_bus_does_not_take_pins_that_do_something_else() -> None:
    """SPEC.md, Buses: I2C needs inputs; SPI takes outputs over, but no PWM, servo or tone."""
    played = Played()
    played.ask("gpio_write", pin=18, value=1)
    for command, args in (("i2c_scan", {}), ("i2c_read", {"addr": 72, "count": 1})):
        assert played.ask(command, **args)["code"] == "conflict"
    assert played.ask("i2c_write", addr=72, data=[1])["code"] == "conflict"
    played.ask("pin_mode", pin=18, mode="input")
    assert played.ask("i2c_scan")["result"] == {"found": [72]}
    played.ask("pwm_write", pin=11, duty=9)
    assert played.ask("spi_transfer", cs=10, data=[1])["code"] == "conflict"


def test_the_select_pin_of_a_transfer_is_an_output_that_the_safe_state_is_for() -> None:
    played = Played()
    assert played.ask("spi_transfer", cs=10, data=[1, 2])["result"] == "0102"
    assert played.ask("state")["result"]["mode"][10] == "o"
    assert played.ask("stop_all")["result"] == {"stopped": 1}
    assert played.driver.outputs[10] == 0


def test_the_hardware_guards_itself_where_it_can() -> None:
    """HW-8: the driver hears of the watchdog, and the line watches as well."""
    played = Played()
    played.ask("watchdog_host", ms=500)
    assert played.driver.guarded == 500
    played.ask("gpio_write", pin=13, value=1)
    assert [json.loads(line)["evt"] for line in played.pass_time(501)] == ["host_lost"]
    assert played.driver.outputs[13] == 0


def test_what_the_driver_cannot_do_is_not_listed() -> None:
    class Switches(PlayedDriver):
        commands = ("gpio_read", "gpio_write")

    board = HostedBoard(UNO, Switches(), lambda: 0.0)
    (line,) = LineReader().feed(b'{"id":1,"cmd":"capabilities"}\n')
    facts = json.loads(json.loads(board.answer(line))["result"])
    assert {"gpio_read", "stop_all"} <= set(facts["commands"])
    assert {"pwm_write", "adc_read", "i2c_scan"}.isdisjoint(facts["commands"])
    assert (facts["pwm"], facts["i2c"], facts["adc"]) == ([], [], [])
