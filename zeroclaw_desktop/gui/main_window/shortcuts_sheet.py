"""The sheet that F1 opens: every key that the window and its pages know."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn, Sheet

_GROUPS = ("everywhere", "chat", "devices", "dashboard", "plots", "activity", "logs")
_AROUND = 45
"""Grid steps of height around the keys."""
_LEFT = 4
"""Groups in the left column."""


class ShortcutsSheet(Sheet):
    """Keys and what they do, in two columns.

    Args:
        host: area of the pages that it lies over.
        page_count: how many pages Ctrl+number reaches.
    """

    def __init__(self, host: QWidget, page_count: int) -> None:
        super().__init__(host)
        self._page_count = page_count
        self._headings = {group: Text(role="strong") for group in _GROUPS}
        self._meanings: dict[str, list[Text]] = {}
        self.panel.setMaximumWidth(size("shortcuts_width"))
        blocks = [self._block(group) for group in _GROUPS]
        left = column(*blocks[:_LEFT], STRETCH, gap=3)
        right = column(*blocks[_LEFT:], STRETCH, gap=3)
        columns = row(left, right, gap=8)
        columns.setStretch(0, 1)
        columns.setStretch(1, 1)
        self._columns = columns
        self._scroll = ScrollColumn(columns)
        self.panel.body.addWidget(self._scroll)
        self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show all keys, or as many as the window has room for; the others scroll."""
        content = self._columns.sizeHint().height()
        self._scroll.setMinimumHeight(max(0, min(content, self.height() - space(_AROUND))))
        super().resizeEvent(event)

    def listed_keys(self) -> list[str]:
        """Return every key that is listed."""
        return [keys for group in _GROUPS for keys, _ in self._rows(group)]

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _block(self, group: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(0.5))
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, space(30))
        grid.addWidget(self._headings[group], 0, 0, 1, 2)
        self._meanings[group] = []
        for number, (keys, meaning) in enumerate(self._rows(group), start=1):
            label = Text(meaning)
            grid.addWidget(Text(keys, "mono_small", "accent"), number, 0)
            grid.addWidget(label, number, 1)
            self._meanings[group].append(label)
        return grid

    def _rows(self, group: str) -> list[tuple[str, str]]:
        return {
            "everywhere": [
                ("F12", self.tr("Stop everything, from anywhere")),
                (f"Ctrl+1 … {self._page_count}", self.tr("Open a page")),
                ("Ctrl+L", self.tr("Write to the assistant")),
                ("Ctrl+,", self.tr("Open settings")),
                ("Tab", self.tr("Go to the next control")),
                ("F1", self.tr("Show this list")),
                ("F11", self.tr("Fill the screen, or no longer")),
                ("Esc", self.tr("Close a sheet; held: stop everything")),
            ],
            "chat": [
                ("Enter", self.tr("Send")),
                ("Shift+Enter", self.tr("Start a new line")),
                ("Up, Down", self.tr("Earlier messages")),
                ("Esc", self.tr("Stop the answer")),
                ("Ctrl+Shift+A", self.tr("Go to a question that waits")),
            ],
            "devices": [
                (self.tr("Arrows"), self.tr("Walk over the pins of a board")),
                ("Enter", self.tr("Choose the pin; again: switch an output over")),
            ],
            "plots": [
                ("Space", self.tr("Pause or resume")),
                ("+, -", self.tr("Zoom the time")),
                ("Left, Right", self.tr("Move in time")),
                ("Up, Down", self.tr("Zoom the values")),
                ("F, End", self.tr("Follow the present")),
                ("C, M, T", self.tr("Cursors, figures, trigger")),
                ("L", self.tr("Limits")),
                ("Backspace", self.tr("Previous view")),
                ("Ctrl+E", self.tr("Export as CSV")),
                ("Ctrl+Shift+C", self.tr("Copy as picture")),
                ("Ctrl+Shift+F", self.tr("Spectrum of what is visible")),
                ("Ctrl+Shift+H", self.tr("Histogram of what is visible")),
                ("Ctrl+Shift+X", self.tr("X-Y of what is visible")),
            ],
            "dashboard": [
                ("Ctrl+N", self.tr("Add a tile")),
                ("Ctrl+E", self.tr("Edit, or use again")),
                (self.tr("Arrows"), self.tr("Move the tile; with Shift: resize")),
                ("Enter", self.tr("Properties of the tile")),
                ("Delete", self.tr("Remove the tile")),
                ("Ctrl+Z, Ctrl+Y", self.tr("Undo, redo")),
            ],
            "activity": [
                ("Up, Down", self.tr("Choose a task")),
                ("Ctrl+F", self.tr("Search in the history")),
                ("Delete", self.tr("Cancel the running task")),
            ],
            "logs": [
                ("Ctrl+F", self.tr("Search, also in settings")),
                ("Ctrl+S", self.tr("Save the shown lines")),
                ("Ctrl+C", self.tr("Copy the selected lines")),
                ("Home, End", self.tr("Oldest, newest line")),
            ],
        }[group]

    def _retranslate(self) -> None:
        self.set_title(self.tr("Keyboard"))
        names = {
            "everywhere": self.tr("Everywhere"),
            "chat": self.tr("Chat"),
            "devices": self.tr("Devices"),
            "plots": self.tr("Plots"),
            "dashboard": self.tr("Dashboard"),
            "activity": self.tr("Activity"),
            "logs": self.tr("Logs"),
        }
        for group in _GROUPS:
            self._headings[group].setText(names[group])
            for label, (_, meaning) in zip(self._meanings[group], self._rows(group), strict=True):
                label.setText(meaning)
