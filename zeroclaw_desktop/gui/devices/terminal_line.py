"""One terminal of a part: the dot that is dragged to a pin, and the button that does it by the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_views import PinChoiceView, TerminalView

Choices = Callable[[], Sequence["PinChoiceView"]]
DRAG_PIXELS = 4
DOT_STEPS = 1.25
"""Radius of a dot."""


class TerminalDot(QWidget):
    """The end of a wire; filled while it is wired.

    Args:
        terminal: key of the terminal.
    """

    drag_moved = Signal(object, QPoint)
    """(this dot, place on the screen) while it is dragged."""
    drag_ended = Signal(object, QPoint)
    drag_cancelled = Signal(object)
    hovered = Signal(object)
    """This dot, or None when the pointer has left it."""

    def __init__(self, part_id: str, terminal: str) -> None:
        super().__init__()
        self.part_id, self.terminal = part_id, terminal
        self._color = QColor(theme().color("text_muted"))
        self._wired = False
        self._pressed_at: QPoint | None = None
        self._dragging = False
        edge = size("icon")
        self.setFixedSize(edge, edge)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the button beside it is for the keyboard
        theme().theme_changed.connect(self.update)

    def show_state(self, wired: bool, color: QColor) -> None:
        """Show whether it is wired, and the colour of its wire."""
        if (wired, color) != (self._wired, self._color):
            self._wired, self._color = wired, color
            self.update()

    def color(self) -> QColor:
        """The colour of its wire."""
        return self._color

    def center(self) -> QPointF:
        """Its middle, in its own coordinates."""
        return QPointF(self.width() / 2, self.height() / 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the end of the wire."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pull the wire after the pointer."""
        place = event.globalPosition().toPoint()
        if self._pressed_at is None:
            return
        if not self._dragging and (place - self._pressed_at).manhattanLength() >= DRAG_PIXELS:
            self._dragging = True
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self._dragging:
            self.drag_moved.emit(self, place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the wire."""
        was_dragging, self._pressed_at = self._dragging, None
        self._end()
        if was_dragging:
            self.drag_ended.emit(self, event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give up the drag with Esc."""
        if event.key() == Qt.Key.Key_Escape and self._dragging:
            self._pressed_at = None
            self._end()
            self.drag_cancelled.emit(self)
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QEvent) -> None:
        """A dot that goes is dragged no more."""
        if self._dragging:
            self._pressed_at = None
            self._end()
            self.drag_cancelled.emit(self)

    def enterEvent(self, event: QEvent) -> None:
        """Bring its wire out."""
        self.hovered.emit(self)

    def leaveEvent(self, event: QEvent) -> None:
        """Let its wire back."""
        self.hovered.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._color, 2))
        painter.setBrush(self._color if self._wired else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(self.center(), DOT_STEPS * space(1), DOT_STEPS * space(1))
        painter.end()

    def _end(self) -> None:
        self._dragging = False


class PinButton(Button):
    """Shows to which pin a terminal is wired; opens the list of pins."""

    chosen = Signal(object)
    """Number of a pin, None for no wire."""
    refused = Signal(str)
    """Why the pin that was chosen may not be."""

    def __init__(self, choices: Choices) -> None:
        super().__init__("", "secondary", compact=True)
        self._choices = choices
        self._wired = False
        self.menu_of_pins = QMenu(self)
        actions().guard(self.menu_of_pins)
        self.menu_of_pins.setToolTipsVisible(True)
        self.menu_of_pins.aboutToShow.connect(self.fill)
        self.setMenu(self.menu_of_pins)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_terminal(self, part_name: str, terminal: TerminalView, *, sole: bool) -> None:
        """Show a terminal.

        Args:
            sole: whether the part has no other one, whose name need not be said then.
        """
        self._wired = terminal.pin is not None
        wired = self.tr("pin {pin}").format(pin=terminal.pin_name)
        self.setText(wired if self._wired else self.tr("not wired"))
        what = part_name if sole else f"{part_name}, {terminal.name}"
        self.setAccessibleName(f"{what}: {self.text()}")
        self.setToolTip(self.tr("Wire to another pin"))

    def fill(self) -> None:
        """List the pins anew: those that are possible, then the others, which tell why they are not."""
        menu = self.menu_of_pins
        menu.clear()
        if self._wired:
            menu.addAction(self.tr("Take the wire off")).triggered.connect(lambda: self.chosen.emit(None))
            menu.addSeparator()
        choices = list(self._choices())
        for choice in choices:
            if not choice.refusal:
                entry = menu.addAction(choice.name)
                entry.setToolTip(choice.remark)
                entry.triggered.connect(lambda _=False, number=choice.number: self.chosen.emit(number))
        others = [choice for choice in choices if choice.refusal]
        if others:
            below = menu.addMenu(self.tr("Not possible"))
            below.setToolTipsVisible(True)
            actions().guard(below)
            for choice in others:
                entry = below.addAction(choice.name)
                entry.setToolTip(choice.refusal)
                entry.triggered.connect(lambda _=False, why=choice.refusal: self.refused.emit(why))
