"""Which run of the program wrote a row, and whether that run still lives.

Several programs may write one database (the window and a command line). Each keeps an open, locked file
beside it; the system lets go of the lock however the program ends, so an unfinished row of a dead run can be
told from one that is at work just now.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
import sys
import time
import uuid
from collections.abc import Iterable
from pathlib import Path

from zeroclaw_desktop.store.migrations import Schema

SESSION_SCHEMA = Schema(
    "sessions",
    (
        (
            "CREATE TABLE store_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, "
            "pid INTEGER NOT NULL, started REAL NOT NULL, ended REAL)",
            "CREATE TABLE store_syncs (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL)",
            "INSERT INTO store_syncs VALUES (1, 0)",
        ),
    ),
)

YOUNG_SECONDS = 60.0


def _lock(descriptor: int) -> bool:
    """Take the lock of an open file; False when somebody else has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class SessionLock:
    """The locked file of one run."""

    def __init__(self, database: Path) -> None:
        self.token = uuid.uuid4().hex
        self.path = lock_path(database, self.token)
        self._descriptor = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        _lock(self._descriptor)

    def release(self) -> None:
        """Let go and remove the file."""
        os.close(self._descriptor)
        with contextlib.suppress(OSError):
            self.path.unlink()


def lock_path(database: Path, token: str) -> Path:
    """Return where a run keeps its locked file."""
    return database.with_name(f"{database.name}.{token}.lock")


def is_alive(database: Path, token: str) -> bool:
    """Whether the run still holds its lock; the file of a dead one is removed."""
    path = lock_path(database, token)
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        dead = _lock(descriptor)
    finally:
        os.close(descriptor)
    if dead:
        with contextlib.suppress(OSError):
            path.unlink()
    return not dead


def sweep_locks(database: Path) -> None:
    """Remove the locked files that dead runs left, except young ones: their run may be about to lock them."""
    for path in database.parent.glob(f"{glob.escape(database.name)}.*.lock"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > YOUNG_SECONDS:
                is_alive(database, path.name[len(database.name) + 1 : -len(".lock")])


def begin_session(connection: sqlite3.Connection, token: str) -> int:
    """Enter this run; returns its number. The caller holds a transaction."""
    row = (token, os.getpid(), time.time())
    number = connection.execute(
        "INSERT INTO store_sessions (token, pid, started) VALUES (?, ?, ?)", row
    ).lastrowid
    assert number is not None  # an INSERT has one
    return number


def end_session(connection: sqlite3.Connection, number: int) -> None:
    """Note that this run ended in good order. The caller holds a transaction."""
    connection.execute("UPDATE store_sessions SET ended = ? WHERE id = ?", (time.time(), number))


def dead_sessions(connection: sqlite3.Connection, database: Path, numbers: Iterable[int]) -> set[int]:
    """Return those of ``numbers`` whose run has ended, in good order or not."""
    dead = set()
    for number in numbers:
        row = connection.execute("SELECT token, ended FROM store_sessions WHERE id = ?", (number,)).fetchone()
        if row is None or row[1] is not None or not is_alive(database, row[0]):
            dead.add(number)
    return dead


def living_sessions(connection: sqlite3.Connection, database: Path) -> set[int]:
    """Return the runs that have not ended, this one included."""
    rows = connection.execute("SELECT id, token FROM store_sessions WHERE ended IS NULL").fetchall()
    return {number for number, token in rows if is_alive(database, token)}
