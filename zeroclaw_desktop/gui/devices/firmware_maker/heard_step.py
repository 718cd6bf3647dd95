"""Last step: what the board says with its new firmware."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.fields import LogText
from zeroclaw_desktop.gui.widgets.labels import KeyValueList, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.maker_views import HeardView

MAX_LINES = 200


class HeardStep(QWidget):
    """Values and lines as they come."""

    plot_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._heard: HeardView | None = None
        self._greeting = ""
        self.result = Notice(kind="success")
        self.values = KeyValueList()
        self._waiting = Text(tone="muted", wrap=True)
        self.log = LogText()
        self.log.setMaximumBlockCount(MAX_LINES)
        self.log.setMinimumHeight(size("log_minimum_height"))
        self.plot_button = Button("", "secondary", "plots")
        self.plot_button.clicked.connect(self.plot_requested)
        self._head = Text(role="strong")
        head = row(self._head, STRETCH, self.plot_button)
        body = column(self.result, head, self._waiting, self.values, self.log, gap=3, parent=self)
        body.setStretch(4, 1)
        self._retranslate()

    def begin(self, greeting: str) -> None:
        """A firmware was written; ``greeting`` is its name, '' when it said none."""
        self._greeting = greeting
        self._heard = None
        self.log.clear()
        self._retranslate()

    def show_heard(self, heard: HeardView) -> None:
        """Show what was heard so far."""
        self._heard = heard
        self.values.set_rows(list(heard.values))
        text = "\n".join(heard.lines[-MAX_LINES:])
        if text != self.log.toPlainText():
            self.log.setPlainText(text)
            bar = self.log.verticalScrollBar()
            bar.setValue(bar.maximum())
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        name = self._greeting or self.tr("something else")
        self.result.set_notice(
            self.tr("The firmware is on the board. It answers as {0}.").format(name), "success"
        )
        self._head.setText(self.tr("What the board says"))
        self.plot_button.setText(self.tr("Show the plots"))
        silent = self._heard is None or not self._heard.lines
        self._waiting.setText(self.tr("Nothing yet."))
        self._waiting.setVisible(silent)
        self.values.setVisible(self._heard is not None and bool(self._heard.values))
        self.plot_button.setVisible(self._heard is not None and bool(self._heard.values))
        self.log.setAccessibleName(self.tr("What the board says"))
