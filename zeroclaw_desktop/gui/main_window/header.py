"""The strip over every page: its title and the Stop button that is always there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame

from zeroclaw_desktop.gui.theme import size, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import ElidedText
from zeroclaw_desktop.gui.widgets.layout import row


class StopButton(Button):
    """Stops everything on the press itself, not on the release: nobody should have to aim twice."""

    stop_pressed = Signal()

    def __init__(self) -> None:
        super().__init__("", "danger", "stop")
        self.setObjectName("stop_button")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._held = 0.0
        self.pressed.connect(self.stop_pressed)
        self.retranslate()

    def set_held(self, share: float) -> None:
        """Fill the button from the left; ``share`` 0..1 of the time that Esc must be held."""
        self._held = share
        self.update()

    def held(self) -> float:
        """Return the share that is filled."""
        return self._held

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the fill between ground and text."""
        super().paintEvent(event)
        if not self._held:
            return
        # Their many enumerations would delay the first paint by 6 ms, and nobody holds Esc that early.
        from PySide6.QtWidgets import QStyle, QStyleOptionButton, QStylePainter

        painter = QStylePainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("danger_pressed"))
        painter.setClipRect(QRectF(0, 0, self.width() * self._held, self.height()))
        radius = theme().radius("control")
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.setClipping(False)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        painter.end()

    def retranslate(self) -> None:
        """Follow the language."""
        self.setText(self.tr("Stop everything") + "   F12")
        self.setToolTip(
            self.tr("Stop all commands and switch every pin off on every board (F12, or hold Esc)")
        )
        self.setAccessibleName(self.tr("Stop everything"))


class Header(QFrame):
    """Title at the left, Stop button at the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("header")
        self.setFixedHeight(size("header"))
        self.title = ElidedText("", "title")
        self.stop_button = StopButton()
        row(self.title, self.stop_button, gap=4, margins=(6, 0, 4, 0), parent=self)

    def set_title(self, title: str) -> None:
        """Show a page's title."""
        self.title.set_text(title)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.stop_button.retranslate()
        super().changeEvent(event)
