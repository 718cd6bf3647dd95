"""Registered commands for tiles: which there are, what is wrong with an order, how it leaves pins. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.bridge.error_text import fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.execution.params import Param
    from zeroclaw_desktop.execution.preparation import Prepared
    from zeroclaw_desktop.execution.registry import Command
    from zeroclaw_desktop.runtime.runtime import Runtime

_NEEDS_A_BOARD = ("device_id",)
_DRIVEN = ("output", "pwm", "servo")
_CLOSE_SHARE, _CLOSE_ANGLE = 1 / 128, 0.5
"""Duties are 8 bits on the wire and angles whole degrees: what is read back is not exactly what was asked."""


@dataclass(frozen=True)
class ParamView:
    """One parameter of a command.

    Attributes:
        type: ``int``, ``float``, ``bool``, ``str``, ``list`` or ``dict``.
        minimum, maximum: inclusive, in ``unit``; None for no limit.
    """

    name: str
    type: str
    description: str = ""
    required: bool = False
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class CommandView:
    """A command that a board can do now."""

    name: str
    title: str
    description: str
    params: tuple[ParamView, ...] = ()

    def param(self, name: str) -> ParamView | None:
        """The parameter of this name; None when there is none."""
        return next((param for param in self.params if param.name == name), None)


def command_views(runtime: Runtime, language: Language) -> list[CommandView]:
    """Every command that a connected board can do and that is about a board, by name."""
    commands = (command for command in runtime.registry.list_commands() if command.needs_board)
    return [_view(command, language) for command in commands]


def _view(command: Command, language: Language) -> CommandView:
    params = tuple(_param(name, param) for name, param in command.schema.items())
    return CommandView(command.name, action_sentence(command.name, {}, language), command.description, params)


def _param(name: str, param: Param) -> ParamView:
    return ParamView(
        name,
        param.type,
        param.description,
        param.required,
        param.default,
        param.minimum,
        param.maximum,
        param.choices,
        param.unit,
    )


def _prepared(
    runtime: Runtime, board_id: str, command: str, params: Mapping[str, Any]
) -> Prepared | tuple[Any, ...]:
    """What the execution layer would decide; its faults when it would refuse."""
    from zeroclaw_desktop.execution.errors import FaultError
    from zeroclaw_desktop.execution.payloads import make_payload
    from zeroclaw_desktop.execution.preparation import prepare

    payload = make_payload(command, params, source="manual", device_id=board_id)
    boards = runtime.roster.boards()
    try:
        return prepare(
            payload, runtime.registry, boards, runtime.roster.pin_states, runtime.executor.ceilings
        )
    except FaultError as error:
        return tuple(error.faults)


def order_problems(
    runtime: Runtime, board_id: str, command: str, params: Mapping[str, Any], language: Language
) -> list[ErrorView]:
    """Why the door would refuse an order; that the board is away is not counted."""
    found = _prepared(runtime, board_id, command, params)
    if not isinstance(found, tuple):
        return []
    return [fault_view(fault, language) for fault in found if fault.param not in _NEEDS_A_BOARD]


def pins_left(
    runtime: Runtime, board_id: str, command: str, params: Mapping[str, Any]
) -> dict[int, float] | None:
    """How an order leaves pins: level, duty or angle by pin; None when nobody can say."""
    found = _prepared(runtime, board_id, command, params)
    if isinstance(found, tuple) or not found.changes:
        return None
    left = {change.pin: change.after for change in found.changes}
    return {pin: float(after) for pin, after in left.items() if after is not None} or None


def pins_are(runtime: Runtime, board_id: str, wanted: Mapping[int, float]) -> bool | None:
    """Whether pins were read back as wanted; None when one of them was never read."""
    states = runtime.roster.pin_states(board_id)
    values = [(states[pin].shown if pin in states else None, after) for pin, after in wanted.items()]
    if any(value is None for value, _ in values):
        return None
    return all(
        abs(float(value) - after) <= (_CLOSE_ANGLE if after > 1 else _CLOSE_SHARE)
        for value, after in values
        if value is not None
    )


def value_read_back(
    runtime: Runtime, board_id: str, command: str, params: Mapping[str, Any], parameter: str
) -> float | None:
    """What a pin was read back as, for a parameter that is the value of one pin; None when nobody can say.

    Args:
        params: a complete order; its value of ``parameter`` only serves to find the pin.
    """
    wanted = pins_left(runtime, board_id, command, params)
    if wanted is None or len(wanted) != 1:
        return None
    (pin, left) = next(iter(wanted.items()))
    state = runtime.roster.pin_states(board_id).get(pin)
    if left != params.get(parameter) or state is None or state.mode not in _DRIVEN:
        return None
    return None if state.shown is None else float(state.shown)


def limited_range(
    runtime: Runtime, board_id: str, param: ParamView, params: Mapping[str, Any], command: str = ""
) -> tuple[float | None, float | None]:
    """Range of a numeric parameter: the schema's, made narrower by the limits of the pin that it is for.

    Args:
        params: the other parameters; ``pin`` tells whose limits count.
    """
    low, high = param.minimum, param.maximum
    board = next((one for one in runtime.roster.boards() if one.board_id == board_id), None)
    if board is None:
        return low, high
    pin = params.get("pin")
    registered = runtime.registry.find(command)
    if pin is None and registered is not None:
        pin = registered.fill(params, board).get("pin")
    if type(pin) is not int:
        return low, high
    policy = board.profile.policy(pin)
    if param.name == "duty":
        high = policy.max_duty if high is None else min(high, policy.max_duty)
    elif param.name == "angle":
        low = policy.min_angle if low is None else max(low, policy.min_angle)
        high = policy.max_angle if high is None else min(high, policy.max_angle)
    return low, high
