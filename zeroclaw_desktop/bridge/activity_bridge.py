"""Tasks of the execution layer for the Activity page: what runs, what waits, what was, and why."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.activity_views import (
    BudgetView,
    OutputView,
    ResourceRowView,
    TaskView,
    TransitionView,
    TrialView,
)
from zeroclaw_desktop.bridge.board_views import board_title
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of, fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence, pin_value, value_line
from zeroclaw_desktop.contracts.actions import ActionPayload, ActionState, ActionTransition, Language
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.execution.resource_queue import QueueEntry
    from zeroclaw_desktop.runtime.runtime import Runtime

TASKS_KEPT = 2_000
TELL_MILLISECONDS = 150
_ENDS = (ActionState.COMPLETED, ActionState.FAILED, ActionState.CANCELLED)


@dataclass
class _Task:
    payload: ActionPayload
    transitions: list[ActionTransition] = field(default_factory=list)
    told: tuple[Language, TaskView, str] | None = None
    """What an ended task is told as in a language, and the words it is found by: neither changes any more."""

    @property
    def ended(self) -> bool:
        return self.transitions[-1].state in _ENDS


class ActivityBridge(QObject):
    """Follows every action of every source; changes are told in batches."""

    changed = Signal()
    trial_finished = Signal(object)

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        self._tasks: OrderedDict[str, _Task] = OrderedDict()
        self._tell = QTimer(self)
        self._tell.setSingleShot(True)
        self._tell.setInterval(TELL_MILLISECONDS)
        self._tell.timeout.connect(self.changed)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        runtime.bus.subscribe(ActionTransition, self._moved)

    def _moved(self, transition: ActionTransition) -> None:
        task_id = transition.payload.task_id
        task = self._tasks.get(task_id)
        if task is None or transition.state is ActionState.PENDING:
            task = self._tasks[task_id] = _Task(transition.payload)
            self._tasks.move_to_end(task_id)
            while len(self._tasks) > TASKS_KEPT:
                self._tasks.popitem(last=False)
        task.transitions.append(transition)
        if not self._tell.isActive():
            self._tell.start()

    # -- what there is --------------------------------------------------------------------------------
    def running(self) -> list[TaskView]:
        """Tasks that have not ended, oldest first."""
        entries = self._entries()
        return [self._view(task, entries) for task in self._tasks.values() if not task.ended]

    def history(self, text: str = "", state: str = "", limit: int = 200) -> list[TaskView]:
        """Tasks that have ended, latest first.

        Args:
            text: only those whose action, title, board, source or id contains it, letters in any case.
            state: only ``completed``, ``failed`` or ``cancelled``; '' for all.
        """
        found: list[TaskView] = []
        wanted = text.strip().lower()
        for task in reversed(self._tasks.values()):
            if not task.ended:
                continue
            view, words = self._told(task)
            if (not state or view.state == state) and wanted in words:
                found.append(view)
                if len(found) >= limit:
                    break
        return found

    def task(self, task_id: str) -> TaskView | None:
        """One task, None when it is no longer kept."""
        task = self._tasks.get(task_id)
        if task is None:
            return None
        return self._told(task)[0] if task.ended else self._view(task, self._entries())

    def transitions(self, task_id: str) -> list[TransitionView]:
        """The steps of a task."""
        task = self._tasks.get(task_id)
        if task is None:
            return []
        start = task.transitions[0].monotonic
        return [
            TransitionView(step.state.value, step.wall, (step.monotonic - start) * 1000, step.note)
            for step in task.transitions
        ]

    def resources(self) -> list[ResourceRowView]:
        """Resources that somebody holds or waits for, by name."""
        holders: dict[str, list[str]] = {}
        waiting: dict[str, list[str]] = {}
        for entry in self._entries().values():
            for name in entry.resources:
                (holders if entry.running else waiting).setdefault(name, []).append(entry.holder)
        return [
            ResourceRowView(name, tuple(holders.get(name, ())), tuple(waiting.get(name, ())))
            for name in sorted({*holders, *waiting})
        ]

    def outputs(self) -> list[OutputView]:
        """Outputs that tasks left active, oldest first."""
        if self._runtime is None:
            return []
        now = self._runtime.clock.monotonic()
        return [
            OutputView(
                self._board(lease.device_id),
                lease.device_id,
                lease.pin,
                pin_value(lease.value, lease.mode, self._core.language),
                lease.task_id,
                lease.source,
                now - lease.since,
            )
            for lease in self._runtime.executor.leases.all()
        ]

    def budgets(self) -> list[BudgetView]:
        """Run time of the sessions, latest first."""
        if self._runtime is None:
            return []
        states = self._runtime.executor.budget.states()
        return [BudgetView(state.session, state.used, state.limit) for state in reversed(states)]

    # -- what can be done -----------------------------------------------------------------------------
    def cancel(self, task_id: str) -> None:
        """Stop one task; its outputs are made safe."""
        if self._runtime is not None:
            self._runtime.executor.cancel(task_id, "person")

    def release_output(self, board_id: str, pin: int) -> None:
        """Put one output into its safe state."""
        if self._runtime is not None:
            self._core.start(
                self._runtime.run_manual("output_release", {"pin": pin}, board_id), "release output"
            )

    def try_on_twin(self, task_id: str) -> None:
        """Run a task again on a simulated twin; the answer comes by ``trial_finished``."""
        task = self._tasks.get(task_id)
        if task is not None and self._runtime is not None:
            self._core.start(self._try(self._runtime, task), "trial")

    async def _try(self, runtime: Runtime, task: _Task) -> None:
        from zeroclaw_desktop.runtime.twin import simulate

        language, task_id = self._core.language, task.payload.task_id
        pins = runtime.roster.pin_states(task.payload.device_id)
        try:
            report = await simulate(runtime.children, [task.payload], pins)
        except ZeroClawError as error:
            self.trial_finished.emit(
                TrialView(task_id, False, error.message, (), error_view_of(error, language))
            )
            return
        result = report.results[-1]
        error_view = fault_view(result.faults[0], language) if result.faults else None
        traces = tuple((trace.pin, trace.levels, trace.duty) for trace in report.traces)
        self.trial_finished.emit(TrialView(task_id, report.ok, value_line(result.value), traces, error_view))

    # -- views ----------------------------------------------------------------------------------------
    def _entries(self) -> dict[str, QueueEntry]:
        if self._runtime is None:
            return {}
        return {entry.holder: entry for entry in self._runtime.executor.queue_entries()}

    def _board(self, board_id: str) -> str:
        boards = self._runtime.roster.boards() if self._runtime is not None else ()
        found = next((board for board in boards if board.board_id == board_id), None)
        return board_title(found, self._core.language) if found is not None else board_id

    def _told(self, task: _Task) -> tuple[TaskView, str]:
        """An ended task and the words it is found by; made once, as thousands are asked for at a time."""
        language = self._core.language
        if task.told is None or task.told[0] != language:
            view = self._view(task, {})
            words = " ".join((view.action, view.title, view.board, view.source, view.task_id)).lower()
            task.told = (language, view, words)
        return task.told[1], task.told[2]

    def _view(self, task: _Task, entries: dict[str, QueueEntry]) -> TaskView:
        payload, last, language = task.payload, task.transitions[-1], self._core.language
        result, entry = last.result, entries.get(task.payload.task_id)
        first = task.transitions[0]
        return TaskView(
            payload.task_id,
            payload.action,
            action_sentence(payload.action, payload.params, language),
            payload.source,
            self._board(result.device_id if result is not None else payload.device_id),
            last.state.value.lower(),
            first.wall,
            result.elapsed_ms if result is not None else (time.time() - first.wall) * 1000,
            dict(payload.params),
            tuple(entry.resources) if entry is not None else (),
            entry is not None and not entry.running,
            tuple(
                (
                    change.pin,
                    pin_value(change.before, change.mode, language),
                    pin_value(change.after, change.mode, language),
                )
                for change in (result.commanded if result is not None else ())
            ),
            dict(result.hardware_states) if result is not None else {},
            value_line(result.value) if result is not None else "",
            fault_view(result.faults[0], language) if result is not None and result.faults else None,
            result is not None and result.dry_run,
            not task.ended,
        )
