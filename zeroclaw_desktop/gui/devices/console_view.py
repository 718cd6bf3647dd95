"""The serial console of a board: what it sent, and a line to send. Bounded in lines and in line length."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.devices.console_entry import ConsoleEntry
from zeroclaw_desktop.gui.devices.console_screen import MAXIMUM_LINES, ConsoleScreen
from zeroclaw_desktop.gui.devices.console_text import plain
from zeroclaw_desktop.gui.devices.console_tools import ConsoleTools
from zeroclaw_desktop.gui.theme import theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_new_file
from zeroclaw_desktop.gui.widgets.labels import ElidedText
from zeroclaw_desktop.gui.widgets.layout import column, row

MAXIMUM_LINE_LENGTH = 2_000
"""Characters of one line that are shown; a longer line ends in an ellipsis and keeps the window fluent."""
LINE_ENDS = ("", "none", "lf", "cr", "crlf")
"""'' is the one that Settings names."""


class _Line(NamedTuple):
    came: str
    text: str


class ConsoleView(QWidget):
    """Shows received text and sends lines."""

    line_sent = Signal(str, str)
    """(text, line end: '' for the one of Settings, else ``none``, ``lf``, ``cr`` or ``crlf``)."""
    kept_wanted = Signal()
    """Lines were left out; ``set_kept`` is to bring all that are kept elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[_Line] = deque(maxlen=MAXIMUM_LINES)
        self._forgot = self._hurries = self._incomplete = False
        self._cleared_at = 0.0
        self._folder = str(Path.home())
        self.tools = ConsoleTools()
        self.tools.filter_field.textChanged.connect(self._show_all)
        self.tools.times_button.toggled.connect(self._show_all)
        self.tools.clear_button.clicked.connect(self.clear)
        self.tools.save_button.clicked.connect(self._ask_file)
        self.tools.follow_button.clicked.connect(self._go_to_end)
        self.view = ConsoleScreen(self._texts)
        self.view.hurried.connect(self._take_hurry)
        self.unfinished = ElidedText("", "mono_small", "muted")
        self.unfinished.hide()
        self.limit = ElidedText("", "caption", "muted")
        self.limit.hide()
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
        column(self.tools, self.view, self.unfinished, self.limit, self.error_card, line, gap=2, parent=self)
        theme().theme_changed.connect(self._show_all)
        self._offer_end()
        self._retranslate()

    def add_text(self, text: str) -> None:
        """Show received text: one or more lines."""
        came = _clock(time.time())
        texts = text.splitlines()
        self._forget(len(self._lines) + len(texts))
        lines = [_Line(came, _shortened(line)) for line in texts[-MAXIMUM_LINES:]]
        self._lines.extend(lines)
        self.view.add(self._fitting(lines))

    def hurry(self) -> None:
        """Lines come faster than ``add_text`` gets them: show the newest, and the others when it is calm."""
        self._incomplete = True
        self.view.hurry()

    def set_kept(self, lines: Sequence[tuple[float, str]]) -> None:
        """Take over all lines, each with the time when it came in seconds since 1970, in the place of all."""
        self._incomplete = False
        self._forget(len(lines) + 1)
        self._lines.clear()
        fresh = (line for line in lines if line[0] >= self._cleared_at)
        self._lines.extend(_Line(_clock(came), _shortened(line)) for came, line in fresh)

    def set_unfinished(self, text: str) -> None:
        """Show the beginning of a line whose end has not come for a while (a prompt); '' for none."""
        self.unfinished.set_text(text)
        self.unfinished.setVisible(bool(text))

    def set_lines(self, lines: Sequence[str]) -> None:
        """Show these lines in the place of all, as after another encoding was chosen; their times stay."""
        times = [line.came for line in self._lines][-len(lines) :] if lines else []
        times = [""] * (len(lines) - len(times)) + times
        self._lines.clear()
        self._lines.extend(_Line(*pair) for pair in zip(times, map(_shortened, lines), strict=True))
        self._show_all()

    def clear(self) -> None:
        """Show nothing of what has come so far."""
        self._cleared_at = time.time()
        self._lines.clear()
        self._incomplete = False
        self._forgot = False
        self._show_all()
        self._tell_limit()

    def save(self, path: str) -> None:
        """Write the shown lines to a file; says in place why that was not possible."""
        self._complete()
        try:
            Path(path).write_text("\n".join(map(plain, self._texts())) + "\n", "utf-8")
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
    def _complete(self) -> None:
        if self._incomplete:
            self.kept_wanted.emit()

    def _show_all(self) -> None:
        self._complete()
        self.view.show_all()

    def _texts(self) -> list[str]:
        """All kept lines that fit the filter, as they are shown."""
        return self._fitting(self._lines)

    def _fitting(self, lines: Sequence[_Line] | deque[_Line]) -> list[str]:
        wanted = self.tools.filter_field.text().casefold()
        fitting = lines if not wanted else [line for line in lines if wanted in plain(line.text).casefold()]
        if self.tools.times_button.isChecked():
            return [f"{line.came:12}  {line.text}" for line in fitting]
        return [line.text for line in fitting]

    def _forget(self, lines: int) -> None:
        if lines > MAXIMUM_LINES and not self._forgot:
            self._forgot = True
            self._tell_limit()

    def _take_hurry(self, hurries: bool) -> None:
        self._hurries = hurries
        if not hurries:
            self._complete()
        self._tell_limit()

    def _tell_limit(self) -> None:
        kept = self.tr("The last {0} lines are kept.").format(f"{MAXIMUM_LINES:,}") if self._forgot else ""
        fast = self.tr("Lines come faster than they can be read: the newest are shown, the others after it.")
        self.limit.set_text("   ".join(text for text in (fast if self._hurries else "", kept) if text))
        self.limit.setVisible(bool(self._hurries or self._forgot))

    def _go_to_end(self) -> None:
        self.view.go_to_end()

    def _offer_end(self) -> None:
        """Whoever reads further up stays there, and has a button back."""
        self.tools.follow_button.setVisible(not self.view.follows())

    # -- sending and saving ---------------------------------------------------------------------------
    def _send(self) -> None:
        text = self.entry.text()
        if text:
            self.line_sent.emit(text, LINE_ENDS[self.end_list.currentIndex()])
            self.entry.keep(text)
            self.entry.clear()

    def _ask_file(self) -> None:
        kinds = self.tr("Log files") + " (*.log *.txt)"
        ask_new_file(self, self.tr("Save the shown lines"), "console.log", kinds, self.save, self._folder)

    def _retranslate(self) -> None:
        self.view.setPlaceholderText(self.tr("Nothing received yet."))
        self.view.setAccessibleName(self.tr("Text received from the board"))
        self.entry.setPlaceholderText(self.tr("Send a line to the board"))
        self.entry.setAccessibleName(self.tr("Send a line to the board"))
        self.end_list.setItemText(0, self.tr("Line end of Settings"))
        self.end_list.setItemText(1, self.tr("No line end"))
        self.end_list.setAccessibleName(self.tr("Line end"))
        self.send_button.setText(self.tr("Send"))
        self._tell_limit()


@lru_cache(maxsize=64)
def _clock(came: float) -> str:
    return f"{datetime.fromtimestamp(came):%H:%M:%S.%f}"[:-3]


def _shortened(line: str) -> str:
    return line if len(line) <= MAXIMUM_LINE_LENGTH else line[:MAXIMUM_LINE_LENGTH] + "…"
