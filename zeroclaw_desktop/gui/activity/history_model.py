"""The tasks that have ended, latest first; a change of the list becomes the fewest inserts and removals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from zeroclaw_desktop.gui.activity.words import duration_text, moment_text, source_word, state_word

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TaskView

Index = QModelIndex | QPersistentModelIndex
_MOST_MOVES = 50
"""More runs of inserted or removed rows than this are cheaper as one reset."""


class HistoryModel(QAbstractListModel):
    """Rows of ``TaskView``; those from the journal are in the order of time."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: list[TaskView] = []
        self._numbered: dict[int, TaskView] = {}

    def begin(self, tasks: Sequence[TaskView]) -> None:
        """Forget what was shown and show these tasks."""
        self.beginResetModel()
        self._tasks = list(tasks)
        self._number_anew()
        self.endResetModel()

    def append(self, tasks: Sequence[TaskView]) -> None:
        """Add older tasks at the end; those that are shown already are left out."""
        new = [task for task in tasks if task.number not in self._numbered]
        if not new:
            return
        first = len(self._tasks)
        self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
        self._tasks += new
        self._numbered.update((task.number, task) for task in new)
        self.endInsertRows()

    def put(self, tasks: Sequence[TaskView], *, whole: bool) -> None:
        """Show tasks of the journal that are new, and those that have changed as they are now.

        Args:
            whole: nothing older than the last row exists; else a task older than that row has to wait until
                a page brings it.
        """
        new = []
        for task in tasks:
            row = self._row_of_number(task.number)
            if row is None:
                new.append(task)
            elif task != self._tasks[row]:
                self._tasks[row] = self._numbered[task.number] = task
                self.dataChanged.emit(self.index(row), self.index(row))
        new.sort(key=_order)
        places = [(bisect_left(self._tasks, _order(task), key=_order), task) for task in new]
        runs = [(place, [task for _, task in run]) for place, run in groupby(places, itemgetter(0))]
        for place, fresh in reversed(runs):
            if place == len(self._tasks) and self._tasks and not whole:
                continue
            self.beginInsertRows(QModelIndex(), place, place + len(fresh) - 1)
            self._tasks[place:place] = fresh
            self._numbered.update((task.number, task) for task in fresh)
            self.endInsertRows()

    def set_tasks(self, tasks: Sequence[TaskView]) -> None:
        """Show these tasks and no others; rows that stay keep their selection and place."""
        wanted = list(tasks)
        if not self._merge(wanted):
            self.begin(wanted)
            return
        changed = [row for row, task in enumerate(wanted) if task is not self._tasks[row]]
        self._tasks = wanted
        self._number_anew()
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def task(self, index: Index) -> TaskView | None:
        """Return the task of a row, None when there is no such row."""
        row = index.row()
        return self._tasks[row] if index.isValid() and row < len(self._tasks) else None

    def row_of(self, task_id: str, number: int = 0) -> int | None:
        """Return where a task stands, None when it is not shown; of several with one id, the latest.

        Args:
            number: of its entry in the journal, when that is known.
        """
        if number and (row := self._row_of_number(number)) is not None:
            return row
        found = (row for row, task in enumerate(self._tasks) if task.task_id == task_id)
        return next((row for row in found if number in (0, self._tasks[row].number)), None)

    def first_of_session(self, session: str) -> TaskView | None:
        """Return the earliest task shown of a session (``turn-1`` of ``turn-1.call-1``), else None."""
        start = f"{session}."
        return next((task for task in reversed(self._tasks) if task.task_id.startswith(start)), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of tasks."""
        return 0 if parent.isValid() else len(self._tasks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the title, or the whole row in words for a screen reader."""
        task = self.task(index)
        if task is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return task.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row_sentence(task)
        return None

    def _number_anew(self) -> None:
        self._numbered = {task.number: task for task in self._tasks if task.number}

    def _row_of_number(self, number: int) -> int | None:
        task = self._numbered.get(number)
        if task is None:
            return None
        row = bisect_left(self._tasks, _order(task), key=_order)
        return row if row < len(self._tasks) and self._tasks[row].number == number else None

    def _merge(self, wanted: Sequence[TaskView]) -> bool:
        """Remove and insert rows until the ids are the wanted ones; False when a reset is better."""
        ids = [task.task_id for task in wanted]
        keep, known = set(ids), {task.task_id for task in self._tasks}
        kept = [task.task_id for task in self._tasks if task.task_id in keep]
        if kept != [task_id for task_id in ids if task_id in known]:
            return False
        gone = _runs([task.task_id not in keep for task in self._tasks])
        new = _runs([task_id not in known for task_id in ids])
        if len(gone) + len(new) > _MOST_MOVES:
            return False
        for first, last in reversed(gone):
            self.beginRemoveRows(QModelIndex(), first, last)
            del self._tasks[first : last + 1]
            self.endRemoveRows()
        for first, last in new:
            self.beginInsertRows(QModelIndex(), first, last)
            self._tasks[first:first] = wanted[first : last + 1]
            self.endInsertRows()
        return True


def _order(task: TaskView) -> tuple[float, int]:
    return -task.started, -task.number


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Return (first, last) of each run of True."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for place, flag in enumerate(flags):
        if flag and start is None:
            start = place
        elif not flag and start is not None:
            runs.append((start, place - 1))
            start = None
    if start is not None:
        runs.append((start, len(flags) - 1))
    return runs


def row_sentence(task: TaskView) -> str:
    """Return a task in one line of words."""
    parts = (
        task.title,
        state_word(task.state),
        source_word(task.source),
        task.board,
        moment_text(task.started),
        duration_text(task.elapsed_ms),
    )
    return ", ".join(part for part in parts if part)
