"""What the person wrote, what was answered, and notes between them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.chat.code_block import CodeBlock, CopyButton
from zeroclaw_desktop.gui.chat.entries import AnswerEntry, FailureEntry, NoteEntry, UserEntry
from zeroclaw_desktop.gui.chat.markdown_blocks import markdown_blocks
from zeroclaw_desktop.gui.chat.text_block import TextBlock
from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, IconLabel
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import column, row

STREAM_INTERVAL_MS = 100
"""Text that streams is inserted at most this often: an insert with its paint takes about 4 ms."""
_BUBBLE_SHARE = 0.8
"""The widest bubble, as a share of the transcript."""


class QuietCopyButton(CopyButton):
    """A copy button that is drawn only while its message has the pointer or it has the keyboard."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = False

    def set_shown(self, shown: bool) -> None:
        """Draw it or leave it out; it can be reached by keyboard either way."""
        self._shown = shown
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it when it is wanted."""
        if self._shown or self.hasFocus():
            painter = QPainter(self)
            painter.fillRect(self.rect(), theme().color("window"))
            painter.end()
            super().paintEvent(event)


class UserMessage(QWidget):
    """A bubble at the right, as wide as its text needs."""

    def __init__(self) -> None:
        super().__init__()
        self.text = TextBlock()
        self.text.setParent(self)
        self.copy_button = QuietCopyButton()
        self.copy_button.setParent(self)
        self._bubble = QRectF()
        self._ideal_width = 0
        theme().theme_changed.connect(self._measure)

    def show_entry(self, entry: UserEntry) -> None:
        """Show what the person wrote."""
        self.text.set_plain(entry.text)
        self._measure()
        self.copy_button.set_text(entry.text)
        self.setAccessibleName(entry.text)
        self._arrange()

    def height_for(self, width: int) -> int:
        """Return the height that it needs at a width."""
        return self.text.heightForWidth(self._text_width(width)) + 2 * space(2) + space(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place bubble and button."""
        super().resizeEvent(event)
        self._arrange()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Offer to copy."""
        self.copy_button.set_shown(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Be calm again."""
        self.copy_button.set_shown(False)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bubble."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme().color("accent_soft"))
        painter.setBrush(theme().color("accent_soft"))
        painter.drawRoundedRect(self._bubble, theme().radius("card"), theme().radius("card"))
        painter.end()

    def _text_width(self, width: int) -> int:
        room = round(width * _BUBBLE_SHARE) - 2 * space(3)
        return max(space(4), min(room, self._ideal_width))

    def _measure(self) -> None:
        self._ideal_width = self.text.ideal_width()

    def _arrange(self) -> None:
        width = self._text_width(self.width())
        height = self.text.heightForWidth(width)
        left = self.width() - width - 2 * space(3)
        self._bubble = QRectF(left, space(1), width + 2 * space(3), height + 2 * space(2))
        self.text.setGeometry(left + space(3), space(3), width, height)
        edge = self.copy_button.width()
        self.copy_button.move(left - edge - space(1), space(1) + (height + 2 * space(2) - edge) // 2)
        self.update()


class AnswerMessage(QWidget):
    """A piece of an answer: plain while it streams, rendered once when it is complete."""

    def __init__(self) -> None:
        super().__init__()
        self._entry: AnswerEntry | None = None
        self._shown_length = 0
        self._rendered = False
        self._extra: list[QWidget] = []
        self.stream = TextBlock()
        self.copy_button = QuietCopyButton()
        self._body = column(self.stream, gap=2)
        outer = column(gap=0, margins=(0, 1), parent=self)
        outer.addLayout(self._body)
        self.copy_button.setParent(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(STREAM_INTERVAL_MS)
        self._timer.timeout.connect(self._insert_new_text)

    def show_entry(self, entry: AnswerEntry) -> None:
        """Show the answer as far as it has come."""
        self._entry = entry
        if entry.complete:
            self._timer.stop()
            self._render(entry)
        elif not self._shown_length:
            self._insert_new_text()
        elif not self._timer.isActive():
            self._timer.start()

    def reset(self) -> None:
        """Forget the answer, so that the widget can show another one."""
        self._timer.stop()
        self._entry, self._shown_length, self._rendered = None, 0, False
        for extra in self._extra:
            self._body.removeWidget(extra)
            extra.hide()
            extra.deleteLater()
        self._extra = []
        self.stream.show()
        self.copy_button.set_shown(False)

    def is_rendered(self) -> bool:
        """Tell whether the Markdown was rendered."""
        return self._rendered

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the button in the upper right corner."""
        super().resizeEvent(event)
        self.copy_button.move(self.width() - self.copy_button.width(), 0)
        self.copy_button.raise_()

    def shown_text(self) -> str:
        """Return the text that is on the screen."""
        texts = [block.toPlainText() for block in self.findChildren(TextBlock) if not block.isHidden()]
        return "\n".join(texts)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Offer to copy."""
        self.copy_button.set_shown(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Be calm again."""
        self.copy_button.set_shown(False)
        super().leaveEvent(event)

    def _insert_new_text(self) -> None:
        if self._entry is None or self._rendered:
            return
        text = self._entry.text
        if not self._shown_length:
            self.stream.set_plain(text)
        else:
            self.stream.append_plain(text[self._shown_length :])
        self._shown_length = len(text)
        self.copy_button.set_text(text)

    def _render(self, entry: AnswerEntry) -> None:
        if self._rendered:
            return
        self._rendered = True
        self.copy_button.set_text(entry.text)
        self.setAccessibleName(entry.text)
        prose_place: TextBlock | None = self.stream
        for block in markdown_blocks(entry.text):
            if block.is_code:
                self._add(CodeBlock(block.text, block.language))
                continue
            place = prose_place or TextBlock()
            place.set_markdown(block.text)
            if prose_place is None:
                self._add(place)
            elif self._extra:
                self._body.removeWidget(place)
                self._body.addWidget(place)
            prose_place = None
        if prose_place is not None:
            prose_place.hide()

    def _add(self, part: QWidget) -> None:
        self._extra.append(part)
        self._body.addWidget(part)


class Note(QWidget):
    """One muted line about what happened, perhaps with a button."""

    retry_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._entry: NoteEntry | None = None
        self._icon = IconLabel("info", "text_faint", size("icon_small"))
        self._text = Text(role="caption", tone="muted", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.retry_button = Button("", "ghost", "retry", compact=True)
        self.retry_button.clicked.connect(self.retry_requested)
        row(self._icon, self._text, self.retry_button, gap=2, margins=(0, 1), parent=self)

    def show_entry(self, entry: NoteEntry) -> None:
        """Show the note."""
        self._entry = entry
        icons = {
            "failed": ("error", "danger_ink"),
            "stopped": ("stop_small", "text_faint"),
            "approval": ("ask", "warn_ink"),
        }
        self._icon.set_icon(*icons.get(entry.kind, ("info", "text_faint")))
        self.retry_button.setVisible(entry.kind in ("failed", "stopped"))
        self._retranslate()

    def text(self) -> str:
        """Return what it says."""
        return self._text.text()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.retry_button.setText(self.tr("Ask again"))
        if self._entry is None:
            return
        standing = {
            "stopped": self.tr("You stopped this answer. Nothing more was sent to the board."),
            "failed": self.tr("This answer could not be completed."),
        }
        self._text.setText(self._entry.text or standing.get(self._entry.kind, ""))


class Failure(QWidget):
    """The card that says why an answer could not be made, with the next step."""

    action_requested = Signal(str)
    """Key of the next step; ``retry`` asks again."""

    def __init__(self) -> None:
        super().__init__()
        self.card = ErrorCard()
        self.card.action_requested.connect(self.action_requested)
        column(self.card, gap=0, margins=(0, 1), parent=self)

    def show_entry(self, entry: FailureEntry) -> None:
        """Show the fault; one without a next step of its own can be tried again."""
        error = entry.error
        self.card.set_error(error if error.action else replace(error, action="retry"))
