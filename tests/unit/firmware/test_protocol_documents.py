"""The protocol's documents agree with each other: schema, vectors and specification."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.unit.firmware.host_board import HostBoard
from tests.unit.firmware.schema_check import faults
from tests.unit.firmware.vectors import FIRMWARE, load_cases, load_optional_cases

PROTOCOL = FIRMWARE / "protocol"
SCHEMA: dict[str, Any] = json.loads((PROTOCOL / "schema.json").read_text(encoding="utf-8"))
SPECIFICATION = (PROTOCOL / "SPEC.md").read_text(encoding="utf-8")


def expected_values() -> list[Any]:
    """All lines that the vectors expect from a board, parsed."""
    values: list[Any] = []
    for case in load_cases() + load_optional_cases():
        for step in case.steps:
            values += step.get("replies", [])
            values += [json.loads(line) for line in step.get("lines", [])]
    return values


def test_vectors_fit_the_schema() -> None:
    values = expected_values()
    assert len(values) > 250
    for value in values:
        assert faults(value, SCHEMA, SCHEMA) == [], value


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "1", "ok": True},
        {"id": True, "ok": True, "result": "done"},
        {"id": "1", "ok": False, "error": "x", "code": "no_such_code"},
        {"evt": "telemetry", "signal": "a0", "value": 1},
        {"evt": "boot", "fw": "x", "version": "1", "reset": "moon"},
        {"evt": "change", "signal": "x9", "value": 1, "t": 1},
    ],
)
def test_the_schema_refuses_what_is_no_line_of_the_protocol(wrong: dict[str, Any]) -> None:
    assert faults(wrong, SCHEMA, SCHEMA)


def test_capabilities_and_state_fit_the_schema(board: HostBoard) -> None:
    reply = json.loads(board.receive(b'{"id":1,"cmd":"capabilities"}\n'))
    assert faults(json.loads(reply["result"]), SCHEMA["$defs"]["capabilities"], SCHEMA) == []
    reply = json.loads(board.receive(b'{"id":1,"cmd":"state"}\n'))
    assert faults(reply["result"], SCHEMA["$defs"]["state"], SCHEMA) == []


def test_the_specification_lists_the_commands_and_codes(board: HostBoard) -> None:
    reply = json.loads(board.receive(b'{"id":1,"cmd":"capabilities"}\n'))
    table = SPECIFICATION.split("## Commands")[1].split("**Safe state**")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == set(json.loads(reply["result"])["commands"])
    errors = SPECIFICATION.split("### Errors")[1].split("## Commands")[0]
    codes = SCHEMA["$defs"]["failure"]["properties"]["code"]["enum"]
    assert set(re.findall(r"`(\w+_?\w*)`", errors.split("| --- | --- |")[1])) >= set(codes)


def test_the_vectors_use_every_command_and_every_code() -> None:
    sent = "".join(
        str(step.get("send", "")) for case in load_cases() + load_optional_cases() for step in case.steps
    )
    table = SPECIFICATION.split("## Commands")[1].split("**Safe state**")[0]
    for command in re.findall(r"^\| `(\w+)` \|", table, re.M):
        assert f'"cmd":"{command}"' in sent, command
    codes = {value.get("code") for value in expected_values()}
    assert codes >= set(SCHEMA["$defs"]["failure"]["properties"]["code"]["enum"])
