"""How the journal shares and awaits commits (EX-14), and what it leaves in its tables."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionState, ActionTransition
from zeroclaw_desktop.execution import journal as journal_module
from zeroclaw_desktop.execution import journal_queries as queries
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_queries import JournalEntry, JournalStep
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import ManualClock, SystemClock
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.opening import reading_store
from zeroclaw_desktop.store.thread import Connection, StoreThread

WRITE = {"pin": 7, "value": 1}
IN_TIME = 8.0
"""Seconds in which any disk has committed."""


class WatchedStore(StoreThread):
    """Notes how long the loop would have stood still for each batch."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, [JOURNAL_SCHEMA])
        self.patience: list[float] = []

    def hand_in(self, work: Any, done: Any, *, patience: float = 0.0, whole: bool = False) -> None:
        self.patience.append(patience)
        super().hand_in(work, done, patience=patience, whole=whole)


class World:
    """A door with a journal on a real database and a clock that stands still."""

    def __init__(self, folder: Path) -> None:
        self.store = WatchedStore(folder / "store.db")
        self.clock = ManualClock()
        self.door = Door("a")

    async def start(self) -> World:
        await self.store.start()
        self.journal = Journal(self.store, self.clock)
        self.door.executor.journal = self.journal
        self.door.executor.reporters.append(self.journal)
        return self

    async def stop(self) -> None:
        await self.journal.close()
        await self.store.stop()

    def hold(self) -> threading.Event:
        """Keep the disk busy until the event is set."""
        gate = threading.Event()
        self.store.post(lambda _connection: gate.wait(10))
        return gate

    async def write_until(self, gate: threading.Event) -> None:
        """One movement on a disk that hangs; the disk goes on as soon as the loop does."""
        asyncio.get_running_loop().call_later(0.01, gate.set)
        assert (await self.door.do("digital_write", WRITE)).ok

    def stored(self, task_id: str) -> JournalEntry:
        """What another program reads from the disk."""
        with reading_store(self.store.path, [JOURNAL_SCHEMA]) as connection:
            entry = queries.task(connection, task_id)
        assert entry is not None
        return entry


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    started = await World(tmp_path).start()
    yield started
    await started.stop()


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the machine is busy with, the disk is in time."""
    monkeypatch.setattr(journal_module, "WAIT_SECONDS", IN_TIME)


@pytest.mark.usefixtures("quick_disk")
async def test_a_task_alone_costs_two_commits_and_no_turn_of_the_loop(world: World) -> None:
    before = world.store.commits
    result = await world.door.do("digital_write", WRITE)
    assert world.store.patience == [IN_TIME] * 2
    assert world.store.commits == before + 2
    await world.journal.close()
    assert world.store.commits == before + 2, "the last step is the row after and needs no row of its own"
    assert [step.state for step in world.stored(result.task_id).steps] == [
        "PENDING", "VALIDATED", "RUNNING", "COMPLETED",
    ]  # fmt: skip


async def test_a_disk_that_hangs_does_not_stop_the_loop(world: World) -> None:
    """EX-16: the loop must be there for a stop while a row waits for the disk."""
    turns = 0

    async def other_work() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.001)

    gate, other = world.hold(), asyncio.create_task(other_work())
    moving = asyncio.create_task(world.door.do("digital_write", WRITE))
    async with asyncio.timeout(10):
        while turns < 20:
            await asyncio.sleep(0)
    assert world.door.boards.commands() == [], "nothing moves before its row is committed"
    gate.set()
    result = await moving
    assert result.ok
    assert world.stored(result.task_id).state == "COMPLETED"
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)


async def test_a_slow_disk_is_not_waited_for_again_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.write_until(world.hold())
    assert world.store.patience == [journal_module.WAIT_SECONDS, 0.0]
    world.store.patience.clear()
    await world.door.do("digital_write", WRITE)
    assert world.store.patience == [0.0, 0.0]
    await world.clock.advance(journal_module.SLOW_DISK_SECONDS)
    world.store.patience.clear()
    monkeypatch.setattr(journal_module, "WAIT_SECONDS", IN_TIME)
    await world.door.do("digital_write", WRITE)
    assert world.store.patience == [IN_TIME] * 2


async def test_while_others_have_something_to_do_the_loop_goes_on(world: World) -> None:
    blink = make_payload("led_blink", {"count": 90, "interval": 1.0}, source="manual", device_id="a")
    task = asyncio.create_task(world.door.executor.submit(blink))
    async with asyncio.timeout(10):
        while "RUNNING" not in world.door.reporter.states(blink.task_id):
            await asyncio.sleep(0.005)
    world.store.patience.clear()
    assert (await world.door.do("digital_write", WRITE, device_id="a")).ok
    assert set(world.store.patience) == {0.0}
    world.door.executor.cancel_all("test")
    await task


async def test_movements_of_one_turn_share_a_commit(world: World) -> None:
    """Group commit: what comes together is written together."""
    before = world.store.commits
    pins = list(range(2, 13))
    results = await asyncio.gather(
        *(world.door.do("pwm_write", {"pin": pin, "duty": 0.5}) for pin in (3, 5, 6))
    )
    assert all(result.ok for result in results)
    writes = await asyncio.gather(*(world.door.do("digital_write", {"pin": pin, "value": 1}) for pin in pins))
    assert all(result.ok for result in writes)
    assert world.store.commits - before < len(pins) + 3, "alone each would have cost two"
    counts = await world.journal.counts()
    assert (counts.tasks, counts.unfinished) == (len(pins) + 3, 0)
    assert counts.steps == 4 * counts.tasks


async def test_steps_of_a_task_that_takes_its_time_are_written_before_its_end(tmp_path: Path) -> None:
    """EX-7, EX-14: what a crash leaves shows how far it came; nothing of it is told twice at the end."""
    world = World(tmp_path)
    await world.store.start()
    world.journal = Journal(world.store, SystemClock())
    payload = make_payload("digital_write", WRITE, source="manual", device_id="a")
    states = (ActionState.PENDING, ActionState.VALIDATED, ActionState.RUNNING)
    for number, state in enumerate(states[:2]):
        world.journal.report(ActionTransition(payload, state, float(number), 100.0 + number))
    async with asyncio.timeout(10):
        while (await world.store.read(steps_apart)) < 2:
            await asyncio.sleep(0.005)
    assert [step.state for step in world.stored(payload.task_id).steps] == ["PENDING", "VALIDATED"]
    world.journal.report(ActionTransition(payload, states[2], 2.0, 102.0, "a note \u2028 with \n and \udcff"))
    result = await world.door.executor.submit(payload)
    await world.journal.after(payload, result, at=(3.0, 103.0))
    world.journal.report(ActionTransition(payload, ActionState.COMPLETED, 3.0, 103.0, "", result))
    steps = world.stored(payload.task_id).steps
    assert [(step.state, step.monotonic, step.wall) for step in steps] == [
        ("PENDING", 0.0, 100.0),
        ("VALIDATED", 1.0, 101.0),
        ("RUNNING", 2.0, 102.0),
        ("COMPLETED", 3.0, 103.0),
    ]
    assert steps[2].note == "a note \u2028 with \n and \\udcff"
    assert (await world.journal.counts()).steps == 4
    await world.stop()


def steps_apart(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM journal_steps").fetchone()[0])


OLD_SCHEMA = Schema("journal", JOURNAL_SCHEMA.steps[:1])
"""The tables as the first version of the program made them."""


async def test_a_journal_of_the_first_version_tells_the_same(tmp_path: Path) -> None:
    """EX-14: an older database is brought up to date and nothing of it is lost."""
    store = StoreThread(tmp_path / "store.db", [OLD_SCHEMA])
    await store.start()

    def fill(connection: Connection) -> None:
        before = (store.session, "digital_write", "a", "manual", '{"pin": 7}', "{}", 9.0, 1.0, 101.0)
        for number, task_id in ((1, "ended"), (2, "left")):
            session, *rest = before
            connection.execute(
                f"INSERT INTO journal_before VALUES ({', '.join('?' * 16)})",
                (number, session, task_id, *rest, 2.0, 102.0, '{"pin": 7}', "[]", 0),
            )
        connection.execute(
            f"INSERT INTO journal_after VALUES ({', '.join('?' * 14)})",
            (1, "COMPLETED", 4.0, 104.0, 3.5, 1, 0, "a", "[]", "{}", "[]", "{}", 0, ""),
        )
        steps = [
            (1, 1, "PENDING"),
            (1, 2, "VALIDATED"),
            (1, 3, "RUNNING"),
            (1, 4, "COMPLETED"),
            (2, 1, "PENDING"),
        ]
        for number, step, state in steps:
            connection.execute(
                "INSERT INTO journal_steps VALUES (?, ?, ?, ?, ?, '')",
                (number, step, state, float(step), 100.0 + step),
            )

    await store.submit(fill)
    await store.stop()

    world = await World(tmp_path).start()
    ended, left = world.stored("ended"), world.stored("left")
    assert ended.steps == (
        JournalStep("PENDING", 1.0, 101.0),
        JournalStep("VALIDATED", 2.0, 102.0),
        JournalStep("RUNNING", 3.0, 103.0),
        JournalStep("COMPLETED", 4.0, 104.0),
    )
    assert [step.state for step in left.steps] == ["PENDING"]
    counts = await world.journal.counts()
    assert (counts.tasks, counts.unfinished, counts.steps) == (2, 1, 5)
    await world.stop()
