"""Which commands need the lock of their device (EX-19): those that may change what it does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.execution.payloads import make_payload

LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("digital_read", {"pin": 7}),
    ("analog_read", {"pin": "A0"}),
    ("board_info", {}),
    ("telemetry_stop", {}),
    ("device_list", {}),
]
MAKES_SAFE: list[tuple[str, dict[str, Any]]] = [
    ("output_release", {"pin": 13}),
    ("board_safe", {}),
    ("motor_stop", {"pwm_pin": 5}),
    ("motor_emergency_stop", {}),
]
DRIVES: list[tuple[str, dict[str, Any]]] = [
    ("led_set", {"state": 1}),
    ("led_blink", {}),
    ("led_breath", {"pin": 9}),
    ("digital_write", {"pin": 7, "value": 1}),
    ("pin_mode", {"pin": 7, "mode": "input"}),
    ("pwm_write", {"pin": 9, "duty": 0.5}),
    ("servo_move", {"pin": 9, "angle": 90}),
    ("serial_send", {"text": "x"}),
    ("board_reset", {}),
    ("flash_firmware", {}),
    ("i2c_write", {"addr": 80, "data": [1]}),
]


@pytest.mark.parametrize(("action", "params"), [*LOOKS, *MAKES_SAFE, *DRIVES], ids=lambda value: str(value))
def test_what_drives_needs_the_lock(action: str, params: dict[str, Any]) -> None:
    """EX-19, EX-16: readings and whatever makes safe are never held up by another program."""
    prepared = Door().executor.prepare(make_payload(action, params, source="manual"))
    assert prepared.drives is ((action, params) in DRIVES)


def test_every_command_is_judged() -> None:
    """A new command that changes something is for more than observers, or makes safe."""
    judged = {action for action, _ in (*LOOKS, *MAKES_SAFE, *DRIVES)}
    for command in Door().registry.list_commands():
        if command.name in judged or command.only_makes_safe or not command.needs_board:
            continue
        assert command.permission > 0 or command.name in {"plot_series", "sensor_read", "uart_read"}
