"""The list of log records: one line each, with level shapes, search hits, and a scroll that does not jump."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from zeroclaw_desktop.bridge.views import LogRecordView
from zeroclaw_desktop.gui.logs.log_filter import text_of, time_text
from zeroclaw_desktop.gui.logs.log_model import LogModel
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.badges import draw_shape
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

Index = QModelIndex | QPersistentModelIndex

_LOOKS = {
    "DEBUG": ("ring", "text_faint"),
    "INFO": ("disc", "text_muted"),
    "WARNING": ("triangle", "warn_ink"),
    "ERROR": ("cross", "danger_ink"),
    "CRITICAL": ("diamond", "danger_ink"),
}
_PART_SHARE = 0.18
_MOST_CHARACTERS = 2_000
"""Of one line that are measured and painted; the whole text stands in the details."""


class LogDelegate(QStyledItemDelegate):
    """Paints time, level, subsystem and message of a record."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line."""
        return QSize(space(100), row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one record."""
        model = index.model()
        if not isinstance(model, LogModel) or (record := model.record(index)) is None:
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme().color("accent_soft"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, theme().color("hover"))
        metrics = QFontMetrics(theme().font("mono_small"))
        painter.setFont(theme().font("mono_small"))
        shape, role = _LOOKS.get(record.level, _LOOKS["INFO"])
        ink = theme().color(role)
        time_at, level_at, part_at, message_at = columns(area, metrics)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_shape(
            painter, QPointF(level_at.left() + space(1), level_at.center().y() + 1), space(1), shape, ink
        )
        painter.restore()
        left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(theme().color("text_faint"))
        painter.drawText(time_at, left, time_text(record.time))
        painter.setPen(ink)
        painter.drawText(level_at.adjusted(space(4), 0, 0, 0), left, record.level)
        painter.setPen(theme().color("text_muted"))
        part = metrics.elidedText(record.subsystem, Qt.TextElideMode.ElideMiddle, part_at.width())
        painter.drawText(part_at, left, part)
        self._paint_message(painter, message_at, record, model)

    def _paint_message(self, painter: QPainter, area: QRect, record: LogRecordView, model: LogModel) -> None:
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(first_line(record), Qt.TextElideMode.ElideRight, area.width())
        for start, length in model.filter().hits(shown):
            left = area.left() + metrics.horizontalAdvance(shown[:start])
            width = metrics.horizontalAdvance(shown[start : start + length])
            height = metrics.height()
            hit = QRect(left - 1, area.center().y() - height // 2, width + 2, height)
            painter.fillRect(hit, theme().color("warn_soft"))
            painter.setPen(theme().color("warn_ink"))
            painter.drawLine(hit.left(), hit.bottom(), hit.right(), hit.bottom())
        grave = record.level in ("ERROR", "CRITICAL")
        painter.setPen(theme().color("danger_ink" if grave else "text"))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)


def row_height() -> int:
    """Return the height of a row in logical pixels."""
    return QFontMetrics(theme().font("mono_small")).height() + space(2)


def columns(area: QRect, metrics: QFontMetrics) -> tuple[QRect, QRect, QRect, QRect]:
    """Return the places of time, level, subsystem and message in a row."""
    gap = space(4)
    widths = (
        metrics.horizontalAdvance("00:00:00.000"),
        metrics.horizontalAdvance("CRITICAL") + space(4),
        max(space(24), min(space(56), round(area.width() * _PART_SHARE))),
    )
    places = []
    left = area.left() + space(3)
    for width in widths:
        places.append(QRect(left, area.top(), width, area.height()))
        left += width + gap
    message = QRect(left, area.top(), max(1, area.right() - space(2) - left), area.height())
    return places[0], places[1], places[2], message


def first_line(record: LogRecordView) -> str:
    """Return what of a message fits on a line: its first line, with a sign when there is more."""
    line, more, _ = record.message[:_MOST_CHARACTERS].partition("\n")
    return f"{line} ⏎" if more else line


class LogView(QTableView):
    """Follows the newest record only while it is scrolled to the bottom.

    Args:
        model: the records.
    """

    followed = Signal(bool)
    """Whether it follows the newest record; sent when that changes."""

    def __init__(self, model: LogModel) -> None:
        super().__init__()
        self._records = model
        self._follows = True
        self._unseen = 0
        self.setItemDelegate(LogDelegate(self))
        # A table with one column: a list asks the model for every row whenever one is added.
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSelectionMode(QTableView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        FocusRing(self)
        self.setModel(model)
        self.jump_button = Button("", "primary", "down", compact=True)
        self.jump_button.setParent(self)
        self.jump_button.hide()
        self.jump_button.clicked.connect(self.jump_to_newest)
        self.verticalScrollBar().valueChanged.connect(self._take_scroll)
        model.rowsInserted.connect(self._take_inserted)
        model.rowsRemoved.connect(self._take_removed)
        model.modelReset.connect(self.jump_to_newest)
        theme().theme_changed.connect(self._redress)
        self._redress()
        self._retranslate()

    def follows(self) -> bool:
        """Return whether it follows the newest record."""
        return self._follows

    def unseen(self) -> int:
        """Return how many records came below since it stopped following."""
        return self._unseen

    def jump_to_newest(self) -> None:
        """Scroll to the bottom and follow again."""
        self._set_follows(True)
        self.scrollToBottom()

    def selected_records(self) -> list[LogRecordView]:
        """Return the selected records, oldest first."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        found = (self._records.record(self._records.index(row)) for row in rows)
        return [record for record in found if record is not None]

    def copy_selected(self) -> bool:
        """Put the selected records on the clipboard; returns whether any was selected."""
        records = self.selected_records()
        if records:
            QGuiApplication.clipboard().setText(text_of(records))
        return bool(records)

    def message_width(self) -> int:
        """Return the room for a message in logical pixels."""
        area = QRect(0, 0, self.viewport().width(), row_height())
        return columns(area, QFontMetrics(theme().font("mono_small")))[3].width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with Ctrl+C; Home shows the oldest record, End follows the newest again."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selected()
        elif event.key() == Qt.Key.Key_End:
            self.jump_to_newest()
        elif event.key() == Qt.Key.Key_Home:
            self.scrollToTop()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stay at the bottom while following, and keep the button in its place."""
        super().resizeEvent(event)
        if self._follows:
            self.scrollToBottom()
        self._place_button()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def updateGeometries(self) -> None:  # noqa: N802
        """Lay out, then stay at the bottom: the scroll bar learns of new rows only here."""
        follows = getattr(self, "_follows", False)
        super().updateGeometries()
        if follows:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _take_scroll(self, value: int) -> None:
        self._set_follows(value >= self.verticalScrollBar().maximum() - row_height() // 2)

    def _take_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        if self._follows:
            self.scrollToBottom()
            return
        self._unseen += last - first + 1
        self._retranslate()

    def _take_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        if not self._follows:
            bar = self.verticalScrollBar()
            bar.setValue(max(0, bar.value() - (last - first + 1) * row_height()))

    def _redress(self) -> None:
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(row_height())

    def _set_follows(self, follows: bool) -> None:
        if follows:
            self._unseen = 0
        if follows != self._follows:
            self._follows = follows
            self.followed.emit(follows)
        self._retranslate()

    def _place_button(self) -> None:
        self.jump_button.adjustSize()
        left = (self.viewport().width() - self.jump_button.width()) // 2
        self.jump_button.move(left, self.height() - self.jump_button.height() - space(3))
        self.jump_button.raise_()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Log records"))
        text = self.tr("{0} new").format(f"{self._unseen:,}") if self._unseen else self.tr("Newest")
        self.jump_button.setText(text)
        self.jump_button.setVisible(not self._follows)
        self._place_button()


def needs_details(view: QWidget, record: LogRecordView) -> bool:
    """Return whether a record does not fit on its line in a view."""
    if not isinstance(view, LogView) or "\n" in record.message or len(record.message) > _MOST_CHARACTERS:
        return True
    metrics = QFontMetrics(theme().font("mono_small"))
    return metrics.horizontalAdvance(record.message) > view.message_width()
