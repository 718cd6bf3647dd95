"""HW-1: [buses] and [motors] of a board file are read with everything else, and a wrong one is told."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.contracts.board_wiring import BoardWiring, MotorWiring, SpiWiring
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, read_board
from zeroclaw_desktop.hardware.errors import BoardDataError

UNO = board_catalog()["arduino-uno"]
BOARD = """
schema = 2
key = "cart"
name = "Cart"
chip = "CART1"

[pins]
ports = { P = 0 }
digital = "P0-P15"
pwm = ["P3", "P5"]
spi = ["P8", "P9", "P10", "P11"]
input_only = ["P11", "P12"]

[pins.reserved]
P0 = { en = "serial line", zh = "串口" }
"""


def wiring(text: str) -> BoardWiring:
    return read_board(BOARD + text, "cart.toml").wiring


def test_the_wiring_of_the_uno_fits_its_pins() -> None:
    """Motors have a PWM pin and a plain one; the SPI pins are among those of the bus."""
    spi = UNO.wiring.spi
    assert spi is not None
    spi_pins = {pin.number for pin in UNO.pins if "spi" in pin.functions}
    assert {spi.out_pin, spi.in_pin, spi.clock_pin} < spi_pins
    assert set(UNO.wiring.motors) == {"A", "B"}
    for motor in UNO.wiring.motors.values():
        speed = UNO.pin(motor.pwm_pin)
        assert speed is not None
        assert "pwm" in speed.functions
        assert motor.direction_pin is not None
        assert UNO.pin(motor.direction_pin) is not None


def test_pins_are_named_as_everywhere_in_the_file() -> None:
    found = wiring(
        '[buses]\nspi = { out = "P8", in = "P11", clock = 10 }\n'
        '[motors]\nleft = { pwm = "P3", direction = "P4" }\nfan = { pwm = 5 }\n'
    )
    assert found == BoardWiring(SpiWiring(8, 11, 10), {"left": MotorWiring(3, 4), "fan": MotorWiring(5)})


def test_a_board_without_the_tables_has_no_wiring() -> None:
    assert wiring("") == BoardWiring()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[buses]\nspi = 11\n", "buses.spi must be a table"),
        ("[buses]\nspi = { out = 8, in = 9 }\n", "buses.spi.clock is missing"),
        (
            "[buses]\nspi = { out = 8, in = 9, clock = 10, select = 7 }\n",
            "buses.spi.select is not known here",
        ),
        ("[buses]\nspi = { out = 8, in = 9, clock = 99 }\n", "buses.spi.clock: 99 is not a pin of the board"),
        ("[buses]\nspi = { out = 8, in = 9, clock = 4 }\n", "buses.spi.clock: 4 is not among pins.spi"),
        ("[buses]\nspi = { out = 8, in = 8, clock = 10 }\n", "buses.spi must name three different pins"),
        ("[buses]\nspi = { out = 11, in = 8, clock = 10 }\n", "buses.spi.out: 11 is an input only"),
        ("[buses]\ncan = { tx = 4 }\n", "buses.can is not known here"),
        ("[motors]\nA = 3\n", "motors.A must be a table"),
        ("[motors]\nA = { direction = 4 }\n", "motors.A.pwm is missing"),
        ("[motors]\nA = { pwm = 3, speed = 4 }\n", "motors.A.speed is not known here"),
        ('[motors]\nA = { pwm = "Q3" }\n', "motors.A.pwm: 'Q3' is not a pin of the board"),
        ("[motors]\nA = { pwm = 4 }\n", "motors.A.pwm: 4 is not among pins.pwm"),
        ("[motors]\nA = { pwm = 3, direction = 0 }\n", "motors.A.direction: 0 is reserved"),
        ("[motors]\nA = { pwm = 3, direction = 12 }\n", "motors.A.direction: 12 is an input only"),
        ("[motors]\nA = { pwm = 3, direction = 3 }\n", "motors.A: pin 3 belongs to motor A already"),
        ("[motors]\nA = { pwm = 3 }\nB = { pwm = 5, direction = 3 }\n", "pin 3 belongs to motor A already"),
        (f"[motors]\n{'x' * 41} = {{ pwm = 3 }}\n", "must have a name of 1 to 40 characters"),
        ("motors = 3\n", "motors must be dict"),
    ],
)
def test_a_wrong_table_is_told_with_its_path(text: str, said: str) -> None:
    board = text + BOARD if text.startswith("motors") else BOARD + text
    with pytest.raises(BoardDataError) as caught:
        read_board(board, "cart.toml")
    assert any(said in problem for problem in caught.value.details["problems"])
