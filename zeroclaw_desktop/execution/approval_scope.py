"""What an answer covers (SC-1, SC-11): pure decisions over what was shown and what is asked now.

A remembered answer never covers more than its card said: the same command with the same values on the same
device, by the same source, at the same risk, with the pins as they were or as the action leaves them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import PinChange
from zeroclaw_desktop.contracts.approvals import ApprovalScope, BoardBinding, Risk, ShownPin, ValueRange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinState
from zeroclaw_desktop.execution.preparation import Prepared
from zeroclaw_desktop.execution.registry import Command
from zeroclaw_desktop.foundation.text import visible

SPANS = {"pwm_write": "duty", "servo_move": "angle"}
"""Commands whose value may be remembered as a range, and the parameter."""
MOST_SHOWN = 200
"""Characters of parameters that a card shows whole; longer ones are not remembered."""
READ_BACK = {"pwm": 0.5 / 255, "servo": 0.5}
"""How far what is read back may be from what was told: half a step of the protocol, half a degree."""


def risk_of(command: Command, *, shows_effect: bool) -> Risk:
    """How far a command may reach.

    Args:
        shows_effect: whether the pins that it changes are known beforehand.
    """
    strange = command.owner != "built-in" or not command.for_models
    if strange or not command.needs_board or not command.needs_live or command.when_stopped:
        return Risk.HIGH
    if shows_effect or command.only_makes_safe:
        return Risk.MEDIUM
    return Risk.LOW if command.idempotent else Risk.HIGH


def binding_of(board: BoardInfo) -> BoardBinding:
    """The board as an answer is bound to it."""
    return BoardBinding(
        board.instance or board.board_id,
        board.profile.key,
        board.firmware,
        tuple(sorted(board.profile.policies.items(), key=lambda item: item[0])),
        board.named_pins,
    )


def scope_of(prepared: Prepared, pins: Mapping[int, PinState]) -> ApprovalScope:
    """What a question about an action shows.

    Args:
        pins: of its board, as last observed.
    """
    params = tuple((name, _json(value)) for name, value in sorted(prepared.params.items()))
    shown = tuple(_shown(change, pins.get(change.pin)) for change in prepared.states)
    return ApprovalScope(
        prepared.command.name,
        params,
        prepared.payload.source,
        prepared.needed.label,
        risk_of(prepared.command, shows_effect=bool(shown)),
        binding_of(prepared.board) if prepared.board is not None else None,
        shown,
        _span(prepared, shown),
    )


def rememberable(scope: ApprovalScope) -> bool:
    """Whether a card may offer to remember the answer: never at high risk, nor what it cannot show whole."""
    text = "".join(name + value for name, value in scope.params)
    whole = len(text) <= MOST_SHOWN and visible(text) == text
    return scope.risk is not Risk.HIGH and scope.board is not None and whole


def covers(rule: ApprovalScope, asked: ApprovalScope) -> bool:
    """Whether an answer that was given to ``rule`` holds for ``asked`` as well."""
    same = (rule.action, rule.source, rule.level, rule.risk, rule.board) == (
        asked.action, asked.source, asked.level, asked.risk, asked.board,
    )  # fmt: skip
    if not same or not rememberable(rule) or not rememberable(asked):
        return False
    return _params_covered(rule, asked) and _pins_covered(rule, asked)


def _params_covered(rule: ApprovalScope, asked: ApprovalScope) -> bool:
    wanted, given = dict(rule.params), dict(asked.params)
    if wanted.keys() != given.keys():
        return False
    ranged = rule.span.param if rule.span is not None else ""
    if any(wanted[name] != given[name] for name in wanted if name != ranged):
        return False
    return rule.span is None or rule.span.low <= float(given[ranged]) <= rule.span.high


def _pins_covered(rule: ApprovalScope, asked: ApprovalScope) -> bool:
    if len(rule.pins) != len(asked.pins):
        return False
    return all(_pin_covered(old, new, rule.span) for old, new in zip(rule.pins, asked.pins, strict=True))


def _pin_covered(old: ShownPin, new: ShownPin, span: ValueRange | None) -> bool:
    if (old.pin, old.new_mode) != (new.pin, new.new_mode):
        return False
    if span is None:
        if old.after != new.after:
            return False
    elif new.after is None or not span.low <= new.after <= span.high:
        return False
    if (old.mode, old.before) == (new.mode, new.before):
        return True
    if new.mode != old.new_mode or new.before is None:
        return False
    play = READ_BACK.get(new.mode, 0.0)
    if span is not None:
        return span.low - play <= new.before <= span.high + play
    return old.after is not None and abs(new.before - old.after) <= play


def _shown(change: PinChange, state: PinState | None) -> ShownPin:
    mode = state.mode if state is not None else "unknown"
    ours = state is not None and not mode.startswith("input")
    return ShownPin(
        change.pin, mode, state.shown if state is not None and ours else None, change.mode, change.after
    )


def _span(prepared: Prepared, shown: tuple[ShownPin, ...]) -> ValueRange | None:
    """From where the pin is to where it is asked to go, when it is that kind of output already."""
    param = SPANS.get(prepared.command.name, "")
    if not param or len(shown) != 1:
        return None
    pin = shown[0]
    if pin.mode != pin.new_mode or pin.before is None or pin.after is None:
        return None
    low, high = sorted((float(pin.before), float(pin.after)))
    return ValueRange(param, low, high)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=repr)
