"""The thread that owns the database: work goes in, answers come back on the caller's loop, in order.

Work that waits is done together: one transaction for all of it (group commit), each piece in a savepoint of
its own, so that a piece that fails takes nothing with it. What only is to be written (``post``) waits a
moment for company; what somebody awaits (``submit``) is done at once.

What an answer promises. ``synchronous=NORMAL`` with a write-ahead log: what was committed stays when the
process ends in any way, kill -9 included, because the system has it. A loss of power may take the last
moments but never tears the file. To keep these moments short the thread syncs when it has been idle for
IDLE_SYNC_SECONDS, and at the latest every MOST_SYNC_SECONDS; ``durable=True`` syncs before the answer. A sync
takes milliseconds (about 4 where this was measured), a commit without one some ten microseconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.store import transactions
from zeroclaw_desktop.store.errors import StoreBusyError, StoreClosedError, StoreError, store_error
from zeroclaw_desktop.store.jobs import Done, Job, Meeting, answer
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.opening import BUSY_SECONDS, OpenReport, open_store
from zeroclaw_desktop.store.sessions import (
    SESSION_SCHEMA,
    SessionLock,
    begin_session,
    end_session,
    sweep_locks,
)

Connection = sqlite3.Connection
"""What work gets; other rooms name it from here."""
Answer = TypeVar("Answer")

MOST_TOGETHER = 512
MOST_WAITING = 100_000
LINGER_SECONDS = 0.001
IDLE_SYNC_SECONDS = 0.05
MOST_SYNC_SECONDS = 0.5
CHECKPOINT_AFTER_COMMITS = 250
STOP_SECONDS = 10.0
_log = logging.getLogger("zeroclaw.store")


class StoreThread:
    """Owner of one database file.

    Args:
        path: the file; its folder exists.
        schemas: tables of the rooms that use it, brought up to date at the start.
        busy_seconds: how long to wait for another program that writes.
        guest: see ``opening.open_store``.
    """

    def __init__(
        self,
        path: Path,
        schemas: Sequence[Schema],
        *,
        busy_seconds: float = BUSY_SECONDS,
        guest: bool = False,
    ) -> None:
        self.path = path
        self._guest = guest
        self._busy_seconds = busy_seconds
        self.session = 0
        """Number of this run of the program in the database; 0 before the start."""
        self.commits = 0
        """Transactions so far; for measurements."""
        self.failures = 0
        """Pieces of posted work that failed with nobody to tell."""
        self._schemas = (SESSION_SCHEMA, *schemas)
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._open = False
        self._guard = threading.Lock()
        self._unsynced_since: float | None = None
        self._commits_since_checkpoint = 0
        self._lock: SessionLock | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    # -- for everybody --------------------------------------------------------------------------------
    @property
    def token(self) -> str:
        """Name of this run, by which others ask ``sessions.is_alive``; '' while it is not running."""
        return self._lock.token if self._lock is not None else ""

    async def start(self) -> OpenReport:
        """Open the database on its thread; returns what was found.

        Raises:
            StoreError: it cannot be used.
        """
        loop = self._loop = asyncio.get_running_loop()
        opened: asyncio.Future[OpenReport] = loop.create_future()

        def tell(report: OpenReport | None, error: StoreError | None) -> None:
            def settle() -> None:
                if opened.done():
                    return
                if report is not None:
                    opened.set_result(report)
                elif error is not None:
                    opened.set_exception(error)

            with contextlib.suppress(RuntimeError):  # the loop is closed already
                loop.call_soon_threadsafe(settle)

        self._thread = threading.Thread(target=self._main, args=(tell,), name="store", daemon=True)
        self._thread.start()
        return await opened

    def submit(
        self, work: Callable[[Connection], Answer], *, durable: bool = False
    ) -> asyncio.Future[Answer]:
        """Do work in a transaction; the answer comes when it is committed. Await the result.

        Args:
            work: runs on the store's thread and uses the connection only. Its statements are kept together
                or not at all. It may be called a second time after its transaction was lost.
            durable: sync to the disk before the answer.

        Raises:
            StoreClosedError, StoreBusyError: at once.
            StoreError: from the awaited future; nothing of the work was kept. Other exceptions of the work
                come through as they are, likewise.
        """
        return self._ask(work, reading=False, durable=durable)

    def read(self, work: Callable[[Connection], Answer]) -> asyncio.Future[Answer]:
        """Look at the data as of everything handed in before; await the result. Keep it short."""
        return self._ask(work, reading=True, durable=False)

    def _ask(
        self, work: Callable[[Connection], Answer], *, reading: bool, durable: bool
    ) -> asyncio.Future[Answer]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()

        def settle(answer: Any, error: BaseException | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(answer)
            else:
                future.set_exception(error)

        self._put(Job(work, loop, settle, reading=reading, durable=durable))
        return future

    def post(self, work: Callable[[Connection], object]) -> None:
        """Write without waiting, from any thread; kept in order with everything else.

        A failure is logged and counted in ``failures``.

        Raises:
            StoreClosedError: the store is not running.
            StoreBusyError: MOST_WAITING pieces wait.
        """
        self._put(Job(work, None, None, awaited=False))

    def hand_in(
        self,
        work: Callable[[Connection], Any],
        done: Done,
        *,
        patience: float = 0.0,
        whole: bool = False,
    ) -> None:
        """Like ``submit`` with a callback instead of a future; saves a turn of the loop.

        The callback is told on the loop that started the store. That loop need not be running at the moment:
        under Qt its timers also fire while only Qt's own loop turns.

        Args:
            patience: seconds that the loop may stand still for the answer. When it comes in that time the
                callback is told before this returns, which saves two turns more.
            whole: the work is one statement on one row; it needs no transaction around it.
        """
        job = Job(work, self._loop, done, whole=whole)
        if patience > 0.0:
            job.meeting = Meeting()
        self._put(job)
        if patience > 0.0:
            job.tell_within(patience)

    def call_later(self, seconds: float, function: Callable[[], None]) -> asyncio.TimerHandle:
        """Call a function on the loop that started the store, likewise whether or not that is running.

        Raises:
            StoreClosedError: the store was never started.
        """
        if self._loop is None:
            raise StoreClosedError(f"The database {self.path} is not open.", details={"path": str(self.path)})
        return self._loop.call_later(seconds, function)

    def _put(self, job: Job) -> None:
        if self._queue.qsize() >= MOST_WAITING:
            raise StoreBusyError(
                f"Too much waits to be written to {self.path}.",
                retryable=True,
                details={"path": str(self.path), "reason": "queue"},
            )
        with self._guard:
            if self._open:
                self._queue.put(job)
                return
        raise StoreClosedError(f"The database {self.path} is not open.", details={"path": str(self.path)})

    async def flush(self, *, durable: bool = False) -> None:
        """Wait until everything handed in before is committed (and on the disk)."""
        await self.submit(lambda _connection: None, durable=durable)

    async def stop(self) -> bool:
        """Commit what waits, close the file and end the thread; returns whether it ended in time."""
        thread = self._thread
        if thread is None:
            return True
        with self._guard:
            self._open = False
            self._queue.put(None)
        await asyncio.to_thread(thread.join, STOP_SECONDS)
        return not thread.is_alive()

    # -- on the thread --------------------------------------------------------------------------------
    def _main(self, tell: Callable[[OpenReport | None, StoreError | None], None]) -> None:
        try:
            connection, report = self._begin()
        except StoreError as error:
            self._let_go()
            tell(None, error)
            return
        self._open = True
        tell(report, None)
        try:
            while self._turn(connection):
                pass
        finally:
            with self._guard:
                self._open = False
            self._end(connection)

    def _begin(self) -> tuple[Connection, OpenReport]:
        connection, report = open_store(self.path, self._schemas, self._busy_seconds, guest=self._guest)
        try:
            sweep_locks(self.path)
            self._lock = SessionLock(self.path)
            with transactions.transaction(connection) as keep:
                self.session = begin_session(connection, self._lock.token)
                keep()
        except (sqlite3.Error, OSError) as error:
            connection.close()
            if isinstance(error, sqlite3.Error):
                raise store_error(error, self.path) from error
            raise StoreError(
                f"The lock beside {self.path} cannot be made: {error.strerror}.",
                details={"path": str(self.path), "reason": str(error.strerror)},
            ) from error
        return connection, report

    def _end(self, connection: Connection) -> None:
        """Leave the file whole and small, then fail whatever came too late."""
        with contextlib.suppress(sqlite3.Error):
            with transactions.transaction(connection) as keep:
                end_session(connection, self.session)
                keep()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with contextlib.suppress(sqlite3.Error):
            connection.close()
        self._let_go()
        late: list[Job] = []
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._queue.get_nowait()
                if job is not None:
                    job.error = StoreClosedError(f"The database {self.path} is closed.")
                    late.append(job)
        self._answer(late)

    def _let_go(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _turn(self, connection: Connection) -> bool:
        """Do what waits, or rest; returns whether to go on."""
        try:
            first = self._queue.get(timeout=None if self._unsynced_since is None else IDLE_SYNC_SECONDS)
        except queue.Empty:
            self._rest(connection)
            return True
        if first is None:
            return False
        if first.meeting is not None and self._queue.empty():  # a loop stands still for it
            self._note_commits(transactions.write(connection, [first], self.path), synced=False)
            answer([first])
            self._sync_in_time(connection)
            return True
        jobs, go_on = self._company(first)
        self._do(connection, jobs)
        self._sync_in_time(connection)
        return go_on

    def _do(self, connection: Connection, jobs: list[Job]) -> None:
        """In order; what writes and what looks, each together with its neighbours of the same kind."""
        start = 0
        while start < len(jobs):
            end = start
            while end < len(jobs) and jobs[end].reading == jobs[start].reading:
                end += 1
            piece = jobs[start:end]
            if piece[0].reading:
                transactions.look(connection, piece, self.path)
            else:
                commits = transactions.write(connection, piece, self.path)
                synced = any([job.durable and job.error is None for job in piece])
                self._note_commits(commits, synced=synced)
            self._answer(piece)
            start = end

    def _company(self, first: Job) -> tuple[list[Job], bool]:
        """Collect what waits; when nobody awaits any of it, more may come for LINGER_SECONDS."""
        jobs = [first]
        hurry = first.awaited
        deadline = time.monotonic() + LINGER_SECONDS
        while len(jobs) < MOST_TOGETHER and not (hurry and self._queue.empty()):
            try:
                job = self._queue.get(timeout=0 if hurry else max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if job is None:
                return jobs, False
            jobs.append(job)
            hurry = hurry or job.awaited
        return jobs, True

    def _note_commits(self, commits: int, *, synced: bool) -> None:
        self.commits += commits
        self._commits_since_checkpoint += commits
        if synced and commits == 1:
            self._unsynced_since = None
        elif commits and self._unsynced_since is None:
            self._unsynced_since = time.monotonic()

    def _answer(self, jobs: list[Job]) -> None:
        for job in jobs:
            if job.error is not None and job.done is None:
                self.failures += 1
                reason = job.error.message if isinstance(job.error, ZeroClawError) else repr(job.error)
                _log.error("Something could not be written: %s", reason)
        answer(jobs)

    def _sync_in_time(self, connection: Connection) -> None:
        if self._unsynced_since is not None and time.monotonic() - self._unsynced_since > MOST_SYNC_SECONDS:
            self._sync(connection)

    def _rest(self, connection: Connection) -> None:
        """An idle moment: sync, and move what the log has gathered into the file when it is much."""
        self._sync(connection)
        if self._commits_since_checkpoint >= CHECKPOINT_AFTER_COMMITS:
            self._commits_since_checkpoint = 0
            with contextlib.suppress(sqlite3.Error):  # busy: the next idle moment will do
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _sync(self, connection: Connection) -> None:
        self._unsynced_since = None
        try:
            transactions.sync(connection)
        except sqlite3.Error as error:
            _log.warning("The database could not be synced: %s", store_error(error, self.path).message)
