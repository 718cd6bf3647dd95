"""The store's answer when the loop stands still for it (EX-14): told once, in place or later, never torn."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.store import thread as thread_module
from zeroclaw_desktop.store.errors import StoreClosedError, StoreError, StoreFullError
from zeroclaw_desktop.store.jobs import Meeting
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.thread import Connection, StoreThread

NOTES = Schema("notes", (("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",),))
LONG = 10.0
"""Seconds that are never waited for; the answer comes long before."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[StoreThread]:
    started = StoreThread(tmp_path / "store.db", [NOTES])
    await started.start()
    yield started
    assert await started.stop()


def add(text: str) -> Callable[[Connection], int | None]:
    return lambda connection: connection.execute("INSERT INTO notes (text) VALUES (?)", (text,)).lastrowid


def on_disk(store: StoreThread) -> list[str]:
    """What another program sees."""
    with sqlite3.connect(store.path) as other:
        found = [row[0] for row in other.execute("SELECT text FROM notes ORDER BY id")]
    other.close()
    return found


class Told:
    """Keeps what a callback was told and where."""

    def __init__(self) -> None:
        self.answers: list[tuple[Any, BaseException | None]] = []
        self.threads: set[int] = set()

    def __call__(self, answer: Any, error: BaseException | None) -> None:
        self.answers.append((answer, error))
        self.threads.add(threading.get_ident())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("whole", [False, True])
async def test_the_answer_is_told_and_committed_before_the_call_returns(
    store: StoreThread, whole: bool
) -> None:
    told = Told()
    store.hand_in(add("one"), told, patience=LONG, whole=whole)
    assert told.answers == [(1, None)]
    assert on_disk(store) == ["one"]
    await asyncio.sleep(0.02)
    assert len(told.answers) == 1
    assert store.commits == 1


async def test_an_answer_that_takes_longer_is_told_once_by_the_loop(store: StoreThread) -> None:
    told, gate = Told(), threading.Event()

    def slow(connection: Connection) -> str:
        gate.wait(10)
        add("late")(connection)
        return "done"

    store.hand_in(slow, told, patience=0.001)
    assert told.answers == []
    gate.set()
    await until(lambda: bool(told.answers))
    await asyncio.sleep(0.02)
    assert told.answers == [("done", None)]
    assert told.threads == {threading.get_ident()}
    assert on_disk(store) == ["late"]


async def test_whoever_gives_up_at_the_very_moment_is_told_exactly_once(store: StoreThread) -> None:
    """The work takes about as long as the patience lasts, so both sides come first many times."""
    chance = random.Random(7)
    told = [Told() for _ in range(400)]
    for number, one in enumerate(told):
        seconds = chance.uniform(0.0, 0.0008)
        store.hand_in(lambda _c, s=seconds, n=number: time.sleep(s) or n, one, patience=0.0004)
        await asyncio.sleep(0)
    await until(lambda: all(one.answers for one in told))
    await asyncio.sleep(0.02)
    assert [one.answers for one in told] == [[(number, None)] for number in range(len(told))]


@pytest.mark.parametrize("whole", [False, True])
async def test_work_that_fails_is_told_in_place_and_leaves_nothing(store: StoreThread, whole: bool) -> None:
    await store.submit(add("one"))
    told = Told()
    store.hand_in(add("one"), told, patience=LONG, whole=whole)
    ((answer, error),) = told.answers
    assert answer is None
    assert isinstance(error, StoreError)
    assert "UNIQUE" in error.message
    assert on_disk(store) == ["one"]
    store.hand_in(add("two"), told, patience=LONG, whole=whole)
    assert on_disk(store) == ["one", "two"]


async def test_one_statement_on_a_full_disk_leaves_no_half_row(store: StoreThread) -> None:
    """SQLite's own limit on pages gives the same SQLITE_FULL as a disk without room."""

    def limit(pages: int) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            count = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {count + pages}").fetchall()

        return work

    await store.submit(limit(1))
    told = Told()
    store.hand_in(add("x" * 200_000), told, patience=LONG, whole=True)
    assert isinstance(told.answers[0][1], StoreFullError)
    assert on_disk(store) == []
    await store.submit(limit(1_000))
    store.hand_in(add("room again"), told, patience=LONG, whole=True)
    assert told.answers[1][1] is None
    assert on_disk(store) == ["room again"]


async def test_what_was_handed_in_before_is_done_before(store: StoreThread) -> None:
    gate, told = threading.Event(), Told()
    held = store.submit(lambda _c: gate.wait(5))
    store.post(add("first"))
    threading.Timer(0.05, gate.set).start()
    store.hand_in(add("second"), told, patience=LONG, whole=True)
    assert told.answers == [(2, None)]
    assert on_disk(store) == ["first", "second"]
    await held


async def test_a_store_that_is_not_open_refuses_at_once(tmp_path: Path) -> None:
    closed, told = StoreThread(tmp_path / "store.db", [NOTES]), Told()
    with pytest.raises(StoreClosedError):
        closed.hand_in(add("one"), told, patience=LONG)
    assert told.answers == []


async def test_commits_that_were_waited_for_are_synced_in_time(
    store: StoreThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the latest every MOST_SYNC_SECONDS, also while there is never an idle moment."""

    def syncs(connection: Connection) -> int:
        return int(connection.execute("SELECT count FROM store_syncs").fetchone()[0])

    before = await store.read(syncs)
    monkeypatch.setattr(thread_module, "MOST_SYNC_SECONDS", -1.0)
    for number in range(3):
        store.hand_in(add(str(number)), Told(), patience=LONG, whole=True)
    assert await store.read(syncs) >= before + 3


@pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="interrupts by a timer; run it on Linux or macOS"
)
async def test_an_interrupted_wait_loses_no_answer(store: StoreThread) -> None:
    """Ctrl-C in the middle of the wait: the caller goes away, the answer is told on the loop all the same."""

    class Interrupted(BaseException):
        pass

    def interrupt(_number: int, _frame: object) -> None:
        raise Interrupted

    gate, told = threading.Event(), Told()
    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Interrupted):
            store.hand_in(lambda _c: gate.wait(10), told, patience=LONG)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, old)
    assert told.answers == []
    gate.set()
    await until(lambda: bool(told.answers))
    assert told.answers == [(True, None)]


class TestMeeting:
    """Exactly one of the two brings the answer."""

    def test_an_answer_that_is_there_is_taken_along(self) -> None:
        meeting = Meeting()
        assert meeting.bring()
        assert meeting.wait(0.0)

    def test_an_answer_for_nobody_is_sent(self) -> None:
        meeting = Meeting()
        assert not meeting.wait(0.0)
        assert not meeting.bring()

    def test_whoever_left_stays_away(self) -> None:
        meeting = Meeting()
        assert meeting.leave()
        assert meeting.leave()
        assert not meeting.bring()

    def test_whoever_leaves_too_late_takes_the_answer_along(self) -> None:
        meeting = Meeting()
        assert meeting.bring()
        assert not meeting.leave()
