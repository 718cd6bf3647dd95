"""Finished actions for the tests of reporters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import (
    ActionFault,
    ActionPayload,
    ActionResult,
    ActionState,
    ActionTransition,
)


def transition(
    seq: int = 1,
    device_id: str = "uno",
    *,
    state: ActionState = ActionState.COMPLETED,
    hardware_states: Mapping[str, Any] | None = None,
    faults: tuple[ActionFault, ...] = (),
    dry_run: bool = False,
    task_id: str = "",
) -> ActionTransition:
    """The end of a servo move."""
    payload = ActionPayload(
        "servo_move", {"pin": 9, "angle": 90}, "agent", task_id or f"task-{seq}", device_id
    )
    result = ActionResult(
        payload.task_id,
        payload.action,
        state,
        device_id,
        payload.source,
        2304.1234,
        faults,
        hardware_states={"servo_1": {"angle": 90}} if hardware_states is None else hardware_states,
        dry_run=dry_run,
        seq=seq,
    )
    return ActionTransition(payload, state, 10.0, 1_000.0, result=result)


def beginning(task_id: str = "task-1") -> ActionTransition:
    """A transition without a result."""
    payload = ActionPayload("servo_move", {"pin": 9, "angle": 90}, "agent", task_id, "uno")
    return ActionTransition(payload, ActionState.RUNNING, 10.0, 1_000.0)
