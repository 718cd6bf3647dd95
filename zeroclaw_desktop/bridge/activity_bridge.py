"""Tasks of the execution layer for the Activity page: what runs, what waits, what was, and why."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.activity_views import (
    BudgetView,
    HistoryQuery,
    OutputView,
    ResourceRowView,
    TaskView,
    TransitionView,
    TrialView,
)
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of, fault_view
from zeroclaw_desktop.bridge.history_feed import HistoryFeed
from zeroclaw_desktop.bridge.sentences import pin_value, value_line
from zeroclaw_desktop.bridge.task_views import TaskWords, live_steps, live_view
from zeroclaw_desktop.contracts.actions import ActionPayload, ActionState, ActionTransition, Language
from zeroclaw_desktop.contracts.events import ApprovalClosed, ApprovalOpened
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
    number: int = 0
    """Of its entry in the journal; 0 while that is not known."""
    told: tuple[Language, TaskView] | None = None
    """What an ended task is told as in a language: it does not change any more."""

    @property
    def ended(self) -> bool:
        return self.transitions[-1].state in _ENDS


class ActivityBridge(QObject):
    """Follows every action of every source; changes are told in batches. The past comes from the journal."""

    changed = Signal()
    trial_finished = Signal(object)
    history_came = Signal(object)
    """A ``HistoryPage``."""
    task_came = Signal(object)
    """A ``TaskRecord`` that ``ask_task`` asked for."""
    boards_came = Signal(object)
    """The boards of the journal, (id, name) rows."""

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        self._tasks: OrderedDict[str, _Task] = OrderedDict()
        self._questions: dict[str, str] = {}
        """Task id by approval id."""
        self._feed = HistoryFeed(core, self.history_came.emit, self._ended)
        self._tell = QTimer(self)
        self._tell.setSingleShot(True)
        self._tell.setInterval(TELL_MILLISECONDS)
        self._tell.timeout.connect(self.changed)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._feed.attach(runtime)
        runtime.bus.subscribe(ActionTransition, self._moved)
        runtime.bus.subscribe(ApprovalOpened, self._question_opened)
        runtime.bus.subscribe(ApprovalClosed, self._question_closed)
        self._tell_soon()

    def _moved(self, transition: ActionTransition) -> None:
        task_id = transition.payload.task_id
        task = self._tasks.get(task_id)
        if task is None or transition.state is ActionState.PENDING:
            task = self._tasks[task_id] = _Task(transition.payload)
            self._tasks.move_to_end(task_id)
            while len(self._tasks) > TASKS_KEPT:
                self._tasks.popitem(last=False)
        task.transitions.append(transition)
        journal = self._runtime.journal_keeper.journal if self._runtime is not None else None
        if journal is not None:
            task.number = task.number or journal.number_of(task_id)
            if task.ended:
                self._feed.note_ended(task.number)
        self._tell_soon()

    def _question_opened(self, event: ApprovalOpened) -> None:
        self._questions[event.request.approval_id] = event.request.payload.task_id
        self._tell_soon()

    def _question_closed(self, event: ApprovalClosed) -> None:
        self._questions.pop(event.approval_id, None)
        self._tell_soon()

    def _tell_soon(self) -> None:
        if not self._tell.isActive():
            self._tell.start()

    # -- what there is --------------------------------------------------------------------------------
    def running(self) -> list[TaskView]:
        """Tasks that have not ended, oldest first."""
        entries, words = self._entries(), self._words()
        return [self._live(task, entries, words) for task in self._tasks.values() if not task.ended]

    def task(self, task_id: str) -> TaskView | None:
        """One task of this run, None when it is no longer kept in memory."""
        task = self._tasks.get(task_id)
        if task is None:
            return None
        return self._told(task) if task.ended else self._live(task, self._entries(), self._words())

    def transitions(self, task_id: str) -> list[TransitionView]:
        """The steps of a task of this run."""
        task = self._tasks.get(task_id)
        return live_steps(task.transitions) if task is not None else []

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
        now, words = self._runtime.clock.monotonic(), self._words()
        return [
            OutputView(
                words.board(lease.device_id),
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

    # -- the past -------------------------------------------------------------------------------------
    def ask_history(self, query: HistoryQuery) -> None:
        """Begin the list of past tasks anew; the answer comes by ``history_came``."""
        self._feed.ask(query)

    def ask_more_history(self) -> None:
        """Go on where the last page ended."""
        self._feed.ask_more()

    def ask_news(self) -> None:
        """Ask for past tasks that are new or have changed."""
        self._feed.ask_news()

    def look_for_foreign_tasks(self) -> None:
        """Ask for news if another program has written to the journal."""
        self._feed.ask_foreign_news()

    def ask_task(self, task_id: str, number: int = 0) -> None:
        """Ask for a task of the journal with its steps; the answer comes by ``task_came``.

        Args:
            number: of its entry; 0 for the newest with this id.
        """
        if self._runtime is not None:
            self._core.start(self._tell_task(task_id, number), "task")

    async def _tell_task(self, task_id: str, number: int) -> None:
        record = await self._feed.record(task_id, number)
        if record is not None:
            self.task_came.emit(record)

    def ask_boards(self) -> None:
        """Ask for the boards that past tasks were for; the answer comes by ``boards_came``."""
        if self._runtime is not None:
            self._core.start(self._tell_boards(), "boards")

    async def _tell_boards(self) -> None:
        self.boards_came.emit(await self._feed.boards())

    def _ended(self) -> Sequence[TaskView]:
        return [self._told(task) for task in reversed(self._tasks.values()) if task.ended]

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

    def try_on_twin(self, task_id: str, number: int = 0) -> None:
        """Run a task again on a simulated twin; the answer comes by ``trial_finished``.

        Args:
            number: of its entry in the journal; 0 for a task of this run.
        """
        if self._runtime is not None:
            self._core.start(self._try(self._runtime, task_id, number), "trial")

    async def _try(self, runtime: Runtime, task_id: str, number: int) -> None:
        from zeroclaw_desktop.runtime.twin import simulate

        language, task = self._core.language, self._tasks.get(task_id)
        if task is not None and number in (0, task.number):
            payload: ActionPayload | None = task.payload
        else:
            payload = await self._feed.payload(task_id, number)
        if payload is None:
            return
        pins = runtime.roster.pin_states(payload.device_id)
        kinds = {board.board_id: board.profile.key for board in runtime.roster.boards()}
        try:
            report = await simulate(runtime.children, [payload], pins, kinds.get(payload.device_id, ""))
        except ZeroClawError as error:
            self.trial_finished.emit(
                TrialView(task_id, False, error.message, (), error_view_of(error, language), number)
            )
            return
        result = report.results[-1]
        error_view = fault_view(result.faults[0], language) if result.faults else None
        traces = tuple((trace.pin, trace.levels, trace.duty) for trace in report.traces)
        self.trial_finished.emit(
            TrialView(task_id, report.ok, value_line(result.value), traces, error_view, number)
        )

    # -- views ----------------------------------------------------------------------------------------
    def _entries(self) -> dict[str, QueueEntry]:
        if self._runtime is None:
            return {}
        return {entry.holder: entry for entry in self._runtime.executor.queue_entries()}

    def _words(self) -> TaskWords:
        return TaskWords(self._runtime, self._core.language)

    def _told(self, task: _Task) -> TaskView:
        """An ended task; made once, as thousands are asked for at a time."""
        language = self._core.language
        if task.told is None or task.told[0] != language:
            task.told = (language, live_view(task.transitions, self._words(), number=task.number))
        return task.told[1]

    def _live(self, task: _Task, entries: dict[str, QueueEntry], words: TaskWords) -> TaskView:
        task_id = task.payload.task_id
        return live_view(
            task.transitions,
            words,
            entries.get(task_id),
            asking=task_id in self._questions.values(),
            number=task.number,
        )
