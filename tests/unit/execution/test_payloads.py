"""EX-1: the envelope of a payload; unknown fields are named, everything wrong is told at once."""

from __future__ import annotations

import contextlib
import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.contracts.actions import ActionPayload
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.json_text import JsonParser


def read(text: str) -> ActionPayload:
    (payload,) = JsonParser().parse(text, source="manual")
    return payload


def faults(text: str) -> list[tuple[int, str]]:
    with pytest.raises(FaultError) as caught:
        read(text)
    return [(fault.code, fault.param) for fault in caught.value.faults]


def test_the_form_of_the_notes_is_read() -> None:
    payload = read(
        '{"action": "led_breath", "params": {"pin": 2, "duration": 3},'
        ' "source": "manual", "task_id": "test001"}'
    )
    assert (payload.action, payload.source, payload.task_id) == ("led_breath", "manual", "test001")
    assert payload.params == {"pin": 2, "duration": 3}
    assert payload.constraints.dry_run is False


def test_a_payload_cannot_be_changed() -> None:
    payload = read('{"action": "board_info"}')
    with pytest.raises(dataclasses.FrozenInstanceError):
        payload.action = "other"  # type: ignore[misc]


def test_task_ids_are_unique() -> None:
    ids = {read('{"action": "board_info"}').task_id for _ in range(200)}
    assert len(ids) == 200


def test_unknown_fields_are_named() -> None:
    assert faults('{"action": "x", "parms": {}, "eval": 1}') == [
        (Code.UNKNOWN_FIELD, "parms"),
        (Code.UNKNOWN_FIELD, "eval"),
    ]


def test_everything_wrong_is_told_at_once() -> None:
    text = json.dumps(
        {"action": "", "params": [], "source": "robot", "task_id": 3, "constraints": {"timeout": -1, "x": 1}}
    )
    assert [param for _, param in faults(text)] == [
        "action",
        "params",
        "source",
        "task_id",
        "constraints.x",
        "constraints.timeout",
    ]


@pytest.mark.parametrize(
    "constraints",
    [
        {"timeout": True},
        {"timeout": 0},
        {"timeout": 1e9},
        {"retries": -1},
        {"retries": 1.5},
        {"retries": True},
        {"dry_run": 1},
    ],
)
def test_constraints_have_limits(constraints: dict[str, object]) -> None:
    assert faults(json.dumps({"action": "board_info", "constraints": constraints}))[0][0] == (
        Code.MALFORMED_PAYLOAD
    )


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", '"blink"', '{"action": NaN}', "{'action': 1}"])
def test_what_is_no_json_object_is_refused_with_a_place(text: str) -> None:
    assert faults(text)[0][0] == Code.UNREADABLE_TEXT


def test_a_syntax_error_says_where() -> None:
    with pytest.raises(FaultError, match="Line 1, column 12"):
        read('{"action": }')


def test_deep_nesting_is_refused_and_not_fatal() -> None:
    assert faults('{"action": ' + "[" * 100_000)[0][0] == Code.UNREADABLE_TEXT


@given(st.text(max_size=40))
def test_any_text_gives_a_payload_or_faults(text: str) -> None:
    with contextlib.suppress(FaultError):
        assert read(text).action
