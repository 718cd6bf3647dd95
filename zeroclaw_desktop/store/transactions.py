"""Transactions of the store: work kept together or each piece by itself, and queries that see one state."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from zeroclaw_desktop.store.errors import StoreBusyError, store_error
from zeroclaw_desktop.store.jobs import Job

COUNT_SYNC = "UPDATE store_syncs SET count = count + 1"
"""A transaction that writes nothing does not sync either, so each sync writes at least this."""


def write(connection: sqlite3.Connection, jobs: Sequence[Job], path: Path) -> int:
    """All of it in one transaction; when the transaction itself is lost, each piece in one of its own.

    Answers and faults are left in the jobs.

    Args:
        path: of the database, for messages.

    Returns:
        How many transactions were committed.
    """
    if len(jobs) == 1 and jobs[0].whole:
        with contextlib.suppress(sqlite3.Error):  # the job has it
            _attempt(connection, jobs[0], path)
        return int(jobs[0].error is None)
    durable = any([job.durable for job in jobs])
    try:
        if durable:
            connection.execute("PRAGMA synchronous = FULL").fetchall()
        return int(_write_together(connection, jobs, path, durable=durable))
    except sqlite3.Error as error:
        fault = store_error(error, path)
        if len(jobs) == 1 or isinstance(fault, StoreBusyError):
            for job in jobs:
                job.error = fault
            return 0
    finally:
        if durable:
            no_more_syncs(connection)
    commits = 0
    for job in jobs:
        job.error = None
        commits += write(connection, [job], path)
    return commits


def _write_together(
    connection: sqlite3.Connection, jobs: Sequence[Job], path: Path, *, durable: bool
) -> bool:
    """Returns whether anything was committed; raises sqlite3.Error when all of it was lost."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if len(jobs) == 1:
            _attempt(connection, jobs[0], path)
            if jobs[0].error is not None:
                return False
        else:
            for job in jobs:
                _attempt_apart(connection, job, path)
        if durable:
            connection.execute(COUNT_SYNC)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return True


def _attempt_apart(connection: sqlite3.Connection, job: Job, path: Path) -> None:
    connection.execute("SAVEPOINT piece")
    _attempt(connection, job, path)
    if job.error is not None:
        connection.execute("ROLLBACK TO piece")
    connection.execute("RELEASE piece")


def _attempt(connection: sqlite3.Connection, job: Job, path: Path) -> None:
    try:
        job.answer = job.work(connection)
    except sqlite3.Error as error:
        job.error = store_error(error, path)
        job.error.__cause__ = error
        if not connection.in_transaction:
            raise  # SQLite has given up the whole transaction (full disk, failed write)
    except Exception as error:  # noqa: BLE001 - the thread's own loop: a fault belongs to whoever gave the work
        job.error = error


def look(connection: sqlite3.Connection, jobs: Sequence[Job], path: Path) -> None:
    """Queries in one transaction, so that they see one state; what they write is taken back."""
    try:
        connection.execute("BEGIN")
        for job in jobs:
            _attempt(connection, job, path)
    except sqlite3.Error as error:
        for job in jobs:
            job.error = job.error or store_error(error, path)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def sync(connection: sqlite3.Connection) -> None:
    """Bring everything committed to the disk: a commit under FULL syncs the whole log before it.

    Raises:
        sqlite3.Error: it is not sure to be there.
    """
    try:
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        with transaction(connection) as keep:
            connection.execute(COUNT_SYNC)
            keep()
    finally:
        no_more_syncs(connection)


def no_more_syncs(connection: sqlite3.Connection) -> None:
    """From now on commits do not wait for the disk."""
    with contextlib.suppress(sqlite3.Error):  # at worst every commit syncs: slower, not less safe
        connection.execute("PRAGMA synchronous = NORMAL").fetchall()


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[Callable[[], None]]:
    """A transaction that is kept by calling what the block gets, and rolled back otherwise."""

    def keep() -> None:
        connection.execute("COMMIT")

    connection.execute("BEGIN IMMEDIATE")
    try:
        yield keep
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
