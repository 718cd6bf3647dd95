"""Pin policy: which pins a board lets be used for what, and how handlers read pins back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.boards import BoardInfo, PinProfile, PinState
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.registry import Checker, HandlerContext, ResourceUse

_LACKS = {
    "digital": Words("it is not a digital pin.", "它不是数字引脚。"),
    "analog": Words("it has no analog input.", "它没有模拟输入。"),
    "pwm": Words("it has no PWM, so it cannot fade.", "它没有 PWM，不能调光。"),
    "servo": Words("the firmware drives no servo there.", "固件不能在这里驱动舵机。"),
}


def allowed_pins(board: BoardInfo, function: str) -> list[PinProfile]:
    """Pins of a board that have a function and are not reserved."""
    return [pin for pin in board.profile.pins if function in pin.functions and not pin.reserved]


def pin_faults(board: BoardInfo, number: int | str, function: str, param: str = "pin") -> list[ActionFault]:
    """Faults of using a pin for a function on this board; empty when it is allowed.

    Args:
        number: the pin's number, or the name of one that the board does not have.
    """
    pin = board.profile.pin(number) if isinstance(number, int) else None
    if pin is not None and not pin.reserved and function in pin.functions:
        return []
    if pin is None:
        reason = Words(f"{board.profile.name} has no such pin.", f"{board.profile.name} 没有这个引脚。")
    elif pin.reserved and pin.note:
        reason = Words(f"it is reserved ({pin.note}).", f"它被保留（{pin.notes.get('zh', pin.note)}）。")
    elif pin.reserved:
        reason = Words("it is reserved.", "它被保留。")
    else:
        reason = _LACKS[function]
    names = ", ".join(pin.name for pin in allowed_pins(board, function))
    return [illegal_pin(number, reason, names or "none", param)]


def illegal_pin(number: int | str, reason: Words, allowed: str, param: str) -> ActionFault:
    """A pin that cannot be used for something (0x12), with those that can."""
    return fault(
        Code.ILLEGAL_PIN,
        f"Pin {number} cannot be used for this: {reason.en} Choose one of: {allowed}.",
        param,
        pin=number,
        reason=reason.en,
        reason_zh=reason.zh,
        allowed=allowed,
    )


def needs_pin(function: str) -> Checker:
    """A checker for commands with a ``pin`` parameter."""

    def check(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
        if params.get("pin") is None:  # a board without a pin of its own for this
            return [fault(Code.MISSING_PARAMETER, "The parameter 'pin' is missing.", "pin")]
        return pin_faults(board, params["pin"], function)

    return check


def gpio(mode: str) -> Any:
    """Resources of a command with a ``pin``: that pin, read or written, and the shared serial line."""

    def uses(params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
        write = "write" if mode == "write" else "read"
        return (ResourceUse(f"gpio:{params['pin']}", "write" if write == "write" else "read"), SERIAL_SHARED)

    return uses


SERIAL_SHARED = ResourceUse("serial", "read")
"""Requests carry ids, so many may be on the line at once."""
SERIAL_ALONE = ResourceUse("serial", "write")
"""For what needs the port for itself: flashing, resetting."""


def snapshot(pins: Mapping[int, PinState], *numbers: int) -> dict[str, Any]:
    """Hardware states of some pins, as read back."""
    rows: dict[str, Any] = {}
    for number in numbers:
        state = pins.get(number)
        if state is None:
            continue
        row: dict[str, Any] = {"mode": state.mode, "level": state.level}
        if state.duty is not None:
            row["duty"] = round(state.duty, 4)
        if state.angle is not None:
            row["angle"] = state.angle
        rows[f"pin_{number}"] = row
    return rows


async def read_back(context: HandlerContext, *numbers: int) -> dict[str, Any]:
    """Ask the board for its pins and return the named ones."""
    return snapshot(await context.link.observe(), *numbers)
