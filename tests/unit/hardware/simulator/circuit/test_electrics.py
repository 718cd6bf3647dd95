"""HW-10: the formulas of the virtual parts against the figures of their data sheets."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.hardware.simulator.circuit import electrics


@pytest.mark.parametrize(("celsius", "volts"), [(-40.0, 0.1), (0.0, 0.5), (25.0, 0.75), (125.0, 1.75)])
def test_tmp36_gives_750_mv_at_25_degrees_and_10_mv_a_degree(celsius: float, volts: float) -> None:
    assert electrics.tmp36_volts(celsius) == pytest.approx(volts)


def test_an_ntc_divides_in_half_at_25_degrees_and_falls_when_it_is_warmed() -> None:
    """10 kΩ against 10 kΩ; at 50 degrees 10 kΩ · exp(3950 K · (1/323.15 K − 1/298.15 K)) = 3.588 kΩ."""
    assert electrics.ntc_volts(25.0, 5.0) == pytest.approx(2.5)
    assert electrics.ntc_volts(50.0, 5.0) == pytest.approx(5.0 * 3588 / 13588, abs=0.005)
    assert electrics.ntc_volts(-20.0, 5.0) > electrics.ntc_volts(0.0, 5.0) > electrics.ntc_volts(25.0, 5.0)


def test_the_current_of_an_led_follows_from_its_resistor() -> None:
    """(5 V − 2 V) / (220 Ω + 25 Ω) = 12.24 mA; nothing is left for a blue LED at 3.2 V."""
    assert electrics.led_milliamps(5.0, 2.0) == pytest.approx(12.245, abs=0.001)
    assert electrics.led_milliamps(3.2, 3.2) == 0.0
    assert electrics.led_milliamps(2.8, 3.2) == 0.0
    assert electrics.led_brightness(12.0, 0.25) == 0.25
    assert electrics.led_brightness(0.4, 1.0) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("pulse", "degrees"), [(544, 0.0), (1472, 90.0), (2400, 180.0), (500, 0.0), (2450, 180.0)]
)
def test_a_servo_turns_with_the_width_of_its_pulses(pulse: float, degrees: float) -> None:
    assert electrics.servo_degrees(pulse, 50.0) == pytest.approx(degrees)


@pytest.mark.parametrize(("pulse", "hertz"), [(300, 50.0), (3000, 50.0), (1500, 490.0), (1500, 10.0)])
def test_what_is_no_servo_pulse_moves_no_servo(pulse: float, hertz: float) -> None:
    assert electrics.servo_degrees(pulse, hertz) is None


def test_a_blocked_motor_stands_and_takes_the_stall_current() -> None:
    assert electrics.motor_rpm(0.5, 0, blocked=False) == 125.0
    assert electrics.motor_rpm(0.5, 1, blocked=False) == -125.0
    assert electrics.motor_rpm(0.5, 0, blocked=True) == 0.0
    assert electrics.motor_milliamps(1.0, blocked=False) == 160.0
    assert electrics.motor_milliamps(1.0, blocked=True) == 1500.0
