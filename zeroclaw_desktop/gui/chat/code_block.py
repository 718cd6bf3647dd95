"""A fenced code block: its language, a button that copies it, the coloured code."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QSizePolicy

from zeroclaw_desktop.gui.chat.text_block import TextBlock
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.code_colors import CodeColors
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

_ACKNOWLEDGED_MS = 1500


class CopyButton(IconButton):
    """Copies a text to the clipboard and shows a check mark for a moment."""

    def __init__(self, text: str = "") -> None:
        super().__init__("copy", small=True)
        self._text = text
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_ACKNOWLEDGED_MS)
        self._timer.timeout.connect(lambda: self.set_icon_name("copy"))
        self.clicked.connect(self._copy)
        self._retranslate()

    def set_text(self, text: str) -> None:
        """Change what is copied."""
        self._text = text

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.set_icon_name("check")
        self._timer.start()

    def _retranslate(self) -> None:
        self.set_name(self.tr("Copy"))


class _CodeText(TextBlock):
    def sizeHint(self) -> QSize:
        """Leave room for the scroll bar only when a line is too long."""
        content = self.document().size().toSize()
        overflow = content.width() > self.width()
        return QSize(content.width(), content.height() + (size("scrollbar") if overflow else 0))


class CodeBlock(QFrame):
    """Shows code.

    Args:
        code: the text between the fences.
        language: name behind the opening fence, '' for none.
    """

    def __init__(self, code: str, language: str = "") -> None:
        super().__init__()
        self.setProperty("role", "sunken")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.copy_button = CopyButton(code)
        self.code = _CodeText("mono_small", wrap=False)
        self.code.set_plain(code)
        CodeColors(self.code.document(), language)
        head = row(Text(language, "label", "muted"), STRETCH, self.copy_button)
        column(head, self.code, gap=1, margins=(3, 1, 3, 3), parent=self)
