"""Every built-in command (EX-18)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.execution.handlers.app import FlashCall, app_commands
from zeroclaw_desktop.execution.handlers.board import BOARD_COMMANDS
from zeroclaw_desktop.execution.handlers.board_needs import needs_of
from zeroclaw_desktop.execution.handlers.bus import BUS_COMMANDS
from zeroclaw_desktop.execution.handlers.leds import LED_COMMANDS
from zeroclaw_desktop.execution.handlers.motion import MOTION_COMMANDS
from zeroclaw_desktop.execution.handlers.motor import MOTOR_COMMANDS
from zeroclaw_desktop.execution.handlers.pins import PIN_COMMANDS
from zeroclaw_desktop.execution.handlers.safety import SAFETY_COMMANDS
from zeroclaw_desktop.execution.handlers.sensors import SENSOR_COMMANDS
from zeroclaw_desktop.execution.registry import CommandRegistry


def register_builtin(
    registry: CommandRegistry,
    boards: BoardAccess,
    flash: FlashCall,
    stop: Callable[[str], Awaitable[EmergencyStopChanged]],
) -> None:
    """Register all of them.

    Args:
        boards: for ``device_list``.
        flash: for ``flash_firmware``.
        stop: (source) -> report, for ``motor_emergency_stop``.
    """
    for command in (
        *PIN_COMMANDS,
        *LED_COMMANDS,
        *MOTION_COMMANDS,
        *BUS_COMMANDS,
        *MOTOR_COMMANDS,
        *SENSOR_COMMANDS,
        *BOARD_COMMANDS,
        *SAFETY_COMMANDS,
    ):
        registry.register(replace(command, asks=needs_of(command.name)))
    for command in app_commands(boards, flash, stop):
        registry.register(command)
