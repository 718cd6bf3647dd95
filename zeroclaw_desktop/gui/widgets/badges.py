"""State in a small pill: a shape and a word, so that no state is told by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import size, space, theme

_KINDS = {
    "live": ("live_soft", "live_ink", "disc"),
    "off": ("sunken", "text_muted", "ring"),
    "busy": ("accent_soft", "accent_ink", "half"),
    "waits": ("warn_soft", "warn_ink", "triangle"),
    "failed": ("danger_soft", "danger_ink", "cross"),
    "simulated": ("simulated_soft", "simulated_ink", "diamond"),
    "recording": ("danger_soft", "danger_ink", "disc"),
    "interrupted": ("warn_soft", "warn_ink", "half"),
}


class Badge(QWidget):
    """A pill with a shape and a word.

    Args:
        text: the word.
        kind: ``live`` (disc), ``off`` (ring), ``busy`` (half disc), ``waits`` (triangle), ``failed`` (cross),
            ``simulated`` (diamond), ``recording`` (disc in red), ``interrupted`` (half disc in amber).
    """

    def __init__(self, text: str = "", kind: str = "off") -> None:
        super().__init__()
        self._text = text
        self._kind = kind
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)
        theme().theme_changed.connect(self.updateGeometry)

    def set_state(self, text: str, kind: str) -> None:
        """Show another state; KeyError for a kind that is not known."""
        if kind not in _KINDS:
            raise KeyError(kind)
        if (text, kind) != (self._text, self._kind):
            self._text, self._kind = text, kind
            self.setAccessibleName(text)
            self.updateGeometry()
            self.update()

    def text(self) -> str:
        """Return the word."""
        return self._text

    def kind(self) -> str:
        """Return the kind."""
        return self._kind

    def sizeHint(self) -> QSize:
        """Fit the word."""
        width = QFontMetrics(theme().font("label")).horizontalAdvance(self._text)
        return QSize(width + space(7), size("badge"))

    def minimumSizeHint(self) -> QSize:
        """Never cut the word."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw pill, shape and word."""
        ground, ink, shape = _KINDS[self._kind]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color(ground))
        radius = self.height() / 2
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        draw_shape(painter, QPointF(space(3), self.height() / 2), space(1), shape, theme().color(ink))
        painter.setPen(theme().color(ink))
        painter.setFont(theme().font("label"))
        area = self.rect().adjusted(space(5), 0, 0, 0)
        text = self._text
        if self.width() < self.sizeHint().width():
            text = painter.fontMetrics().elidedText(
                text, Qt.TextElideMode.ElideRight, area.width() - space(1)
            )
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.end()


def draw_shape(painter: QPainter, center: QPointF, radius: float, shape: str, ink: QColor) -> None:
    """Draw a state's shape.

    Args:
        painter: active painter, antialiased.
        center, radius: place and half height in logical pixels.
        shape: ``disc``, ``ring``, ``half``, ``triangle``, ``cross`` or ``diamond``.
        ink: its colour.
    """
    box = QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius)
    painter.setPen(QPen(ink, max(1.5, radius / 3)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if shape == "ring":
        painter.drawEllipse(box)
    elif shape == "half":
        painter.drawEllipse(box)
        painter.setBrush(ink)
        painter.drawPie(box, 90 * 16, 180 * 16)
    elif shape == "cross":
        painter.drawLine(box.topLeft(), box.bottomRight())
        painter.drawLine(box.topRight(), box.bottomLeft())
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        if shape == "disc":
            painter.drawEllipse(box)
        elif shape == "triangle":
            top = QPointF(center.x(), box.top())
            painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))
        else:
            painter.drawPolygon(
                QPolygonF(
                    [
                        QPointF(center.x(), box.top()),
                        QPointF(box.right(), center.y()),
                        QPointF(center.x(), box.bottom()),
                        QPointF(box.left(), center.y()),
                    ]
                )
            )


def kind_of_board_state(state: str) -> str:
    """Return the badge kind for a ``BoardView.state``."""
    kinds = {"live": "live", "connecting": "busy", "flashing": "busy", "lost": "failed", "failed": "failed"}
    return kinds.get(state, "off")
