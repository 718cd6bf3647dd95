"""Executions as memories (AG-13): time, action, summary of the input, summary of the result, exit code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.contracts.memory import EXECUTION, MemoryDraft
from zeroclaw_desktop.foundation.text import visible

MOST_SUMMARY = 400
MOST_DETAIL, MOST_DETAILS = 200, 20
NO_CODE = 1
"""Exit code of what did not complete but has no code of the error table, such as a cancelled task."""


def execution_draft(transition: ActionTransition) -> MemoryDraft | None:
    """The memory of an ended action; None while it is not ended, and for a dry run, which did nothing.

    The same action with the same end has the same text, so that a thousand of them are one entry that counts.
    """
    result, payload = transition.result, transition.payload
    if result is None or result.dry_run:
        return None
    fault = result.faults[0] if result.faults else None
    code = result.error_code or (0 if result.ok else NO_CODE)
    given = summary(payload.params)
    answer = fault.message if fault is not None else summary(result.value)
    board = result.device_id or payload.device_id
    told = f"{payload.action} {given}".strip()
    place = f" on {board}" if board else ""
    words = f"{result.state.value.lower()}, exit code {_code(code)}"
    symbol = f" {fault.symbol}" if fault is not None else ""
    text = f"{told}{place}: {words}{symbol}" + (f". {answer}" if answer else "")
    return MemoryDraft(
        text,
        EXECUTION,
        source="execution",
        board=board,
        created=transition.wall,
        details={
            "task_id": payload.task_id,
            "action": payload.action,
            "input": given,
            "result": answer,
            "state": result.state.value,
            "exit_code": code,
            "asked_by": payload.source,
            "fault": _plain_details(fault.details) if fault is not None else {},
        },
    )


def _plain_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the text of the error needs, cut."""
    return {
        key: value[:MOST_DETAIL] if isinstance(value, str) else value
        for key, value in list(details.items())[:MOST_DETAILS]
        if isinstance(value, str | int | float)
    }


def _code(code: int) -> str:
    return f"0x{code:02X}" if code > NO_CODE else str(code)


def summary(values: Mapping[str, Any]) -> str:
    """Values on one line, cut where it gets long: ``pin=13 value=1``."""
    parts = []
    room = MOST_SUMMARY
    for key, value in values.items():
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        part = f"{key}={visible(words, MOST_SUMMARY)}"
        if len(part) > room:
            parts.append("…")
            break
        parts.append(part)
        room -= len(part)
    return " ".join(parts)
