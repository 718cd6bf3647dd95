"""EX-1, EX-2, EX-5, EX-6, EX-10: every row of ``tests/data/payloads.jsonl`` has the verdict it must have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import payload_table
from zeroclaw_desktop.contracts.actions import SOURCES, ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.execution.error_table import Code, explain_error, next_step
from zeroclaw_desktop.execution.errors import FaultError

ROWS = payload_table.rows()
ASKING = [row for row in ROWS if "person" in row]
REPEATING = [row for row in ROWS if "before" in row]
JUDGED = [row for row in ROWS if "person" not in row and "before" not in row]


def codes(row: dict[str, Any]) -> list[int]:
    return [int(code, 16) for code in row["expect"]["codes"]]


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: row["id"])
def test_a_row_has_its_verdict_its_codes_and_its_pins(row: dict[str, Any]) -> None:
    """EX-1, EX-2, EX-5, EX-6."""
    judged = payload_table.judge(row)
    assert (judged.codes, judged.verdict) == (codes(row), row["expect"]["verdict"]), row["why"]
    assert judged.pins == row["expect"]["pins"], row["why"]


@pytest.mark.parametrize("row", ASKING, ids=lambda row: row["id"])
async def test_what_is_above_the_ceiling_ends_as_the_person_says(row: dict[str, Any]) -> None:
    """EX-6: the question shows the pin diff, the answer decides, and a no leaves the wire untouched."""
    door = payload_table.door_of(row)
    asked: list[ApprovalRequest] = []

    async def person(request: ApprovalRequest) -> ApprovalOutcome:
        asked.append(request)
        return ApprovalOutcome(row["person"])

    door.executor.approver = person
    assert payload_table.judge(row).verdict == "ask"
    (payload,) = payload_table.read(row)
    result = await door.executor.submit(payload)
    assert [fault.code for fault in result.faults] == codes(row), row["why"]
    shown = [[change.pin, change.after] for change in asked[0].changes]
    assert shown == [[pin, after] for pin, _before, after in row["expect"]["pins"]]
    assert bool(door.boards.sent) == (not codes(row))


@pytest.mark.parametrize("row", REPEATING, ids=lambda row: row["id"])
async def test_what_went_before_counts(row: dict[str, Any]) -> None:
    """EX-6: rates and rests of pins are judged when the action would begin."""
    door = payload_table.door_of(row)
    for earlier in row["before"]:
        assert (await door.do(earlier["action"], earlier["params"])).ok
    judged = payload_table.judge(row)
    assert (judged.verdict, judged.pins) == (row["expect"]["verdict"], row["expect"]["pins"])
    sent = len(door.boards.sent)
    (payload,) = payload_table.read(row)
    result = await door.executor.submit(payload)
    assert [fault.code for fault in result.faults] == codes(row), row["why"]
    assert (len(door.boards.sent) > sent) == (not codes(row))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_each_fault_can_be_told_in_both_languages(row: dict[str, Any]) -> None:
    """EX-10: every text is complete: no brace and no gap is left in it."""
    try:
        payloads = payload_table.read(row)
    except FaultError as error:
        for fault in error.faults:
            for lang in ("en", "zh"):
                told = explain_error(fault.code, lang, fault.details) + next_step(
                    fault.code, lang, fault.details
                )
                assert "…" not in told.replace("“", "") or fault.code == Code.UNREADABLE_TEXT
                assert len(told) < 1_000
                told.encode("utf-8")
    else:
        assert all(payload.source in SOURCES for payload in payloads)


def test_the_table_is_as_wide_as_it_must_be() -> None:
    """150 rows or more, each form, each source, each verdict, each code of the segments 0x00 and 0x10."""
    assert len(ROWS) >= 150
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert all(row["why"] for row in ROWS)
    assert {row["source"] for row in ROWS} == set(SOURCES)
    assert {row["expect"]["verdict"] for row in ROWS} == {"run", "ask", "refuse"}
    assert {payload_table.text_of(row)[0] for row in ROWS} == {"json", "text", "yaml"}
    met = {code for row in ROWS for code in codes(row)}
    # A row is about one moment; an answer is outdated by what changes between two.
    beyond_a_row = (Code.PARSER_FAULT, Code.APPROVAL_OUTDATED)
    wanted = {int(code) for code in Code if 0 < code < 0x20 and code not in beyond_a_row}
    assert wanted - met == set()
