"""The ring around a large part (plot, list, board picture) that the keyboard has reached.

Buttons and fields get theirs from the style sheet. Large parts show none for a click: there the pointer tells
where one is.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import theme

_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class FocusRing(QWidget):
    """Lies over a widget, lets every click through, and is shown while that widget has the keyboard by a key.

    Args:
        target: the widget; it becomes the parent.
    """

    def __init__(self, target: QWidget) -> None:
        super().__init__(target)
        self._target = target
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        target.installEventFilter(self)
        theme().theme_changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow focus and size of the target."""
        if watched is self._target:
            if event.type() == QEvent.Type.FocusIn and isinstance(event, QFocusEvent):
                self._follow(event.reason() in _KEYBOARD)
            elif event.type() == QEvent.Type.FocusOut:
                self.hide()
            elif event.type() == QEvent.Type.Resize and self.isVisible():
                self._follow(shown=True)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("accent"), 2))
        radius = theme().radius("control")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        painter.end()

    def _follow(self, shown: bool) -> None:
        self.setGeometry(self._target.rect())
        self.setVisible(shown)
        if shown:
            self.raise_()
