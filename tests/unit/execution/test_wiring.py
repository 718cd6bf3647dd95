"""Where the buses and named motors of a board are."""

from __future__ import annotations

from tests.helpers.firmware_bench import UNO
from zeroclaw_desktop.execution.handlers.wiring import read_wiring, wiring_of


def test_the_wiring_of_the_uno_fits_its_pins() -> None:
    """The board file: motors have a PWM pin and a plain one; the SPI pins are among those of the bus."""
    wiring = wiring_of("arduino-uno")
    assert wiring.spi is not None
    spi_pins = {pin.number for pin in UNO.pins if "spi" in pin.functions}
    assert {wiring.spi.out_pin, wiring.spi.in_pin, wiring.spi.clock_pin} < spi_pins
    assert set(wiring.motors) == {"A", "B"}
    for motor in wiring.motors.values():
        speed = UNO.pin(motor.pwm_pin)
        assert speed is not None
        assert "pwm" in speed.functions
        assert motor.direction_pin is not None
        assert UNO.pin(motor.direction_pin) is not None


def test_a_board_without_wiring_has_none() -> None:
    assert wiring_of("no-such-board").motors == {}
    assert read_wiring({"motors": {"fan": {"pwm": 5}}}).motors["fan"].direction_pin is None
