"""Opening (EX-14): private, damaged files moved aside, foreign and newer ones untouched, versions."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroclaw_desktop.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreNewerError,
    StoreOpenError,
)
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.opening import OpenReport, open_store, reading_store
from zeroclaw_desktop.store.sessions import (
    SESSION_SCHEMA,
    SessionLock,
    begin_session,
    dead_sessions,
    end_session,
    is_alive,
    lock_path,
    sweep_locks,
)

ONE = Schema("notes", (("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",),))
TWO = Schema("notes", (*ONE.steps, ("ALTER TABLE notes ADD COLUMN tag TEXT NOT NULL DEFAULT 'none'",)))
posix = pytest.mark.skipif(os.name != "posix", reason="file modes; run it on Linux or macOS")


@contextlib.contextmanager
def opened(path: Path, *schemas: Schema) -> Iterator[tuple[sqlite3.Connection, OpenReport]]:
    connection, report = open_store(path, schemas or (ONE,))
    try:
        yield connection, report
    finally:
        connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def fill(path: Path, rows: int = 500) -> None:
    with opened(path) as (connection, _):
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO notes (text) VALUES (?)", [(f"{n} " * 40,) for n in range(rows)])
        connection.execute("COMMIT")


def count(path: Path) -> int:
    with opened(path) as (connection, _):
        return int(connection.execute("SELECT count(*) FROM notes").fetchone()[0])


@posix
def test_the_file_and_its_side_files_are_for_the_owner_only(path: Path) -> None:
    old = os.umask(0)
    try:
        with opened(path) as (connection, _):
            connection.execute("INSERT INTO notes (text) VALUES ('x')")
            modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert modes == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm"), 0o600)


@posix
def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    fill(path, 1)
    path.chmod(0o644)
    with opened(path):
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", ["no database", "page in the middle", "cut short", "header"])
def test_a_damaged_file_is_moved_aside_and_a_new_one_is_begun(path: Path, damage: str) -> None:
    """EX-14: the start never fails for a damaged journal, and nothing of it is thrown away."""
    fill(path)
    data = bytearray(path.read_bytes())
    if damage == "no database":
        data = bytearray(b"these are not the rows you look for " * 500)
    elif damage == "page in the middle":
        data[8192:16384] = random.Random(1).randbytes(8192)
    elif damage == "cut short":
        del data[len(data) // 2 :]
    else:
        data[0:16] = b"SQLite format 9\0"
    path.write_bytes(data)

    with opened(path) as (connection, report):
        assert report.moved_to is not None
        assert report.moved_to.read_bytes() == bytes(data)
        assert str(path) in report.reason
        assert connection.execute("SELECT count(*) FROM notes").fetchone()[0] == 0
        connection.execute("INSERT INTO notes (text) VALUES ('x')")
    with opened(path) as (_, again):
        assert again.moved_to is None


def test_a_guest_leaves_a_damaged_file_where_it_is(path: Path) -> None:
    """EX-14: another program may have it open; its rows would go with the file."""
    path.write_bytes(b"these are not the rows you look for " * 500)
    before = path.read_bytes()
    with pytest.raises(StoreDamagedError):
        open_store(path, [ONE], guest=True)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_a_guest_begins_and_shares_a_sound_file(path: Path) -> None:
    guest, report = open_store(path, [ONE], guest=True)
    assert report.migrated == {"notes": (0, 1)}
    with opened(path) as (owner, _):
        guest.execute("INSERT INTO notes (text) VALUES ('from the guest')")
        assert owner.execute("SELECT text FROM notes").fetchall() == [("from the guest",)]
    guest.close()


def test_several_damaged_files_are_all_kept(path: Path) -> None:
    moved = []
    for number in range(3):
        path.write_bytes(b"no database %d " % number * 100)
        with opened(path) as (_, report):
            moved.append(report.moved_to)
    assert len(set(moved)) == 3
    assert all(file is not None and file.exists() for file in moved)


def test_a_database_of_another_program_is_left_as_it_is(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreForeignError), opened(path):
        pass
    assert path.read_bytes() == before


def test_a_newer_file_is_left_as_it_is(path: Path) -> None:
    with opened(path, TWO):
        pass
    before = path.read_bytes()
    with pytest.raises(StoreNewerError) as caught, opened(path, ONE):
        pass
    assert caught.value.details["found"] == 2
    assert path.read_bytes() == before


def test_an_older_file_is_brought_up_to_date_with_its_rows(path: Path) -> None:
    fill(path, 3)
    with opened(path, TWO) as (connection, report):
        assert report.migrated == {"notes": (1, 2)}
        assert connection.execute("SELECT DISTINCT tag FROM notes").fetchall() == [("none",)]
        assert connection.execute("SELECT count(*) FROM notes").fetchone()[0] == 3
    with opened(path, TWO) as (_, report):
        assert report.migrated == {}


def test_a_step_that_fails_leaves_the_version_before_it(path: Path) -> None:
    fill(path, 3)
    broken = Schema("notes", (*ONE.steps, ("ALTER TABLE notes ADD COLUMN tag TEXT", "NOT A STATEMENT")))
    with pytest.raises(StoreError), opened(path, broken):
        pass
    with opened(path, ONE) as (connection, report):
        assert report.migrated == {}
        columns = [row[1] for row in connection.execute("PRAGMA table_info(notes)")]
        assert columns == ["id", "text"]


def test_schemas_have_versions_of_their_own(path: Path) -> None:
    other = Schema("other", (("CREATE TABLE other (x)",),))
    fill(path, 1)
    with opened(path, ONE, other) as (_, report):
        assert report.migrated == {"other": (0, 1)}


def test_a_reader_sees_what_is_committed_and_cannot_write(path: Path) -> None:
    with opened(path) as (writer, _):
        writer.execute("INSERT INTO notes (text) VALUES ('seen')")
        with reading_store(path, [ONE]) as reader:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("INSERT INTO notes (text) VALUES ('not yet')")
            assert reader.execute("SELECT text FROM notes").fetchall() == [("seen",)]
            writer.execute("COMMIT")
            assert len(reader.execute("SELECT text FROM notes").fetchall()) == 2
        with pytest.raises(StoreError), reading_store(path, [ONE]) as reader:
            reader.execute("DELETE FROM notes")
        assert writer.execute("SELECT count(*) FROM notes").fetchone()[0] == 2


def test_a_reader_without_a_file_or_with_an_older_one_is_told(path: Path) -> None:
    with pytest.raises(StoreOpenError), reading_store(path, [ONE]):
        pass
    assert not path.exists()
    fill(path, 1)
    with pytest.raises(StoreOpenError) as caught, reading_store(path, [TWO]):
        pass
    assert "notes" in caught.value.message


def test_a_reader_of_a_file_that_is_just_being_begun_finds_none_yet(path: Path) -> None:
    sqlite3.connect(path).close()
    path.touch()
    with pytest.raises(StoreOpenError) as caught, reading_store(path, [ONE]):
        pass
    assert caught.value.details["reason"] == "missing"


def test_a_lost_power_leaves_the_rows_up_to_some_commit(path: Path, tmp_path: Path) -> None:
    """EX-14: a log torn at any byte, as a loss of power may leave it, opens with a prefix of the commits."""
    with opened(path) as (connection, _):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        for number in range(60):
            connection.execute("BEGIN IMMEDIATE")
            for half in "ab":
                connection.execute("INSERT INTO notes (text) VALUES (?)", (f"{number}{half}" + "x" * 300,))
            connection.execute("COMMIT")
        file, log = path.read_bytes(), path.with_name("store.db-wal").read_bytes()
    chance = random.Random(7)
    found = set()
    for trial in range(40):
        torn = bytearray(log[: chance.randrange(len(log))])
        if trial % 2 and len(torn) > 600:
            at = chance.randrange(len(torn) - 512)
            torn[at : at + 512] = chance.randbytes(512)
        copy = tmp_path / f"copy-{trial}.db"
        copy.write_bytes(file)
        copy.with_name(f"{copy.name}-wal").write_bytes(torn)
        with opened(copy) as (connection, report):
            assert report.moved_to is None
            rows = [row[0].rstrip("x") for row in connection.execute("SELECT text FROM notes ORDER BY id")]
            assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        whole = [f"{number}{half}" for number in range(60) for half in "ab"]
        assert rows == whole[: len(rows)]
        assert len(rows) % 2 == 0, "half a transaction"
        found.add(len(rows))
    assert len(found) > 10


# -- which run is alive -----------------------------------------------------------------------------------
def test_a_run_is_alive_until_it_lets_go(path: Path) -> None:
    lock = SessionLock(path)
    assert is_alive(path, lock.token)
    lock.release()
    assert not is_alive(path, lock.token)
    assert not lock.path.exists()


def test_a_run_that_was_killed_is_dead(path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from zeroclaw_desktop.store.sessions import SessionLock\n"
        "lock = SessionLock(Path(sys.argv[1])); print(lock.token, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as other:
        assert other.stdout is not None
        token = other.stdout.readline().strip()
        assert is_alive(path, token)
        other.kill()
        other.wait()
        assert lock_path(path, token).exists()
        assert not is_alive(path, token)
    assert not lock_path(path, token).exists()


def test_sessions_of_the_dead_are_told_from_those_at_work(path: Path) -> None:
    with opened(path, SESSION_SCHEMA) as (connection, _):
        here = SessionLock(path)
        ended, gone = "a" * 32, "b" * 32
        numbers = [begin_session(connection, token) for token in (here.token, ended, gone)]
        end_session(connection, numbers[1])
        assert dead_sessions(connection, path, [*numbers, 99]) == {numbers[1], numbers[2], 99}
        here.release()


def test_locks_that_dead_runs_left_are_swept_and_others_kept(path: Path) -> None:
    living, young, old = SessionLock(path), lock_path(path, "young"), lock_path(path, "old")
    stranger = path.with_name("other.db.x.lock")
    for file in (young, old, stranger):
        file.touch()
    for file in (living.path, old, stranger):
        os.utime(file, (0, 0))
    sweep_locks(path)
    assert not old.exists()
    assert all(file.exists() for file in (living.path, young, stranger))
    living.release()


def test_a_copy_made_while_writing_is_not_taken_for_ours_in_another_place(path: Path, tmp_path: Path) -> None:
    """The locks stand beside the file, so the rows of a copied database belong to dead runs."""
    lock = SessionLock(path)
    with opened(path, SESSION_SCHEMA) as (connection, _):
        number = begin_session(connection, lock.token)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        copy = tmp_path / "elsewhere.db"
        shutil.copy(path, copy)
    with opened(copy, SESSION_SCHEMA) as (connection, _):
        assert dead_sessions(connection, copy, [number]) == {number}
    lock.release()
