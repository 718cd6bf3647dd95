"""``zeroclaw tasks`` and ``zeroclaw tasks show``: what was done, from the journal, while the app runs too."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.execution.journal_queries import JournalEntry, JournalFilter
    from zeroclaw_desktop.store.thread import Connection

STATES = ("completed", "failed", "cancelled", "interrupted", "running")
USUAL_LIMIT = 20
SCAN = 10_000
"""Entries that one question looks at."""


class UnknownTaskError(ZeroClawError):
    """The journal has no task with this id."""

    default_code = "unknown_task"


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``tasks`` family to the parser."""
    tasks = subparsers.add_parser("tasks", parents=[common], help="list what was done, newest first")
    tasks.add_argument(
        "--limit", type=_positive, default=USUAL_LIMIT, metavar="N", help="at most this many (default: 20)"
    )
    tasks.add_argument("--state", choices=STATES, default="", help="only tasks that ended like this")
    tasks.add_argument("--board", default="", metavar="ID", help="only tasks of this board")
    tasks.add_argument("--since", default="", metavar="ISO", help="only since a time: 2026-11-30T14:00")
    tasks.set_defaults(run=list_tasks)
    # The options stand before or behind the verb; what is not given behind it must not undo the ones before.
    behind = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    behind.add_argument("--json", action="store_true", help="print one JSON document")
    behind.add_argument("-v", "--verbose", action="store_true", help="log to standard error")
    verbs = tasks.add_subparsers(dest="verb")
    show = verbs.add_parser("show", parents=[behind], help="one task with its steps")
    show.add_argument("task_id", metavar="ID")
    show.set_defaults(run=show_task)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def list_tasks(options: argparse.Namespace) -> int:
    """Print the newest tasks that are wanted."""
    from zeroclaw_desktop.cli.task_rows import task_line, task_row

    entries, alive = _newest(_filter(options), options.limit)
    if options.json:
        print_json({"tasks": [task_row(entry, alive) for entry in entries]})
        return DONE
    for entry in entries:
        print_line(task_line(entry, alive))
    if not entries:
        print_line("No task was found.")
    return DONE


def show_task(options: argparse.Namespace) -> int:
    """Print one task with everything that the journal has of it.

    Raises:
        UnknownTaskError: there is none with this id.
    """
    from zeroclaw_desktop.cli.task_rows import task_details, task_row

    entry, alive = _find(options.task_id)
    if entry is None:
        raise UnknownTaskError(
            f"The journal has no task '{options.task_id}'.",
            hint="zeroclaw tasks lists them with their ids.",
            details={"task": options.task_id},
        )
    if options.json:
        print_json(task_row(entry, alive, steps=True))
    else:
        for line in task_details(entry, alive):
            print_line(line)
    return DONE


def _filter(options: argparse.Namespace) -> JournalFilter:
    from zeroclaw_desktop.execution.journal_queries import JournalFilter

    states = {"": (), "running": ("",)}.get(options.state, (options.state.upper(),))
    since = _epoch(options.since) if options.since else None
    return JournalFilter(device_id=options.board, states=states, since=since)


def _epoch(text: str) -> float:
    from datetime import datetime

    from zeroclaw_desktop.cli.standard_input import InputError

    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise InputError(
            f"'{text}' is no time.", hint="Write it like 2026-11-30 or 2026-11-30T14:00:00."
        ) from error


@contextlib.contextmanager
def _journal() -> Iterator[tuple[Connection, frozenset[int]] | None]:
    """The journal for looking only, and the sessions of running programs; None when nothing was ever done."""
    from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
    from zeroclaw_desktop.foundation.paths import database_file
    from zeroclaw_desktop.store.errors import StoreOpenError
    from zeroclaw_desktop.store.opening import reading_store
    from zeroclaw_desktop.store.sessions import SESSION_SCHEMA, living_sessions

    path = database_file(create=False)
    with contextlib.ExitStack() as stack:
        try:
            connection = stack.enter_context(reading_store(path, [SESSION_SCHEMA, JOURNAL_SCHEMA]))
        except StoreOpenError as error:
            if error.details.get("reason") != "missing":
                raise
            yield None
            return
        yield connection, frozenset(living_sessions(connection, path))


def _newest(wanted: JournalFilter, limit: int) -> tuple[list[JournalEntry], frozenset[int]]:
    from dataclasses import replace

    from zeroclaw_desktop.execution import journal_queries as queries

    with _journal() as opened:
        if opened is None:
            return [], frozenset()
        connection, alive = opened
        chosen = replace(wanted, alive=alive)
        entries: list[JournalEntry] = []
        place: queries.Place | None = None
        while len(entries) < limit:
            most = min(limit - len(entries), queries.MOST_ENTRIES)
            found, place = queries.piece(connection, chosen, most, place, SCAN)
            entries += found
            if place is None:
                break
        return entries, alive


def _find(task_id: str) -> tuple[JournalEntry | None, frozenset[int]]:
    from zeroclaw_desktop.execution import journal_queries as queries

    with _journal() as opened:
        if opened is None:
            return None, frozenset()
        connection, alive = opened
        return queries.task(connection, task_id), alive
