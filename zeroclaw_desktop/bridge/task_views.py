"""Tasks as views, from their transitions while they are in memory and from the journal otherwise. No Qt."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from zeroclaw_desktop.bridge.activity_views import HistoryQuery, TaskView, TransitionView
from zeroclaw_desktop.bridge.board_views import board_title, simulated_title
from zeroclaw_desktop.bridge.error_text import fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence, pin_value, value_line
from zeroclaw_desktop.contracts.actions import ActionTransition, PinChange
from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.execution.journal_queries import JournalEntry, JournalFilter, Words
    from zeroclaw_desktop.execution.resource_queue import QueueEntry
    from zeroclaw_desktop.runtime.runtime import Runtime

_UNIT_SIGNS = {"degrees": "°"}
INTERRUPTED = "INTERRUPTED"


class TaskWords:
    """Names of boards and units of parameters as they are now; made anew for each answer.

    Args:
        runtime: None before the core has started.
    """

    def __init__(self, runtime: Runtime | None, language: Language) -> None:
        self.language = language
        self._runtime = runtime
        boards = runtime.roster.boards() if runtime is not None else ()
        self._boards = {board.board_id: board_title(board, language) for board in boards}
        self._names: dict[str, str] = {}
        self._units: dict[str, Mapping[str, str]] = {}

    def board(self, board_id: str) -> str:
        """Name of a board; with its id when several are there, its id alone when it is not there."""
        if board_id not in self._names:
            title = self._boards.get(board_id) or simulated_title(board_id, self.language)
            several = len(self._boards) > 1
            self._names[board_id] = f"{title} ({board_id})" if title and several else title or board_id
        return self._names[board_id]

    def units(self, action: str) -> Mapping[str, str]:
        """Unit of each parameter of a command that has one; none for a command that is not there."""
        if action not in self._units:
            self._units[action] = self._units_of(action)
        return self._units[action]

    def _units_of(self, action: str) -> Mapping[str, str]:
        if self._runtime is None:
            return {}
        from zeroclaw_desktop.execution.errors import CommandNotFoundError

        try:
            schema = self._runtime.registry.recall(action).schema
        except CommandNotFoundError:
            return {}
        units = {name: param.unit.strip() for name, param in schema.items()}
        return {name: _UNIT_SIGNS.get(unit, unit) for name, unit in units.items() if unit}

    def pins(self, changes: Sequence[PinChange]) -> tuple[tuple[int, str, str], ...]:
        """Rows (pin, before, after)."""
        return tuple(
            (
                change.pin,
                pin_value(change.before, change.mode, self.language),
                pin_value(change.after, change.mode, self.language),
            )
            for change in changes
        )


def live_view(
    transitions: Sequence[ActionTransition],
    words: TaskWords,
    entry: QueueEntry | None = None,
    *,
    asking: bool = False,
    number: int = 0,
) -> TaskView:
    """A task of this run of the program.

    Args:
        transitions: its steps so far, at least one.
        entry: what it holds or waits for.
        asking: whether a person is being asked about it.
        number: of its entry in the journal.
    """
    first, last = transitions[0], transitions[-1]
    payload, result, language = first.payload, last.result, words.language
    board_id = result.device_id if result is not None else payload.device_id
    return TaskView(
        payload.task_id,
        payload.action,
        action_sentence(payload.action, payload.params, language),
        payload.source,
        words.board(board_id),
        last.state.value.lower(),
        first.wall,
        result.elapsed_ms if result is not None else (time.time() - first.wall) * 1000,
        dict(payload.params),
        tuple(entry.resources) if entry is not None else (),
        entry is not None and not entry.running,
        words.pins(result.commanded) if result is not None else (),
        dict(result.hardware_states) if result is not None else {},
        value_line(result.value) if result is not None else "",
        fault_view(result.faults[0], language) if result is not None and result.faults else None,
        result is not None and result.dry_run,
        result is None,
        asking and result is None,
        words.units(payload.action),
        number,
        board_id=board_id,
    )


def live_steps(transitions: Sequence[ActionTransition]) -> list[TransitionView]:
    """The steps of a task of this run."""
    return [
        TransitionView(
            step.state.value, step.wall, (step.monotonic - transitions[0].monotonic) * 1000, step.note
        )
        for step in transitions
    ]


def journal_view(entry: JournalEntry, words: TaskWords, *, at_work: bool) -> TaskView:
    """A task as the journal has it.

    Args:
        at_work: whether the program that took it is running, so that an unfinished one is at work.
    """
    language = words.language
    state = entry.state or ("RUNNING" if at_work else INTERRUPTED)
    elapsed = entry.elapsed_ms
    if state == INTERRUPTED:
        elapsed = None
    elif not entry.state:
        elapsed = (time.time() - entry.seen) * 1000
    return TaskView(
        entry.task_id,
        entry.action,
        action_sentence(entry.action, entry.params, language),
        entry.source,
        words.board(entry.device_id),
        state.lower(),
        entry.seen,
        elapsed,
        entry.params,
        commanded=words.pins(entry.commanded or (entry.planned if not entry.state else ())),
        observed=entry.observed,
        result=value_line(dict(entry.value)),
        error=fault_view(entry.faults[0], language) if entry.faults else None,
        dry_run=entry.dry_run,
        units=words.units(entry.action),
        number=entry.number,
        elsewhere=state == "RUNNING",
        again_id=entry.again_id if entry.answer == "again" else "",
        can_try=is_whole(entry),
        board_id=entry.device_id,
    )


def is_whole(entry: JournalEntry) -> bool:
    """Whether the journal has all parameters of a task."""
    from zeroclaw_desktop.execution.journal_rows import INCOMPLETE

    return INCOMPLETE not in entry.params


def journal_steps(entry: JournalEntry, *, at_work: bool) -> list[TransitionView]:
    """The steps of a task as the journal has them.

    When a task was interrupted is not known: its last step stands for the moment when a later run of the
    program found that out.
    """
    steps = [
        TransitionView(step.state, step.wall, (step.monotonic - entry.steps[0].monotonic) * 1000, step.note)
        for step in entry.steps
        if step.state != INTERRUPTED
    ]
    if not at_work and entry.state in ("", INTERRUPTED):
        since = steps[-1].since_start_ms if steps else 0.0
        steps.append(TransitionView(INTERRUPTED, entry.ended or entry.seen, since, "", False))
    return steps


def journal_filter(query: HistoryQuery, words: TaskWords) -> JournalFilter:
    """What the journal is asked; titles of tasks are looked for in the language of the window."""
    from zeroclaw_desktop.execution.journal_queries import JournalFilter

    text = query.text.strip().lower()
    return JournalFilter(
        device_id=query.board_id,
        source=query.source,
        states=(query.state.upper(),) if query.state else (),
        since=query.since,
        text=text,
        words=_words_of_entries(words) if text else None,
    )


def _words_of_entries(words: TaskWords) -> Words:
    @lru_cache(4_096)
    def title(action: str, params: str) -> str:
        return action_sentence(action, json.loads(params), words.language)

    def found_by(task_id: str, action: str, params: str, device_id: str, source: str) -> str:
        parts = (action, title(action, params), words.board(device_id), device_id, source, task_id)
        return " ".join(parts).lower()

    return found_by


def matches(task: TaskView, query: HistoryQuery) -> bool:
    """Whether an ended task in memory is wanted."""
    if (query.state and task.state != query.state) or (query.source and task.source != query.source):
        return False
    if (query.since is not None and task.started < query.since) or (
        query.board_id and task.board_id != query.board_id
    ):
        return False
    text = query.text.strip().lower()
    return (
        not text or text in " ".join((task.action, task.title, task.board, task.source, task.task_id)).lower()
    )
