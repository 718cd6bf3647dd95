"""The list of series beside the plot: colour, name, value, count, and what is shown or hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from zeroclaw_desktop.bridge.views import SeriesView
from zeroclaw_desktop.gui.plots.overlays import range_text
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.plots.ticks import needed_decimals, reading_text
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

Index = QModelIndex | QPersistentModelIndex
_MOST_DECIMALS = 6


@dataclass
class SeriesRow:
    """One series of the list.

    Attributes:
        view: what the bridge said last.
        color_index: number of its plot colour; it keeps it for good.
        visible: whether the plot shows it.
        decimals: shown now; grows with what the values need, so that the digits stand still.
        pointed: (low, high) under the crosshair, None without one.
    """

    view: SeriesView
    color_index: int
    visible: bool = True
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
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
        return units_before != [view.unit for view in views]

    def rows(self) -> list[SeriesRow]:
        """Return all rows."""
        return list(self._rows)

    def plotted(self) -> list[PlotSeries]:
        """Return what the plot must show."""
        return [
            PlotSeries(row.series_id, row.view.unit, row.color_index) for row in self._rows if row.visible
        ]

    def rates(self) -> dict[SeriesId, float]:
        """Return the samples per second of each series as the bridge measured them."""
        return {row.series_id: row.view.rate_hz for row in self._rows}

    def total_count(self) -> int:
        """Return how many samples all series ever had."""
        return sum(row.view.count for row in self._rows)

    def point(self, readings: Mapping[SeriesId, tuple[float, float]]) -> None:
        """Show the values under the crosshair; an empty mapping shows the newest ones again."""
        for row in self._rows:
            row.pointed = readings.get(row.series_id)
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

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
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
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

    def _reset(self, views: Sequence[SeriesView]) -> None:
        self.beginResetModel()
        known = {row.series_id: row for row in self._rows}
        self._rows = []
        for view in views:
            series_id = SeriesId(view.source_id, view.label)
            number = self._colors.setdefault(series_id, len(self._colors))
            row = known.get(series_id) or SeriesRow(view, number, series_id not in self._hidden)
            row.take(view)
            self._rows.append(row)
        if not self._rows:
            self._colors.clear()
        self._several_sources = len({view.source_id for view in views}) > 1
        self.endResetModel()


class SeriesDelegate(QStyledItemDelegate):
    """Paints a row: colour box, name over count, value at the right.

    Attributes:
        count_text: template that says how many samples; ``{0}`` is the number.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count_text = "{0}"

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines of text."""
        lines = QFontMetrics(theme().font("body")).height() + QFontMetrics(theme().font("caption")).height()
        return QSize(space(40), lines + space(3))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(Qt.ItemDataRole.UserRole)
        model = index.model()
        if not isinstance(row, SeriesRow) or not isinstance(model, SeriesModel):
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_MouseOver:
            _paint_ground(painter, area, "hover")
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), space(1), space(1))
        _paint_check(painter, area, row)
        inner = area.adjusted(space(8), space(1.5), -space(3), -space(1.5))
        value_width = _paint_value(painter, inner, row)
        _paint_names(
            painter, inner.adjusted(0, 0, -value_width - space(2), 0), row, self._second_line(row, model)
        )
        painter.restore()

    def _second_line(self, row: SeriesRow, model: SeriesModel) -> str:
        text = self.count_text.format(f"{row.view.count:,}")
        if rate := row.view.rate_hz:
            text += f" · {rate:,.0f} Hz" if rate >= 10 else f" · {rate:.2g} Hz"
        return f"{row.view.source_id} · {text}" if model.has_several_sources() else text


def _paint_ground(painter: QPainter, area: QRect, role: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color(role))
    painter.drawRoundedRect(area, space(1), space(1))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_check(painter: QPainter, area: QRect, row: SeriesRow) -> None:
    """Draw a box in the series' colour: filled with a tick when shown, an outline when hidden."""
    edge = space(3.5)
    box = QRectF(area.left() + space(3), area.center().y() - edge / 2 + 0.5, edge, edge)
    ink = theme().series_color(row.color_index)
    painter.setPen(QPen(ink if row.visible else theme().color("text_faint"), 1.5))
    painter.setBrush(ink if row.visible else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if row.visible:
        painter.setPen(QPen(theme().color("surface"), 1.75))
        middle = box.center()
        left, right = box.left() + edge * 0.24, box.right() - edge * 0.22
        low = box.bottom() - edge * 0.3
        painter.drawLine(round(left), round(middle.y()), round(middle.x() - 1), round(low))
        painter.drawLine(round(middle.x() - 1), round(low), round(right), round(box.top() + edge * 0.3))


def _paint_value(painter: QPainter, area: QRect, row: SeriesRow) -> int:
    unit_font, value_font = theme().font("caption"), theme().font("mono")
    unit_width = QFontMetrics(unit_font).horizontalAdvance(row.view.unit) + space(1) if row.view.unit else 0
    metrics = QFontMetrics(value_font)
    text = row.value_text()
    if metrics.horizontalAdvance(text) > area.width() * 0.6:
        value_font = theme().font("mono_small")
        metrics = QFontMetrics(value_font)
    line = QRect(area.left(), area.top(), area.width(), QFontMetrics(theme().font("body")).height())
    right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    painter.setFont(value_font)
    painter.setPen(theme().color("text" if row.visible else "text_faint"))
    painter.drawText(line.adjusted(0, 0, -unit_width, 0), right, text)
    painter.setFont(unit_font)
    painter.setPen(theme().color("text_muted"))
    painter.drawText(line, right, row.view.unit)
    return metrics.horizontalAdvance(text) + unit_width


def _paint_names(painter: QPainter, area: QRect, row: SeriesRow, second: str) -> None:
    left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    font = theme().font("body")
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(theme().color("text" if row.visible else "text_faint"))
    name = metrics.elidedText(row.view.label, Qt.TextElideMode.ElideMiddle, max(area.width(), space(8)))
    painter.drawText(QRect(area.left(), area.top(), area.width(), metrics.height()), left, name)
    caption = theme().font("caption")
    small = QFontMetrics(caption)
    painter.setFont(caption)
    painter.setPen(theme().color("text_faint"))
    place = QRect(area.left(), area.bottom() - small.height() + 1, area.width() + space(30), small.height())
    painter.drawText(place, left, second)


class SeriesList(QListView):
    """The list itself: a click or Enter shows or hides, a double click shows one alone."""

    highlighted = Signal(object)
    """SeriesId under the pointer, or None."""

    def __init__(self, model: SeriesModel) -> None:
        super().__init__()
        self._series = model
        self._doubled = False
        self.setModel(model)
        self._delegate = SeriesDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # It lies on a card that has the border already.
        self.setStyleSheet("QListView { border: none; background: transparent; }")
        FocusRing(self)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self._retranslate()
        theme().theme_changed.connect(self._redress)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show or hide the series that was clicked."""
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and not self._doubled:
            self._series.toggle(index.row())
        self._doubled = False
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show only this series, or all again."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            # The first click of the two has toggled it already; the release of the second must not.
            self._doubled = True
            self._series.toggle(index.row())
            self._series.show_only(index.row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the series under the pointer."""
        index = self.indexAt(event.position().toPoint())
        row = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        self.highlighted.emit(row.series_id if isinstance(row, SeriesRow) and row.visible else None)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Name none."""
        self.highlighted.emit(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows or hides; up and down choose; all else goes to the page."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._series.toggle(self.currentIndex().row())
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _redress(self) -> None:
        self.doItemsLayout()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Series"))
        self._delegate.count_text = self.tr("{0} samples")
