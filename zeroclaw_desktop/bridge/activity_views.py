"""What the Activity page shows: tasks, their transitions, resources, held outputs, budgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.bridge.views import ErrorView


@dataclass(frozen=True)
class TransitionView:
    """One step in the life of a task.

    Attributes:
        state: ``PENDING``, ``VALIDATED``, ``RUNNING``, ``COMPLETED``, ``FAILED`` or ``CANCELLED``.
        at: epoch seconds.
        since_start_ms: milliseconds since the first step.
    """

    state: str
    at: float
    since_start_ms: float
    note: str = ""


@dataclass(frozen=True)
class TaskView:
    """One action, running or ended.

    Attributes:
        state: the last transition's state in lower case.
        resources: what it holds or waits for; empty once it has ended.
        waiting: True while it waits for a resource.
        commanded, observed: pin rows (pin, before, after) as asked, and what was read back.
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
        traces: for each pin that changed: (pin, ((seconds, level), ...), duty at the end or None).
    """

    task_id: str
    ok: bool
    text: str
    traces: tuple[tuple[int, tuple[tuple[float, int], ...], float | None], ...] = ()
    error: ErrorView | None = None
