"""The serial console of a board: what it sent, and a line to send. Bounded in lines and in line length."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.fields import LogText, MonoField
from zeroclaw_desktop.gui.widgets.layout import column, row

MAXIMUM_LINES = 5_000
MAXIMUM_LINE_LENGTH = 2_000
"""Characters of one line that are shown; a longer line ends in an ellipsis and keeps the window fluent."""
FRAME_MS = 33
"""Received text is shown 30 times a second, however fast it comes."""


class ConsoleView(QWidget):
    """Shows received text and sends lines."""

    line_sent = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.view = LogText()
        self.view.setMaximumBlockCount(MAXIMUM_LINES)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setMinimumHeight(size("console_height"))
        self.entry = MonoField()
        self.entry.returnPressed.connect(self._send)
        self.send_button = Button("", "secondary", "send")
        self.send_button.clicked.connect(self._send)
        self.clear_button = IconButton("clear")
        self.clear_button.clicked.connect(self.view.clear)
        line = row(self.entry, self.send_button, self.clear_button)
        line.setStretch(0, 1)
        column(self.view, line, gap=2, parent=self)
        self._waiting: list[str] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._flush)
        self._retranslate()

    def add_text(self, text: str) -> None:
        """Show received text: one or more lines."""
        self._waiting.extend(_shortened(line) for line in text.splitlines()[-MAXIMUM_LINES:])
        del self._waiting[:-MAXIMUM_LINES]
        if not self._timer.isActive():
            self._timer.start()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _flush(self) -> None:
        bar = self.view.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 1
        self.view.appendPlainText("\n".join(self._waiting))
        self._waiting.clear()
        if follows:
            bar.setValue(bar.maximum())

    def _send(self) -> None:
        text = self.entry.text()
        if text:
            self.line_sent.emit(text)
            self.entry.clear()

    def _retranslate(self) -> None:
        self.view.setPlaceholderText(self.tr("Nothing received yet."))
        self.view.setAccessibleName(self.tr("Text received from the board"))
        self.entry.setPlaceholderText(self.tr("Send a line to the board"))
        self.entry.setAccessibleName(self.tr("Send a line to the board"))
        self.send_button.setText(self.tr("Send"))
        self.clear_button.set_name(self.tr("Clear the console"))


def _shortened(line: str) -> str:
    return line if len(line) <= MAXIMUM_LINE_LENGTH else line[:MAXIMUM_LINE_LENGTH] + "…"
