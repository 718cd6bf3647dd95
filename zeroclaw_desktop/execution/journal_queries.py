"""Questions to the journal, as plain functions of a connection: the running program asks them on the store's
thread, a command line on a connection of its own (``store.opening.reading_store``)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from zeroclaw_desktop.contracts.actions import ActionFault, PinChange
from zeroclaw_desktop.execution.journal_rows import plain, read_changes, read_faults, read_step_lines
from zeroclaw_desktop.store.thread import Connection

INTERRUPTED = "INTERRUPTED"
"""State of a task whose program ended before it did; only the journal has it, no action moves there."""
MOST_ENTRIES = 1_000
WORDS = "words_of_entry"
"""Name of ``JournalFilter.words`` inside the database."""
Answer = Literal["", "again", "dismissed"]
Words = Callable[[str, str, str, str, str], str]
"""The words that an entry is found by, from task id, action, parameters as JSON, device and source."""


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
        answer: what a person said to it after it was interrupted: ``again``, ``dismissed`` or ``""``.
        again_id: the task that did it again.
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
    answer: Answer = ""
    again_id: str = ""
    steps: tuple[JournalStep, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether its row after was written."""
        return bool(self.state)

    def state_now(self, alive: Collection[int]) -> str:
        """Its state, or RUNNING or INTERRUPTED while it is unfinished.

        Args:
            alive: sessions of the programs that are running.
        """
        return self.state or ("RUNNING" if self.session in alive else INTERRUPTED)


@dataclass(frozen=True)
class JournalFilter:
    """Which entries are wanted; a field at its default does not narrow.

    Attributes:
        states: names of ActionState, INTERRUPTED, or ``""`` for unfinished ones.
        faults_only: only entries with an error code.
        since, until: epoch seconds when the payload was seen.
        text: part of the task id or the action's name; with ``words`` part of those.
        words: for each entry, the text in which ``text`` is looked for; called on the store's thread.
        before_number: entries older than this one; for paging.
        alive: sessions of programs that are running. When given, INTERRUPTED includes what other sessions
            left unfinished, and ``""`` means what is at work.
        not_at_work_in: leaves out what this session is at just now; 0 leaves out nothing.
    """

    device_id: str = ""
    action: str = ""
    source: str = ""
    states: tuple[str, ...] = ()
    faults_only: bool = False
    since: float | None = None
    until: float | None = None
    text: str = ""
    words: Words | None = None
    before_number: int | None = None
    alive: frozenset[int] | None = None
    not_at_work_in: int = 0


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
    "a.error_code, a.faults, a.value, a.commanded, a.observed, a.note, "
    "coalesce(r.answer, ''), coalesce(r.task_id, '')"
)
_TABLES = (
    "journal_before b LEFT JOIN journal_after a ON a.id = b.id LEFT JOIN journal_answers r ON r.id = b.id"
)
_DEVICE = "coalesce(a.device_id, b.device_id)"


def _entry(row: Sequence[Any]) -> JournalEntry:
    ended: dict[str, Any] = {}
    if row[16] is not None:
        ended = {
            "state": row[16],
            "ended_monotonic": row[17],
            "ended": row[18],
            "elapsed_ms": row[19],
            "seq": row[20],
            "error_code": row[21],
            "faults": read_faults(row[22]),
            "value": _object(row[23]),
            "commanded": read_changes(row[24]),
            "observed": _object(row[25]),
            "note": row[26],
        }
    return JournalEntry(
        number=row[0],
        session=row[1],
        task_id=row[2],
        action=row[3],
        device_id=row[4],
        source=row[5],
        params=_object(row[6]),
        constraints=_object(row[7]),
        created_at=row[8],
        seen_monotonic=row[9],
        seen=row[10],
        began_monotonic=row[11],
        began=row[12],
        checked_params=_object(row[13]),
        planned=read_changes(row[14]),
        dry_run=bool(row[15]),
        answer=row[27],
        again_id=row[28],
        **ended,
    )


def _object(text: str | None) -> dict[str, Any]:
    return json.loads(text) if text and text != "{}" else {}


def _conditions(wanted: JournalFilter) -> tuple[list[str], list[Any]]:
    conditions: list[str] = []
    values: list[Any] = []

    def narrow(condition: str, *given: Any) -> None:
        conditions.append(condition)
        values.extend(given)

    if wanted.device_id:
        narrow(f"{_DEVICE} = ?", plain(wanted.device_id))
    if wanted.action:
        narrow("b.action = ?", plain(wanted.action))
    if wanted.source:
        narrow("b.source = ?", plain(wanted.source))
    if wanted.states:
        narrow(_state_condition(wanted), *wanted.states)
    if wanted.faults_only:
        narrow("a.error_code != 0")
    if wanted.since is not None:
        narrow("b.seen >= ?", wanted.since)
    if wanted.until is not None:
        narrow("b.seen < ?", wanted.until)
    if wanted.not_at_work_in:
        narrow("NOT (a.id IS NULL AND b.session = ?)", wanted.not_at_work_in)
    if wanted.text:
        narrow(*_text_condition(wanted))
    if wanted.before_number is not None:
        narrow(
            "(b.seen, b.id) < (SELECT n.seen, n.id FROM journal_before n WHERE n.id = ?)",
            wanted.before_number,
        )
    return conditions, values


def _text_condition(wanted: JournalFilter) -> tuple[str, ...]:
    text = plain(wanted.text)
    if wanted.words is None:
        return "(instr(b.task_id, ?) OR instr(b.action, ?))", text, text
    return f"instr({WORDS}(b.task_id, b.action, b.params, {_DEVICE}, b.source), ?)", text


def _state_condition(wanted: JournalFilter) -> str:
    state = "coalesce(a.state, '')"
    if wanted.alive is not None:
        alive = ", ".join(str(int(session)) for session in sorted(wanted.alive))
        state = f"coalesce(a.state, CASE WHEN b.session IN ({alive}) THEN '' ELSE '{INTERRUPTED}' END)"
    return f"{state} IN ({', '.join('?' * len(wanted.states))})"


def history(connection: Connection, wanted: JournalFilter, limit: int) -> list[JournalEntry]:
    """Entries without their steps, newest first.

    Args:
        limit: at most this many; MOST_ENTRIES is the most.
    """
    return _newest(connection, wanted, limit, "", ())


def _newest(
    connection: Connection, wanted: JournalFilter, limit: int, extra: str, given: Sequence[Any]
) -> list[JournalEntry]:
    conditions, values = _conditions(wanted)
    if wanted.text and wanted.words is not None:
        connection.create_function(WORDS, 5, wanted.words)
    if extra:
        conditions.append(extra)
        values.extend(given)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_TABLES} {where} ORDER BY b.seen DESC, b.id DESC LIMIT ?",
        (*values, max(0, min(limit, MOST_ENTRIES))),
    )
    return [_entry(row) for row in rows]


Place = tuple[float, int]
"""When an entry was seen, and its number: its place in the order of time."""


def piece(
    connection: Connection, wanted: JournalFilter, limit: int, below: Place | None, scan: int
) -> tuple[list[JournalEntry], Place | None]:
    """Like ``history``, of the ``scan`` entries below a place only, so that no question takes long.

    Args:
        below: where the last piece ended; None begins at the newest entry.

    Returns:
        The entries, and the place to go on from; None when nothing older is left.
    """
    below = below or (math.inf, 0)
    edge = connection.execute(
        "SELECT seen, id FROM journal_before WHERE (seen, id) < (?, ?) "
        "ORDER BY seen DESC, id DESC LIMIT 1 OFFSET ?",
        (*below, scan - 1),
    ).fetchone()
    extra, given = "(b.seen, b.id) < (?, ?)", [*below]
    if edge is not None:
        extra, given = f"{extra} AND (b.seen, b.id) >= (?, ?)", [*given, *edge]
    found = _newest(connection, wanted, limit, extra, given)
    if len(found) == limit:
        return found, (found[-1].seen, found[-1].number)
    return found, edge


def entries_of(connection: Connection, wanted: JournalFilter, numbers: Sequence[int]) -> list[JournalEntry]:
    """Those of the entries with these numbers that are wanted, newest first."""
    if not numbers:
        return []
    chosen = ", ".join(str(int(number)) for number in numbers)
    return _newest(connection, wanted, len(numbers), f"b.id IN ({chosen})", ())


def task(connection: Connection, task_id: str) -> JournalEntry | None:
    """The newest entry with this task id, with its steps; None when there is none.

    Goes through the table, which takes 6 ms for 50,000 entries; by its index of times it would take longer.
    """
    found = connection.execute(
        "SELECT id FROM journal_before WHERE task_id = ? ORDER BY +seen DESC, +id DESC LIMIT 1",
        (plain(task_id),),
    ).fetchone()
    return numbered(connection, found[0]) if found else None


def numbered(connection: Connection, number: int) -> JournalEntry | None:
    """The entry with this number, with its steps; None when there is none."""
    row = connection.execute(
        f"SELECT {_COLUMNS}, a.steps FROM {_TABLES} WHERE b.id = ?", (number,)
    ).fetchone()
    if row is None:
        return None
    entry = _entry(row)
    rows = connection.execute(
        "SELECT step, state, monotonic, wall, note FROM journal_steps WHERE id = ?", (entry.number,)
    )
    noted = sorted([*rows, *read_step_lines(row[-1] or "")])
    steps = [JournalStep(*told) for _, *told in noted]
    if entry.ended is not None:
        steps.append(JournalStep(entry.state, entry.ended_monotonic or 0.0, entry.ended, entry.note))
    return replace(entry, steps=tuple(steps))


def unfinished(connection: Connection) -> list[JournalEntry]:
    """Every entry without a row after, oldest first; also those that other living programs are at."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM {_TABLES} WHERE a.id IS NULL ORDER BY b.id")
    return [_entry(row) for row in rows]


# The inner question goes through the table once, and only when something was to be done again.
_CARRIED_ON = (
    "r.answer = 'dismissed' OR r.answer IS NOT NULL AND r.task_id IN (SELECT n.task_id "
    "FROM journal_before n LEFT JOIN journal_after m ON m.id = n.id "
    "WHERE n.task_id IN (SELECT task_id FROM journal_answers WHERE answer != 'dismissed') "
    f"AND (n.began IS NOT NULL OR m.id IS NULL OR m.state = '{INTERRUPTED}'))"
)


def unanswered(connection: Connection, alive: Collection[int]) -> list[JournalEntry]:
    """What was interrupted and no person has decided about yet, oldest first.

    A task that was to be done again and never began (refused, a dry run, another crash before) does not count
    as done again; one that was interrupted itself stands for the first one.

    Args:
        alive: sessions of programs that are running.
    """
    living = ", ".join(str(int(session)) for session in sorted(alive))
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_TABLES} WHERE b.id IN ("
        f"SELECT id FROM journal_after WHERE state = '{INTERRUPTED}' UNION ALL "
        "SELECT n.id FROM journal_before n LEFT JOIN journal_after m ON m.id = n.id "
        f"WHERE m.id IS NULL AND n.session NOT IN ({living})) "
        f"AND NOT coalesce({_CARRIED_ON}, 0) ORDER BY b.id"
    )
    return [_entry(row) for row in rows]


def devices(connection: Connection) -> list[str]:
    """Every device that a result was reported of, by name."""
    return [row[0] for row in connection.execute("SELECT DISTINCT device_id FROM journal_after ORDER BY 1")]


def counts(connection: Connection) -> JournalCounts:
    """Sums that must add up."""
    by_state = dict(connection.execute("SELECT state, count(*) FROM journal_after GROUP BY state"))
    tasks = connection.execute("SELECT count(*) FROM journal_before").fetchone()[0]
    ended = sum(by_state.values())
    apart = connection.execute("SELECT count(*) FROM journal_steps").fetchone()[0]
    within = connection.execute(
        "SELECT coalesce(sum(length(steps) - length(replace(steps, char(10), ''))), 0) FROM journal_after"
    ).fetchone()[0]
    return JournalCounts(tasks, tasks - ended, by_state, apart + within + ended)


def last_sequences(connection: Connection) -> dict[str, int]:
    """The highest report number of each device, from which the next run counts on (EX-13).

    A device that was never there has none.
    """
    known = "SELECT device_id, max(seq) FROM journal_after WHERE seq > 0 GROUP BY device_id"
    return dict(connection.execute(known))
