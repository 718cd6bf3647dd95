"""The store's thread (EX-14): order, wholeness, what an answer promises, faults, the end."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from zeroclaw_desktop.store.errors import (
    StoreBusyError,
    StoreClosedError,
    StoreError,
    StoreFullError,
    StoreOpenError,
)
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.thread import Connection, StoreThread

NOTES = Schema("notes", (("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",),))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[StoreThread]:
    started = StoreThread(tmp_path / "store.db", [NOTES], busy_seconds=0.2)
    await started.start()
    yield started
    assert await started.stop()


def add(text: str) -> Callable[[Connection], int | None]:
    return lambda connection: connection.execute("INSERT INTO notes (text) VALUES (?)", (text,)).lastrowid


def texts(connection: Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT text FROM notes ORDER BY id")]


def on_disk(store: StoreThread) -> list[str]:
    """What another program sees."""
    with sqlite3.connect(store.path) as other:
        found = texts(other)
    other.close()
    return found


async def test_what_is_answered_is_committed(store: StoreThread) -> None:
    assert await store.submit(add("one")) == 1
    assert on_disk(store) == ["one"]


async def test_work_is_done_in_the_order_in_which_it_was_handed_in(store: StoreThread) -> None:
    futures = []
    for number in range(300):
        if number % 3:
            store.post(add(f"{number:03}"))
        else:
            futures.append(store.submit(add(f"{number:03}")))
    await asyncio.gather(*futures)
    assert await store.read(texts) == [f"{number:03}" for number in range(300)]


async def test_answers_come_in_order(store: StoreThread) -> None:
    came: list[int] = []

    async def one(number: int) -> None:
        await store.submit(add(str(number)))
        came.append(number)

    await asyncio.gather(*(one(number) for number in range(50)))
    assert came == list(range(50))


async def test_all_work_runs_on_one_thread_that_is_not_the_loops(store: StoreThread) -> None:
    threads = {await store.submit(lambda _c: threading.get_ident()) for _ in range(3)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_work_that_waits_shares_a_transaction(store: StoreThread) -> None:
    """EX-14: group commit keeps the journal cheap."""
    gate = threading.Event()
    first = store.submit(lambda _c: gate.wait(5))
    before = store.commits
    rest = [store.submit(add(str(number))) for number in range(100)]
    gate.set()
    await asyncio.gather(first, *rest)
    assert store.commits - before <= 3
    assert len(on_disk(store)) == 100


async def test_work_that_fails_takes_nothing_with_it(store: StoreThread) -> None:
    gate = threading.Event()
    held = store.submit(lambda _c: gate.wait(5))

    def half(connection: Connection) -> None:
        connection.execute("INSERT INTO notes (text) VALUES ('half')")
        connection.execute("INSERT INTO notes (text) VALUES ('good one')")

    good, bad, other = store.submit(add("good one")), store.submit(half), store.submit(add("good two"))
    gate.set()
    results = await asyncio.gather(held, good, bad, other, return_exceptions=True)
    assert isinstance(results[2], StoreError)
    assert "UNIQUE" in results[2].message
    assert on_disk(store) == ["good one", "good two"]


async def test_work_alone_that_fails_leaves_nothing(store: StoreThread) -> None:
    def half(connection: Connection) -> None:
        connection.execute("INSERT INTO notes (text) VALUES ('half')")
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        await store.submit(half)
    assert on_disk(store) == []
    await store.submit(add("after"))
    assert on_disk(store) == ["after"]


async def test_a_look_changes_nothing_and_sees_what_came_before(store: StoreThread) -> None:
    store.post(add("one"))

    def cheat(connection: Connection) -> list[str]:
        connection.execute("INSERT INTO notes (text) VALUES ('cheated')")
        return texts(connection)

    assert await store.read(texts) == ["one"]
    assert await store.read(cheat) == ["one", "cheated"]
    assert on_disk(store) == ["one"]


async def test_posted_work_that_fails_is_counted(store: StoreThread) -> None:
    store.post(add("one"))
    store.post(add("one"))
    await store.flush()
    assert store.failures == 1
    assert on_disk(store) == ["one"]


async def test_work_comes_from_any_thread(store: StoreThread) -> None:
    threads = [threading.Thread(target=store.post, args=(add(str(n)),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    await store.flush()
    assert sorted(on_disk(store)) == sorted(map(str, range(8)))


async def test_a_caller_that_goes_away_disturbs_nobody(store: StoreThread) -> None:
    gate = threading.Event()
    held = store.submit(lambda _c: gate.wait(5))
    gone = asyncio.ensure_future(store.submit(add("gone")))
    stays = store.submit(add("stays"))
    gone.cancel()
    gate.set()
    await asyncio.gather(held, stays)
    assert on_disk(store) == ["gone", "stays"]


async def syncs(store: StoreThread) -> int:
    return await store.read(lambda c: int(c.execute("SELECT count FROM store_syncs").fetchone()[0]))


async def test_durable_work_syncs_even_when_it_writes_nothing(store: StoreThread) -> None:
    """A sync is a commit under synchronous=FULL; an empty commit would not reach the disk."""
    before = await syncs(store)
    await store.flush(durable=True)
    assert await syncs(store) == before + 1
    level = await store.read(lambda c: c.execute("PRAGMA synchronous").fetchone()[0])
    assert level == 1  # NORMAL again, https://www.sqlite.org/pragma.html#pragma_synchronous


async def test_an_idle_moment_syncs_once(store: StoreThread) -> None:
    await store.submit(add("one"))
    before = await syncs(store)
    async with asyncio.timeout(10):
        while await syncs(store) == before:
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.2)
    assert await syncs(store) == before + 1


async def test_another_program_that_writes_is_waited_for_and_named(store: StoreThread) -> None:
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError) as caught:
        await store.submit(add("one"))
    assert caught.value.retryable
    other.execute("ROLLBACK")
    other.close()
    await store.submit(add("two"))
    assert on_disk(store) == ["two"]


async def test_a_full_disk_leaves_no_half_rows_and_the_store_goes_on(store: StoreThread) -> None:
    """SQLite's own limit on pages gives the same SQLITE_FULL as a disk without room."""
    await store.submit(add("before"))

    def limit(pages: int) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            count = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {count + pages}").fetchall()

        return work

    def much(connection: Connection) -> None:
        connection.execute("INSERT INTO notes (text) VALUES ('small')")
        connection.execute("INSERT INTO notes (text) VALUES (?)", ("x" * 200_000,))

    await store.submit(limit(2))
    gate = threading.Event()
    held = store.submit(lambda _c: gate.wait(5))
    big, small = store.submit(much), store.submit(add("fits"))
    gate.set()
    results = await asyncio.gather(held, big, small, return_exceptions=True)
    assert isinstance(results[1], StoreFullError)
    assert results[1].retryable
    assert results[1].hint
    assert on_disk(store) == ["before", "fits"]
    await store.submit(limit(1_000))
    await store.submit(much)
    assert len(on_disk(store)) == 4


FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.thread import StoreThread

async def main():
    notes = Schema("notes", (("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)",),))
    store = StoreThread(Path(sys.argv[1]), [notes])
    await store.start()
    room = 300_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    kept = refused = 0
    for number in range(60):
        def two(connection, number=number):
            for half in "ab":
                connection.execute("INSERT INTO notes (text) VALUES (?)", (f"{number}{half}" + "x" * 9000,))
        try:
            await store.submit(two)
            kept += 1
        except StoreError as error:
            refused += 1
            assert error.retryable, error
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await store.submit(lambda c: c.execute("INSERT INTO notes (text) VALUES ('room again')"))
    await store.stop()
    print(kept, refused)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files; run it on Linux or macOS")
def test_real_writes_that_fail_leave_no_half_rows(tmp_path: Path) -> None:
    """The system refuses to let the files grow: the write itself fails, as on a full or broken disk."""
    path = tmp_path / "store.db"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)],
        capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[3], check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    kept, refused = map(int, done.stdout.split())
    assert kept > 0
    assert refused > 0
    with sqlite3.connect(path) as look:
        rows = [row[0] for row in look.execute("SELECT text FROM notes ORDER BY id")]
        assert look.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    look.close()
    assert rows.pop() == "room again"
    assert len(rows) == 2 * kept
    assert [row.rstrip("x")[-1] for row in rows] == ["a", "b"] * kept


async def test_before_the_start_and_after_the_end_work_is_refused(tmp_path: Path) -> None:
    store = StoreThread(tmp_path / "store.db", [NOTES])
    with pytest.raises(StoreClosedError):
        store.post(add("early"))
    assert await store.stop()
    await store.start()
    await store.stop()
    with pytest.raises(StoreClosedError):
        await store.submit(add("late"))


async def test_the_end_commits_what_waits_and_leaves_one_file(tmp_path: Path) -> None:
    store = StoreThread(tmp_path / "store.db", [NOTES])
    await store.start()
    for number in range(200):
        store.post(add(str(number)))
    assert await store.stop()
    assert len(on_disk(store)) == 200
    assert [path.name for path in tmp_path.glob("store.db*")] == ["store.db"]


async def test_a_store_that_cannot_be_opened_says_so_and_leaves_no_thread(tmp_path: Path) -> None:
    store = StoreThread(tmp_path / "missing" / "store.db", [NOTES])
    with pytest.raises(StoreOpenError) as caught:
        await store.start()
    assert caught.value.hint
    with pytest.raises(StoreClosedError):
        store.post(add("one"))
