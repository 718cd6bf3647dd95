"""A switch: on or off."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from zeroclaw_desktop.gui.theme import size, space, theme


class Switch(QAbstractButton):
    """On or off; a knob and its place as well as a colour tell which."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedSize(self.sizeHint())
        self.toggled.connect(self.update)
        theme().theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Ask for room for the track and its focus ring."""
        return QSize(2 * size("knob") + space(4), size("knob") + space(3))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ring, track and knob."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        if self.hasFocus():
            painter.setPen(QPen(theme().color("accent"), 2))
            ring = whole.adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        track = whole.adjusted(space(1), space(1), -space(1), -space(1))
        painter.setPen(QPen(theme().color("accent" if self.isChecked() else "hairline_strong"), 1))
        painter.setBrush(theme().color("accent" if self.isChecked() else "sunken"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        radius = track.height() / 2 - 2
        across = track.right() - radius - 2 if self.isChecked() else track.left() + radius + 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("on_accent" if self.isChecked() else "text_faint"))
        painter.drawEllipse(QPointF(across, track.center().y()), radius, radius)
        painter.end()
