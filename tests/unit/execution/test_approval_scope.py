"""What a remembered answer covers (SC-11): never more than its card said, whatever is asked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.execution import Door
from tests.helpers.loopback_board import LoopbackBoards
from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.contracts.approvals import ApprovalScope, BoardBinding, Risk, ShownPin, ValueRange
from zeroclaw_desktop.contracts.boards import NamedPin, PinPolicy, PinState
from zeroclaw_desktop.execution.approval_scope import covers, rememberable, scope_of
from zeroclaw_desktop.execution.payloads import make_payload

BOARD = BoardBinding("usb:2341:0043:A1", "arduino-uno", "zeroclaw 1.0")
WRITE = ApprovalScope(
    "digital_write",
    (("pin", "7"), ("value", "1")),
    "agent",
    "root",
    Risk.MEDIUM,
    BOARD,
    (ShownPin(7, "output", 0, "output", 1),),
)
DUTY = ApprovalScope(
    "pwm_write",
    (("duty", "0.4"), ("pin", "9")),
    "agent",
    "root",
    Risk.MEDIUM,
    BOARD,
    (ShownPin(9, "pwm", 0.0, "pwm", 0.4),),
    ValueRange("duty", 0.0, 0.4),
)


def scope(action: str, params: dict[str, Any], pins: dict[int, PinState] | None = None) -> ApprovalScope:
    """The scope of an agent's action on the loopback board."""
    door = Door()
    door.executor.ceilings["agent"] = Permission.OBSERVER
    prepared = door.executor.prepare(make_payload(action, params, source="agent"))
    return scope_of(prepared, pins or {})


def test_the_same_question_is_covered() -> None:
    assert covers(WRITE, WRITE)
    assert covers(DUTY, DUTY)


@pytest.mark.parametrize(
    "change",
    [
        {"action": "pin_mode"},
        {"source": "schedule"},
        {"level": "operator"},
        {"risk": Risk.LOW},
        {"risk": Risk.HIGH},
        {"params": (("pin", "8"), ("value", "1"))},
        {"params": (("pin", "7"), ("value", "0"))},
        {"params": (("pin", "7"), ("value", "true"))},
        {"params": (("pin", "7"),)},
        {"params": (("pin", "7"), ("value", "1"), ("more", "1"))},
        {"board": None},
        {"board": replace(BOARD, instance="usb:2341:0043:B2")},
        {"board": replace(BOARD, kind="arduino-mega")},
        {"board": replace(BOARD, firmware="zeroclaw 1.1")},
        {"board": replace(BOARD, named_pins=(NamedPin("heater", 7, "switch"),))},
        {"board": replace(BOARD, policies=((7, PinPolicy(max_on_seconds=5.0)),))},
        {"pins": ()},
        {"pins": (ShownPin(7, "output", 0, "pwm", 1),)},
        {"pins": (ShownPin(8, "output", 0, "output", 1),)},
        {"pins": (ShownPin(7, "servo", 90, "output", 1),)},
        {"pins": (ShownPin(7, "input", None, "output", 1),)},
        {"pins": (ShownPin(7, "output", None, "output", 1),)},
        {"pins": (*WRITE.pins, ShownPin(8, "output", 0, "output", 1))},
    ],
)
def test_whatever_differs_asks_again(change: dict[str, Any]) -> None:
    assert not covers(WRITE, replace(WRITE, **change))


def test_a_pin_that_is_as_the_command_left_it_is_covered() -> None:
    """Otherwise a rule would end by its own use."""
    assert covers(WRITE, replace(WRITE, pins=(ShownPin(7, "output", 1, "output", 1),)))


@given(st.floats(-1.0, 2.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_range_covers_what_lies_in_it_and_nothing_else(value: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    rule = replace(DUTY, span=ValueRange("duty", low, high))
    asked = replace(
        DUTY,
        params=(("duty", json.dumps(value)), ("pin", "9")),
        pins=(ShownPin(9, "pwm", low, "pwm", value),),
    )
    assert covers(rule, asked) is (low <= value <= high)


SIMPLE = st.one_of(st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0]))
SCOPES = st.builds(
    ApprovalScope,
    st.sampled_from(["digital_write", "pwm_write"]),
    st.builds(
        lambda pin, duty: (("duty", json.dumps(duty)), ("pin", json.dumps(pin))), st.integers(7, 9), SIMPLE
    ),
    st.sampled_from(["agent", "sop"]),
    st.sampled_from(["root", "skill"]),
    st.sampled_from(list(Risk)),
    st.sampled_from([BOARD, replace(BOARD, instance="other"), replace(BOARD, firmware="2"), None]),
    st.lists(
        st.builds(
            ShownPin,
            st.integers(7, 9),
            st.sampled_from(["output", "pwm", "input"]),
            st.one_of(st.none(), SIMPLE),
            st.sampled_from(["output", "pwm"]),
            SIMPLE,
        ),
        max_size=2,
    ).map(tuple),
    st.one_of(st.none(), st.builds(ValueRange, st.just("duty"), st.just(0.0), st.sampled_from([0.0, 0.5]))),
)


@given(SCOPES, SCOPES)
def test_no_pair_is_covered_beyond_what_was_shown(rule: ApprovalScope, asked: ApprovalScope) -> None:
    """The promise of the card, said once more without the code's own way of comparing."""
    if not covers(rule, asked):
        return
    assert rule.risk is not Risk.HIGH
    assert rule.board is not None
    told = ("action", "source", "level", "risk", "board")
    assert [getattr(rule, name) for name in told] == [getattr(asked, name) for name in told]
    was, wanted = dict(rule.params), dict(asked.params)
    assert was["pin"] == wanted["pin"]
    if rule.span is None:
        assert was["duty"] == wanted["duty"]
    else:
        assert rule.span.low <= json.loads(wanted["duty"]) <= rule.span.high
    for old, new in zip(rule.pins, asked.pins, strict=True):
        assert (old.pin, old.new_mode) == (new.pin, new.new_mode)
        assert new.mode in (old.mode, old.new_mode)


@given(SCOPES)
def test_high_risk_and_what_has_no_board_is_never_remembered(asked: ApprovalScope) -> None:
    if asked.risk is Risk.HIGH or asked.board is None:
        assert not rememberable(asked)
        assert not covers(asked, asked)


@pytest.mark.parametrize(
    ("action", "params"),
    [
        ("flash_firmware", {"firmware": "default"}),
        ("board_reset", {}),
        ("i2c_write", {"addr": 60, "data": [1, 2]}),
        ("serial_send", {"text": "hello"}),
        ("motor_emergency_stop", {}),
    ],
)
def test_what_reaches_beyond_single_pins_is_high_risk(action: str, params: dict[str, Any]) -> None:
    assert scope(action, params).risk is Risk.HIGH
    assert not rememberable(scope(action, params))


def test_what_a_card_cannot_show_whole_is_not_remembered() -> None:
    """A value with 3,000 spaces and something behind them, or with letters turned around."""
    assert not rememberable(replace(WRITE, params=(("text", json.dumps(" " * 3000 + "x")),)))
    assert not rememberable(replace(WRITE, params=(("text", '"\u202e1"'),)))


def test_a_range_goes_from_where_the_pin_is_to_where_it_is_asked_to_go() -> None:
    at_ten = {9: PinState(9, "pwm", duty=0.1)}
    assert scope("pwm_write", {"pin": 9, "duty": 0.4}, at_ten).span == ValueRange("duty", 0.1, 0.4)


@pytest.mark.parametrize(
    "state", [PinState(9), PinState(9, "output", level=1), PinState(9, "input", level=0)]
)
def test_a_pin_that_is_something_else_gives_no_range(state: PinState) -> None:
    assert scope("pwm_write", {"pin": 9, "duty": 0.4}, {9: state}).span is None


def test_a_digital_output_gives_no_range() -> None:
    pins = {7: PinState(7, "output", level=0)}
    assert scope("digital_write", {"pin": 7, "value": 1}, pins).span is None


def test_the_level_of_an_input_is_not_part_of_what_was_shown() -> None:
    """A floating input flickers; the question would be asked for ever."""
    low, high = ({7: PinState(7, "input", level=level)} for level in (0, 1))
    params = {"pin": 7, "value": 1}
    assert scope("digital_write", params, low) == scope("digital_write", params, high)


def test_the_board_is_bound_by_its_device_and_not_by_its_port() -> None:
    boards = LoopbackBoards("uno")
    door = Door(boards=boards)
    asked = scope_of(
        door.executor.prepare(make_payload("digital_write", {"pin": 7, "value": 1}, source="agent")), {}
    )
    assert asked.board is not None
    assert asked.board.instance == "uno"
    assert "loop://" not in repr(asked)
