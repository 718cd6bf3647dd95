"""Plain pin commands: digital_read, digital_write, pin_mode, analog_read, pwm_write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission, PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.analog_pins import (
    analog_faults,
    analog_param,
    analog_pin,
    converter_args,
    fill_analog,
)
from zeroclaw_desktop.execution.handlers.pin_rules import (
    SERIAL_SHARED,
    gpio,
    needs_pin,
    read_back,
)
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse
from zeroclaw_desktop.foundation.text import visible

PIN = Param("int", "Pin number as printed on the board", required=True, minimum=0, maximum=255)
PWM_STEPS = 255
"""The protocol's duty range, 8 bits."""


def _reading(answer: Any, highest: int) -> int:
    """The number that the board read; upstream firmware sends it as text.

    Raises:
        FaultError: it is no whole number between 0 and ``highest``.
    """
    text = str(answer).strip()
    if text.isascii() and text.isdecimal() and len(text) <= len(str(highest)) and int(text) <= highest:
        return int(text)
    shown = visible(text, 40)
    reason = f"it answered '{shown}', which is no reading from 0 to {highest}"
    raise FaultError([fault(Code.DEVICE_REFUSED, f"The board cannot be read: {reason}.", reason=reason)])


async def _digital_read(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    level = _reading(await context.link.request("gpio_read", {"pin": params["pin"]}), 1)
    return Outcome({"pin": params["pin"], "value": level}, {f"pin_{params['pin']}": {"level": level}})


async def _digital_write(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await context.link.request("gpio_write", {"pin": params["pin"], "value": params["value"]})
    return Outcome({"pin": params["pin"], "value": params["value"]}, await read_back(context, params["pin"]))


def _plan_level(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    return (PinChange(params["pin"], before.shown if before else None, params["value"]),)


async def _pin_mode(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await context.link.request("pin_mode", {"pin": params["pin"], "mode": params["mode"]})
    return Outcome({"pin": params["pin"], "mode": params["mode"]}, await read_back(context, params["pin"]))


def _plan_mode(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    level = before.level if before else None
    return (PinChange(params["pin"], level, level, params["mode"]),)


async def _analog_read(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    profile = context.board.profile
    pin = analog_pin(params["pin"], context.board)
    assert pin is not None  # the checker saw to it
    highest = (1 << profile.adc_bits) - 1
    raw = _reading(await context.link.request("adc_read", converter_args(pin)), highest)
    volts = raw * profile.adc_reference_volts / highest
    value = {"pin": pin.name, "raw": raw, "volts": round(volts, 4)}
    return Outcome(value, {pin.name: {"raw": raw, "volts": round(volts, 4)}})


def _check_analog(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    return analog_faults(params["pin"], board)


def _analog_uses(params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return (ResourceUse(f"adc:{params['pin'].upper()}", "read"), SERIAL_SHARED)


async def _pwm_write(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    await context.link.request("pwm_write", {"pin": params["pin"], "duty": round(params["duty"] * PWM_STEPS)})
    return Outcome({"pin": params["pin"], "duty": params["duty"]}, await read_back(context, params["pin"]))


def _plan_duty(
    params: Mapping[str, Any], _board: BoardInfo, pins: Mapping[int, PinState]
) -> Sequence[PinChange]:
    before = pins.get(params["pin"])
    return (PinChange(params["pin"], before.shown if before else None, params["duty"], "pwm"),)


async def set_low(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """Safe state of a single output."""
    await context.link.request("gpio_write", {"pin": params["pin"], "value": 0}, timeout=0.8)
    return Outcome()


PIN_COMMANDS: tuple[Command, ...] = (
    Command(
        "digital_read",
        "Read whether a digital pin is high (1) or low (0). Does not change the pin.",
        _digital_read,
        {"pin": PIN},
        Permission.OBSERVER,
        check=needs_pin("digital"),
        resources=gpio("read"),
        idempotent=True,
    ),
    Command(
        "digital_write",
        "Make a pin an output and set it high (1) or low (0).",
        _digital_write,
        {"pin": PIN, "value": Param("int", "1 is high, 0 is low", required=True, choices=(0, 1))},
        Permission.ROOT,
        check=needs_pin("digital"),
        pin_roles=frozenset({"led", "switch", "dimmer"}),
        resources=gpio("write"),
        plan=_plan_level,
        idempotent=True,
        cancel=set_low,
    ),
    Command(
        "pin_mode",
        "Set the direction of a pin.",
        _pin_mode,
        {
            "pin": PIN,
            "mode": Param("str", "Direction", required=True, choices=("input", "input_pullup", "output")),
        },
        Permission.ROOT,
        check=needs_pin("digital"),
        resources=gpio("write"),
        plan=_plan_mode,
        idempotent=True,
    ),
    Command(
        "analog_read",
        "Measure the voltage at an analog pin.",
        _analog_read,
        {"pin": analog_param("Analog pin, e.g. A0", required=True)},
        Permission.OBSERVER,
        fill=fill_analog,
        check=_check_analog,
        resources=_analog_uses,
        idempotent=True,
    ),
    Command(
        "pwm_write",
        "Set the duty cycle of a PWM pin: 0 is off, 1 is fully on.",
        _pwm_write,
        {"pin": PIN, "duty": Param("float", "Share of the time that the pin is high", True, None, 0.0, 1.0)},
        Permission.SKILL,
        check=needs_pin("pwm"),
        pin_roles=frozenset({"led", "dimmer"}),
        resources=gpio("write"),
        plan=_plan_duty,
        idempotent=True,
        cancel=set_low,
    ),
)
