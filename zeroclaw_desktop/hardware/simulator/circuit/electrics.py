"""The formulas of the virtual parts. Volts, amperes as mA, degrees Celsius, seconds, hertz. Pure.

The words for people and the sources of the numbers are in ``resources/simulator/parts.toml``.
"""

from __future__ import annotations

import math

SERIES_OHMS = 220.0
PIN_OHMS = 25.0
"""Output resistance of a pin: about 0.5 V are lost at 20 mA (ATmega328P data sheet, pin driver strength)."""
FORWARD_VOLTS = {"red": 2.0, "yellow": 2.1, "green": 2.2, "blue": 3.2, "white": 3.2}
"""Typical 5 mm LEDs at 10 to 20 mA."""
RGB_FORWARD_VOLTS = {"red": 2.0, "green": 3.2, "blue": 3.2}
FULL_LIGHT_MILLIAMPS = 1.0
"""From this current on an LED looks lit; below it, it fades."""
TMP36_OFFSET_VOLTS = 0.5
TMP36_VOLTS_PER_DEGREE = 0.010
NTC_OHMS_25 = 10_000.0
NTC_BETA = 3_950.0
DIVIDER_OHMS = 10_000.0
KELVIN = 273.15
SERVO_0_US, SERVO_180_US = 544.0, 2_400.0
SERVO_HERTZ = (40.0, 100.0)
SERVO_SLACK_US = 100.0
"""So far beyond the ends a pulse still counts as one for the end."""
MOTOR_RPM, MOTOR_MILLIAMPS, MOTOR_STALL_MILLIAMPS = 250.0, 160.0, 1_500.0
BUZZER_HERTZ = (31.0, 20_000.0)


def led_milliamps(supply: float, forward: float) -> float:
    """Current of an LED with its resistor while the pin is high; 0 when the supply is too low."""
    return max(0.0, supply - forward) / (SERIES_OHMS + PIN_OHMS) * 1000.0


def led_brightness(milliamps: float, duty: float) -> float:
    """Light, 0..1: the share of time, less when the current is too small to light it."""
    return duty * min(1.0, milliamps / FULL_LIGHT_MILLIAMPS)


def tmp36_volts(celsius: float) -> float:
    """Output of a TMP36."""
    return TMP36_OFFSET_VOLTS + TMP36_VOLTS_PER_DEGREE * celsius


def ntc_volts(celsius: float, supply: float) -> float:
    """Voltage over an NTC thermistor to ground, with DIVIDER_OHMS to the supply."""
    kelvin = celsius + KELVIN
    ohms = NTC_OHMS_25 * math.exp(NTC_BETA * (1.0 / kelvin - 1.0 / (25.0 + KELVIN)))
    return supply * ohms / (ohms + DIVIDER_OHMS)


def servo_degrees(pulse_us: float, hertz: float) -> float | None:
    """Angle for a pulse width; None when these are no servo pulses."""
    if not SERVO_HERTZ[0] <= hertz <= SERVO_HERTZ[1]:
        return None
    if not SERVO_0_US - SERVO_SLACK_US <= pulse_us <= SERVO_180_US + SERVO_SLACK_US:
        return None
    angle = (pulse_us - SERVO_0_US) * 180.0 / (SERVO_180_US - SERVO_0_US)
    return max(0.0, min(180.0, angle))


def motor_rpm(duty: float, direction: int, blocked: bool) -> float:
    """Speed in revolutions a minute; negative when the direction input is high."""
    return 0.0 if blocked else duty * MOTOR_RPM * (-1 if direction else 1)


def motor_milliamps(duty: float, blocked: bool) -> float:
    """Current that the driver gives the motor."""
    return duty * (MOTOR_STALL_MILLIAMPS if blocked else MOTOR_MILLIAMPS)


def short_milliamps(supply: float) -> float:
    """Current of a pin that drives against a contact."""
    return supply / PIN_OHMS * 1000.0
