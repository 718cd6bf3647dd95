"""The journal (EX-7, EX-14): rows before and after each execution, steps, questions, faults of the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import (
    ActionFault,
    ActionPayload,
    ActionResult,
    ActionState,
    ActionTransition,
    PinChange,
)
from zeroclaw_desktop.execution import journal as journal_module
from zeroclaw_desktop.execution import journal_queries as queries
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.journal import Journal, Retention
from zeroclaw_desktop.execution.journal_queries import INTERRUPTED, JournalEntry, JournalFilter
from zeroclaw_desktop.execution.journal_rows import INCOMPLETE, JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.errors import StoreClosedError, StoreError, StoreFullError
from zeroclaw_desktop.store.opening import reading_store
from zeroclaw_desktop.store.thread import Connection, StoreThread


class World:
    """A door with a journal on a real database."""

    def __init__(self, folder: Path, retention: Retention | None = None) -> None:
        self.store = StoreThread(folder / "store.db", [JOURNAL_SCHEMA])
        self.retention = retention
        self.door = Door("a", "b")

    async def start(self) -> World:
        await self.store.start()
        self.journal = Journal(self.store, SystemClock(), self.retention)
        self.door.executor.journal = self.journal
        self.door.executor.reporters.append(self.journal)
        return self

    async def stop(self) -> None:
        await self.journal.close()
        await self.store.stop()

    def seen_by_others(self, task_id: str) -> JournalEntry | None:
        """What another program reads from the disk."""
        with reading_store(self.store.path, [JOURNAL_SCHEMA]) as connection:
            return queries.task(connection, task_id)

    def hold(self) -> threading.Event:
        """Keep the disk busy until the event is set."""
        gate = threading.Event()
        self.store.post(lambda _connection: gate.wait(10))
        return gate

    async def limit_pages(self, more: int) -> None:
        """A disk that has room for so many pages more."""

        def work(connection: Connection) -> None:
            count = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {count + more}").fetchall()

        await self.store.submit(work)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    started = await World(tmp_path).start()
    yield started
    await started.stop()


def result_of(
    payload: ActionPayload, state: ActionState = ActionState.COMPLETED, **more: Any
) -> ActionResult:
    return ActionResult(
        payload.task_id, payload.action, state, payload.device_id, payload.source, 1.5, **more
    )


def payload_of(**more: Any) -> ActionPayload:
    return replace(
        make_payload("digital_write", {"pin": 7, "value": 1}, source="manual", device_id="a"), **more
    )


# -- the promises -----------------------------------------------------------------------------------------
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


# -- cost -------------------------------------------------------------------------------------------------
async def test_commands_that_come_together_share_commits(world: World) -> None:
    """EX-14: group commit."""
    before = world.store.commits
    pins = [pin for pin in range(2, 13)] * 5
    await asyncio.gather(*(world.door.do("digital_read", {"pin": pin}, device_id="b") for pin in pins))
    assert world.store.commits - before < len(pins)
    counts = await world.journal.counts()
    assert (counts.tasks, counts.by_state) == (len(pins), {"COMPLETED": len(pins)})
    assert counts.steps == 4 * len(pins)


async def test_a_stop_never_waits_for_the_disk(world: World) -> None:
    """EX-16: while the disk hangs the stop command runs all the same."""
    gate = world.hold()
    payload = make_payload("motor_emergency_stop", source="manual")
    prepared = world.door.executor.prepare(payload)
    await asyncio.wait_for(world.journal.before(payload, prepared), 5)
    gate.set()
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert entry.began is not None


# -- a disk at fault --------------------------------------------------------------------------------------
async def test_without_room_nothing_moves_what_only_looks_goes_on_and_no_row_is_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EX-14: no movement without its row before; the rows follow when there is room again."""
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.05)
    await world.door.do("digital_read", {"pin": 7}, device_id="a")
    await world.limit_pages(0)
    big = {"pin": 7, "value": 1, "text": "x" * 50_000}
    await world.door.do("digital_write", big, device_id="a")  # refused, but its row needs pages
    moved = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    looked = await world.door.do("digital_read", {"pin": 7}, device_id="a")
    assert moved.state is ActionState.FAILED
    assert world.door.boards.level(7, "a") == 0
    assert looked.ok
    assert world.journal.lost_rows == 0
    await world.limit_pages(1_000)
    async with asyncio.timeout(10):
        while (await world.journal.counts()).tasks < 4 or (await world.journal.counts()).unfinished:
            await asyncio.sleep(0.02)
    entry = await world.journal.task(moved.task_id)
    assert entry is not None
    assert entry.state == "FAILED"
    assert (await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")).ok


async def test_before_and_after_say_what_a_full_disk_did(world: World) -> None:
    """EX-14."""
    await world.journal.history()
    await world.limit_pages(0)
    payload = payload_of(params={"pin": 7, "value": 1, "text": "x" * 50_000})
    prepared = replace(world.door.executor.prepare(payload_of()), payload=payload)
    with pytest.raises(StoreFullError):
        await world.journal.before(payload, prepared)
    assert not await world.journal.after(payload, result_of(payload))
    await world.limit_pages(1_000)


async def test_without_an_open_store_a_movement_is_refused_and_steps_are_not_noted(tmp_path: Path) -> None:
    """EX-14."""
    store = StoreThread(tmp_path / "store.db", [JOURNAL_SCHEMA])
    journal = Journal(store, SystemClock())
    payload = payload_of()
    journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    with pytest.raises(StoreClosedError):
        await journal.before(payload, Door("a").executor.prepare(payload))
    assert not list(tmp_path.iterdir())


async def test_a_store_that_stopped_does_not_disturb_the_door(world: World) -> None:
    """EX-12: a reporter that fails never stops an action's report."""
    await world.door.do("digital_read", {"pin": 7}, device_id="a")
    await world.store.stop()
    looked = await world.door.do("digital_read", {"pin": 7}, device_id="a")
    moved = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    assert looked.ok
    assert moved.state is ActionState.FAILED
    assert world.journal.lost_rows > 0


# -- whatever a payload holds -----------------------------------------------------------------------------
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


# -- questions --------------------------------------------------------------------------------------------
async def fill(world: World) -> list[str]:
    """Eight tasks of several kinds; returns their ids, oldest first."""
    ids = []
    for number in range(8):
        device = "ab"[number % 2]
        action = ("digital_read", "digital_write")[number // 4]
        params: dict[str, Any] = {"pin": 7} if number < 4 else {"pin": 7 if number < 6 else 99, "value": 1}
        source = "agent" if number == 3 else "manual"
        result = await world.door.do(action, params, device_id=device, source=source)
        ids.append(result.task_id)
    return ids


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (JournalFilter(), [7, 6, 5, 4, 3, 2, 1, 0]),
        (JournalFilter(device_id="a"), [6, 4, 2, 0]),
        (JournalFilter(action="digital_write"), [7, 6, 5, 4]),
        (JournalFilter(source="agent"), [3]),
        (JournalFilter(states=("FAILED",)), [7, 6]),
        (JournalFilter(states=("FAILED", "CANCELLED"), device_id="b"), [7]),
        (JournalFilter(states=("",)), []),
        (JournalFilter(faults_only=True), [7, 6]),
        (JournalFilter(text="_write"), [7, 6, 5, 4]),
        (JournalFilter(text="%"), []),
        (JournalFilter(since=1e12), []),
        (JournalFilter(until=0.0), []),
        (JournalFilter(device_id="' OR 1=1 --"), []),
    ],
)
async def test_history_is_newest_first_and_narrowed(
    world: World, wanted: JournalFilter, numbers: list[int]
) -> None:
    """EX-14, for the page of past tasks."""
    ids = await fill(world)
    assert [entry.task_id for entry in await world.journal.history(wanted)] == [ids[n] for n in numbers]


async def test_history_comes_in_pages(world: World) -> None:
    """EX-14."""
    ids = await fill(world)
    first = await world.journal.history(limit=3)
    second = await world.journal.history(JournalFilter(before_number=first[-1].number), limit=3)
    assert [entry.task_id for entry in (*first, *second)] == ids[:1:-1]
    assert await world.journal.history(limit=0) == []
    assert len(await world.journal.history(limit=-5)) == 0


async def test_a_task_id_used_again_means_the_newest(world: World) -> None:
    """EX-1: an id is unique among running tasks; ``--task_id test001`` may be typed twice."""
    for pin in (2, 3):
        payload = make_payload(
            "digital_read", {"pin": pin}, source="manual", device_id="a", task_id="test001"
        )
        await world.door.executor.submit(payload)
    entry = await world.journal.task("test001")
    assert entry is not None
    assert entry.params == {"pin": 3}
    assert len(await world.journal.history(JournalFilter(text="test001"))) == 2
    assert await world.journal.task("nobody") is None


async def test_the_next_run_counts_reports_on(world: World) -> None:
    """EX-13: the number of a device's reports grows over all runs of the program."""
    await fill(world)
    await world.door.do("led_set", {"state": 1}, device_id="invented")
    sequences = await world.journal.last_sequences()
    assert sequences == {"a": 4, "b": 4}


# -- unfinished ones and old ones -------------------------------------------------------------------------
async def crash(folder: Path, *payloads: ActionPayload, began: bool = True) -> None:
    """A run of the program that ends in the middle of tasks."""
    world = await World(folder).start()
    for payload in payloads:
        if began:
            await world.journal.before(payload, world.door.executor.prepare(payload))
        else:
            world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    await world.journal.close()
    await world.store.stop()


async def test_what_a_dead_run_left_is_unfinished_until_it_is_closed(tmp_path: Path) -> None:
    """EX-14."""
    left = [payload_of(), payload_of()]
    await crash(tmp_path, *left)
    world = await World(tmp_path).start()
    await world.door.do("digital_read", {"pin": 7}, device_id="a")
    entries = await world.journal.unfinished()
    assert [entry.task_id for entry in entries] == [payload.task_id for payload in left]
    assert await world.journal.close_interrupted(entries[:1], "interrupted") == 1
    assert await world.journal.close_interrupted(entries[:1], "interrupted") == 0
    assert [entry.task_id for entry in await world.journal.unfinished()] == [left[1].task_id]
    closed = await world.journal.task(left[0].task_id)
    assert closed is not None
    assert (closed.state, closed.note, closed.steps[-1].state) == (INTERRUPTED, "interrupted", INTERRUPTED)
    await world.stop()


async def test_what_a_living_run_is_at_is_not_unfinished(tmp_path: Path) -> None:
    """EX-14: a command line that starts beside the window must not close the window's tasks."""
    window, command_line = await World(tmp_path).start(), await World(tmp_path).start()
    payload = payload_of()
    await window.journal.before(payload, window.door.executor.prepare(payload))
    assert await command_line.journal.unfinished() == []
    assert await window.journal.unfinished() == []
    await window.stop()
    assert [entry.task_id for entry in await command_line.journal.unfinished()] == [payload.task_id]
    await command_line.stop()


async def test_two_programs_write_one_journal(tmp_path: Path) -> None:
    """EX-14: their numbers never collide."""
    worlds = [await World(tmp_path).start() for _ in range(2)]
    await asyncio.gather(
        *(
            world.door.do("digital_read", {"pin": pin}, device_id="a")
            for world in worlds
            for pin in range(2, 12)
        )
    )
    counts = await worlds[0].journal.counts()
    assert (counts.tasks, counts.by_state) == (20, {"COMPLETED": 20})
    assert all(world.journal.lost_rows == 0 for world in worlds)
    for world in worlds:
        await world.stop()


async def test_old_entries_are_forgotten_but_never_unfinished_ones(tmp_path: Path) -> None:
    """EX-14: the journal is bounded."""
    left = payload_of()
    await crash(tmp_path, left)
    world = await World(tmp_path, Retention(most_entries=5)).start()
    ids = await fill(world)
    assert await world.journal.apply_retention() == 3
    kept = [entry.task_id for entry in await world.journal.history()]
    assert kept == [*ids[:2:-1], left.task_id]
    assert await world.journal.apply_retention() == 0
    orphans = "SELECT count(*) FROM journal_steps WHERE id NOT IN (SELECT id FROM journal_before)"
    assert await world.store.read(lambda connection: connection.execute(orphans).fetchone()[0]) == 0
    counts = await world.journal.counts()
    assert counts.tasks == 6
    await world.stop()


async def test_entries_that_are_too_old_are_forgotten(tmp_path: Path) -> None:
    """EX-14."""
    world = await World(tmp_path, Retention(most_days=1.0)).start()
    ids = await fill(world)
    task_id = ids[0]

    def age(connection: Connection) -> None:
        connection.execute("UPDATE journal_before SET seen = seen - 90000 WHERE task_id = ?", (task_id,))

    await world.store.submit(age)
    assert await world.journal.apply_retention() == 1
    assert await world.journal.task(task_id) is None
    await world.stop()


async def test_the_journal_forgets_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """EX-14."""
    monkeypatch.setattr(journal_module, "RETENTION_EVERY", 4)
    world = await World(tmp_path, Retention(most_entries=3)).start()
    await fill(world)
    assert (await world.journal.counts()).tasks < 8
    await world.stop()


async def test_a_question_that_fails_is_told(world: World) -> None:
    """EX-14."""
    broken: Callable[[Connection], Any] = lambda c: c.execute("SELECT * FROM nowhere")  # noqa: E731
    with pytest.raises(StoreError):
        await world.store.read(broken)
    assert await world.journal.history() == []
