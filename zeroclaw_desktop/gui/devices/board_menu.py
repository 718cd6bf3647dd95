"""What else can be done with a board: rename, name pins, look closely, forget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.gui.actions import actions

RENAME, PINS, DETAILS, SHEETS, ERASE, FORGET = "rename", "pins", "details", "sheets", "erase", "forget"


class BoardMenu(QMenu):
    """The menu of a board's card.

    Args:
        can_forget: False for a simulated board, which is removed instead.
        can_erase: whether its whole chip can be erased.
    """

    chosen = Signal(str)
    """``rename``, ``pins``, ``details``, ``sheets``, ``erase`` or ``forget``."""

    def __init__(self, parent: QWidget, *, can_forget: bool, can_erase: bool) -> None:
        super().__init__(parent)
        actions().guard(self)
        self.entries: dict[str, QAction] = {}
        for key in (RENAME, PINS, DETAILS, SHEETS, ERASE, FORGET):
            if key == ERASE:
                self.addSeparator()
            entry = self.addAction(key)
            entry.triggered.connect(lambda _=False, chosen=key: self.chosen.emit(chosen))
            self.entries[key] = entry
        self.entries[FORGET].setVisible(can_forget)
        self.entries[ERASE].setVisible(can_erase)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.entries[RENAME].setText(self.tr("Rename…"))
        self.entries[PINS].setText(self.tr("Name pins…"))
        self.entries[DETAILS].setText(self.tr("Details…"))
        self.entries[SHEETS].setText(self.tr("Data sheets…"))
        self.entries[ERASE].setText(self.tr("Erase everything…"))
        self.entries[FORGET].setText(self.tr("Forget this board…"))
