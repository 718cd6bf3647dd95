"""The series beside the plot as a Qt model: what each shows now, and what the person wants to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from zeroclaw_desktop.bridge.views import SeriesView
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.overlays import range_text
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.plots.ticks import needed_decimals, reading_text

Index = QModelIndex | QPersistentModelIndex
_MOST_DECIMALS = 6


@dataclass
class SeriesRow:
    """One series of the list.

    Attributes:
        view: what the bridge said last.
        color_index: number of its plot colour; it keeps it for good.
        visible: whether the plot shows it.
        panel: name of the panel that it shares with others, '' for none.
        alarm: whether it is beyond a limit.
        decimals: shown now; grows with what the values need, so that the digits stand still.
        pointed: (low, high) under the crosshair, None without one.
    """

    view: SeriesView
    color_index: int
    visible: bool = True
    panel: str = ""
    alarm: bool = False
    decimals: int = 0
    pointed: tuple[float, float] | None = None

    @property
    def series_id(self) -> SeriesId:
        """Its name."""
        return SeriesId(self.view.source_id, self.view.label)

    def value_text(self) -> str:
        """Return the value under the crosshair, the newest one without it."""
        if self.pointed is not None:
            if self.pointed[0] != self.pointed[1]:
                return range_text(*self.pointed)
            return reading_text(self.pointed[0], self.decimals)
        return reading_text(self.view.last, self.decimals)

    def take(self, view: SeriesView) -> None:
        """Take over newer figures."""
        self.view = view
        if view.last is not None:
            self.decimals = max(self.decimals, min(_MOST_DECIMALS, needed_decimals(view.last)))


class SeriesModel(QAbstractListModel):
    """All series in order of appearance, with the person's choice of what is visible."""

    visibility_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[SeriesRow] = []
        self._colors: dict[SeriesId, int] = {}
        self._hidden: set[SeriesId] = set()
        self._looks: dict[SeriesId, SeriesLook] = {}
        self._several_sources = False

    def take(self, views: Sequence[SeriesView]) -> bool:
        """Take over the series of the bridge.

        Returns:
            Whether the plot must be planned anew: a series came, went or changed its unit.
        """
        ids = [SeriesId(view.source_id, view.label) for view in views]
        if ids != [row.series_id for row in self._rows]:
            self._reset(views)
            return True
        units_before = [row.view.unit for row in self._rows]
        for row, view in zip(self._rows, views, strict=True):
            row.take(view)
        self._tell_all()
        return units_before != [view.unit for view in views]

    def rows(self) -> list[SeriesRow]:
        """Return all rows."""
        return list(self._rows)

    def plotted(self) -> list[PlotSeries]:
        """Return what the plot must show."""
        return [
            PlotSeries(row.series_id, row.view.unit, row.color_index, row.panel)
            for row in self._rows
            if row.visible
        ]

    def rates(self) -> dict[SeriesId, float]:
        """Return the samples per second of each series as the bridge measured them."""
        return {row.series_id: row.view.rate_hz for row in self._rows}

    def colors(self) -> dict[SeriesId, int]:
        """Return the number of the plot colour of each series."""
        return {row.series_id: row.color_index for row in self._rows}

    def row_of(self, series_id: SeriesId) -> SeriesRow | None:
        """Return the row of a series, None when there is none."""
        return next((row for row in self._rows if row.series_id == series_id), None)

    def set_looks(self, looks: Mapping[tuple[str, str], SeriesLook]) -> None:
        """Take over what the person chose; whether a series is visible counts for one that comes only now."""
        self._looks = {SeriesId(*key): look for key, look in looks.items()}
        known = {row.series_id for row in self._rows}
        self._hidden |= {key for key, look in self._looks.items() if not look.visible and key not in known}
        for row in self._rows:
            self._dress(row)
        self._tell_all()
        self.visibility_changed.emit()

    def set_alarms(self, alarms: Set[SeriesId]) -> None:
        """Mark the series that are beyond a limit."""
        if {row.series_id for row in self._rows if row.alarm} != alarms & {r.series_id for r in self._rows}:
            for row in self._rows:
                row.alarm = row.series_id in alarms
            self._tell_all()

    def total_count(self) -> int:
        """Return how many samples all series ever had."""
        return sum(row.view.count for row in self._rows)

    def point(self, readings: Mapping[SeriesId, tuple[float, float]]) -> None:
        """Show the values under the crosshair; an empty mapping shows the newest ones again."""
        for row in self._rows:
            row.pointed = readings.get(row.series_id)
        self._tell_all()

    def toggle(self, number: int) -> None:
        """Show or hide a series."""
        self.set_visible({self._rows[number].series_id: not self._rows[number].visible})

    def show_only(self, number: int) -> None:
        """Show one series and hide the others; all again when it was alone."""
        chosen = self._rows[number].series_id
        alone = all(row.visible == (row.series_id == chosen) for row in self._rows)
        self.set_visible({row.series_id: alone or row.series_id == chosen for row in self._rows})

    def show_all(self) -> None:
        """Show every series."""
        self.set_visible({row.series_id: True for row in self._rows})

    def set_visible(self, choice: Mapping[SeriesId, bool]) -> None:
        """Show or hide series by name."""
        for row in self._rows:
            row.visible = choice.get(row.series_id, row.visible)
        self._hidden = {row.series_id for row in self._rows if not row.visible}
        self._tell_all()
        self.visibility_changed.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of series."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row for the delegate and texts for screen readers."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.view.label} {row.value_text()} {row.view.unit}".strip()
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if row.visible else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.view.label} · {row.view.source_id}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Let a screen reader's check show or hide a series."""
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        shown = Qt.CheckState(value) == Qt.CheckState.Checked
        self.set_visible({self._rows[index.row()].series_id: shown})
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows can be chosen and checked."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable

    def has_several_sources(self) -> bool:
        """Return whether the series come from more than one board or port."""
        return self._several_sources

    def _tell_all(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _dress(self, row: SeriesRow) -> None:
        look = self._looks.get(row.series_id, SeriesLook())
        own = self._colors.get(row.series_id, row.color_index)
        row.color_index = own if look.color is None else look.color
        row.panel = look.panel

    def _reset(self, views: Sequence[SeriesView]) -> None:
        self.beginResetModel()
        known = {row.series_id: row for row in self._rows}
        self._rows = []
        for view in views:
            series_id = SeriesId(view.source_id, view.label)
            number = self._colors.setdefault(series_id, len(self._colors))
            row = known.get(series_id) or SeriesRow(view, number, series_id not in self._hidden)
            row.take(view)
            self._dress(row)
            self._rows.append(row)
        if not self._rows:
            self._colors.clear()
        self._several_sources = len({view.source_id for view in views}) > 1
        self.endResetModel()
