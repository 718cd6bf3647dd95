"""AG-4, AG-5: the table of dialects and malformed answers, whole and one character at a time."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.agent_tools import TOOLS
from zeroclaw_desktop.agent.stream_guard.guard import StreamGuard, gather, parse_answer
from zeroclaw_desktop.agent.toolcalls.model import ParsedAnswer

TABLE = Path(__file__).resolve().parents[3] / "data" / "toolcalls" / "dialects.toml"
CASES: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["case"]


def in_pieces(case: dict[str, Any], size: int) -> ParsedAnswer:
    guard = StreamGuard(TOOLS, native_tools=case.get("native", False))
    events = []
    for start in range(0, len(case["text"]), size):
        events += guard.feed(case["text"][start : start + size])
    return gather([*events, *guard.close(cut_off=case.get("cut_off", False))])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_row_of_the_table(case: dict[str, Any]) -> None:
    answer = parse_answer(
        case["text"], TOOLS, native_tools=case.get("native", False), cut_off=case.get("cut_off", False)
    )
    assert answer.text.strip() == case.get("shown", "")
    assert answer.thinking == case.get("thinking", "")
    wanted = [
        (name, json.loads(row)) for name, _, row in (call.partition(" ") for call in case.get("calls", []))
    ]
    assert [(parsed.call.name, dict(parsed.call.arguments)) for parsed in answer.calls] == wanted
    assert [fault.code for fault in answer.malformed] == case.get("malformed", [])
    assert all(fault.reason for fault in answer.malformed)
    if "ids" in case:
        assert [parsed.call.call_id for parsed in answer.calls] == case["ids"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_pieces_give_the_same_as_the_whole(case: dict[str, Any], size: int) -> None:
    """C1 row 31, for every row."""
    whole = parse_answer(
        case["text"], TOOLS, native_tools=case.get("native", False), cut_off=case.get("cut_off", False)
    )
    assert in_pieces(case, size) == whole


def test_the_rows_have_names_of_their_own() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) > 120
