"""The journal (EX-7, EX-14): rows before and after each execution, and every step between them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.unit.execution.journal.journal_world import World, payload_of, result_of
from zeroclaw_desktop.contracts.actions import (
    ActionState,
    ActionTransition,
    PinChange,
)
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.journal_queries import JournalEntry
from zeroclaw_desktop.execution.payloads import make_payload


async def test_the_row_before_is_on_the_disk_before_anything_reaches_the_board(world: World) -> None:
    """EX-14."""
    seen: list[JournalEntry | None] = []
    exchange = world.door.boards.exchange

    def watched(board_id: str, command: str, args: Any) -> Any:
        seen.append(world.seen_by_others(payload.task_id))
        return exchange(board_id, command, args)

    world.door.boards.exchange = watched  # type: ignore[method-assign]
    payload = payload_of()
    await world.door.executor.submit(payload)
    first = seen[0]
    assert first is not None
    assert first.began is not None
    assert not first.finished
    assert first.checked_params == {"pin": 7, "value": 1}
    assert first.planned == (PinChange(7, None, 1),)


async def test_the_row_after_is_on_the_disk_before_the_answer(world: World) -> None:
    """EX-14."""
    result = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    entry = world.seen_by_others(result.task_id)
    assert entry is not None
    assert entry.state == "COMPLETED"
    assert entry.observed == {"pin_7": {"mode": "output", "level": 1}}
    assert entry.value == {"pin": 7, "value": 1}
    assert entry.commanded == result.commanded
    assert (entry.seq, entry.device_id, entry.error_code) == (1, "a", 0)


async def test_commanded_and_observed_are_kept_apart(world: World) -> None:
    """EX-12: what was asked of a pin and what the board says of it are different facts."""
    payload = payload_of()
    world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    result = result_of(
        payload, commanded=(PinChange(7, 0, 1),), hardware_states={"pin_7": {"mode": "output", "level": 0}}
    )
    await world.journal.after(payload, result)
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert entry.commanded == (PinChange(7, 0, 1),)
    assert entry.observed == {"pin_7": {"mode": "output", "level": 0}}


async def test_every_step_is_kept_with_the_times_that_were_announced(world: World) -> None:
    """EX-7: every transition carries a monotonic time and a wall time and goes to the journal."""
    result = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    entry = await world.journal.task(result.task_id)
    assert entry is not None
    told = [(t.state.value, t.monotonic, t.wall) for t in world.door.reporter.transitions]
    assert [(step.state, step.monotonic, step.wall) for step in entry.steps] == told
    assert [step.state for step in entry.steps] == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]
    assert entry.params == {"pin": 7, "value": 1}


async def test_a_refused_payload_is_kept_with_its_faults_and_never_began(world: World) -> None:
    """EX-14, EX-10."""
    result = await world.door.do("digital_write", {"pin": 99, "value": 2}, device_id="a")
    entry = await world.journal.task(result.task_id)
    assert entry is not None
    assert entry.began is None
    assert entry.state == "FAILED"
    assert entry.faults == result.faults
    assert entry.error_code == result.error_code
    assert entry.params == {"pin": 99, "value": 2}


async def test_a_dry_run_says_so_and_never_began(world: World) -> None:
    """EX-15."""
    result = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a", dry_run=True)
    entry = await world.journal.task(result.task_id)
    assert entry is not None
    assert entry.dry_run
    assert entry.began is None
    assert entry.steps[-1].note == "dry run"
    assert entry.commanded == (PinChange(7, None, 1),)


async def test_a_cancelled_action_is_kept_with_who_stopped_it(world: World) -> None:
    """EX-7."""
    payload = make_payload("led_blink", {"count": 90, "interval": 1.0}, source="manual", device_id="a")
    task = asyncio.create_task(world.door.executor.submit(payload))
    while "RUNNING" not in world.door.reporter.states(payload.task_id):
        await asyncio.sleep(0.005)
    world.door.executor.cancel(payload.task_id, "somebody")
    await task
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert (entry.state, entry.error_code) == ("CANCELLED", Code.CANCELLED)
    assert entry.steps[-1].note == "somebody"


@pytest.mark.parametrize("told_first", [True, False])
async def test_the_result_may_come_before_or_after_the_last_step(world: World, told_first: bool) -> None:
    """EX-14: one row after, whichever comes first."""
    payload = payload_of()
    result = result_of(payload)
    last = ActionTransition(payload, ActionState.COMPLETED, 3.0, 4.0, "", result)
    world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    if told_first:
        world.journal.report(last)
    assert await world.journal.after(payload, result)
    if not told_first:
        world.journal.report(last)
    counts = await world.journal.counts()
    assert (counts.tasks, counts.unfinished, counts.by_state, counts.steps) == (1, 0, {"COMPLETED": 1}, 2)
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert [(step.state, step.monotonic) for step in entry.steps] == [("PENDING", 1.0), ("COMPLETED", 3.0)]


async def test_the_last_step_is_told_from_the_row_after_when_it_was_not_noted(world: World) -> None:
    """EX-14: a program that ends right behind the answer leaves a time line that ends as the task did."""
    payload = payload_of()
    world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    await world.journal.after(payload, result_of(payload, ActionState.FAILED))
    entry = world.seen_by_others(payload.task_id)
    assert entry is not None
    assert [step.state for step in entry.steps] == ["PENDING", "FAILED"]


async def test_a_caller_that_goes_away_loses_no_row(world: World) -> None:
    """EX-14: the row after is on its way before anybody waits for it."""
    payload = payload_of()
    gate = world.hold()
    waiting = asyncio.create_task(world.journal.after(payload, result_of(payload)))
    world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    # Cancelled before its first step: nothing was handed over, so the report brings the row.
    waiting = asyncio.create_task(world.journal.after(payload, result_of(payload)))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    gate.set()
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert entry.state == "COMPLETED"


async def test_a_waiting_task_is_kept_without_having_begun(world: World) -> None:
    """EX-14: what waits for its resources is known too, and known not to have touched anything."""
    blink = make_payload("led_blink", {"count": 90, "interval": 1.0}, source="manual", device_id="a")
    behind = make_payload("led_set", {"state": 1}, source="manual", device_id="a")
    tasks = [asyncio.create_task(world.door.executor.submit(payload)) for payload in (blink, behind)]
    while "VALIDATED" not in world.door.reporter.states(behind.task_id):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    await world.journal.counts()
    first, second = world.seen_by_others(blink.task_id), world.seen_by_others(behind.task_id)
    world.door.executor.cancel_all("test")
    await asyncio.gather(*tasks)
    assert first is not None
    assert first.began is not None
    assert second is not None
    assert second.began is None
    assert [step.state for step in second.steps] == ["PENDING", "VALIDATED"]


async def test_a_row_that_was_written_early_is_completed_when_the_task_begins(world: World) -> None:
    """EX-14: a task that waited long enough to be noted begins by an update of its row."""
    payload = payload_of()
    world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    await world.journal.counts()
    assert (entry := world.seen_by_others(payload.task_id)) is not None
    assert entry.began is None
    await world.journal.before(payload, world.door.executor.prepare(payload))
    assert (entry := world.seen_by_others(payload.task_id)) is not None
    assert entry.began is not None
    assert entry.planned == (PinChange(7, None, 1),)


async def test_a_payload_with_a_taken_id_does_not_end_the_task_that_has_it(world: World) -> None:
    """EX-1, EX-14."""
    payload = payload_of(task_id="mine")
    await world.journal.before(payload, world.door.executor.prepare(payload))
    other = payload_of(task_id="mine")
    await world.journal.after(other, result_of(other, ActionState.FAILED))
    entry = await world.journal.task("mine")
    assert entry is not None
    assert not entry.finished
    await world.journal.after(payload, result_of(payload))
    entry = await world.journal.task("mine")
    assert entry is not None
    assert entry.state == "COMPLETED"


async def test_what_only_looks_does_not_wait_for_its_row(world: World) -> None:
    """EX-14: its row comes with the row after at the latest, and never without it."""
    gate = world.hold()
    payload = make_payload("digital_read", {"pin": 7}, source="manual", device_id="a")
    task = asyncio.create_task(world.door.executor.submit(payload))
    while "pins_read" not in world.door.boards.commands() and "gpio_read" not in world.door.boards.commands():
        await asyncio.sleep(0.005)
    assert not task.done()
    assert "COMPLETED" not in world.door.reporter.states(payload.task_id)
    gate.set()
    assert (await task).ok
    entry = world.seen_by_others(payload.task_id)
    assert entry is not None
    assert entry.began is not None
    assert entry.finished
