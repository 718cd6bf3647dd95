"""Analog pins as parameters: by name (``A0``, ``GP26``) or number, and how the converter is asked for one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.boards import BoardInfo, PinProfile
from zeroclaw_desktop.execution.handlers.pin_rules import pin_faults
from zeroclaw_desktop.execution.params import Param

MAX_NUMBER = 999
_CHANNEL = re.compile(r"A(\d{1,2})")
_NUMBER = re.compile(r"[Dd]?(\d{1,3})")


def analog_param(description: str, *, required: bool = False) -> Param:
    """The parameter ``pin``: an analog pin by number or name; ``D7`` is a number where it is no name."""
    pattern = r"[Aa]\d{1,2}|[B-Zb-z]?\d{1,3}|[A-Za-z]{2,4}\d{1,3}"
    return Param("str", description, required=required, pattern=pattern, pattern_words="A0")


def fill_analog(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    """Take a pin number for the pin's name; what has no analog input is told by the check."""
    number = params.get("pin")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MAX_NUMBER:
        return params
    pin = board.profile.pin(number)
    return {**params, "pin": pin.name if pin is not None else str(number)}


def analog_pin(name: str, board: BoardInfo) -> PinProfile | None:
    """The pin that the parameter names."""
    number = _NUMBER.fullmatch(name)
    found = board.profile.pin_named(name)
    return board.profile.pin(int(number.group(1))) if number and found is None else found


def analog_faults(name: str, board: BoardInfo) -> list[ActionFault]:
    """Faults of a pin without an analog input (0x12), with the names of those that have one."""
    pin = analog_pin(name, board)
    number = _NUMBER.fullmatch(name)
    unknown: int | str = int(number.group(1)) if number else name
    return pin_faults(board, pin.number if pin is not None else unknown, "analog")


def converter_args(pin: PinProfile) -> Mapping[str, int]:
    """Arguments of the protocol's ``adc_read``: the channel of a pin that is named after it, else the pin."""
    channel = _CHANNEL.fullmatch(pin.name)
    return {"channel": int(channel.group(1))} if channel else {"pin": pin.number}
