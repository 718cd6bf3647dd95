"""The past: search, filters, the list, and a word when only this run of the program is known."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from zeroclaw_desktop.bridge.activity_views import HistoryQuery
from zeroclaw_desktop.gui.activity.history_model import HistoryModel
from zeroclaw_desktop.gui.activity.history_view import HistoryView
from zeroclaw_desktop.gui.activity.words import source_word
from zeroclaw_desktop.gui.widgets.buttons import IconButton, SegmentedControl
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import HistoryPage, TaskView

SEARCH_DELAY_MS = 120
STATES = ("", "completed", "failed", "cancelled", "interrupted")
SOURCES = ("manual", "agent", "schedule", "sop", "webhook", "channel")
SPANS = (0, 3_600, 86_400, 7 * 86_400, 30 * 86_400)
"""How far back, in seconds; 0 is without end."""
_ALL = "all"
_LEAST_LETTERS = 5


class HistoryPanel(QWidget):
    """Shows ``HistoryPage`` answers and tells what else is wanted."""

    query_changed = Signal()
    """``query()`` has changed."""
    boards_wanted = Signal()
    """The filters were opened; they need the boards that past tasks were for."""
    task_chosen = Signal(str, object)
    more_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.model = HistoryModel()
        self.view = HistoryView(self.model)
        self.view.task_chosen.connect(self.task_chosen)
        self.view.more_wanted.connect(self.more_wanted)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.filter = SegmentedControl([(state or _ALL, "") for state in STATES])
        self.filters_button = IconButton("filter", checkable=True)
        self.source, self.board, self.span = ChoiceList(), ChoiceList(), ChoiceList()
        self.notice = Notice(kind="warning")
        self.no_match = Text(tone="muted", wrap=True)
        self._head = SectionHeader()
        self._answered = self._whole = False
        self._boards: list[tuple[str, str]] = []
        self._filters = QWidget()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SEARCH_DELAY_MS)
        self._lay_out()
        self._connect()
        self._retranslate()

    def query(self) -> HistoryQuery:
        """Return what is wanted now."""
        state, span = self.filter.current(), self.span.currentData() or 0
        return HistoryQuery(
            self.search.text(),
            "" if state == _ALL else state,
            self.source.currentData() or "",
            self.board.currentData() or "",
            time.time() - span if span else None,
        )

    def is_filtered(self) -> bool:
        """Tell whether anything narrows the list."""
        return self.query() != HistoryQuery()

    def is_empty(self) -> bool:
        """Tell whether there is no task of the past at all."""
        return self._answered and not self.model.rowCount() and not self.is_filtered()

    def show_page(self, page: HistoryPage) -> None:
        """Take over an answer; what is being read stays in place unless the list begins anew."""
        self._answered = True
        if page.kind == "first":
            self.model.begin(page.tasks)
        elif page.kind == "more":
            self.model.append(page.tasks)
        else:
            with self.view.in_place():
                if page.kind == "all":
                    self.model.set_tasks(page.tasks)
                else:
                    self.model.put(page.tasks, whole=self._whole)
        if page.kind != "news":
            self._whole = not page.more
        if page.kind in ("first", "all"):
            self._show_fault(page)
        self._show_emptiness()

    def newest(self) -> TaskView | None:
        """Return the latest task shown."""
        return self.model.task(self.model.index(0))

    def loaded(self, task_id: str, number: int) -> TaskView | None:
        """Return a task that is loaded, else None."""
        found = self.model.row_of(task_id, number)
        return self.model.task(self.model.index(found)) if found is not None else None

    def show_boards(self, boards: Sequence[tuple[str, str]]) -> None:
        """Offer these boards, (id, name), as filters."""
        self._boards = list(boards)
        self._fill_boards()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # inside

    def _lay_out(self) -> None:
        fields = (self.source, self.board, self.span)
        for field in fields:
            field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            field.setMinimumContentsLength(_LEAST_LETTERS)
        line = row(*fields, gap=2, parent=self._filters)
        for place in range(len(fields)):
            line.setStretch(place, 1)
        self._filters.hide()
        self.notice.hide()
        searching = row(self.search, self.filters_button, gap=2)
        searching.setStretch(0, 1)
        body = column(
            self._head,
            self.notice,
            searching,
            row(self.filter, STRETCH),
            self._filters,
            self.no_match,
            gap=2,
            margins=(4, 2, 3, 3),
            parent=self,
        )
        body.addWidget(self.view, 1)
        # Takes the free room while the list is hidden.
        body.addStretch(0)

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _: self._timer.start())
        self.search.returnPressed.connect(self._apply)
        self._timer.timeout.connect(self._apply)
        self.filter.chosen.connect(lambda _: self._apply())
        self.filters_button.toggled.connect(self._open_filters)
        for field in (self.source, self.board, self.span):
            field.activated.connect(lambda _: self._apply())
            # A long name of a board is cut off in its field.
            field.currentTextChanged.connect(field.setToolTip)

    def _open_filters(self, opened: bool) -> None:
        self._filters.setVisible(opened)
        if opened:
            self.boards_wanted.emit()
            self.source.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        narrowed = self.is_filtered()
        for field in (self.source, self.board, self.span):
            field.setCurrentIndex(0)
        if narrowed:
            self._apply()

    def _apply(self) -> None:
        self._timer.stop()
        self.query_changed.emit()

    def _show_fault(self, page: HistoryPage) -> None:
        fault = page.fault
        self.notice.setVisible(fault is not None)
        if fault is not None:
            told = self.tr("Only this run of the program is shown. {0}").format(fault.title)
            self.notice.set_notice(" ".join(part for part in (told, fault.next_step) if part), "warning")

    def _show_emptiness(self) -> None:
        empty = not self.model.rowCount()
        self.view.setVisible(not empty)
        self.no_match.setText(
            self.tr("No task matches.") if self.is_filtered() else self.tr("No task has ended yet.")
        )
        self.no_match.setVisible(empty and self._answered)

    def _fill(self, field: ChoiceList, rows: Sequence[tuple[str, object]]) -> None:
        chosen = field.currentData()
        field.clear()
        for text, value in rows:
            field.addItem(text, value)
        field.setCurrentIndex(max(0, field.findData(chosen)))

    def _fill_boards(self) -> None:
        rows: list[tuple[str, object]] = [(name, board_id) for board_id, name in self._boards]
        self._fill(self.board, [(self.tr("Any board"), ""), *rows])

    def _retranslate(self) -> None:
        self._head.set_text(self.tr("History"))
        self.search.setPlaceholderText(self.tr("Search (Ctrl+F)"))
        self.search.setAccessibleName(self.tr("Search in the history"))
        self.filter.set_texts(
            [
                self.tr("All"),
                self.tr("Done"),
                self.tr("Failed"),
                self.tr("Cancelled"),
                self.tr("Interrupted"),
            ]
        )
        self.filter.setAccessibleName(self.tr("State that is shown"))
        self.filters_button.set_name(self.tr("Filter by who asked, board and time"))
        sources: list[tuple[str, object]] = [(source_word(source), source) for source in SOURCES]
        self._fill(self.source, [(self.tr("Anyone"), ""), *sources])
        self._fill_boards()
        spans = (
            self.tr("Any time"),
            self.tr("Last hour"),
            self.tr("Last 24 hours"),
            self.tr("Last 7 days"),
            self.tr("Last 30 days"),
        )
        self._fill(self.span, list(zip(spans, SPANS, strict=True)))
        for field, name in (
            (self.source, self.tr("Who asked")),
            (self.board, self.tr("Board")),
            (self.span, self.tr("Time")),
        ):
            field.setAccessibleName(name)
        self._show_emptiness()
