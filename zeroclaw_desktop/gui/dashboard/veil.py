"""Lies over a tile while the dashboard is edited: takes mouse and keys, so that nothing under it acts."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import space, theme

_HANDLE = 5
_KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Veil(QWidget):
    """Over one tile.

    Args:
        tile_id: of the tile.
        parent: the grid.
    """

    dragged = Signal(str, float, float, bool)
    """(tile, pixels across, pixels down since the press, whether the size is meant)."""
    dropped = Signal(str)
    let_go = Signal(str)
    """The drag was given up."""
    nudged = Signal(str, int, int, bool)
    """(tile, columns, rows, whether the size is meant): an arrow key."""
    removed = Signal(str)
    opened = Signal(str)
    """The person wants to see its properties."""

    def __init__(self, tile_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.tile_id = tile_id
        self._begin: QPointF | None = None
        self._sizing = False
        self._moving = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        theme().theme_changed.connect(self.update)

    def on_handle(self, at: QPointF) -> bool:
        """Whether a point is on the corner by which the tile is resized."""
        edge = space(_HANDLE)
        return at.x() >= self.width() - edge and at.y() >= self.height() - edge

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to move or to resize."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.accept()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.raise_()
        self._begin = event.globalPosition()
        self._sizing = self.on_handle(event.position())
        self._moving = False
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it, or show what a press here would do."""
        if self._begin is None:
            corner = self.on_handle(event.position())
            self.setCursor(Qt.CursorShape.SizeFDiagCursor if corner else Qt.CursorShape.SizeAllCursor)
            return
        way = event.globalPosition() - self._begin
        if self._moving or way.manhattanLength() >= space(1):
            self._moving = True
            self.dragged.emit(self.tile_id, way.x(), way.y(), self._sizing)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        if self._begin is not None and self._moving:
            self.dropped.emit(self.tile_id)
        self._begin, self._moving = None, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the properties."""
        self.opened.emit(self.tile_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, with Shift they resize; Delete removes, Enter opens the properties, Esc gives up."""
        key = Qt.Key(event.key())
        sizing = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            super().keyPressEvent(event)
        elif key in _KEYS:
            self.nudged.emit(self.tile_id, *_KEYS[key], sizing)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.tile_id)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.opened.emit(self.tile_id)
        elif key == Qt.Key.Key_Escape and self._moving:
            self._begin, self._moving = None, False
            self.let_go.emit(self.tile_id)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self.update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a thin wash, the border and the corner."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wash = QColor(theme().color("accent"))
        wash.setAlphaF(0.06 if self.hasFocus() else 0.02)
        chosen = self.hasFocus()
        painter.setBrush(wash)
        width = 2.0 if chosen else 1.0
        style = Qt.PenStyle.SolidLine if chosen else Qt.PenStyle.DashLine
        painter.setPen(QPen(theme().color("accent" if chosen else "hairline_strong"), width, style))
        radius = theme().radius("card")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        pen = QPen(theme().color("accent" if chosen else "text_faint"), 2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        right, bottom = self.width() - space(1.5), self.height() - space(1.5)
        for step in (1.0, 2.25):
            painter.drawLine(QPointF(right - space(step), bottom), QPointF(right, bottom - space(step)))
        painter.end()
