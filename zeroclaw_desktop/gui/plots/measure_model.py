"""The figures of the visible series as a table: one row for each series, one column for each figure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from zeroclaw_desktop.bridge.plot_views import MeasureRow
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.ticks import reading_text
from zeroclaw_desktop.gui.theme import theme

Index = QModelIndex | QPersistentModelIndex
_DIGITS = 5
_MOST_DECIMALS = 6


def row_decimals(row: MeasureRow) -> int:
    """Return the decimals of a row: the same for all of its values, so that digits stand still."""
    sizes = [abs(value) for value in (row.minimum, row.maximum) if math.isfinite(value) and value]
    if not sizes:
        return 0
    return min(_MOST_DECIMALS, max(0, _DIGITS - 1 - math.floor(math.log10(max(sizes)))))


def _value(pick: Callable[[MeasureRow], float]) -> Callable[[MeasureRow], str]:
    return lambda row: reading_text(pick(row), row_decimals(row))


def _significant(value: float) -> str:
    return reading_text(value, 0) if not math.isfinite(value) else f"{value:.5g}".replace("-", "\u2212")


FIGURES: dict[str, Callable[[MeasureRow], str]] = {
    "at_a": _value(lambda row: row.at_a),
    "at_b": _value(lambda row: row.at_b),
    "difference": _value(lambda row: row.at_b - row.at_a),
    "slope": lambda row: _significant(row.slope),
    "minimum": _value(lambda row: row.minimum),
    "maximum": _value(lambda row: row.maximum),
    "mean": _value(lambda row: row.mean),
    "deviation": lambda row: _significant(row.deviation),
    "rms": _value(lambda row: row.rms),
    "peak_to_peak": _value(lambda row: row.peak_to_peak),
    "rate": lambda row: _significant(row.rate),
    "count": lambda row: f"{row.count:,}",
    "gaps": lambda row: f"{row.gaps:,}",
}
"""Text of each figure, by the key of its column."""
OF_CURSORS = ("at_a", "at_b", "difference", "slope")


class MeasureModel(QAbstractTableModel):
    """Rows of ``MeasureRow``; the columns of the cursors are there only while cursors are.

    Attributes:
        heads: heading by key of a column (``series`` and those of ``FIGURES``).
        hints: longer explanation by key.
    """

    def __init__(self) -> None:
        super().__init__()
        self.heads: Mapping[str, str] = {}
        self.hints: Mapping[str, str] = {}
        self._rows: list[MeasureRow] = []
        self._colors: dict[SeriesId, int] = {}
        self._keys = self._keys_for(cursors=False)

    def keys(self) -> list[str]:
        """Return the keys of the columns from left to right."""
        return list(self._keys)

    def rows(self) -> list[MeasureRow]:
        """Return what is shown."""
        return list(self._rows)

    def set_cursors(self, shown: bool) -> None:
        """Show or leave out what only cursors can tell."""
        keys = self._keys_for(cursors=shown)
        if keys != self._keys:
            self.beginResetModel()
            self._keys = keys
            self.endResetModel()

    def take(self, rows: Sequence[MeasureRow], colors: Mapping[SeriesId, int]) -> None:
        """Show these figures.

        Args:
            rows: one for each series.
            colors: number of the plot colour of each.
        """
        self._colors = dict(colors)
        if [(row.source_id, row.label) for row in rows] != [(row.source_id, row.label) for row in self._rows]:
            self.beginResetModel()
            self._rows = list(rows)
            self.endResetModel()
        elif rows:
            self._rows = list(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self._keys) - 1))

    def text(self) -> str:
        """Return the table as text with tabs, for a spreadsheet."""
        lines = [[self.heads.get(key, key) for key in self._keys]]
        lines += [[self.cell(row, key) for key in self._keys] for row in self._rows]
        return "\n".join("\t".join(line) for line in lines)

    @staticmethod
    def cell(row: MeasureRow, key: str) -> str:
        """Return the text of a figure."""
        if key == "series":
            return f"{row.label} ({row.unit})" if row.unit else row.label
        return FIGURES[key](row)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of series."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of figures and the name."""
        return 0 if parent.isValid() else len(self._keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, place, face and colour of a cell."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row, key = self._rows[index.row()], self._keys[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cell(row, key)
        if role == Qt.ItemDataRole.DecorationRole and key == "series":
            return theme().series_color(self._colors.get(SeriesId(row.source_id, row.label), 0))
        if role == Qt.ItemDataRole.TextAlignmentRole and key != "series":
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.FontRole and key != "series":
            return theme().font("mono_small")
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.label} · {row.source_id}" if key == "series" else self.hints.get(key)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a heading and what it means."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self._keys):
            return None
        key = self._keys[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads.get(key, key)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.hints.get(key)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if key == "series" else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    @staticmethod
    def _keys_for(*, cursors: bool) -> list[str]:
        return ["series", *(key for key in FIGURES if cursors or key not in OF_CURSORS)]
