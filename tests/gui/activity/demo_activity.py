"""The scripted stand-ins of the Activity page's bridges; questions about the past are answered at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.activity_views import (
    BudgetView,
    HistoryPage,
    HistoryQuery,
    InterruptedView,
    OutputView,
    ResourceRowView,
    TaskRecord,
    TaskView,
    TransitionView,
)
from zeroclaw_desktop.bridge.task_views import matches
from zeroclaw_desktop.bridge.views import ErrorView

BOARDS = (("sim-uno", "Simulated Arduino Uno"), ("uno-75833", "Arduino Uno"))


class DemoActivity(QObject):
    """Tasks of the execution layer, as a test puts them here."""

    changed = Signal()
    trial_finished = Signal(object)
    history_came = Signal(object)
    task_came = Signal(object)
    boards_came = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.tasks: dict[str, TaskView] = {}
        self.steps: dict[str, list[TransitionView]] = {}
        self.held: list[OutputView] = []
        self.rows: list[ResourceRowView] = []
        self.sessions: list[BudgetView] = []
        self.old: list[TaskRecord] = []
        """Tasks of earlier runs, latest first, which only the journal has."""
        self.page_size = 100
        self.fault: ErrorView | None = None
        """Why there is no journal."""
        self._query = HistoryQuery()
        self._told = 0

    def put(self, task: TaskView, *steps: TransitionView) -> None:
        """Add a task or replace it; tells nobody (emit ``changed`` for that)."""
        self.tasks[task.task_id] = task
        self.steps[task.task_id] = list(steps)

    def running(self) -> list[TaskView]:
        return [task for task in self.tasks.values() if task.can_cancel]

    def ask_history(self, query: HistoryQuery) -> None:
        self._query = query
        found = self._past()
        self._told = min(self.page_size, len(found))
        kind = "all" if self.fault is not None or not self.old else "first"
        page = found if kind == "all" else found[: self._told]
        self.history_came.emit(HistoryPage(kind, tuple(page), len(found) > len(page), self.fault))

    def ask_more_history(self) -> None:
        found = self._past()
        page = found[self._told : self._told + self.page_size]
        if page:
            self.calls.append(("ask_more_history",))
            self._told += len(page)
            self.history_came.emit(HistoryPage("more", tuple(page), self._told < len(found)))

    def ask_news(self) -> None:
        if self.fault is not None or not self.old:
            self.history_came.emit(HistoryPage("all", tuple(self._past()), False, self.fault))
        else:
            self.history_came.emit(HistoryPage("news", tuple(self._past()[: self.page_size])))

    def look_for_foreign_tasks(self) -> None:
        self.calls.append(("look_for_foreign_tasks",))

    def ask_task(self, task_id: str, number: int = 0) -> None:
        self.calls.append(("ask_task", task_id, number))
        for record in self.old:
            if record.task.task_id == task_id and number in (0, record.task.number):
                self.task_came.emit(record)
                return

    def ask_boards(self) -> None:
        self.boards_came.emit(BOARDS)

    def _past(self) -> list[TaskView]:
        ended = [task for task in reversed(self.tasks.values()) if not task.can_cancel]
        ended += [record.task for record in self.old] if self.fault is None else []
        return [task for task in ended if matches(task, self._query)]

    def task(self, task_id: str) -> TaskView | None:
        return self.tasks.get(task_id)

    def transitions(self, task_id: str) -> list[TransitionView]:
        return list(self.steps.get(task_id, ()))

    def resources(self) -> list[ResourceRowView]:
        return list(self.rows)

    def outputs(self) -> list[OutputView]:
        return list(self.held)

    def budgets(self) -> list[BudgetView]:
        return list(self.sessions)

    def cancel(self, task_id: str) -> None:
        self.calls.append(("cancel", task_id))

    def release_output(self, board_id: str, pin: int) -> None:
        self.calls.append(("release_output", board_id, pin))

    def try_on_twin(self, task_id: str, number: int = 0) -> None:
        self.calls.append(("try_on_twin", task_id))


class DemoRecovery(QObject):
    """Interrupted tasks, as a test puts them here."""

    changed = Signal()
    begun = Signal(str)
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.offered: list[InterruptedView] = []

    def interrupted(self) -> list[InterruptedView]:
        return list(self.offered)

    def do_again(self, number: int) -> None:
        self.calls.append(("do_again", number))

    def dismiss(self, numbers: Sequence[int]) -> None:
        self.calls.append(("dismiss", *numbers))
        self.offered = [task for task in self.offered if task.number not in numbers]
        self.changed.emit()
