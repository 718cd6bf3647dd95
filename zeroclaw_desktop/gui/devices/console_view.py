"""The serial console of a board: what it sent, and a line to send. Bounded in lines and in line length."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.devices.console_entry import ConsoleEntry
from zeroclaw_desktop.gui.devices.console_text import ESCAPE, plain, runs_of
from zeroclaw_desktop.gui.devices.console_tools import ConsoleTools
from zeroclaw_desktop.gui.theme import size, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList, LogText
from zeroclaw_desktop.gui.widgets.layout import column, row

MAXIMUM_LINES = 5_000
MAXIMUM_LINE_LENGTH = 2_000
"""Characters of one line that are shown; a longer line ends in an ellipsis and keeps the window fluent."""
FRAME_MS = 33
"""Received text is shown 30 times a second, however fast it comes."""
LINE_ENDS = ("", "none", "lf", "cr", "crlf")
"""'' is the one that Settings names."""


class _Line(NamedTuple):
    came: str
    text: str


class ConsoleView(QWidget):
    """Shows received text and sends lines."""

    line_sent = Signal(str, str)
    """(text, line end: '' for the one of Settings, else ``none``, ``lf``, ``cr`` or ``crlf``)."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[_Line] = deque(maxlen=MAXIMUM_LINES)
        self._waiting: list[_Line] = []
        self._folder = str(Path.home())
        self.tools = ConsoleTools()
        self.tools.filter_field.textChanged.connect(self._show_all)
        self.tools.times_button.toggled.connect(self._show_all)
        self.tools.clear_button.clicked.connect(self.clear)
        self.tools.save_button.clicked.connect(self._ask_file)
        self.tools.follow_button.clicked.connect(self._go_to_end)
        self.view = LogText()
        self.view.setMaximumBlockCount(MAXIMUM_LINES)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setMinimumHeight(size("console_height"))
        self.view.verticalScrollBar().valueChanged.connect(self._offer_end)
        self.error_card = ErrorCard(dismissible=True)
        self.error_card.dismissed.connect(self.error_card.hide)
        self.error_card.hide()
        self.entry = ConsoleEntry()
        self.entry.returnPressed.connect(self._send)
        self.end_list = ChoiceList()
        self.end_list.addItems(["", "", "LF", "CR", "CR LF"])
        self.send_button = Button("", "secondary", "send")
        self.send_button.clicked.connect(self._send)
        line = row(self.entry, self.end_list, self.send_button)
        line.setStretch(0, 1)
        column(self.tools, self.view, self.error_card, line, gap=2, parent=self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._flush)
        theme().theme_changed.connect(self._show_all)
        self._offer_end()
        self._retranslate()

    def add_text(self, text: str) -> None:
        """Show received text: one or more lines."""
        came = f"{datetime.now():%H:%M:%S.%f}"[:-3]
        self._waiting.extend(_Line(came, _shortened(line)) for line in text.splitlines()[-MAXIMUM_LINES:])
        del self._waiting[:-MAXIMUM_LINES]
        if not self._timer.isActive():
            self._timer.start()

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show these lines in the place of all, as after another encoding was chosen; their times stay."""
        self._flush()
        times = [line.came for line in self._lines][-len(lines) :] if lines else []
        times = [""] * (len(lines) - len(times)) + times
        self._lines.clear()
        self._lines.extend(_Line(*pair) for pair in zip(times, map(_shortened, lines), strict=True))
        self._show_all()

    def clear(self) -> None:
        """Show nothing of what has come so far."""
        self._waiting.clear()
        self._lines.clear()
        self.view.clear()

    def save(self, path: str) -> None:
        """Write the shown lines to a file; says in place why that was not possible."""
        try:
            Path(path).write_text("\n".join(map(self._shown, self._fitting(self._lines))) + "\n", "utf-8")
        except OSError as error:
            self.error_card.set_error(
                ErrorView(
                    self.tr("The lines could not be saved."),
                    self.tr("The file may be missing or incomplete."),
                    self.tr("Choose a folder that you may write to."),
                    raw=str(error),
                ),
                offer_action=False,
            )
            self.error_card.show()
            return
        self.error_card.hide()
        self._folder = str(Path(path).parent)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # -- text -----------------------------------------------------------------------------------------
    def _flush(self) -> None:
        if self._waiting:
            self._lines.extend(self._waiting)
            self._append(self._fitting(self._waiting))
            self._waiting.clear()

    def _show_all(self) -> None:
        self.view.clear()
        self._append(self._fitting(self._lines))
        self._go_to_end()

    def _fitting(self, lines: Sequence[_Line] | deque[_Line]) -> list[_Line]:
        wanted = self.tools.filter_field.text().casefold()
        return [line for line in lines if wanted in plain(line.text).casefold()]

    def _shown(self, line: _Line) -> str:
        return plain(self._stamped(line))

    def _stamped(self, line: _Line) -> str:
        return f"{line.came:12}  {line.text}" if self.tools.times_button.isChecked() else line.text

    def _append(self, lines: list[_Line]) -> None:
        """Add lines and stay where the person reads, unless that is the end."""
        if not lines:
            return
        bar = self.view.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 1
        texts = [self._stamped(line) for line in lines]
        if any(ESCAPE in text for text in texts):
            self._append_coloured(texts)
        else:
            self.view.appendPlainText("\n".join(texts))
        if follows:
            self._go_to_end()

    def _append_coloured(self, texts: list[str]) -> None:
        for text in texts:
            self.view.appendPlainText("")
            cursor = QTextCursor(self.view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            for run in runs_of(text):
                look = QTextCharFormat()
                if run.role:
                    look.setForeground(QColor(theme().color(run.role)))
                if run.bold:
                    look.setFontWeight(QFont.Weight.Bold)
                cursor.insertText(run.text, look)

    def _go_to_end(self) -> None:
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _offer_end(self) -> None:
        """Whoever reads further up stays there, and has a button back."""
        bar = self.view.verticalScrollBar()
        self.tools.follow_button.setVisible(bar.value() < bar.maximum() - 1)

    # -- sending and saving ---------------------------------------------------------------------------
    def _send(self) -> None:
        text = self.entry.text()
        if text:
            self.line_sent.emit(text, LINE_ENDS[self.end_list.currentIndex()])
            self.entry.keep(text)
            self.entry.clear()

    def _ask_file(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Save the shown lines"), self._folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Log files") + " (*.log *.txt)")
        dialog.setDefaultSuffix("log")
        dialog.selectFile("console.log")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setModal(False)
        actions().guard(dialog)
        dialog.fileSelected.connect(self.save)
        dialog.finished.connect(dialog.deleteLater)
        dialog.show()

    def _retranslate(self) -> None:
        self.view.setPlaceholderText(self.tr("Nothing received yet."))
        self.view.setAccessibleName(self.tr("Text received from the board"))
        self.entry.setPlaceholderText(self.tr("Send a line to the board"))
        self.entry.setAccessibleName(self.tr("Send a line to the board"))
        self.end_list.setItemText(0, self.tr("Line end of Settings"))
        self.end_list.setItemText(1, self.tr("No line end"))
        self.end_list.setAccessibleName(self.tr("Line end"))
        self.send_button.setText(self.tr("Send"))


def _shortened(line: str) -> str:
    return line if len(line) <= MAXIMUM_LINE_LENGTH else line[:MAXIMUM_LINE_LENGTH] + "…"
