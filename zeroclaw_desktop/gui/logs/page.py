"""The Logs page: filters over the list, details below it, copy, save, folder and clear."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QWidget

from zeroclaw_desktop.bridge.views import ErrorView, LogRecordView
from zeroclaw_desktop.gui.logs.log_filter import LEVELS, LogFilter, line_of, text_of
from zeroclaw_desktop.gui.logs.log_model import CAPACITY, LogModel
from zeroclaw_desktop.gui.logs.log_view import LogView, needs_details
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton, SegmentedControl
from zeroclaw_desktop.gui.widgets.feedback import EmptyState, ErrorCard, Notice
from zeroclaw_desktop.gui.widgets.fields import ChoiceList, LogText
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_new_file
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

SEARCH_DELAY_MS = 120
NOTICE_MS = 6_000
_DETAIL_LINES = 7


class LogsPage(QWidget):
    """What the application wrote down.

    Args:
        bridge: its ``logs`` is used.
        parent: owner.
    """

    def __init__(self, bridge: AppBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._logs = bridge.logs
        self._waiting: deque[LogRecordView] = deque(maxlen=CAPACITY)
        self._paused = False
        self._folder = str(Path.home())
        self.model = LogModel()
        self.view = LogView(self.model)
        self.level = SegmentedControl([(level, "") for level in LEVELS[:4]])
        self.part = ChoiceList()
        self.part.setMinimumWidth(space(36))
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.count = Text(role="caption", tone="muted")
        self.pause_button = Button("", "secondary", "pause")
        self.copy_button = IconButton("copy")
        self.save_button = IconButton("export")
        self.folder_button = IconButton("folder")
        self.clear_button = IconButton("clear")
        self.details = LogText()
        self.empty = EmptyState("logs")
        self.notice = Notice("", "success")
        self.error = ErrorCard(dismissible=True)
        self._search_timer = QTimer(self)
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(SEARCH_DELAY_MS)
        self._notice_timer = QTimer(self)
        self._notice_timer.setSingleShot(True)
        self._notice_timer.setInterval(NOTICE_MS)
        self._lay_out()
        self._connect()
        self._redress()
        self._retranslate()
        self.level.set_current("DEBUG")
        self._add(self._logs.records())

    def set_filter(self, chosen: LogFilter) -> None:
        """Show what this filter lets through, and set the controls to it."""
        self.level.set_current(chosen.least_level if chosen.least_level in LEVELS[:4] else "ERROR")
        self.part.setCurrentIndex(max(0, self.part.findData(chosen.subsystem)))
        self.search.setText(chosen.text)
        self._search_timer.stop()
        self._apply_filter()

    def show_all(self) -> None:
        """Take all filters away."""
        self.set_filter(LogFilter())

    def toggle_pause(self) -> None:
        """Stop or go on showing new records; those that come meanwhile are kept."""
        self._paused = not self._paused
        if not self._paused:
            waiting = list(self._waiting)
            self._waiting.clear()
            self._add(waiting)
        self._show_pause()

    def clear(self) -> None:
        """Forget the records shown here; the files on disk stay."""
        self._logs.clear()
        self._waiting.clear()
        self.model.clear()
        self._show_counts()
        self._show_pause()

    def copy_selected(self) -> None:
        """Copy the selected records, or all that are shown when none is selected."""
        if not self.view.selectedIndexes():
            self.view.selectAll()
        if self.view.copy_selected():
            number = f"{len(self.view.selectedIndexes()):,}"
            self._tell(self.tr("Copied lines: {0}").format(number), "")

    def ask_file(self) -> None:
        """Open the dialog that asks where to save."""
        kinds = self.tr("Log files") + " (*.log *.txt)"
        ask_new_file(
            self, self.tr("Save the shown lines"), "zeroclaw-shown.log", kinds, self.save, self._folder
        )

    def save(self, path: str) -> None:
        """Write the shown records to a file and say in place what became of it."""
        try:
            Path(path).write_text(text_of(self.model.shown()), encoding="utf-8")
        except OSError as error:
            self.notice.hide()
            self.error.set_error(
                ErrorView(
                    title=self.tr("The lines could not be saved."),
                    not_done=self.tr("The file may be missing or incomplete."),
                    next_step=self.tr("Choose a folder that you may write to."),
                    raw=str(error),
                    code="log_not_saved",
                )
            )
            self.error.show()
            return
        self._folder = str(Path(path).parent)
        self._tell(self.tr("Saved: {0}").format(Path(path).name), "")

    def open_folder(self) -> None:
        """Show the folder with the log files in the system's file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._logs.folder()))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # inside

    def _lay_out(self) -> None:
        first = row(self.level, self.part, self.search, self.count)
        first.setStretch(2, 1)
        for widget in (
            self.pause_button,
            self.copy_button,
            self.save_button,
            self.folder_button,
            self.clear_button,
        ):
            first.addWidget(widget)
        listing = QWidget()
        body = column(gap=2, parent=listing)
        body.addWidget(self.view, 1)
        body.addWidget(self.details)
        self.details.hide()
        self._stack = QStackedLayout()
        self._stack.addWidget(listing)
        self._stack.addWidget(self.empty)
        outer = column(first, self.notice, self.error, gap=3, margins=(4, 3), parent=self)
        outer.addLayout(self._stack, 1)
        self.notice.hide()
        self.error.hide()

    def _connect(self) -> None:
        self._logs.records_added.connect(self._take)
        self.level.chosen.connect(lambda _: self._apply_filter())
        self.part.activated.connect(lambda _: self._apply_filter())
        self.search.textChanged.connect(lambda _: self._search_timer.start())
        self.search.returnPressed.connect(self._apply_filter)
        self._search_timer.timeout.connect(self._apply_filter)
        self._notice_timer.timeout.connect(self.notice.hide)
        self.pause_button.clicked.connect(self.toggle_pause)
        self.copy_button.clicked.connect(self.copy_selected)
        self.save_button.clicked.connect(self.ask_file)
        self.folder_button.clicked.connect(self.open_folder)
        self.clear_button.clicked.connect(self.clear)
        self.empty.action_triggered.connect(self.show_all)
        self.error.dismissed.connect(self.error.hide)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_details())
        theme().theme_changed.connect(self._redress)
        for keys, deed in (("Ctrl+F", self._focus_search), ("Ctrl+S", self.ask_file)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(deed)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _take(self, records: Sequence[LogRecordView]) -> None:
        if self._paused:
            self._waiting.extend(records)
            self._show_pause()
        else:
            self._add(records)

    def _add(self, records: Sequence[LogRecordView]) -> None:
        self.model.add(records)
        self._show_parts()
        self._show_counts()

    def _apply_filter(self) -> None:
        self._search_timer.stop()
        part = self.part.currentData() or ""
        self.model.set_filter(LogFilter(self.level.current() or "DEBUG", part, self.search.text().strip()))
        self._show_counts()

    def _show_parts(self) -> None:
        known = [self.part.itemData(at) for at in range(1, self.part.count())]
        wanted = self.model.subsystems()
        if [one for one in wanted if one not in known]:
            chosen = self.part.currentData()
            self.part.clear()
            self.part.addItem(self.tr("All parts"), "")
            for one in sorted({*known, *wanted}):
                self.part.addItem(one, one)
            self.part.setCurrentIndex(max(0, self.part.findData(chosen)))

    def _show_counts(self) -> None:
        shown, held = self.model.rowCount(), self.model.held()
        self.count.setText(
            f"{held:,}" if shown == held else self.tr("{0} of {1}").format(f"{shown:,}", f"{held:,}")
        )
        self._stack.setCurrentIndex(0 if shown else 1)
        for button in (self.copy_button, self.save_button):
            button.setEnabled(shown > 0)
        self.clear_button.setEnabled(held > 0)
        if not shown:
            self._show_empty(held)

    def _show_empty(self, held: int) -> None:
        if held:
            self.empty.set_texts(self.tr("No line matches these filters."), self.tr("Show all lines"))
        else:
            self.empty.set_texts(
                self.tr("What the app and the boards do is written here."),
                hint=self.tr("Lines appear by themselves. Older ones are in the log folder."),
            )

    def _show_pause(self) -> None:
        text = self.tr("Pause")
        if self._paused:
            waiting = len(self._waiting)
            text = self.tr("Resume ({0})").format(f"{waiting:,}") if waiting else self.tr("Resume")
        self.pause_button.setText(text)
        self.pause_button.set_icon_name("play" if self._paused else "pause")
        self.pause_button.set_role("primary" if self._paused else "secondary")

    def _show_details(self) -> None:
        chosen = self.view.selected_records()
        wanted = len(chosen) == 1 and needs_details(self.view, chosen[0])
        if wanted:
            self.details.setPlainText(line_of(chosen[0]))
        self.details.setVisible(wanted)

    def _tell(self, text: str, action: str) -> None:
        self.error.hide()
        self.notice.set_notice(text, "success", action)
        self.notice.show()
        self._notice_timer.start()

    def _redress(self) -> None:
        metrics = QFontMetrics(theme().font("mono_small"))
        self.details.setFixedHeight(metrics.lineSpacing() * _DETAIL_LINES + space(4))

    def _retranslate(self) -> None:
        self.level.set_texts([self.tr("All"), self.tr("Info"), self.tr("Warnings"), self.tr("Errors")])
        self.level.setAccessibleName(self.tr("Lowest level that is shown"))
        if not self.part.count():
            self.part.addItem("", "")
        self.part.setItemText(0, self.tr("All parts"))
        self.part.setAccessibleName(self.tr("Part of the app"))
        self.search.setPlaceholderText(self.tr("Search (Ctrl+F)"))
        self.search.setAccessibleName(self.tr("Search in the log"))
        self.pause_button.setToolTip(self.tr("New lines wait while it is paused; none is lost."))
        self.copy_button.set_name(self.tr("Copy the selected lines (all when none is selected)"))
        self.save_button.set_name(self.tr("Save the shown lines (Ctrl+S)"))
        self.folder_button.set_name(self.tr("Open the log folder"))
        self.clear_button.set_name(self.tr("Clear this list"))
        self.details.setAccessibleName(self.tr("Whole text of the selected line"))
        self._show_pause()
        self._show_counts()
