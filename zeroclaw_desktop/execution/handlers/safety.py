"""Commands that only make things safer: output_release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_ALONE, gpio, needs_pin, read_back, snapshot
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse


async def _output_release(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    pin = params["pin"]
    state = (await context.link.observe()).get(pin)
    if state is not None and state.mode == "servo":
        await context.link.request("servo_detach", {"pin": pin})
    elif state is None or state.mode in ("output", "pwm"):
        await context.link.request("gpio_write", {"pin": pin, "value": 0})
    return Outcome({"pin": pin}, await read_back(context, pin))


def _plan_low(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    return (PinChange(params["pin"], before.shown if before else None, 0),)


async def _board_safe(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    result = await context.link.request("stop_all", {})
    stopped = result.get("stopped", 0) if isinstance(result, Mapping) else 0
    pins = await context.link.observe()
    return Outcome({"stopped": stopped}, snapshot(pins, *pins))


def _plan_all_low(
    _params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    return tuple(
        PinChange(number, state.shown, 0)
        for number, state in pins.items()
        if state.mode in ("output", "pwm", "servo")
    )


def _one_output(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[str]:
    return (f"gpio:{params['pin']}",)


def _all_outputs(_params: Mapping[str, Any], board: BoardInfo) -> Sequence[str]:
    return [f"gpio:{pin.number}" for pin in board.profile.pins]


def _whole_board(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return (SERIAL_ALONE,)


SAFETY_COMMANDS: tuple[Command, ...] = (
    Command(
        "output_release",
        "Put one output into its safe state: low, and a servo without pulses.",
        _output_release,
        {"pin": Param("int", "Pin number as printed on the board", required=True, minimum=0, maximum=255)},
        Permission.OBSERVER,
        check=needs_pin("digital"),
        resources=gpio("write"),
        plan=_plan_low,
        idempotent=True,
        default_timeout=5.0,
        only_makes_safe=True,
        supersedes=_one_output,
    ),
    Command(
        "board_safe",
        "Put all outputs of one board into their safe state.",
        _board_safe,
        permission=Permission.OBSERVER,
        resources=_whole_board,
        plan=_plan_all_low,
        idempotent=True,
        default_timeout=5.0,
        only_makes_safe=True,
        supersedes=_all_outputs,
    ),
)
