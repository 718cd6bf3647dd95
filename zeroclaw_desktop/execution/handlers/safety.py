"""Commands that only make things safer: output_release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.handlers.pin_rules import gpio, needs_pin, read_back
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome


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
    ),
)
