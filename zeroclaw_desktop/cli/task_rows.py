"""Entries of the journal as the command line shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from zeroclaw_desktop.cli.results import change_rows, fault_row
from zeroclaw_desktop.execution.journal_queries import JournalEntry


def task_row(entry: JournalEntry, alive: Collection[int], *, steps: bool = False) -> dict[str, Any]:
    """A task as JSON.

    Args:
        alive: sessions of running programs.
        steps: with its transitions and the pins that were foreseen.
    """
    row: dict[str, Any] = {
        "task_id": entry.task_id,
        "action": entry.action,
        "params": dict(entry.params),
        "state": entry.state_now(alive),
        "source": entry.source,
        "device_id": entry.device_id,
        "seen": _moment(entry.seen),
        "began": _moment(entry.began),
        "ended": _moment(entry.ended),
        "elapsed_ms": entry.elapsed_ms,
        "error_code": entry.error_code,
        "seq": entry.seq,
        "value": dict(entry.value),
        "hardware_states": dict(entry.observed),
        "commanded": change_rows(entry.commanded),
        "dry_run": entry.dry_run,
        "errors": [fault_row(fault) for fault in entry.faults],
        "note": entry.note,
        "answer": entry.answer,
        "again": entry.again_id,
    }
    if steps:
        row["constraints"] = dict(entry.constraints)
        row["planned"] = change_rows(entry.planned)
        row["steps"] = [
            {"state": step.state, "at": _moment(step.wall), "note": step.note} for step in entry.steps
        ]
    return row


def task_line(entry: JournalEntry, alive: Collection[int]) -> str:
    """A task in one line: when, how it ended, what, where, who, how long, which."""
    return (
        f"{_local(entry.seen)}  {entry.state_now(alive).lower():<11}  {entry.action} {_words(entry.params)}  "
        f"{entry.device_id or '-'}  {entry.source}  {_duration(entry.elapsed_ms)}  {entry.task_id}"
    )


def task_details(entry: JournalEntry, alive: Collection[int]) -> Iterator[str]:
    """Lines about one task."""
    yield f"{entry.task_id}  {entry.action} {_words(entry.params)}"
    dry = " (dry run: nothing was sent)" if entry.dry_run else ""
    yield f"  state     {entry.state_now(alive).lower()}{dry}  {_duration(entry.elapsed_ms)}".rstrip()
    yield f"  board     {entry.device_id or '-'}"
    yield f"  asked by  {entry.source}"
    for step in entry.steps:
        note = f"  ({step.note})" if step.note else ""
        yield f"  {_local(step.wall, 'milliseconds')}  {step.state}{note}"
    for change in entry.commanded:
        yield f"  pin {change.pin}: {change.before} -> {change.after}"
    for name, state in entry.observed.items():
        yield f"  read back {name}: {_words(state) if isinstance(state, Mapping) else state}"
    if entry.value:
        yield f"  result    {_words(entry.value)}"
    for fault in entry.faults:
        yield f"  0x{fault.code:02X} {fault.symbol}: {fault.message}"
    if entry.answer:
        yield f"  answer    {entry.answer} {entry.again_id}".rstrip()


def _words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


def _moment(epoch: float | None) -> str | None:
    """ISO 8601 with the offset of the local zone."""
    return None if epoch is None else datetime.fromtimestamp(epoch).astimezone().isoformat()


def _local(epoch: float, precision: str = "seconds") -> str:
    return datetime.fromtimestamp(epoch).isoformat(" ", precision)


def _duration(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds:.0f} ms"
