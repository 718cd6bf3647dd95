"""Whatever a payload holds, its rows are written (EX-1, EX-10, EX-14)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.execution.journal.journal_world import World, payload_of, result_of
from zeroclaw_desktop.contracts.actions import (
    ActionFault,
    ActionState,
)
from zeroclaw_desktop.execution.journal_rows import INCOMPLETE


def _circle() -> dict[str, Any]:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    return circle


@pytest.mark.parametrize(
    "params",
    [
        {"pin": float("nan")},
        {"pin": {1, 2}},
        {"text": "\ud800 half a character"},
        {("a", "tuple"): 1, "pin": 2},
        {"pin": 10**400},
        {"many": [[[[]]]] * 1000},
        _circle(),
        {"text": "x" * 5_000_000},
        {"中文": "把舵机转到90度"},
        {"bytes": b"\xff"},
    ],
    ids=[
        "nan",
        "set",
        "surrogate",
        "tuple key",
        "huge number",
        "nested",
        "circle",
        "long",
        "chinese",
        "bytes",
    ],
)
async def test_whatever_a_refused_payload_holds_its_row_is_written(
    world: World, params: dict[str, Any]
) -> None:
    """EX-14, EX-1: junk in the parameters must not hide the refusal."""
    payload = payload_of(task_id="odd \udcff \u0000 id", action="warp\ud800", params=params)
    result = await world.door.executor.submit(payload)
    assert world.journal.lost_rows == 0
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert (entry.state, entry.error_code) == ("FAILED", result.error_code)
    if "text" in params and len(params["text"]) > 64_000:
        assert INCOMPLETE in entry.params
    if "中文" in params:
        assert entry.params == params


async def test_a_fault_with_odd_details_is_kept(world: World) -> None:
    """EX-10."""
    payload = payload_of()
    fault = ActionFault(0x36, "HANDLER_FAULT", "boom \ud800", "pin", {"object": object(), "level": 3})
    await world.journal.before(payload, world.door.executor.prepare(payload))
    await world.journal.after(payload, result_of(payload, ActionState.FAILED, faults=(fault,)))
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert entry.faults[0].details["level"] == 3
    assert entry.error_code == 0x36
