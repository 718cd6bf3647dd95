"""What dead runs left, and how the journal stays bounded (EX-14)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.unit.execution.journal.journal_world import World, crash, fill, payload_of
from zeroclaw_desktop.execution import journal as journal_module
from zeroclaw_desktop.execution.journal import Retention
from zeroclaw_desktop.execution.journal_queries import INTERRUPTED
from zeroclaw_desktop.store.thread import Connection


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
