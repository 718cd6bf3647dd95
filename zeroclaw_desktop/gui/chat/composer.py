"""The input box: grows to six lines, Enter sends, safe with input methods, remembers what was sent."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import ElidedText
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

_MOST_LINES = 6
_REMEMBERED = 100
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class MessageEdit(QTextEdit):
    """The text field inside the box."""

    submitted = Signal()
    focus_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self._composing = False
        self._sent: list[str] = []
        self._recalled: int | None = None
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setStyleSheet("QTextEdit { background: transparent; border: none; padding: 0; }")
        self.document().setDocumentMargin(space(1))
        self.document().setDefaultFont(theme().font("lead"))
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme().theme_changed.connect(self._redress)
        self._fit()

    def remember(self, text: str) -> None:
        """Keep a sent text for the up key."""
        if not self._sent or self._sent[-1] != text:
            self._sent = [*self._sent, text][-_REMEMBERED:]
        self._recalled = None

    def is_composing(self) -> bool:
        """Tell whether an input method has an unfinished word in the field."""
        return self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Note whether an input method is at work: its Enter must not send."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send with Enter, break the line with Shift+Enter, recall with the up key."""
        key = Qt.Key(event.key())
        if key in _ENTER_KEYS and not self._composing and not event.modifiers() & _line_break_modifiers():
            event.accept()
            if not event.isAutoRepeat():
                self.submitted.emit()
        elif key == Qt.Key.Key_Up and not event.modifiers() and self._may_recall():
            self._recall(-1)
        elif key == Qt.Key.Key_Down and not event.modifiers() and self._recalled is not None:
            self._recall(1)
        elif key == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let the box show that it has the keyboard."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Let the box be calm; an unfinished word of an input method is given up by Qt."""
        super().focusOutEvent(event)
        self._composing = False
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the lines at the new width."""
        super().resizeEvent(event)
        self._fit()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text only."""
        if source.hasText():
            self.insertPlainText(source.text())

    def sizeHint(self) -> QSize:
        """Ask for one line."""
        return QSize(space(60), self.minimumHeight())

    def _may_recall(self) -> bool:
        text = self.toPlainText()
        if self._recalled is not None and text == self._sent[self._recalled]:
            return True
        return not text and bool(self._sent)

    def _recall(self, step: int) -> None:
        start = len(self._sent) if self._recalled is None else self._recalled
        wanted = start + step
        if wanted >= len(self._sent):
            self._recalled = None
            self.clear()
            return
        self._recalled = max(0, wanted)
        self.setPlainText(self._sent[self._recalled])
        cursor = self.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.setTextCursor(cursor)

    def _fit(self) -> None:
        line = QFontMetrics(self.document().defaultFont()).lineSpacing()
        margins = 2 * math.ceil(self.document().documentMargin())
        wanted = math.ceil(self.document().size().height())
        most = _MOST_LINES * line + margins
        self.setFixedHeight(min(most, max(line + margins, wanted)))
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if wanted > most else policy.ScrollBarAlwaysOff
        )

    def _redress(self) -> None:
        self.document().setDefaultFont(theme().font("lead"))
        self._fit()


class Composer(Card):
    """Field, hint, Send and Stop."""

    sent = Signal(str)
    stop_requested = Signal()

    def __init__(self) -> None:
        super().__init__(padding=2, gap=1)
        self._state = "idle"
        self._starting = False
        self.edit = MessageEdit()
        self.state_badge = Badge("", "busy")
        self._hint = ElidedText("", "caption", "faint")
        self.send_button = Button("", "primary", "send", compact=True)
        self.stop_button = Button("", "secondary", "stop_small", compact=True)
        foot = row(self.state_badge, self._hint, self.stop_button, self.send_button, gap=2)
        foot.setContentsMargins(space(1), 0, 0, 0)
        self.body.addLayout(column(self.edit, foot, gap=1))
        self.edit.submitted.connect(self.submit)
        self.edit.textChanged.connect(self._show_state)
        self.edit.focus_changed.connect(self.set_selected)
        self.send_button.clicked.connect(self.submit)
        self.stop_button.clicked.connect(self.stop_requested)
        self._retranslate()

    def submit(self) -> None:
        """Send the text; while an answer runs the text stays in the field."""
        text = self.edit.toPlainText().strip()
        if not text or self.is_running():
            return
        self.edit.remember(text)
        self.edit.clear()
        self.sent.emit(text)

    def set_turn_state(self, state: str) -> None:
        """Show what the assistant is at: ``idle``, ``thinking``, ``streaming``, ``executing`` ..."""
        self._state = state
        self._show_state()

    def set_starting(self, starting: bool) -> None:
        """Say that the words in the field are sent as soon as the start is complete."""
        self._starting = starting
        self._show_state()

    def is_running(self) -> bool:
        """Tell whether an answer is being made."""
        return self._state != "idle"

    def hint(self) -> str:
        """Return the line below the field."""
        return self._hint.whole_text()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _show_state(self) -> None:
        running = self.is_running()
        has_text = bool(self.edit.toPlainText().strip())
        self.stop_button.setVisible(running)
        self.send_button.setVisible(not running)
        self.send_button.setEnabled(has_text)
        self.state_badge.setVisible(running)
        kind = "waits" if self._state == "awaiting_approval" else "busy"
        self.state_badge.set_state(self._state_text(), kind)
        if running:
            self._hint.set_text(
                self.tr("Your text is kept; send it when this answer is complete.")
                if has_text
                else self.tr("Esc stops it")
            )
        elif self._starting:
            self._hint.set_text(self.tr("Still starting; these words are sent in a moment."))
        else:
            self._hint.set_text(self.tr("Enter sends, Shift+Enter starts a new line"))

    def _state_text(self) -> str:
        return {
            "thinking": self.tr("Thinking"),
            "streaming": self.tr("Answering"),
            "executing": self.tr("At work on the board"),
            "awaiting_approval": self.tr("Waits for your answer"),
        }.get(self._state, self.tr("At work"))

    def _retranslate(self) -> None:
        self.edit.setPlaceholderText(self.tr("Say what the board should do"))
        self.edit.setAccessibleName(self.tr("Message"))
        self.send_button.setText(self.tr("Send"))
        self.stop_button.setText(self.tr("Stop"))
        self.stop_button.setToolTip(self.tr("Stop this answer and its commands (Esc)"))
        self._show_state()


def _line_break_modifiers() -> Qt.KeyboardModifier:
    return Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


def centred(widget: QWidget, width: int) -> QFrame:
    """Return a frame that holds a widget in the middle, at most ``width`` logical pixels wide."""
    frame = QFrame()
    widget.setMaximumWidth(width)
    line = row(gap=0, parent=frame)
    line.addStretch(1)
    line.addWidget(widget, 1000)
    line.addStretch(1)
    return frame
