"""What each command about pins and buses asks of its board: commands of the protocol (HW-5).

A command is offered while a connected board knows one of them. What is missing here is no matter of what the
board's firmware knows and is always offered.
"""

from __future__ import annotations

from collections.abc import Mapping

_BY_NAME: Mapping[str, tuple[str, ...]] = {
    "digital_read": ("gpio_read",),
    "digital_write": ("gpio_write",),
    "pin_mode": ("pin_mode",),
    "analog_read": ("adc_read",),
    "pwm_write": ("pwm_write",),
    "led_set": ("gpio_write",),
    "led_blink": ("gpio_write",),
    "led_breath": ("pwm_write",),
    "servo_move": ("servo_write",),
    "tone": ("tone",),
    "i2c_scan": ("i2c_scan",),
    "i2c_read": ("i2c_read",),
    "i2c_write": ("i2c_write",),
    "spi_transfer": ("spi_transfer",),
    "uart_write": ("uart_write",),
    "uart_read": ("uart_read",),
    "motor_start": ("motor_start",),
    "motor_stop": ("motor_stop",),
    "sensor_read": ("adc_read", "i2c_read"),
    "board_info": ("ping", "capabilities", "state"),
    "board_reset": ("board_reset",),
    "plot_series": ("subscribe",),
    "telemetry_stop": ("unsubscribe",),
    "serial_send": ("ping", "capabilities", "gpio_write"),
    "output_release": ("gpio_write",),
    "board_safe": ("stop_all",),
}

PROTOCOL_COMMANDS = frozenset(name for names in _BY_NAME.values() for name in names) | {
    "servo_detach",
    "no_tone",
    "watchdog_host",
}
"""Every command of firmware/protocol/SPEC.md."""


def needs_of(command: str) -> frozenset[str]:
    """Commands of the protocol of which the board must know one; empty for a command that needs none."""
    return frozenset(_BY_NAME.get(command, ()))
