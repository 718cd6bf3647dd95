"""Questions to the journal, as plain functions of a connection: the running program asks them on the store's
thread, a command line on a connection of its own (``store.opening.reading_store``)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, PinChange
from zeroclaw_desktop.execution.journal_rows import plain, read_changes, read_faults
from zeroclaw_desktop.store.thread import Connection

INTERRUPTED = "INTERRUPTED"
"""State of a task whose program ended before it did; only the journal has it, no action moves there."""
MOST_ENTRIES = 1_000


@dataclass(frozen=True)
class JournalStep:
    """One transition of a task; its parameters are those of its entry."""

    state: str
    monotonic: float
    wall: float
    note: str = ""


@dataclass(frozen=True)
class JournalEntry:
    """One task: what was asked and, when it has ended, what came of it.

    Attributes:
        number: grows with time; for paging.
        session: the run of the program that took it.
        params: as given. ``checked_params``: with defaults filled in, once it began.
        began: epoch seconds when its row was written before it could reach the hardware; None when it was
            refused, waited, or was a dry run.
        state: ``""`` while unfinished, a name of ActionState, or INTERRUPTED.
        planned: pin changes foreseen; ``commanded`` those reported at the end.
        observed: what the handler read back from the device.
    """

    number: int
    session: int
    task_id: str
    action: str
    device_id: str
    source: str
    params: Mapping[str, Any]
    constraints: Mapping[str, Any]
    created_at: float
    seen_monotonic: float
    seen: float
    began_monotonic: float | None
    began: float | None
    checked_params: Mapping[str, Any]
    planned: tuple[PinChange, ...]
    dry_run: bool
    state: str = ""
    ended_monotonic: float | None = None
    ended: float | None = None
    elapsed_ms: float | None = None
    seq: int = 0
    error_code: int = 0
    faults: tuple[ActionFault, ...] = ()
    value: Mapping[str, Any] = field(default_factory=dict)
    commanded: tuple[PinChange, ...] = ()
    observed: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    steps: tuple[JournalStep, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether its row after was written."""
        return bool(self.state)


@dataclass(frozen=True)
class JournalFilter:
    """Which entries are wanted; a field at its default does not narrow.

    Attributes:
        states: names of ActionState, INTERRUPTED, or ``""`` for unfinished ones.
        faults_only: only entries with an error code.
        since, until: epoch seconds when the payload was seen.
        text: part of the task id or the action's name.
        before_number: entries older than this one; for paging.
    """

    device_id: str = ""
    action: str = ""
    source: str = ""
    states: tuple[str, ...] = ()
    faults_only: bool = False
    since: float | None = None
    until: float | None = None
    text: str = ""
    before_number: int | None = None


@dataclass(frozen=True)
class JournalCounts:
    """Sums over the whole journal; ``tasks`` is what all the others add up to with ``unfinished``."""

    tasks: int
    unfinished: int
    by_state: Mapping[str, int]
    steps: int


_COLUMNS = (
    "b.id, b.session, b.task_id, b.action, coalesce(a.device_id, b.device_id), b.source, b.params, "
    "b.constraints, b.created, b.seen_monotonic, b.seen, b.began_monotonic, b.began, b.checked_params, "
    "b.planned, coalesce(a.dry_run, b.dry_run), a.state, a.ended_monotonic, a.ended, a.elapsed_ms, a.seq, "
    "a.error_code, a.faults, a.value, a.commanded, a.observed, a.note"
)
_TABLES = "journal_before b LEFT JOIN journal_after a ON a.id = b.id"


def _entry(row: Sequence[Any]) -> JournalEntry:
    began = JournalEntry(
        number=row[0],
        session=row[1],
        task_id=row[2],
        action=row[3],
        device_id=row[4],
        source=row[5],
        params=json.loads(row[6]),
        constraints=json.loads(row[7]),
        created_at=row[8],
        seen_monotonic=row[9],
        seen=row[10],
        began_monotonic=row[11],
        began=row[12],
        checked_params=json.loads(row[13] or "{}"),
        planned=read_changes(row[14]),
        dry_run=bool(row[15]),
    )
    if row[16] is None:
        return began
    return replace(
        began,
        state=row[16],
        ended_monotonic=row[17],
        ended=row[18],
        elapsed_ms=row[19],
        seq=row[20],
        error_code=row[21],
        faults=read_faults(row[22]),
        value=json.loads(row[23]),
        commanded=read_changes(row[24]),
        observed=json.loads(row[25]),
        note=row[26],
    )


def _conditions(wanted: JournalFilter) -> tuple[list[str], list[Any]]:
    conditions: list[str] = []
    values: list[Any] = []

    def narrow(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    if wanted.device_id:
        narrow("coalesce(a.device_id, b.device_id) = ?", plain(wanted.device_id))
    if wanted.action:
        narrow("b.action = ?", plain(wanted.action))
    if wanted.source:
        narrow("b.source = ?", plain(wanted.source))
    if wanted.states:
        narrow(f"coalesce(a.state, '') IN ({', '.join('?' * len(wanted.states))})", *wanted.states)
    if wanted.faults_only:
        narrow("a.error_code != 0")
    if wanted.since is not None:
        narrow("b.seen >= ?", wanted.since)
    if wanted.until is not None:
        narrow("b.seen < ?", wanted.until)
    if wanted.text:
        narrow("(instr(b.task_id, ?) OR instr(b.action, ?))", plain(wanted.text), plain(wanted.text))
    if wanted.before_number is not None:
        narrow("b.id < ?", wanted.before_number)
    return conditions, values


def history(connection: Connection, wanted: JournalFilter, limit: int) -> list[JournalEntry]:
    """Entries without their steps, newest first.

    Args:
        limit: at most this many; MOST_ENTRIES is the most.
    """
    conditions, values = _conditions(wanted)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_TABLES} {where} ORDER BY b.id DESC LIMIT ?",
        (*values, max(0, min(limit, MOST_ENTRIES))),
    )
    return [_entry(row) for row in rows]


def task(connection: Connection, task_id: str) -> JournalEntry | None:
    """The newest entry with this task id, with its steps; None when there is none.

    The last step of a task is taken from its row after when the program ended before it was noted.
    """
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM {_TABLES} WHERE b.task_id = ? ORDER BY b.id DESC LIMIT 1", (plain(task_id),)
    ).fetchone()
    if row is None:
        return None
    entry = _entry(row)
    rows = connection.execute(
        "SELECT state, monotonic, wall, note FROM journal_steps WHERE id = ? ORDER BY step", (entry.number,)
    )
    steps = [JournalStep(*row) for row in rows]
    if entry.ended is not None and (not steps or steps[-1].state != entry.state):
        steps.append(JournalStep(entry.state, entry.ended_monotonic or 0.0, entry.ended, entry.note))
    return replace(entry, steps=tuple(steps))


def unfinished(connection: Connection) -> list[JournalEntry]:
    """Every entry without a row after, oldest first; also those that other living programs are at."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM {_TABLES} WHERE a.id IS NULL ORDER BY b.id")
    return [_entry(row) for row in rows]


def counts(connection: Connection) -> JournalCounts:
    """Sums that must add up."""
    by_state = dict(connection.execute("SELECT state, count(*) FROM journal_after GROUP BY state"))
    tasks = connection.execute("SELECT count(*) FROM journal_before").fetchone()[0]
    steps = connection.execute("SELECT count(*) FROM journal_steps").fetchone()[0]
    return JournalCounts(tasks, tasks - sum(by_state.values()), by_state, steps)


def last_sequences(connection: Connection) -> dict[str, int]:
    """The highest report number of each device, from which the next run counts on (EX-13).

    A device that was never there has none.
    """
    known = "SELECT device_id, max(seq) FROM journal_after WHERE seq > 0 GROUP BY device_id"
    return dict(connection.execute(known))
