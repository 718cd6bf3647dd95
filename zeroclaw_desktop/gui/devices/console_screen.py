"""The text of a console: appears within a time budget for each frame, however fast lines come.

While more lines come than a frame can take, only the last ones are in the document, as nobody can read the
others; once it is calm the earlier ones that are kept are put in above them, a few at a time. Whoever reads
further up keeps what stands there.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QColor, QFont, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from zeroclaw_desktop.gui.devices.console_text import ESCAPE, runs_of
from zeroclaw_desktop.gui.theme import size, theme
from zeroclaw_desktop.gui.widgets.fields import LogText

MAXIMUM_LINES = 5_000
FRAME_MS = 33
"""Received text is shown 30 times a second, however fast it comes."""
BUDGET_S = 0.004
"""Seconds of one frame that are spent on the document."""
BURST_LINES = 150
"""More lines in one frame are not shown one after the other."""
CALM_FRAMES = 9
"""Frames without a burst after which the earlier lines are put in."""
LAST_LINES = 50
"""Lines that are put into the document at once; more than a console shows of them."""
LAST_CHARACTERS = 10_000
_SLICE = 8


class ConsoleScreen(LogText):
    """A bounded view of lines that are kept elsewhere.

    Args:
        kept: returns all lines that may be shown now, oldest first, at most ``MAXIMUM_LINES``.
    """

    hurried = Signal(bool)
    """Lines come too fast to be shown one after the other; False when all that are kept are shown again."""

    def __init__(self, kept: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._kept = kept
        self._waiting: deque[str] = deque(maxlen=MAXIMUM_LINES)
        self._above: list[str] = []
        """Lines that are to be put in above the document, the last one first."""
        self._hurries = False
        self._stale = False
        """The document is not what is kept, and shall not be touched before somebody looks at its end."""
        self._calm = 0
        self._follows = True
        self._writes = False
        """Whether the document is changing, which moves the scroll bar without a person."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._advance)
        self.setMaximumBlockCount(MAXIMUM_LINES)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setMinimumHeight(size("console_height"))
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._grown)

    def settled(self) -> bool:
        """Whether nothing waits to be shown."""
        return not (self._timer.isActive() or self._waiting or self._above)

    def follows(self) -> bool:
        """Whether the newest lines are shown; False while a person reads further up."""
        return self._follows

    def go_to_end(self) -> None:
        """Show the newest lines."""
        self._follows = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._take_up()

    def add(self, lines: Sequence[str]) -> None:
        """Show lines soon; they must be kept already."""
        self._waiting.extend(lines)
        if not self._timer.isActive():
            self._timer.start()

    def hurry(self) -> None:
        """Lines were left out: show only the newest until it is calm."""
        self._hurry()
        if not self._timer.isActive():
            self._timer.start()

    def show_all(self) -> None:
        """Show all lines that are kept: the last ones at once, the earlier ones soon."""
        self._waiting.clear()
        self._stale = False
        self._replace(list(self._kept()))
        self.go_to_end()

    def showEvent(self, event: QShowEvent) -> None:
        """A console that nobody saw was not written to."""
        super().showEvent(event)
        if self._stale:
            self.show_all()

    # inside

    def _replace(self, lines: list[str]) -> None:
        self._writes = True
        self.clear()
        last = _last(lines)
        self._append(last)
        self._writes = False
        self._above = lines[: len(lines) - len(last)][::-1]
        if self._above and not self._timer.isActive():
            self._timer.start()

    def _scrolled(self) -> None:
        if self._writes:
            return
        bar = self.verticalScrollBar()
        self._follows = bar.value() >= bar.maximum() - 1
        self._take_up()

    def _grown(self) -> None:
        if self._follows:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _take_up(self) -> None:
        if self._stale and not self._hurries and self._follows and self.isVisible():
            self.show_all()

    def _advance(self) -> None:
        self._writes = True
        self._take_turn()
        self._writes = False
        if self._follows:
            self.go_to_end()
        if self._waiting or self._above or self._hurries:
            self._timer.start()

    def _take_turn(self) -> None:
        came = len(self._waiting)
        if came > BURST_LINES:
            self._hurry()
        elif self._hurries:
            self._calm = self._calm + 1
            if self._calm >= CALM_FRAMES:
                self._rest()
        if not self.isVisible() or (self._stale and not self.follows()):
            # The kept lines say it all when somebody looks again.
            self._stale = self._stale or came > 0
            self._waiting.clear()
        elif self._hurries:
            self._show_last(came)
        else:
            self._append_waiting()
            self._put_above()

    def _hurry(self) -> None:
        self._calm = 0
        if not self._hurries:
            self._hurries = True
            self._above.clear()
            self._stale = not self.follows()
            self.hurried.emit(True)

    def _rest(self) -> None:
        self._hurries = False
        self.hurried.emit(False)
        if self.isVisible() and self.follows():
            self.show_all()
        else:
            self._stale = True

    def _show_last(self, came: int) -> None:
        if not came:
            return
        last = _last(self._waiting)
        self._waiting.clear()
        if came >= LAST_LINES or self.blockCount() > 2 * LAST_LINES:
            self.clear()
        self._append(last)

    def _append_waiting(self) -> None:
        deadline = time.perf_counter() + BUDGET_S
        while self._waiting and time.perf_counter() < deadline:
            self._append([self._waiting.popleft() for _ in range(min(_SLICE, len(self._waiting)))])

    def _put_above(self) -> None:
        if not self._above:
            return
        bar = self.verticalScrollBar()
        before, at = self.blockCount(), bar.value()
        deadline = time.perf_counter() + BUDGET_S
        del self._above[max(0, MAXIMUM_LINES - before) :]
        while self._above and time.perf_counter() < deadline:
            piece, self._above = self._above[:_SLICE][::-1], self._above[_SLICE:]
            cursor = QTextCursor(self.document())
            if any(ESCAPE in text for text in piece):
                cursor.beginEditBlock()
                for text in piece:
                    _insert_coloured(cursor, text)
                    cursor.insertText("\n", QTextCharFormat())
                cursor.endEditBlock()
            else:
                cursor.insertText("\n".join(piece) + "\n", QTextCharFormat())
        if not self._follows:
            bar.setValue(at + self.blockCount() - before)

    def _append(self, texts: list[str]) -> None:
        if not texts:
            return
        if not any(ESCAPE in text for text in texts):
            self.appendPlainText("\n".join(texts))
            return
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        begins = self.document().isEmpty()
        # One edit for all: each would be laid out by itself otherwise.
        cursor.beginEditBlock()
        for text in texts:
            if not begins:
                cursor.insertBlock()
            begins = False
            _insert_coloured(cursor, text)
        cursor.endEditBlock()


def _last(lines: Sequence[str]) -> list[str]:
    """The last lines that are put into the document at once, oldest first."""
    found: list[str] = []
    room = LAST_CHARACTERS
    for line in reversed(lines):
        room -= len(line)
        if len(found) == LAST_LINES or (found and room < 0):
            break
        found.append(line)
    return found[::-1]


def _insert_coloured(cursor: QTextCursor, text: str) -> None:
    for run in runs_of(text):
        look = QTextCharFormat()
        if run.role:
            look.setForeground(QColor(theme().color(run.role)))
        if run.bold:
            look.setFontWeight(QFont.Weight.Bold)
        cursor.insertText(run.text, look)
