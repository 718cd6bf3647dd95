"""The tasks that have ended, latest first; a change of the list becomes the fewest inserts and removals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from zeroclaw_desktop.gui.activity.words import clock_text, duration_text, source_word, state_word

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TaskView

Index = QModelIndex | QPersistentModelIndex
_MOST_MOVES = 50
"""More runs of inserted or removed rows than this are cheaper as one reset."""


class HistoryModel(QAbstractListModel):
    """Rows of ``TaskView``."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: list[TaskView] = []

    def set_tasks(self, tasks: Sequence[TaskView]) -> None:
        """Show these tasks; rows that stay keep their selection and place."""
        wanted = list(tasks)
        if not self._merge(wanted):
            self.beginResetModel()
            self._tasks = wanted
            self.endResetModel()
            return
        changed = [row for row, task in enumerate(wanted) if task is not self._tasks[row]]
        self._tasks = wanted
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def task(self, index: Index) -> TaskView | None:
        """Return the task of a row, None when there is no such row."""
        row = index.row()
        return self._tasks[row] if index.isValid() and row < len(self._tasks) else None

    def row_of(self, task_id: str) -> int | None:
        """Return where a task stands, None when it is not shown."""
        return next((row for row, task in enumerate(self._tasks) if task.task_id == task_id), None)

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
        clock_text(task.started),
        duration_text(task.elapsed_ms),
    )
    return ", ".join(part for part in parts if part)
