"""The line that a person sends to a board, with those sent before."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from zeroclaw_desktop.gui.widgets.fields import MonoField

MOST_KEPT = 200


class ConsoleEntry(MonoField):
    """Up and Down go through the lines that were sent, as in a shell; what was begun is not lost."""

    def __init__(self) -> None:
        super().__init__()
        self._sent: list[str] = []
        self._place = 0
        self._begun = ""

    def keep(self, line: str) -> None:
        """Note a line that was sent; the same again is kept once."""
        if not self._sent or self._sent[-1] != line:
            self._sent.append(line)
            del self._sent[:-MOST_KEPT]
        self._place = len(self._sent)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back and forth."""
        if event.key() == Qt.Key.Key_Up:
            self._go(-1)
        elif event.key() == Qt.Key.Key_Down:
            self._go(1)
        else:
            super().keyPressEvent(event)

    def _go(self, step: int) -> None:
        place = self._place + step
        if not 0 <= place <= len(self._sent):
            return
        if self._place == len(self._sent):
            self._begun = self.text()
        self._place = place
        self.setText(self._begun if place == len(self._sent) else self._sent[place])
