"""HW-9: pins are proposed by the board's table, the person's are respected or refused with a reason."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.contracts.synthesis import NeedInfo, PinChoice
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.pin_planner import PinPlan, plan_pins

BOARDS = board_catalog()
WORDS = {"en": "the thing", "zh": "器件"}


def need(key: str, *capabilities: str, prefer: str = "") -> NeedInfo:
    return NeedInfo(key, {"en": f"the {key}", "zh": key}, capabilities, prefer)


def planned(
    board: str, *needs: NeedInfo, wanted: Mapping[str, str] | None = None, named: tuple[NamedPin, ...] = ()
) -> PinPlan:
    return plan_pins(BOARDS[board], needs, wanted or {}, named, "arduino")


def chosen(plan: PinPlan) -> PinChoice:
    (choice,) = plan.choices
    return choice


def codes(plan: PinPlan) -> list[tuple[str, str]]:
    return [(finding.severity, finding.code) for finding in plan.findings]


def test_the_led_of_the_board_is_preferred() -> None:
    choice = chosen(planned("arduino-uno", need("led", "output", prefer="led")))
    assert (choice.name, choice.by) == ("13", "board")


def test_the_button_of_a_nucleo_is_preferred() -> None:
    # ST UM1724: B1 USER is PC13 on every Nucleo-64.
    choice = chosen(planned("nucleo-f401re", need("button", "pull_up", prefer="button")))
    assert (choice.name, choice.spelled, choice.by) == ("PC13", "PC13", "board")


def test_serial_pins_are_never_proposed() -> None:
    for board in BOARDS.values():
        many = [need(f"n{at}", "output") for at in range(40)]
        plan = plan_pins(board, many, {}, (), "arduino")
        reserved = {pin.number for pin in board.pins if pin.reserved}
        assert not reserved & {choice.pin for choice in plan.choices if choice.pin is not None}, board.key


@pytest.mark.parametrize(
    ("board", "said", "severity", "code"),
    [
        ("arduino-uno", "1", "error", "pin_reserved"),  # TX to the computer
        ("arduino-uno", "42", "error", "pin_unknown"),
        ("esp32", "6", "error", "pin_unknown"),  # the flash chip; the board file lists no such pin
        ("esp32", "34", "error", "pin_unable"),  # input only
        ("esp32", "12", "warning", "pin_strapping"),
        ("esp8266", "D8", "warning", "pin_strapping"),
    ],
)
def test_wanted_outputs_that_are_refused_or_warned_of(
    board: str, said: str, severity: str, code: str
) -> None:
    plan = planned(board, need("relay", "output"), wanted={"relay": said})
    found = codes(plan)
    if (board, said) == ("esp32", "6"):
        assert found in ([("error", "pin_unknown")], [("error", "pin_reserved")])
    else:
        assert found == [(severity, code)]


def test_a_refusal_names_pins_that_would_do() -> None:
    plan = planned("arduino-uno", need("fan", "output", "pwm"), wanted={"fan": "4"})
    (finding,) = plan.findings
    assert finding.code == "pin_unable"
    names = finding.hint["en"].removeprefix("These would do: ").rstrip(".").split(", ")
    # Uno R3: PWM on 3, 5, 6, 9, 10, 11.
    assert set(names) <= {"3", "5", "6", "9", "10", "11"}
    assert len(names) >= 3


def test_one_pin_is_not_given_twice() -> None:
    plan = planned(
        "arduino-uno", need("led", "output"), need("relay", "output"), wanted={"led": "9", "relay": "D9"}
    )
    assert codes(plan) == [("error", "pin_conflict")]


def test_names_of_the_person_are_respected() -> None:
    named = tuple(NamedPin(f"thing {pin}", pin, "switch") for pin in (2, 3, 4))
    choice = chosen(planned("arduino-uno", need("relay", "output"), named=named))
    assert choice.pin not in (2, 3, 4)
    plan = planned("arduino-uno", need("relay", "output"), wanted={"relay": "3"}, named=named)
    assert codes(plan) == [("warning", "pin_named")]
    assert chosen(plan).pin == 3


def test_i2c_goes_to_the_pins_of_the_board() -> None:
    needs = (need("sda", "i2c_data"), need("scl", "i2c_clock"))
    names = {
        key: [choice.name for choice in planned(key, *needs).choices]
        for key in ("arduino-uno", "arduino-mega", "esp32", "nucleo-f401re")
    }
    # Arduino reference, Wire: A4/A5 on the Uno, 20/21 on the Mega; the others by SDA and SCL as printed.
    assert names == {
        "arduino-uno": ["A4", "A5"],
        "arduino-mega": ["20", "21"],
        "esp32": ["21", "22"],
        "nucleo-f401re": ["PB9", "PB8"],
    }


def test_i2c_of_an_avr_cannot_go_elsewhere() -> None:
    plan = planned("arduino-uno", need("sda", "i2c_data"), wanted={"sda": "7"})
    assert codes(plan) == [("error", "pin_unable")]


def test_interrupts_of_an_uno_are_on_2_and_3() -> None:
    assert chosen(planned("arduino-uno", need("wheel", "interrupt"))).name in ("2", "3")
    assert codes(planned("arduino-uno", need("wheel", "interrupt"), wanted={"wheel": "4"})) == [
        ("error", "pin_unable")
    ]


def test_esp32_measures_with_its_first_converter() -> None:
    # ESP32 data sheet: ADC1 is on GPIO 32 to 39; ADC2 cannot measure while Wi-Fi is on.
    assert chosen(planned("esp32", need("sensor", "analog"))).pin in range(32, 40)


def test_nothing_left_is_said() -> None:
    plan = planned("esp8266", need("a", "analog"), need("b", "analog"))
    assert codes(plan) == [("error", "no_pin")]
    assert plan.choices[1].pin is None
