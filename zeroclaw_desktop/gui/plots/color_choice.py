"""A choice among the plot colours: a row of swatches, by mouse or arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

COLORS = 8
_EDGE = 6
_GAP = 2


class ColorChoice(QWidget):
    """Eight swatches; the chosen one has a ring and a tick."""

    chosen = Signal(int)
    """Number of the colour that the person took."""

    def __init__(self) -> None:
        super().__init__()
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        FocusRing(self)
        theme().theme_changed.connect(self.update)
        self._retranslate()

    def current(self) -> int:
        """Return the number of the chosen colour, 0 to 7."""
        return self._current

    def set_current(self, number: int) -> None:
        """Mark a colour; numbers beyond the last begin anew."""
        self._current = number % COLORS
        self.update()

    def sizeHint(self) -> QSize:
        """All swatches in a row."""
        return QSize(space(COLORS * (_EDGE + _GAP) - _GAP + 2), space(_EDGE + 2))

    def place(self, number: int) -> QRectF:
        """Return the rectangle of a swatch in logical pixels."""
        return QRectF(space(1) + number * space(_EDGE + _GAP), space(1), space(_EDGE), space(_EDGE))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the colour under the pointer."""
        for number in range(COLORS):
            if self.place(number).contains(event.position()):
                self._take(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a neighbour with the arrow keys."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._take((self._current + step) % COLORS)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the swatches."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(COLORS):
            box = self.place(number)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().series_color(number))
            painter.drawRoundedRect(box, space(1), space(1))
            if number == self._current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme().color("text"), 2))
                painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), space(1.5), space(1.5))
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _take(self, number: int) -> None:
        self.set_current(number)
        self.chosen.emit(number)
        self._retranslate()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Colour {0} of {1}").format(self._current + 1, COLORS))
