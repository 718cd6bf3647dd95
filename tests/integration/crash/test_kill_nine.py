"""EX-14: kill -9 at random moments under load.

The journal stays readable, what was acknowledged is in it, what reached a board was in it before, and what is
unfinished is exactly what has no row after.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from zeroclaw_desktop.execution.handlers.leds import LED_COMMANDS
from zeroclaw_desktop.execution.handlers.motion import MOTION_COMMANDS
from zeroclaw_desktop.execution.handlers.pins import PIN_COMMANDS
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_queries import INTERRUPTED, JournalEntry
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.recovery import boards_to_make_safe, reconcile, settle
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.thread import Connection, StoreThread

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="kills forked workers; run it on Linux or macOS"
)

KILLS = 200
DATABASES = 10
LONGEST_LIFE_SECONDS = 0.12
SEED = 20_240_611


@dataclass
class Life:
    """What one worker said before it was killed."""

    number: int
    on_wire: set[str] = field(default_factory=set)
    done: dict[str, str] = field(default_factory=dict)


class CrashChild:
    """The other program, whose workers are killed."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("crash_child.py")
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def live_and_die(self, number: int, database: Path, seconds: float) -> Life:
        """Let a worker work and kill it after ``seconds``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{number} {database} {SEED + number}\n")
        self._process.stdin.flush()
        life = Life(number)
        for line in self._process.stdout:
            run, kind, *words = line.split()
            assert int(run) == number
            if kind == "pid":
                time.sleep(seconds)
                os.kill(int(words[0]), signal.SIGKILL)
            elif kind == "wire":
                life.on_wire.add(words[0])
            elif kind == "done":
                life.done[words[0]] = words[1]
            elif kind == "ended":
                assert words == [str(signal.SIGKILL.value)], "the worker ended by itself"
                return life
        raise AssertionError("the other program ended")

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def child() -> Iterator[CrashChild]:
    started = CrashChild()
    yield started
    started.close()


def ids(connection: Connection, table: str) -> set[int]:
    return {row[0] for row in connection.execute(f"SELECT id FROM {table}")}


async def look(database: Path, life: Life, *, close: bool, registry: CommandRegistry) -> list[JournalEntry]:
    """Open the journal as the next start does and check every promise; returns what was unfinished."""
    store = StoreThread(database, [JOURNAL_SCHEMA])
    report = await store.start()
    try:
        assert report.moved_to is None, report.reason
        assert await store.read(lambda c: c.execute("PRAGMA integrity_check").fetchone()[0]) == "ok"
        assert await store.read(lambda c: c.execute("PRAGMA foreign_key_check").fetchall()) == []
        journal = Journal(store, SystemClock())
        before = await store.read(lambda c: ids(c, "journal_before"))
        after = await store.read(lambda c: ids(c, "journal_after"))
        assert after <= before, "a row after without a row before"

        unfinished = await journal.unfinished()
        assert {entry.number for entry in unfinished} == before - after

        stored = await store.read(
            lambda c: {
                row[0]: row[1:]
                for row in c.execute(
                    "SELECT b.task_id, b.began, a.state FROM journal_before b "
                    "LEFT JOIN journal_after a USING (id)"
                )
            }
        )
        for task_id, state in life.done.items():
            assert stored[task_id][1] == state, f"{task_id} was acknowledged as {state}"
        for task_id in life.on_wire:
            assert stored[task_id][0] is not None, f"{task_id} reached a board before its row was written"

        if close:
            plans = await reconcile(journal, registry)
            assert [plan.entry.number for plan in plans] == [entry.number for entry in unfinished]
            boards = boards_to_make_safe(plans)
            assert set(boards) <= {"a", "b", "c"}
            assert await settle(journal, plans, boards) == []
            assert await journal.unfinished() == []
            counts = await journal.counts()
            assert counts.by_state.get(INTERRUPTED, 0) >= len(plans)
        await journal.close()
        return unfinished
    finally:
        await store.stop()


@pytest.mark.slow
def test_two_hundred_kills_lose_nothing_that_was_acknowledged(child: CrashChild, tmp_path: Path) -> None:
    """EX-14: nothing acknowledged is lost; a kill -9 at any point leaves a readable journal."""
    chance = random.Random(SEED)
    registry = CommandRegistry()
    for command in (*PIN_COMMANDS, *LED_COMMANDS, *MOTION_COMMANDS):
        registry.register(command)
    acknowledged = on_wire = interrupted = 0
    for number in range(KILLS):
        database = tmp_path / f"store-{number % DATABASES}.db"
        life = child.live_and_die(number, database, chance.uniform(0.0, LONGEST_LIFE_SECONDS))
        close = chance.random() < 0.7
        unfinished = asyncio.run(look(database, life, close=close, registry=registry))
        acknowledged += len(life.done)
        on_wire += len(life.on_wire)
        interrupted += len(unfinished)
    # The kills must have hit work, or the promises were never at stake.
    assert acknowledged > KILLS
    assert on_wire > KILLS
    assert interrupted > KILLS / 4
    print(f"{KILLS} kills: {acknowledged} acknowledged, {on_wire} reached a board, {interrupted} unfinished")
