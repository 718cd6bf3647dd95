"""How a board with an Espressif chip is put into its boot mode by hand: picture and three steps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row


class BootModePicture(QWidget):
    """The drawing, as wide as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self._renderer = QSvgRenderer(str(resource_path("pictures/esp-boot-mode.svg")))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """The drawing's own size."""
        return self._renderer.defaultSize()

    def hasHeightForWidth(self) -> bool:
        """It keeps its shape."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height at a width; never larger than the drawing itself."""
        own = self._renderer.defaultSize()
        return min(own.height(), round(width * own.height() / own.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it in the middle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fitted = self._renderer.defaultSize().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left = (self.width() - fitted.width()) / 2
        self._renderer.render(painter, QRectF(left, 0, fitted.width(), fitted.height()))
        painter.end()


class BootModeHelp(QFrame):
    """Picture, steps, and the button that goes on without resetting the board."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("kind", "info")
        self._picture = BootModePicture()
        self._steps = Text(wrap=True)
        self._no_button = Text(tone="muted", wrap=True)
        self.done_button = Button("", "primary", compact=True)
        foot = row(self.done_button, STRETCH)
        column(self._picture, self._steps, self._no_button, foot, gap=2, margins=(4, 3), parent=self)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._steps.setText(self.tr("1. Hold BOOT.  2. Press EN (or RST) and let it go.  3. Let go of BOOT."))
        self._no_button.setText(
            self.tr("No BOOT button? Connect GPIO0 (on C3 and C6 GPIO9) to GND while you press EN.")
        )
        self.done_button.setText(self.tr("I have done that"))
        self._picture.setAccessibleName(self._steps.text())
