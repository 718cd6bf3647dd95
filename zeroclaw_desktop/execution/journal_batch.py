"""Rows of the journal that are written together, and the tasks that they are about."""

from __future__ import annotations

import asyncio
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionPayload
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.journal_queries import JournalEntry
from zeroclaw_desktop.execution.journal_rows import (
    INSERT_AFTER,
    INSERT_BEFORE,
    INSERT_STEP,
    UPDATE_BEGAN,
    UPDATE_ENDED,
    StepRow,
    to_json,
)
from zeroclaw_desktop.execution.receipts import ReceiptBook, args_hash, result_hash
from zeroclaw_desktop.store.thread import Connection

Ended = tuple[float, float, str]
"""Monotonic and epoch seconds and the note of a task's end."""


class OpenTask:
    """A task that has begun its life and not ended it."""

    __slots__ = ("args_hash", "ended", "number", "payload", "row", "step", "steps")

    def __init__(self, number: int, payload: ActionPayload, row: list[Any]) -> None:
        self.number = number
        self.payload = payload
        self.row: list[Any] | None = row
        """The row before, until it goes to the store."""
        self.step = 0
        self.steps: list[StepRow] = []
        """Steps that no batch has; they go with the row after unless that takes long."""
        self.ended: Ended | None = None
        """Set when the row after is in a batch."""
        self.args_hash = args_hash(payload.action, payload.source, row[6])
        """Of the parameters as the row before has them, for the receipt."""

    def add_step(self, state: str, monotonic: float, wall: float, note: str) -> None:
        """Note a step that is not the last."""
        self.step += 1
        self.steps.append((self.number, self.step, state, monotonic, wall, note))


def call_receipt(opened: OpenTask, after: tuple[Any, ...]) -> ReceiptDraft:
    """The receipt of a call that has ended.

    Args:
        after: its row after.
    """
    payload = opened.payload
    return ReceiptDraft(
        *("call", payload.task_id, payload.action, payload.source, after[1]),
        *(opened.args_hash, result_hash(after), after[3], opened.number),
    )


def interrupted_receipt(entry: JournalEntry, after: tuple[Any, ...]) -> ReceiptDraft:
    """The receipt of a call that a crash ended, see ``call_receipt``."""
    told = args_hash(entry.action, entry.source, to_json(dict(entry.params)))
    return ReceiptDraft(
        *("call", entry.task_id, entry.action, entry.source, after[1]),
        *(told, result_hash(after), after[3], entry.number),
    )


class Batch:
    """Rows that are written together, and who waits for them.

    Args:
        book: writes the receipts; None where none are kept.
    """

    __slots__ = (
        "after", "before", "began", "book", "ended", "error", "opened", "receipts", "session", "steps",
        "waiting", "written",
    )  # fmt: skip

    def __init__(self, book: ReceiptBook | None = None) -> None:
        self.book = book
        self.session = 0
        self.receipts: list[ReceiptDraft] = []
        self.opened: list[OpenTask] = []
        self.before: list[list[Any]] = []
        self.began: list[tuple[Any, ...]] = []
        self.steps: list[StepRow] = []
        self.after: list[tuple[Any, ...]] = []
        self.ended: list[tuple[float, float, str, int]] = []
        self.waiting: list[asyncio.Future[None]] = []
        self.written = False
        """Whether the store has answered."""
        self.error: BaseException | None = None

    def __len__(self) -> int:
        told = len(self.began) + len(self.steps) + len(self.after) + len(self.ended)
        return told + len(self.opened) + len(self.before) + len(self.receipts)

    def seal(self, session: int) -> None:
        """From now on the rows before belong to the store; later news of their tasks are updates.

        Args:
            session: of the store.
        """
        self.session = session
        for opened in self.opened:
            if opened.row is not None:
                self.before.append(opened.row)
                opened.row = None
        self.opened.clear()

    def write(self, connection: Connection) -> None:
        """Runs on the store's thread."""
        for statement, rows in (
            (INSERT_BEFORE, self.before),
            (UPDATE_BEGAN, self.began),
            (INSERT_STEP, self.steps),
            (INSERT_AFTER, self.after),
            (UPDATE_ENDED, self.ended),
        ):
            if len(rows) == 1:
                connection.execute(statement, rows[0])
            elif rows:
                connection.executemany(statement, rows)
        if self.book is not None:
            self.book.append(connection, self.session, self.receipts)

    def put_in_front(self, earlier: Batch) -> None:
        """Take over the rows of a batch that could not be written."""
        for name in ("before", "began", "steps", "after", "ended", "receipts"):
            getattr(self, name)[:0] = getattr(earlier, name)
