"""The newest log records behind the list, bounded, with the filter applied as they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from zeroclaw_desktop.bridge.views import LogRecordView
from zeroclaw_desktop.gui.logs.log_filter import LogFilter, line_of, time_text

CAPACITY = 10_000
_SLACK = CAPACITY // 10
"""Old records go in lots of this many, so that dropping them costs nothing for each new one."""

Index = QModelIndex | QPersistentModelIndex


class LogModel(QAbstractListModel):
    """Records that pass the filter, oldest first."""

    def __init__(self) -> None:
        super().__init__()
        self._all: list[LogRecordView] = []
        self._shown: list[LogRecordView] = []
        self._filter = LogFilter()
        self._subsystems: set[str] = set()

    def add(self, records: Sequence[LogRecordView]) -> int:
        """Append records; those whose number is already held are left out. Returns how many are shown."""
        last = self._all[-1].number if self._all else -1
        fresh = [record for record in records if record.number > last][-CAPACITY:]
        self._all.extend(fresh)
        self._subsystems.update(record.subsystem for record in fresh)
        shown = [record for record in fresh if self._filter.accepts(record)]
        if shown:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(shown) - 1)
            self._shown.extend(shown)
            self.endInsertRows()
        if len(self._all) > CAPACITY + _SLACK:
            self._drop(len(self._all) - CAPACITY)
        return len(shown)

    def set_filter(self, chosen: LogFilter) -> None:
        """Show what another filter lets through."""
        if chosen == self._filter:
            return
        self.beginResetModel()
        self._filter = chosen
        self._shown = [record for record in self._all if chosen.accepts(record)]
        self.endResetModel()

    def filter(self) -> LogFilter:
        """Return the filter in force."""
        return self._filter

    def clear(self) -> None:
        """Forget all records."""
        self.beginResetModel()
        self._all.clear()
        self._shown.clear()
        self._subsystems.clear()
        self.endResetModel()

    def shown(self) -> list[LogRecordView]:
        """Return the records that pass the filter."""
        return list(self._shown)

    def held(self) -> int:
        """Return how many records are held, shown or not."""
        return len(self._all)

    def subsystems(self) -> list[str]:
        """Return the subsystems of all records since the last ``clear``, sorted."""
        return sorted(self._subsystems)

    def record(self, index: Index) -> LogRecordView | None:
        """Return the record of a row, None when there is no such row."""
        at = index.row()
        return self._shown[at] if index.isValid() and at < len(self._shown) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of records shown."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the record for the delegate and its line for everything else."""
        record = self.record(index)
        if record is None:
            return None
        if role == Qt.ItemDataRole.UserRole:
            return record
        if role == Qt.ItemDataRole.DisplayRole:
            return line_of(record)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{record.level} {time_text(record.time)} {record.subsystem} {record.message}"
        return None

    def _drop(self, count: int) -> None:
        del self._all[:count]
        oldest = self._all[0].number
        gone = 0
        while gone < len(self._shown) and self._shown[gone].number < oldest:
            gone += 1
        if gone:
            self.beginRemoveRows(QModelIndex(), 0, gone - 1)
            del self._shown[:gone]
            self.endRemoveRows()
