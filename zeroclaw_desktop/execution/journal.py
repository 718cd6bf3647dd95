"""The journal (EX-7, EX-14): one row before and one after each execution, and every step between them.

``before`` returns when the row is committed, so nothing moves that the journal does not know of; ``after``
returns when the result is committed, so nothing is acknowledged that a crash could take back. Steps, refused
payloads and the rows before of what only looks are written in passing: they come with the row after or
follow within FLUSH_SECONDS.

Rows of all tasks that come in one turn of the loop, or while a commit is under way, share the next one. When
every task there is waits for the commit, and so when there is one only, the loop stands still for it, up to
WAIT_SECONDS: a commit is sooner done than the loop has turned. A disk that takes longer is not waited for in
this way again for a while. All calls on the loop's thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from zeroclaw_desktop.contracts.actions import ActionPayload, ActionResult, ActionTransition
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution import journal_queries as queries
from zeroclaw_desktop.execution.journal_batch import Batch, Ended, OpenTask, call_receipt, interrupted_receipt
from zeroclaw_desktop.execution.journal_queries import (
    INTERRUPTED,
    JournalCounts,
    JournalEntry,
    JournalFilter,
)
from zeroclaw_desktop.execution.journal_rows import (
    INSERT_AFTER,
    INSERT_ANSWER,
    after_row,
    before_row,
    began,
    changes_json,
    plain,
    to_json,
)
from zeroclaw_desktop.execution.preparation import Prepared
from zeroclaw_desktop.execution.receipts import ReceiptBook
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.store.errors import StoreClosedError, StoreError
from zeroclaw_desktop.store.sessions import dead_sessions, living_sessions
from zeroclaw_desktop.store.thread import Connection, StoreThread

FLUSH_SECONDS = 0.02
WAIT_SECONDS = 0.0005
"""How long the loop may stand still for a commit; most take a tenth of it."""
SLOW_DISK_SECONDS = 0.1
"""How long it does not after it did so in vain."""
RETRY_SECONDS = 1.0
MOST_KEPT_ROWS = 5_000
"""Rows that wait in memory for a disk that refuses; beyond that the oldest batch is given up."""
RETENTION_EVERY = 500
RETENTION_PIECE = 500
NUMBERS_OF_A_SESSION = 1 << 32
Answer = TypeVar("Answer")
_log = logger("execution")


@dataclass(frozen=True)
class Retention:
    """How much is kept; unfinished entries are kept always.

    Attributes:
        most_entries: the newest ones.
        most_days: of age.
    """

    most_entries: int = 50_000
    most_days: float = 180.0


class Journal:
    """Writes the journal and answers questions about it; a Reporter as well.

    Args:
        store: started, with JOURNAL_SCHEMA among its schemas.
        clock: of the executor.
        receipts: keeps a receipt of each call, with RECEIPT_SCHEMA among the store's schemas; None: none.
    """

    def __init__(
        self,
        store: StoreThread,
        clock: Clock,
        retention: Retention | None = None,
        receipts: ReceiptBook | None = None,
    ) -> None:
        self.lost_rows = 0
        """Rows given up because the store refused them; 0 unless the disk was at fault for long."""
        self._store = store
        self._clock = clock
        self._retention = retention or Retention()
        self._tasks: dict[str, OpenTask] = {}
        self.receipts = receipts
        self._batch = self._new_batch()
        self._in_flight: Batch | None = None
        self._behind: dict[OpenTask, None] = {}
        """Tasks with steps that no batch has."""
        self._wait_from = 0.0
        self._flush_comes = False
        """Whether the next turn of the loop hands the rows to the store."""
        self._timer: asyncio.TimerHandle | None = None
        self._number = 0
        self._retry_at = 0.0
        self._ended = 0
        self._complained = False

    # -- writing --------------------------------------------------------------------------------------
    def report(self, transition: ActionTransition) -> None:
        """Note a step (see Reporter); the last one carries the result, which is written unless it was.

        Until the store is started nothing can be noted.
        """
        if not self._store.session:
            return
        monotonic, wall, note = transition.monotonic, transition.wall, plain(transition.note)
        opened = self._opened(transition.payload, monotonic, wall)
        if transition.result is None:
            opened.add_step(transition.state.value, monotonic, wall, note)
            self._behind[opened] = None
        else:
            self._report_end(opened, transition.result, (monotonic, wall, note))
        self._flush_soon(FLUSH_SECONDS)

    def _report_end(self, opened: OpenTask, result: ActionResult, ended: Ended) -> None:
        """The row after is the last step; one that was written before the step was told takes its times."""
        if opened.ended is None:
            self._end(opened, result, ended)
        elif opened.ended != ended:
            self._batch.ended.append((*ended, opened.number))
        del self._tasks[opened.payload.task_id]

    async def before(self, payload: ActionPayload, prepared: Prepared) -> None:
        """Write the row before; to be awaited when the resources are held and nothing was sent yet.

        Two kinds are noted without waiting for the commit: what stops or only makes safe, because no disk
        delays a stop nor forbids one, and what only looks (idempotent, no pin changes planned), because a
        crash in the middle of it leaves nothing to find out or to make safe.

        Raises:
            StoreError: the row could not be written; the action must not run.
        """
        stops = prepared.command.when_stopped or prepared.command.only_makes_safe
        if not self._store.session:
            if stops:
                return
            raise StoreClosedError("The journal is not open.", details={"path": str(self._store.path)})
        monotonic, wall = self._clock.monotonic(), self._clock.wall()
        opened = self._opened(payload, monotonic, wall)
        device = plain(prepared.board.board_id) if prepared.board is not None else plain(payload.device_id)
        params, planned = to_json(dict(prepared.params)), changes_json(prepared.changes)
        if opened.row is not None:
            began(opened.row, device, monotonic, wall, params, planned)
        else:
            self._batch.began.append((device, monotonic, wall, params, planned, opened.number))
        looks = prepared.command.idempotent and not prepared.changes
        if stops or looks:
            self._flush_soon(FLUSH_SECONDS)
        else:
            await self._committed()

    async def after(
        self,
        payload: ActionPayload,
        result: ActionResult,
        note: str = "",
        at: tuple[float, float] | None = None,
    ) -> bool:
        """Write the row after; to be awaited before the result is told to anybody.

        The row is on its way when the first await is reached, so a cancelled caller loses nothing. May be
        called before or after the last transition was reported.

        Args:
            at: monotonic and epoch seconds of the last transition, None for now.

        Returns:
            Whether it is committed; False when the disk refused: the row waits in memory, and the fault is
            logged once.
        """
        opened = self._tasks.get(payload.task_id)
        # A payload that was refused because its id is taken must not end the task that has the id.
        if opened is not None and opened.payload is payload and opened.ended is None:
            self._end(opened, result, (*(at or (self._clock.monotonic(), self._clock.wall())), plain(note)))
        try:
            await self._committed()
        except StoreError as error:
            self._complain(error)
            return False
        return True

    def _opened(self, payload: ActionPayload, monotonic: float, wall: float) -> OpenTask:
        opened = self._tasks.get(payload.task_id)
        if opened is None:
            self._number = (self._number or self._store.session * NUMBERS_OF_A_SESSION) + 1
            row = before_row(self._number, self._store.session, payload, monotonic, wall)
            opened = self._tasks[payload.task_id] = OpenTask(self._number, payload, row)
            self._batch.opened.append(opened)
        return opened

    def _new_batch(self) -> Batch:
        return Batch(self.receipts)

    def note_receipt(self, draft: ReceiptDraft) -> None:
        """Put a receipt of something that is no action into the chain, in order with the others."""
        if self.receipts is not None and self._store.session:
            self._batch.receipts.append(draft)
            self._flush_soon(FLUSH_SECONDS)

    def _end(self, opened: OpenTask, result: ActionResult, ended: Ended) -> None:
        opened.ended = ended
        row = after_row(opened.number, result, *ended, opened.steps)
        self._batch.after.append(row)
        if self.receipts is not None:
            self._batch.receipts.append(call_receipt(opened, row))
        opened.steps.clear()
        self._behind.pop(opened, None)
        self._ended += 1

    def _take_steps(self) -> None:
        """Steps of tasks that take their time are written without waiting for the end."""
        for opened in self._behind:
            self._batch.steps += opened.steps
            opened.steps.clear()
        self._behind.clear()

    # -- commits --------------------------------------------------------------------------------------
    async def _committed(self) -> None:
        """Wait until everything noted so far is committed; raises StoreError when it could not be."""
        waits_for = self._batch if len(self._batch) else self._in_flight
        if waits_for is None:
            return
        if self._all_wait():
            self._flush(WAIT_SECONDS)
            if waits_for.written:
                if waits_for.error is not None:
                    raise _as_store_error(waits_for.error)
                return
            self._wait_from = self._clock.monotonic() + SLOW_DISK_SECONDS
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        waits_for.waiting.append(future)
        if self._in_flight is None and not self._flush_comes:
            self._flush_comes = True
            loop.call_soon(self._flush_together)
        await future

    def _all_wait(self) -> bool:
        """Whether the loop may stand still: no task has anything else to do, and the disk was fast so far."""
        if self._in_flight is not None or len(self._batch.waiting) + 1 < len(self._tasks):
            return False
        return self._clock.monotonic() >= self._wait_from

    def _flush_together(self) -> None:
        self._flush_comes = False
        if self._batch.waiting:
            self._flush()

    def _flush_soon(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = self._store.call_later(seconds, self._flush_late)

    def _flush_late(self) -> None:
        self._timer = None
        if self._clock.monotonic() < self._retry_at:
            self._flush_soon(RETRY_SECONDS)
        else:
            self._take_steps()
            self._flush()

    def _flush(self, patience: float = 0.0) -> None:
        """Hand the rows to the store, one batch at a time; the next one gathers meanwhile.

        Args:
            patience: seconds that the loop may stand still for it.
        """
        if self._in_flight is not None or not len(self._batch):
            return
        batch, self._batch = self._batch, self._new_batch()
        batch.seal(self._store.session)
        self._in_flight = batch
        try:
            self._store.hand_in(
                batch.write,
                lambda _answer, error: self._written(batch, error),
                patience=patience,
                whole=len(batch) == 1,
            )
        except StoreError as error:
            self._written(batch, error)

    def _written(self, batch: Batch, error: BaseException | None) -> None:
        self._in_flight = None
        batch.written, batch.error = True, error
        if error is not None:
            self._refused(batch, error)
        else:
            self._complained = False
        for future in batch.waiting:
            if future.done():
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(_as_store_error(error))
        if self._batch.waiting:
            self._flush()
        if self._ended >= RETENTION_EVERY and error is None:
            self._ended = 0
            with contextlib.suppress(StoreError):  # the store is stopping: next time
                self._store.post(self._forget_old)

    def _refused(self, batch: Batch, error: BaseException) -> None:
        """Keep the rows for another try when that may help; otherwise say how many were lost."""
        rows = len(batch)
        if isinstance(error, ZeroClawError) and error.retryable and rows + len(self._batch) < MOST_KEPT_ROWS:
            self._batch.put_in_front(batch)
            self._retry_at = self._clock.monotonic() + RETRY_SECONDS
            self._flush_soon(RETRY_SECONDS)
            return
        if not self.lost_rows or not self._complained:
            _log.error("Rows of the journal are lost from now on, %d of them at once: %s", rows, error)
        self._complained = True
        self.lost_rows += rows

    def _complain(self, error: StoreError) -> None:
        if not self._complained:
            self._complained = True
            _log.error("The journal cannot be written: %s %s", error.message, error.hint)

    async def close(self) -> None:
        """Write what waits; before the store is stopped."""
        self._take_steps()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            await self._committed()
        except StoreError as error:
            self._complain(error)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # -- questions ------------------------------------------------------------------------------------
    async def history(self, wanted: JournalFilter | None = None, limit: int = 100) -> list[JournalEntry]:
        """Entries without their steps, newest first; includes what was noted just now.

        Args:
            limit: at most this many, at most ``journal_queries.MOST_ENTRIES``.
        """
        chosen = wanted or JournalFilter()
        return await self.read(lambda connection: queries.history(connection, chosen, limit))

    async def task(self, task_id: str) -> JournalEntry | None:
        """The newest entry with this task id and its steps."""
        return await self.read(lambda connection: queries.task(connection, task_id))

    async def counts(self) -> JournalCounts:
        """Sums over the whole journal."""
        return await self.read(queries.counts)

    async def last_sequences(self) -> dict[str, int]:
        """The highest report number of each device so far."""
        return await self.read(queries.last_sequences)

    async def unfinished(self) -> list[JournalEntry]:
        """Entries of runs of the program that ended before their tasks did, oldest first.

        What this run or another living one is at does not count.
        """

        def find(connection: Connection) -> list[JournalEntry]:
            entries = queries.unfinished(connection)
            sessions = {entry.session for entry in entries} - {self._store.session}
            dead = dead_sessions(connection, self._store.path, sessions)
            return [entry for entry in entries if entry.session in dead]

        return await self.read(find)

    async def close_interrupted(self, entries: Sequence[JournalEntry], note: str) -> int:
        """Give unfinished entries their row after, INTERRUPTED; on the disk before it returns.

        Returns:
            How many; those that have one by now are left as they are.
        """
        monotonic, wall = self._clock.monotonic(), self._clock.wall()
        rows = [
            (
                entry.number, INTERRUPTED, monotonic, wall, 0.0, 0, 0, entry.device_id, "[]", "{}",
                changes_json(entry.planned), "{}", int(entry.dry_run), plain(note), "",
            )
            for entry in entries
        ]  # fmt: skip

        def close(connection: Connection) -> int:
            closed = [row for row in rows if connection.execute(INSERT_AFTER, row).rowcount]
            if self.receipts is not None:
                told = [interrupted_receipt(entry, row) for entry, row in zip(entries, rows, strict=True)]
                drafts = [draft for draft, row in zip(told, rows, strict=True) if row in closed]
                self.receipts.append(connection, self._store.session, drafts)
            return len(closed)

        return await self._store.submit(close, durable=True)

    async def unanswered(self) -> list[JournalEntry]:
        """What dead runs left, closed or not, that no person has decided about, oldest first."""
        return await self.read(lambda connection: queries.unanswered(connection, self.living(connection)))

    def living(self, connection: Connection) -> frozenset[int]:
        """Sessions of the programs that are running, to be asked on the store's thread."""
        return frozenset(living_sessions(connection, self._store.path))

    async def answer(self, numbers: Sequence[int], answer: queries.Answer, task_id: str = "") -> None:
        """Keep what a person said to interrupted tasks; on the disk before it returns.

        Args:
            answer: ``again`` or ``dismissed``.
            task_id: the task that does it again.
        """
        rows = [(number, answer, plain(task_id), self._clock.wall()) for number in numbers]
        await self._store.submit(lambda connection: connection.executemany(INSERT_ANSWER, rows), durable=True)

    def number_of(self, task_id: str) -> int:
        """The entry's number of a task that is under way; 0 for any other."""
        opened = self._tasks.get(task_id)
        return opened.number if opened is not None else 0

    @property
    def session(self) -> int:
        """Number of this run of the program."""
        return self._store.session

    async def apply_retention(self) -> int:
        """Forget what is too old or too much; returns how many entries."""
        forgotten = 0
        while True:
            piece = await self._store.submit(self._forget_old)
            forgotten += piece
            if piece < RETENTION_PIECE:
                return forgotten

    async def read(self, question: Callable[[Connection], Answer]) -> Answer:
        """Ask something of the store's connection; includes what was noted just now. Keep it short.

        Raises:
            StoreError: the disk refused.
        """
        self._take_steps()
        self._flush()
        if self._in_flight is not None and len(self._batch):
            with contextlib.suppress(StoreError):  # what is on the disk can be read all the same
                await self._committed()
        return await self._store.read(question)

    def _forget_old(self, connection: Connection) -> int:
        """Delete one piece; runs on the store's thread."""
        oldest_kept = connection.execute(
            "SELECT id FROM journal_before ORDER BY id DESC LIMIT 1 OFFSET ?",
            (self._retention.most_entries - 1,),
        ).fetchone()
        too_old = self._clock.wall() - self._retention.most_days * 86_400.0
        return connection.execute(
            "DELETE FROM journal_before WHERE id IN (SELECT b.id FROM (SELECT id, seen FROM journal_before "
            "ORDER BY id LIMIT ?) b JOIN journal_after a ON a.id = b.id WHERE b.id < ? OR b.seen < ?)",
            (RETENTION_PIECE, oldest_kept[0] if oldest_kept else 0, too_old),
        ).rowcount


def _as_store_error(error: BaseException) -> StoreError:
    if isinstance(error, StoreError):
        return error
    return StoreError(f"The journal could not be written: {error}", details={"reason": str(error)})
