"""The sheet that F1 opens: every key that the window knows."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.surfaces import Sheet


class ShortcutsSheet(Sheet):
    """Keys and what they do.

    Args:
        host: area of the pages that it lies over.
        page_count: how many pages Ctrl+number reaches.
    """

    def __init__(self, host: QWidget, page_count: int) -> None:
        super().__init__(host)
        self._keys = ("F12", f"Ctrl+1 … Ctrl+{page_count}", "Ctrl+L", "Ctrl+,", "F1", "Esc")
        self._meanings = [Text(wrap=True) for _ in self._keys]
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(6))
        grid.setVerticalSpacing(space(3))
        grid.setColumnStretch(1, 1)
        for number, (keys, meaning) in enumerate(zip(self._keys, self._meanings, strict=True)):
            grid.addWidget(Text(keys, "mono", "accent"), number, 0)
            grid.addWidget(meaning, number, 1)
        self.panel.body.addLayout(grid)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.set_title(self.tr("Keyboard"))
        texts = (
            self.tr("Stop everything, from anywhere"),
            self.tr("Open a page"),
            self.tr("Write to the assistant"),
            self.tr("Open settings"),
            self.tr("Show this list"),
            self.tr("Close a sheet"),
        )
        for label, text in zip(self._meanings, texts, strict=True):
            label.setText(text)
