"""LED commands: led_set, led_blink, led_breath. Without a pin they mean the board's own LED."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.handlers.pin_rules import allowed_pins, gpio, needs_pin, read_back
from zeroclaw_desktop.execution.handlers.pins import PWM_STEPS, set_low
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Checker, Command, HandlerContext, Outcome, PassingState

LED = Param("int", "Pin of the LED; without it the board's own LED", minimum=0, maximum=255)
BREATH_STEP_SECONDS = 0.04
BREATH_PERIOD_SECONDS = 3.0


def _fill_led(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    if params.get("pin") is None and board.profile.led_pin is not None:
        return {**params, "pin": board.profile.led_pin}
    return params


def _fill_fading_led(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    """The board's LED when it can fade; otherwise the pin stays open and the check names those that can."""
    fading = {pin.number for pin in allowed_pins(board, "pwm")}
    return _fill_led(params, board) if params.get("pin") is not None or fading else params


def _needs_led(function: str) -> Checker:
    """As ``needs_pin``, and says why a colour LED cannot stand in for the pin that is missing."""

    def check(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
        rgb = board.profile.rgb_led
        if params.get("pin") is None and rgb is not None:
            message = (
                f"The LED of this board is a {rgb.kind.upper()} on pin {rgb.pin}, which takes data and not a "
                "level. Say at which pin your own LED is."
            )
            return [fault(Code.MISSING_PARAMETER, message, "pin")]
        return needs_pin(function)(params, board)

    return check


def _level(board: BoardInfo, pin: int, brightness: float) -> float:
    """Level or duty, 0..1, with which an LED shines so brightly; the board's own may shine while low.

    The safe state after a time-out or a stop is low all the same: what a stop does to a pin never depends on
    what hangs on it.
    """
    inverted = board.profile.led_active_low and pin == board.profile.led_pin
    return 1 - brightness if inverted else brightness


async def _write(context: HandlerContext, params: Mapping[str, Any], brightness: int) -> None:
    level = round(_level(context.board, params["pin"], brightness))
    await context.link.request("gpio_write", {"pin": params["pin"], "value": level})


async def _led_set(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await _write(context, params, params["state"])
    return Outcome({"pin": params["pin"], "state": params["state"]}, await read_back(context, params["pin"]))


def _plan_state(
    params: Mapping[str, Any], board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    after = _level(board, params["pin"], params["state"])
    return (PinChange(params["pin"], before.shown if before else None, after),)


async def _led_blink(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    pin = params["pin"]
    await _write(context, params, 0)  # what a former run left is cleared
    for _ in range(params["count"]):
        await _write(context, params, 1)
        await context.sleep(params["interval"])
        await _write(context, params, 0)
        await context.sleep(params["interval"])
    return Outcome({"pin": pin, "count": params["count"]}, await read_back(context, pin))


def _plan_off(
    params: Mapping[str, Any], board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    after = _level(board, params["pin"], 0)
    return (PinChange(params["pin"], before.shown if before else None, after),)


def _blink_on(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[PassingState]:
    on, interval = PinChange(params["pin"], 0, 1), params["interval"]
    return (PassingState(on, interval, params["count"], interval, from_rest=True),)


def _breath_steps(params: Mapping[str, Any], board: BoardInfo) -> int:
    """How many duties a breath goes through; fewer on a pin that may not be changed so often."""
    rate = board.profile.policy(params["pin"]).changes_per_second
    step = BREATH_STEP_SECONDS if rate is None else max(BREATH_STEP_SECONDS, 1.0 / rate)
    return max(1, int(params["duration"] / step))


def _breath_bright(params: Mapping[str, Any], board: BoardInfo) -> Sequence[PassingState]:
    bright, steps = PinChange(params["pin"], 0, 1.0, "pwm"), _breath_steps(params, board)
    return (PassingState(bright, params["duration"], steps=steps, from_rest=True),)


async def _dim(context: HandlerContext, pin: int, brightness: float) -> None:
    duty = round(PWM_STEPS * _level(context.board, pin, brightness))
    await context.link.request("pwm_write", {"pin": pin, "duty": duty})


async def _led_breath(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """Fade up and down; the eye sees brightness as about the square root of the duty."""
    pin, steps = params["pin"], _breath_steps(params, context.board)
    breaths = max(1, round(params["duration"] / BREATH_PERIOD_SECONDS))
    for step in range(steps):
        phase = 0.5 - 0.5 * math.cos(2.0 * math.pi * breaths * step / steps)
        await _dim(context, pin, phase**2)
        await context.sleep(params["duration"] / steps)
    await _dim(context, pin, 0.0)
    return Outcome({"pin": pin, "duration": params["duration"]}, await read_back(context, pin))


LED_COMMANDS: tuple[Command, ...] = (
    Command(
        "led_set",
        "Switch an LED on (1) or off (0).",
        _led_set,
        {"state": Param("int", "1 is on, 0 is off", required=True, choices=(0, 1)), "pin": LED},
        Permission.SKILL,
        fill=_fill_led,
        check=_needs_led("digital"),
        pin_roles=frozenset({"led", "switch", "dimmer"}),
        resources=gpio("write"),
        plan=_plan_state,
        idempotent=True,
        cancel=set_low,
    ),
    Command(
        "led_blink",
        "Blink an LED a number of times; it is off afterwards.",
        _led_blink,
        {
            "count": Param("int", "How many times", default=3, minimum=1, maximum=100),
            "interval": Param("float", "Time on, and time off", False, 0.3, 0.05, 5.0, unit="s"),
            "pin": LED,
        },
        Permission.SKILL,
        fill=_fill_led,
        check=_needs_led("digital"),
        pin_roles=frozenset({"led"}),
        resources=gpio("write"),
        plan=_plan_off,
        passing=_blink_on,
        cancel=set_low,
        default_timeout=1_010.0,
    ),
    Command(
        "led_breath",
        "Fade an LED softly up and down; needs a PWM pin.",
        _led_breath,
        {"duration": Param("float", "How long", False, 3.0, 1.0, 60.0, unit="s"), "pin": LED},
        Permission.SKILL,
        fill=_fill_fading_led,
        check=_needs_led("pwm"),
        pin_roles=frozenset({"led"}),
        resources=gpio("write"),
        plan=_plan_off,
        passing=_breath_bright,
        cancel=set_low,
        default_timeout=90.0,
    ),
)
