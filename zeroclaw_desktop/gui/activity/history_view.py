"""The list of ended tasks: a shape for the state, title, who asked and where, duration in mono digits."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from zeroclaw_desktop.gui.activity.history_model import HistoryModel
from zeroclaw_desktop.gui.activity.words import SHAPES, duration_text, moment_text, source_word, state_word
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.badges import draw_shape
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TaskView

_PAGES_AHEAD = 2
"""Heights of the list that are loaded beyond what is seen."""
Index = QModelIndex | QPersistentModelIndex


def row_height() -> int:
    """Return the height of a row in logical pixels."""
    title = QFontMetrics(theme().font("body")).height()
    return title + QFontMetrics(theme().font("caption")).height() + space(3.5)


class HistoryDelegate(QStyledItemDelegate):
    """Paints one task on two lines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines."""
        return QSize(space(40), row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one task."""
        model = index.model()
        if not isinstance(model, HistoryModel) or (task := model.task(index)) is None:
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = (
            "accent_soft"
            if state & QStyle.StateFlag.State_Selected
            else "hover"
            if state & QStyle.StateFlag.State_MouseOver
            else ""
        )
        if ground:
            painter.fillRect(area, theme().color(ground))
        self._paint_texts(painter, area, task)
        painter.restore()

    def _paint_texts(self, painter: QPainter, area: QRect, task: TaskView) -> None:
        shape, ink = SHAPES.get(task.state, SHAPES["pending"])
        upper = QRect(
            area.left() + space(8), area.top() + space(1.5), area.width() - space(11), area.height()
        )
        upper.setHeight(QFontMetrics(theme().font("body")).height())
        lower = upper.translated(0, upper.height() + space(0.5))
        lower.setHeight(QFontMetrics(theme().font("caption")).height())
        draw_shape(
            painter,
            QPointF(area.left() + space(4.5), upper.center().y() + 1),
            space(1),
            shape,
            theme().color(ink),
        )
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme().font("mono_small"))
        painter.setPen(theme().color("text_muted"))
        shown = duration_text(task.elapsed_ms)
        painter.drawText(upper, int(right | middle), shown)
        taken = painter.fontMetrics().horizontalAdvance(shown) + space(3)
        painter.setFont(theme().font("body"))
        painter.setPen(theme().color("text"))
        title = upper.adjusted(0, 0, -taken, 0)
        text = painter.fontMetrics().elidedText(task.title, Qt.TextElideMode.ElideRight, title.width())
        painter.drawText(title, int(left | middle), text)
        painter.setFont(theme().font("caption"))
        painter.setPen(theme().color("danger_ink" if task.state == "failed" else "text_muted"))
        text = painter.fontMetrics().elidedText(second_line(task), Qt.TextElideMode.ElideRight, lower.width())
        painter.drawText(lower, int(left | middle), text)


def second_line(task: TaskView) -> str:
    """Return what stands below the title: the state when it is not plain success, time, who asked, board."""
    word = state_word(task.state) if task.state != "completed" else ""
    if task.error is not None and task.error.code:
        word = f"{word} {task.error.code}"
    parts = (word, moment_text(task.started), source_word(task.source), task.board)
    return "  ·  ".join(part for part in parts if part)


class HistoryView(QTableView):
    """Chooses one task.

    Args:
        model: the tasks.
    """

    task_chosen = Signal(str, object)
    """Id and number of the task that a person chose by mouse or key; a number is more than a C int holds."""
    more_wanted = Signal()
    """The end of what is loaded is near."""

    def __init__(self, model: HistoryModel) -> None:
        super().__init__()
        self._tasks = model
        self._quiet = False
        self.setItemDelegate(HistoryDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        # A table with one column: a list asks the model for every row whenever one is added.
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        FocusRing(self)
        self.setModel(model)
        self.selectionModel().currentChanged.connect(self._take_current)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._look_ahead())
        self.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._look_ahead())
        theme().theme_changed.connect(self._redress)
        self._redress()
        self._retranslate()

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Change the model; what was being read stays where it is, the top of the list stays the top."""
        bar = self.verticalScrollBar()
        at_top = self.indexAt(QPoint(space(4), 1))
        first = self._tasks.task(at_top) if bar.value() else None
        top = self.visualRect(at_top).top()
        self._quiet = True
        yield
        self._quiet = False
        row = self._tasks.row_of(first.task_id, first.number) if first is not None else None
        if row is not None:
            self.updateGeometries()
            bar.setValue(row * row_height() - top)

    def show_selected(self, task_id: str, number: int = 0) -> None:
        """Mark a task without telling anybody and without scrolling; an id that is not here marks none."""
        row = self._tasks.row_of(task_id, number) if task_id else None
        self._quiet = True
        if row is None:
            self.selectionModel().clear()
        elif self.currentIndex().row() != row or not self.selectionModel().hasSelection():
            bar = self.verticalScrollBar()
            place = bar.value()
            self.setCurrentIndex(self._tasks.index(row))
            bar.setValue(place)
        self._quiet = False

    def reveal(self, task_id: str, number: int = 0) -> None:
        """Scroll as little as needed to show a task; nothing happens when it is not here."""
        row = self._tasks.row_of(task_id, number)
        if row is not None:
            self.scrollTo(self._tasks.index(row))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _take_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        task = self._tasks.task(current)
        if task is not None and not self._quiet:
            self.task_chosen.emit(task.task_id, task.number)

    def _look_ahead(self) -> None:
        bar = self.verticalScrollBar()
        if not self._quiet and bar.maximum() - bar.value() < _PAGES_AHEAD * self.viewport().height():
            self.more_wanted.emit()

    def _redress(self) -> None:
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(row_height())
        self.viewport().update()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Tasks that have ended"))
        self.viewport().update()
