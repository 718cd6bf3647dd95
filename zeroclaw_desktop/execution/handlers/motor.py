"""Commands for direct-current motors behind a driver with a PWM and a direction pin: motor_start, motor_stop.

``motor_stop`` supersedes: whatever was ordered for the motor before it ends, running or waiting, and a run
that ends by it slows down with the ramp of the stop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.bus_requests import known_to_firmware
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_SHARED, pin_faults, read_back
from zeroclaw_desktop.execution.handlers.pins import PWM_STEPS
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, PassingState, ResourceUse
from zeroclaw_desktop.foundation.text import QUOTED, visible

SETTLE_SECONDS = 0.02
"""The firmware moves a ramp once a millisecond; after so long it is over for certain."""
LONGEST_RUN_SECONDS = 600.0
LONGEST_RAMP_SECONDS = 10.0

MOTOR_STOP = "motor_stop"
MOTOR = Param("str", "Name of a motor of the board, instead of its pins", minimum=1, maximum=40)
PWM_PIN = Param("int", "PWM pin of the motor driver", minimum=0, maximum=255)
RAMP = Param("float", "Time to reach the speed", False, 0.3, 0.0, LONGEST_RAMP_SECONDS, unit="s")


def _known_name(name: str, board: BoardInfo) -> str:
    """The name as the board file writes it, letters in any case."""
    return next((known for known in board.profile.wiring.motors if known.casefold() == name.casefold()), name)


def _fill_motor(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    """Put the pins of a named motor in; a motor that the board does not have is told by the check."""
    if not isinstance(params.get("motor"), str):
        return params
    name = _known_name(params["motor"], board)
    params = {**params, "motor": name}
    motor = board.profile.wiring.motors.get(name)
    if motor is None or "pwm_pin" in params:
        return params
    if motor.direction_pin is None or "direction_pin" in params:
        return {**params, "pwm_pin": motor.pwm_pin}
    return {**params, "pwm_pin": motor.pwm_pin, "direction_pin": motor.direction_pin}


def _fill_stopping(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    return {name: value for name, value in _fill_motor(params, board).items() if name != "direction_pin"}


def _motor_faults(params: Mapping[str, Any], board: BoardInfo) -> list[ActionFault]:
    """Which motor is meant must be clear, and its pins must be fit."""
    name, motors = params.get("motor"), board.profile.wiring.motors
    names = ", ".join(motors) or "none"
    if name is not None and name not in motors:
        shown = visible(str(name), QUOTED)
        message = f"{board.profile.name} has no motor '{shown}'; known: {names}."
        return [fault(Code.NOT_A_CHOICE, message, "motor", got=repr(shown), allowed=names)]
    if params.get("pwm_pin") is None:
        message = f"Say which motor: its name ({names}) or its pwm_pin."
        return [fault(Code.MISSING_PARAMETER, message, "pwm_pin", allowed=names)]
    if name is not None and params["pwm_pin"] != motors[name].pwm_pin:
        expected = f"{motors[name].pwm_pin} for motor '{name}'"
        return [fault(Code.BAD_FORMAT, f"'pwm_pin' must be {expected}.", "pwm_pin", expected=expected)]
    return pin_faults(board, params["pwm_pin"], "pwm", "pwm_pin")


def _check_motor(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    return _motor_faults(params, board)


def _check_start(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    faults = _motor_faults(params, board)
    direction_pin = params.get("direction_pin")
    if direction_pin is not None:
        faults += pin_faults(board, direction_pin, "digital", "direction_pin")
        if direction_pin == params.get("pwm_pin"):
            expected = "another pin than pwm_pin"
            message = f"'direction_pin' must be {expected}."
            faults.append(fault(Code.BAD_FORMAT, message, "direction_pin", expected=expected))
    elif params["direction"] == "backward":
        message = "A motor without a direction_pin turns forward only."
        faults.append(fault(Code.MISSING_PARAMETER, message, "direction_pin"))
    return faults


def _motor_uses(params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return (*(ResourceUse(f"gpio:{number}") for number in _pins_of(params)), SERIAL_SHARED)


def _stopped_output(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[str]:
    return (f"gpio:{params['pwm_pin']}",)


def _pins_of(params: Mapping[str, Any]) -> list[int]:
    return [params[name] for name in ("pwm_pin", "direction_pin") if params.get(name) is not None]


async def _halt(context: HandlerContext, params: Mapping[str, Any], ramp: float) -> None:
    """Stop a motor and wait until it has come to its end."""
    await context.link.request("motor_stop", {"pin": params["pwm_pin"], "ramp_ms": round(ramp * 1000)})
    await context.sleep(ramp + SETTLE_SECONDS)


def _runs_otherwise(pins: Mapping[int, PinState], params: Mapping[str, Any], level: int) -> bool:
    """Whether the motor turns the other way now."""
    speed = pins.get(params["pwm_pin"])
    way = pins.get(params["direction_pin"]) if params.get("direction_pin") is not None else None
    is_turning = speed is not None and speed.mode == "pwm" and bool(speed.duty)
    return is_turning and way is not None and way.mode == "output" and way.level != level


async def _motor_start(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """Start, or change the speed; a motor that turns the other way is stopped first, with the same ramp."""
    level, ramp = int(params["direction"] == "backward"), params["ramp"]
    if _runs_otherwise(await context.link.observe(), params, level):
        await _halt(context, params, ramp)
    args: dict[str, Any] = {
        "pin": params["pwm_pin"],
        "duty": max(1, round(params["duty"] * PWM_STEPS)),
        "direction": level,
        "ramp_ms": round(ramp * 1000),
    }
    if params.get("direction_pin") is not None:
        args["dir_pin"] = params["direction_pin"]
    await context.link.request("motor_start", args)
    duration = params.get("duration")
    await context.sleep(max(ramp + SETTLE_SECONDS, duration or 0.0))
    states = await read_back(context, *_pins_of(params))
    if states.get(f"pin_{params['pwm_pin']}", {}).get("mode") != "pwm":
        by = "another command, or the board itself"
        raise FaultError([fault(Code.CANCELLED, f"The motor was stopped by {by}.", by=by)])
    if duration is not None:
        await _halt(context, params, ramp)
        states = await read_back(context, *_pins_of(params))
    names = ("motor", "pwm_pin", "direction", "duty", "duration")
    return Outcome({name: params[name] for name in names if name in params}, states)


def _plan_start(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    speed = pins.get(params["pwm_pin"])
    changes = [PinChange(params["pwm_pin"], speed.shown if speed else None, params["duty"], "pwm")]
    if params.get("direction_pin") is not None:
        way = pins.get(params["direction_pin"])
        level = int(params["direction"] == "backward")
        changes.insert(0, PinChange(params["direction_pin"], way.shown if way else None, level))
    if params.get("duration") is not None:
        changes.append(PinChange(params["pwm_pin"], params["duty"], 0))
    return changes


def _passing_start(params: Mapping[str, Any], _board: BoardInfo) -> Sequence[PassingState]:
    """A run of a known length; one without is ended by the guard of the pins."""
    if params.get("duration") is None:
        return ()
    return (PassingState(PinChange(params["pwm_pin"], 0, params["duty"], "pwm"), params["duration"]),)


async def _motor_stop(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await _halt(context, params, params["ramp"])
    value = {name: params[name] for name in ("motor", "pwm_pin") if name in params}
    return Outcome(value, await read_back(context, params["pwm_pin"]))


def _plan_stop(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    speed = pins.get(params["pwm_pin"])
    return (PinChange(params["pwm_pin"], speed.shown if speed else None, 0),)


async def make_safe(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """Safe state of a motor: no PWM; at once, or with the ramp of the motor_stop that ends the run."""
    args = {"pin": params["pwm_pin"]}
    stop = context.superseded_by
    if stop is not None and stop.action == MOTOR_STOP:
        args["ramp_ms"] = round(stop.params["ramp"] * 1000)
    await context.link.request("motor_stop", args, timeout=0.8)
    return Outcome()


MOTOR_COMMANDS: tuple[Command, ...] = (
    Command(
        "motor_start",
        "Let a motor turn: forward or backward, at a share of full speed, for a time or until it is stopped.",
        _motor_start,
        {
            "motor": MOTOR,
            "pwm_pin": PWM_PIN,
            "direction_pin": Param(
                "int", "Pin of the driver that sets the direction", minimum=0, maximum=255
            ),
            "duty": Param("float", "Share of full speed", True, None, 0.01, 1.0),
            "direction": Param("str", "Way to turn", False, "forward", choices=("forward", "backward")),
            "ramp": RAMP,
            "duration": Param(
                "float",
                "How long; without it until motor_stop",
                False,
                None,
                0.05,
                LONGEST_RUN_SECONDS,
                unit="s",
            ),
        },
        Permission.OPERATOR,
        fill=_fill_motor,
        check=known_to_firmware("motor_start", _check_start),
        resources=_motor_uses,
        plan=_plan_start,
        passing=_passing_start,
        cancel=make_safe,
        default_timeout=LONGEST_RUN_SECONDS + 3 * LONGEST_RAMP_SECONDS,
    ),
    Command(
        MOTOR_STOP,
        "Stop a motor, at once or softly.",
        _motor_stop,
        {
            "motor": MOTOR,
            "pwm_pin": PWM_PIN,
            "ramp": Param("float", "Time to come to a stop", False, 0.0, 0.0, LONGEST_RAMP_SECONDS, unit="s"),
        },
        Permission.SKILL,
        fill=_fill_stopping,
        check=known_to_firmware("motor_stop", _check_motor),
        resources=_motor_uses,
        plan=_plan_stop,
        cancel=make_safe,
        idempotent=True,
        default_timeout=15.0,
        only_makes_safe=True,
        supersedes=_stopped_output,
    ),
)
