"""What the Activity page shows: tasks and their steps, the history, interrupted tasks, resources, budgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.bridge.views import ErrorView


@dataclass(frozen=True)
class TransitionView:
    """One step in the life of a task.

    Attributes:
        state: ``PENDING``, ``VALIDATED``, ``RUNNING``, ``COMPLETED``, ``FAILED``, ``CANCELLED`` or
            ``INTERRUPTED``.
        at: epoch seconds.
        since_start_ms: milliseconds since the first step.
        timed: False when nobody knows when it happened: the program ended, and the next start found it.
    """

    state: str
    at: float
    since_start_ms: float
    note: str = ""
    timed: bool = True


@dataclass(frozen=True)
class TaskView:
    """One action, running or ended.

    Attributes:
        state: the last transition's state in lower case, or ``interrupted``.
        resources: what it holds or waits for; empty once it has ended.
        waiting: True while it waits for a resource.
        asking: True while it waits for a person's approval.
        commanded, observed: pin rows (pin, before, after) as asked, and what was read back.
        units: unit of each parameter that has one, as it is written behind the value.
        number: of its entry in the journal; 0 while there is none.
        elsewhere: True while another program runs it.
        again_id: the task that did it again after it was interrupted; '' when none did.
        can_try: whether the journal has enough of it for a trial.
    """

    task_id: str
    action: str
    title: str
    source: str
    board: str
    state: str
    started: float
    elapsed_ms: float | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    resources: tuple[str, ...] = ()
    waiting: bool = False
    commanded: tuple[tuple[int, str, str], ...] = ()
    observed: Mapping[str, Any] = field(default_factory=dict)
    result: str = ""
    error: ErrorView | None = None
    dry_run: bool = False
    can_cancel: bool = False
    asking: bool = False
    units: Mapping[str, str] = field(default_factory=dict)
    number: int = 0
    elsewhere: bool = False
    again_id: str = ""
    can_try: bool = True
    board_id: str = ""


@dataclass(frozen=True)
class TaskRecord:
    """A task with its steps, as the journal has it."""

    task: TaskView
    steps: tuple[TransitionView, ...]


@dataclass(frozen=True)
class HistoryQuery:
    """Which tasks of the past are wanted; a field at its default does not narrow.

    Attributes:
        text: part of title, command, board, source or id, letters in any case.
        state: ``completed``, ``failed``, ``cancelled`` or ``interrupted``.
        since: epoch seconds.
    """

    text: str = ""
    state: str = ""
    source: str = ""
    board_id: str = ""
    since: float | None = None


@dataclass(frozen=True)
class HistoryPage:
    """An answer to a question about the past, latest first.

    Attributes:
        kind: ``all``: everything there is; ``first``: the newest page; ``more``: goes on where the last page
            ended; ``news``: tasks that are new or have changed.
        more: whether older ones may follow; of no meaning for news.
        fault: why only this run of the program is known; None when the whole journal is.
    """

    kind: str
    tasks: tuple[TaskView, ...] = ()
    more: bool = False
    fault: ErrorView | None = None


@dataclass(frozen=True)
class InterruptedView:
    """A task that the end of the program interrupted, until a person has decided about it.

    Attributes:
        number: of its entry in the journal.
        at: epoch seconds when it began, or was received if it never did.
        reason: what may have happened and what its policy is, in words.
        safety: what was done about its board, in words; '' when it can have left nothing on.
        safety_kind: ``safe``, ``waiting``, ``failed`` or ``''``.
        can_repeat: whether it can be done again at all; ``ready``: whether now.
        busy: it is about to be done again.
    """

    number: int
    task_id: str
    action: str
    title: str
    source: str
    board: str
    at: float
    policy: str
    reason: str
    safety: str = ""
    safety_kind: str = ""
    can_repeat: bool = True
    ready: bool = True
    busy: bool = False


@dataclass(frozen=True)
class ResourceRowView:
    """One resource: who has it, who waits."""

    name: str
    holders: tuple[str, ...]
    waiting: tuple[str, ...]


@dataclass(frozen=True)
class OutputView:
    """An output that a task left active."""

    board: str
    board_id: str
    pin: int
    value: str
    task_id: str
    source: str
    seconds: float


@dataclass(frozen=True)
class BudgetView:
    """Run time of a task session in seconds."""

    session: str
    used: float
    limit: float


@dataclass(frozen=True)
class TrialView:
    """What a trial on the simulated twin showed.

    Attributes:
        number: the task's number in the journal, as it was asked for.
        traces: for each pin that changed: (pin, ((seconds, level), ...), duty at the end or None).
    """

    task_id: str
    ok: bool
    text: str
    traces: tuple[tuple[int, tuple[tuple[float, int], ...], float | None], ...] = ()
    error: ErrorView | None = None
    number: int = 0
