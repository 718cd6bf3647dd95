"""Commands that move or sound: servo_move and tone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.handlers.pin_rules import allowed_pins, gpio, needs_pin, read_back
from zeroclaw_desktop.execution.handlers.pins import PIN
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, PassingState

SERVO_FULL_SPEED = 300.0
"""Degrees a second at speed 1: what a common hobby servo does at 4.8 V (0.2 s for 60 degrees)."""
SERVO_STEP_SECONDS = 0.02


def _fill_servo(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    if params.get("pin") is None:
        pins = allowed_pins(board, "servo")
        if pins:
            return {**params, "pin": pins[0].number}
    return params


async def _servo_move(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    pin, target = params["pin"], float(params["angle"])
    start = (await context.link.observe()).get(pin)
    angle = start.angle if start is not None else None
    step = SERVO_FULL_SPEED * params["speed"] * SERVO_STEP_SECONDS
    while angle is not None and params["speed"] < 1.0 and abs(target - angle) > step:
        angle += step if target > angle else -step
        await context.link.request("servo_write", {"pin": pin, "angle": round(angle)})
        await context.sleep(SERVO_STEP_SECONDS)
    await context.link.request("servo_write", {"pin": pin, "angle": round(target)})
    return Outcome({"pin": pin, "angle": target}, await read_back(context, pin))


def _plan_angle(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    return (PinChange(params["pin"], before.angle if before else None, params["angle"], "servo"),)


async def _servo_release(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """Safe state of a servo: no pulses, so that it does not push."""
    await context.link.request("servo_detach", {"pin": params["pin"]}, timeout=0.8)
    return Outcome()


async def _tone(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    milliseconds = round(params["duration"] * 1000)
    await context.link.request("tone", {"pin": params["pin"], "hz": params["frequency"], "ms": milliseconds})
    await context.sleep(params["duration"])
    return Outcome(
        {"pin": params["pin"], "frequency": params["frequency"]}, await read_back(context, params["pin"])
    )


async def _tone_off(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await context.link.request("no_tone", {"pin": params["pin"]}, timeout=0.8)
    return Outcome()


def _plan_tone(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    return (PinChange(params["pin"], before.shown if before else None, 0, "output"),)


def _tone_sounds(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[PassingState]:
    return (PassingState(PinChange(params["pin"], 0, 1), params["duration"]),)


MOTION_COMMANDS: tuple[Command, ...] = (
    Command(
        "servo_move",
        "Turn a servo to an angle.",
        _servo_move,
        {
            "angle": Param("float", "Target", True, None, 0.0, 180.0, unit="degrees"),
            "speed": Param("float", "Share of full speed", False, 1.0, 0.1, 1.0),
            "pin": Param("int", "Servo pin; without it the board's first", minimum=0, maximum=255),
        },
        Permission.SKILL,
        fill=_fill_servo,
        check=needs_pin("servo"),
        resources=gpio("write"),
        plan=_plan_angle,
        cancel=_servo_release,
        default_timeout=20.0,
    ),
    Command(
        "tone",
        "Play a tone on a pin with a buzzer.",
        _tone,
        {
            "pin": PIN,
            "frequency": Param("int", "Pitch", True, None, 31, 20_000, unit="Hz"),
            "duration": Param("float", "How long", False, 0.5, 0.01, 10.0, unit="s"),
        },
        Permission.SKILL,
        check=needs_pin("digital"),
        pin_roles=frozenset({"buzzer"}),
        resources=gpio("write"),
        plan=_plan_tone,
        passing=_tone_sounds,
        cancel=_tone_off,
        default_timeout=15.0,
    ),
)
