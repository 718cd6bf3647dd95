"""Fields that the style sheet alone cannot dress: a choice with our own caret, texts that keep their face."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QWidget

from zeroclaw_desktop.gui.theme import pixmap, size, space, theme


class ChoiceList(QComboBox):
    """A choice of many, with the caret of the icon family and a wheel that scrolls the page instead."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        theme().theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the caret; the style sheet leaves its place free."""
        super().paintEvent(event)
        edge = size("icon_small")
        painter = QPainter(self)
        place = QPointF(self.width() - edge - space(2), (self.height() - edge) / 2)
        ink = "text_muted" if self.isEnabled() else "text_disabled"
        painter.drawPixmap(place, pixmap("collapse", ink, edge))
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the choice."""
        event.ignore()


def keep_face(widget: QWidget, event: QEvent, role: str) -> None:
    """Set a widget's font again when the style sheet has replaced it.

    A style sheet resolves a widget's font anew each time that the widget enters another window or style, and
    then forgets sizes and families that were set by code. To be called from ``changeEvent``.

    Args:
        widget: whose font it is.
        event: what changed.
        role: font role, see ``Faces.font``.
    """
    if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
        wanted = theme().font(role)
        if (widget.font().families(), widget.font().pixelSize()) != (wanted.families(), wanted.pixelSize()):
            widget.setFont(wanted)


class LogText(QPlainTextEdit):
    """Lines in small mono digits that can be read and copied, not changed."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "log")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        theme().theme_changed.connect(self._dress)
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the face."""
        super().changeEvent(event)
        keep_face(self, event, "mono_small")

    def _dress(self) -> None:
        self.setFont(theme().font("mono_small"))


class MonoField(QLineEdit):
    """A line for text that goes to a machine as it is."""

    def __init__(self) -> None:
        super().__init__()
        theme().theme_changed.connect(self._dress)
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        """Keep the face."""
        super().changeEvent(event)
        keep_face(self, event, "mono")

    def _dress(self) -> None:
        self.setFont(theme().font("mono"))
