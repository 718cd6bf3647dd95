"""The journal's tables, and how payloads and results become rows.

A row must be written whatever a payload holds, since refused ones are kept as well: what JSON cannot say is
told by its text, what is too long is cut and says so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, ActionResult, PinChange
from zeroclaw_desktop.store.migrations import Schema

MOST_TEXT = 64_000
KEPT_TEXT = 4_000
"""How much is kept of a text that is longer than MOST_TEXT."""
_NO_TEXT = '""'
INCOMPLETE = "(incomplete)"
"""Key of a value that stands for one which could not be kept; says why."""

JOURNAL_SCHEMA = Schema(
    "journal",
    (
        (
            # One row before: when the payload was seen; ``began`` when it was about to reach the hardware.
            """CREATE TABLE journal_before (
                id INTEGER PRIMARY KEY, session INTEGER NOT NULL, task_id TEXT NOT NULL,
                action TEXT NOT NULL, device_id TEXT NOT NULL, source TEXT NOT NULL,
                params TEXT NOT NULL, constraints TEXT NOT NULL, created REAL NOT NULL,
                seen_monotonic REAL NOT NULL, seen REAL NOT NULL, began_monotonic REAL, began REAL,
                checked_params TEXT, planned TEXT, dry_run INTEGER NOT NULL)""",
            "CREATE INDEX journal_before_task ON journal_before (task_id)",
            # One row after: how it ended.
            """CREATE TABLE journal_after (
                id INTEGER PRIMARY KEY REFERENCES journal_before (id) ON DELETE CASCADE,
                state TEXT NOT NULL, ended_monotonic REAL NOT NULL, ended REAL NOT NULL,
                elapsed_ms REAL NOT NULL, seq INTEGER NOT NULL, error_code INTEGER NOT NULL,
                device_id TEXT NOT NULL, faults TEXT NOT NULL, value TEXT NOT NULL,
                commanded TEXT NOT NULL, observed TEXT NOT NULL, dry_run INTEGER NOT NULL,
                note TEXT NOT NULL)""",
            """CREATE TABLE journal_steps (
                id INTEGER NOT NULL REFERENCES journal_before (id) ON DELETE CASCADE, step INTEGER NOT NULL,
                state TEXT NOT NULL, monotonic REAL NOT NULL, wall REAL NOT NULL, note TEXT NOT NULL,
                PRIMARY KEY (id, step)) WITHOUT ROWID""",
        ),
        (
            # What a person said to an interrupted task: ``again`` with the id of the task that does it, or
            # ``dismissed``. Without an answer it is offered at each start.
            """CREATE TABLE journal_answers (
                id INTEGER PRIMARY KEY REFERENCES journal_before (id) ON DELETE CASCADE,
                answer TEXT NOT NULL, task_id TEXT NOT NULL, answered REAL NOT NULL)""",
            # What was interrupted before there were answers was told in the log.
            "INSERT INTO journal_answers SELECT id, 'dismissed', '', ended FROM journal_after "
            "WHERE state = 'INTERRUPTED'",
            "CREATE INDEX journal_interrupted ON journal_after (id) WHERE state = 'INTERRUPTED'",
            "CREATE INDEX journal_device ON journal_after (device_id, seq)",
            # Several programs write at the same time, so numbers are no order of time.
            "CREATE INDEX journal_time ON journal_before (seen)",
        ),
        (
            # The steps of a task that ended before they were written stand in its row after, one JSON array
            # in each line; the last step is the row after itself. Task ids have no order, so their index
            # cost one page more of every commit for a question that is seldom asked.
            "ALTER TABLE journal_after ADD COLUMN steps TEXT NOT NULL DEFAULT ''",
            """DELETE FROM journal_steps WHERE EXISTS (
                SELECT 1 FROM journal_after a
                WHERE a.id = journal_steps.id AND a.state = journal_steps.state)""",
            "DROP INDEX journal_before_task",
        ),
    ),
)
INSERT_BEFORE = f"INSERT INTO journal_before VALUES ({', '.join('?' * 16)})"
UPDATE_BEGAN = (
    "UPDATE journal_before SET device_id = ?, began_monotonic = ?, began = ?, checked_params = ?, "
    "planned = ? WHERE id = ?"
)
# A row whose row before was lost to a failed disk must not take the rows beside it with it.
_KNOWN = "WHERE EXISTS (SELECT 1 FROM journal_before WHERE id = ?1)"
INSERT_STEP = f"INSERT OR IGNORE INTO journal_steps SELECT ?1, ?2, ?3, ?4, ?5, ?6 {_KNOWN}"
INSERT_AFTER = (
    f"INSERT OR IGNORE INTO journal_after SELECT {', '.join(f'?{n}' for n in range(1, 16))} {_KNOWN}"
)
INSERT_ANSWER = f"INSERT OR REPLACE INTO journal_answers SELECT ?1, ?2, ?3, ?4 {_KNOWN}"
UPDATE_ENDED = "UPDATE journal_after SET ended_monotonic = ?, ended = ?, note = ? WHERE id = ?"


def plain(text: str) -> str:
    """The text as the database can keep it: half characters (lone surrogates) are written out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def to_json(value: Any) -> str:
    """JSON for any value; what has no JSON is told by its text, what is too long is cut."""
    if not value:
        return "[]" if isinstance(value, list | tuple) else "{}"
    try:
        text = _ENCODER.encode(value)
    except (ValueError, TypeError, RecursionError) as error:
        return json.dumps({INCOMPLETE: f"{type(error).__name__}: {error}"})
    if len(text) > MOST_TEXT:
        return json.dumps({INCOMPLETE: f"{len(text)} characters", "begins": text[:KEPT_TEXT]})
    return text


def _told(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else repr(value)[:KEPT_TEXT]


_ENCODER = json.JSONEncoder(default=_told, skipkeys=True)


def before_row(number: int, session: int, payload: ActionPayload, monotonic: float, wall: float) -> list[Any]:
    """The row of a payload that was just seen, in the order of the table; began() completes it."""
    constraints = payload.constraints
    plain_limits = constraints.timeout is None and not constraints.retries and not constraints.dry_run
    limits = (
        {}
        if plain_limits
        else {
            "timeout": constraints.timeout,
            "retries": constraints.retries,
            "dry_run": constraints.dry_run,
        }
    )
    return [
        number,
        session,
        plain(payload.task_id),
        plain(payload.action),
        plain(payload.device_id),
        payload.source,
        to_json(dict(payload.params)),
        to_json(limits),
        payload.created_at if math.isfinite(payload.created_at) else 0.0,
        monotonic,
        wall,
        None,
        None,
        None,
        None,
        int(constraints.dry_run),
    ]


def began(row: list[Any], device_id: str, monotonic: float, wall: float, params: str, planned: str) -> None:
    """Complete a row that was not written yet."""
    row[4], row[11:15] = device_id, (monotonic, wall, params, planned)


def changes_json(changes: Sequence[PinChange]) -> str:
    """Pin changes as rows."""
    return to_json([[change.pin, change.before, change.after, change.mode] for change in changes])


def faults_json(faults: Sequence[ActionFault]) -> str:
    """Faults as objects."""
    return to_json(
        [
            {
                "code": int(fault.code),
                "symbol": fault.symbol,
                "message": fault.message,
                "param": fault.param,
                "details": dict(fault.details),
            }
            for fault in faults
        ]
    )


StepRow = tuple[int, int, str, float, float, str]
"""Entry, number of the step, state, monotonic and epoch seconds, note; in the order of the table."""


def step_lines(steps: Sequence[StepRow]) -> str:
    """Steps as they stand in a row after."""
    return "".join(
        [
            f'[{step}, "{state}", {monotonic!r}, {wall!r}, {json.dumps(note) if note else _NO_TEXT}]\n'
            for _, step, state, monotonic, wall, note in steps
        ]
    )


def read_step_lines(text: str) -> list[tuple[int, str, float, float, str]]:
    """Number, state, monotonic and epoch seconds, note of each step in a row after."""
    return [tuple(json.loads(line)) for line in text.split("\n") if line]


def after_row(
    number: int, result: ActionResult, monotonic: float, wall: float, note: str, steps: Sequence[StepRow]
) -> tuple[Any, ...]:
    """The row of a result.

    Args:
        steps: those that were not written yet, without the last.
    """
    return (
        number,
        result.state.value,
        monotonic,
        wall,
        result.elapsed_ms,
        result.seq,
        int(result.error_code),
        plain(result.device_id),
        faults_json(result.faults),
        to_json(dict(result.value)),
        changes_json(result.commanded),
        to_json(dict(result.hardware_states)),
        int(result.dry_run),
        plain(note),
        step_lines(steps),
    )


def read_changes(text: str | None) -> tuple[PinChange, ...]:
    """Pin changes of a row; empty when they were cut."""
    rows = json.loads(text) if text and text != "[]" else []
    return tuple(PinChange(*row) for row in rows) if isinstance(rows, list) else ()


def read_faults(text: str | None) -> tuple[ActionFault, ...]:
    """Faults of a row; empty when they were cut."""
    rows = json.loads(text) if text and text != "[]" else []
    return tuple(ActionFault(**row) for row in rows) if isinstance(rows, list) else ()
