"""What a virtual part looks like in its row: a glowing LED, a servo's arm, a motor's disc; else its icon."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QRadialGradient
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import pixmap, size, theme

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_views import PartView

EYE_EXPONENT = 1 / 2.2
"""An eye sees half of the light as much more than half as bright."""
LENS_SHARE = 0.46
FULL_RPM = 250.0
_SWEEP = 300.0


class PartFace(QWidget):
    """A square picture of a part; its words stand beside it, so it has none for screen readers."""

    def __init__(self) -> None:
        super().__init__()
        edge = size("control_small")
        self.setFixedSize(edge, edge)
        self._part: PartView | None = None
        theme().theme_changed.connect(self.update)

    def show_part(self, part: PartView) -> None:
        """Show a part as it is now."""
        if part != self._part:
            self._part = part
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the part."""
        if self._part is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painters = {"led": self._lamp, "rgb_led": self._lamp, "servo": self._servo, "motor": self._motor}
        painters.get(self._part.kind, self._icon)(painter, self._part)
        painter.end()

    def _icon(self, painter: QPainter, part: PartView) -> None:
        sounding = bool(part.reading.get("hertz")) or (part.kind == "button" and part.closed)
        edge = size("icon_small")
        offset = (self.width() - edge) / 2
        ink = "accent" if sounding else "simulated_ink"
        painter.drawPixmap(QPointF(offset, offset), pixmap(part.icon, ink, edge))

    def _lamp(self, painter: QPainter, part: PartView) -> None:
        tint, light = light_of(part)
        center, radius = QPointF(self.width() / 2, self.height() / 2), self.width() / 2
        if light > 0:
            glow = QRadialGradient(center, radius)
            shade = QColor(tint)
            shade.setAlphaF(0.25 + 0.75 * light)
            glow.setColorAt(0.35, shade)
            shade.setAlphaF(0)
            glow.setColorAt(1, shade)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(glow)
            painter.drawEllipse(center, radius, radius)
        lens = QColor(theme().color("sunken"))
        for channel in ("Red", "Green", "Blue"):
            dark, lit = getattr(lens, channel.lower())(), getattr(tint, channel.lower())()
            getattr(lens, f"set{channel}")(round(dark + (lit - dark) * (0.18 + 0.82 * light)))
        painter.setPen(QPen(theme().color("hairline_strong"), 1))
        painter.setBrush(lens)
        painter.drawEllipse(center, radius * LENS_SHARE, radius * LENS_SHARE)

    def _servo(self, painter: QPainter, part: PartView) -> None:
        """A half circle with the arm; 0 degrees is to the right, as a servo's datum is drawn."""
        center = QPointF(self.width() / 2, self.height() * 0.68)
        reach = self.width() * 0.42
        painter.setPen(QPen(theme().color("hairline_strong"), 1.5))
        painter.drawArc(QRectF(center.x() - reach, center.y() - reach, 2 * reach, 2 * reach), 0, 180 * 16)
        moving = "pulse_us" in part.reading
        ink = theme().color("simulated_ink" if moving else "text_muted")
        turn = math.radians(part.reading.get("degrees", 0.0))
        tip = QPointF(center.x() + reach * math.cos(turn), center.y() - reach * math.sin(turn))
        painter.setPen(QPen(ink, 2.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(center, tip)
        painter.setBrush(ink)
        painter.drawEllipse(center, 2.0, 2.0)

    def _motor(self, painter: QPainter, part: PartView) -> None:
        """A ring that fills with the speed, clockwise forwards; red where the shaft is blocked."""
        ring = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        painter.setPen(QPen(theme().color("hairline_strong"), 2.5))
        painter.drawEllipse(ring)
        speed = part.reading.get("rpm", 0.0) / FULL_RPM
        stalled = part.closed and part.reading.get("duty", 0.0) > 0
        ink = theme().color("danger" if stalled else "simulated_ink")
        painter.setPen(QPen(ink, 2.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        share = 1.0 if stalled else speed
        if share:
            painter.drawArc(ring, 90 * 16, round(-share * _SWEEP * 16))
        painter.setBrush(ink)
        painter.drawEllipse(ring.center(), 2.5, 2.5)


def light_of(part: PartView) -> tuple[QColor, float]:
    """Colour and strength (0..1, as the eye sees it) of an LED or an RGB LED."""
    reading = part.reading
    if part.kind == "led":
        return theme().color(f"light_{part.setting('colour')}"), reading.get(
            "brightness", 0.0
        ) ** EYE_EXPONENT
    shares = [reading.get(colour, 0.0) ** EYE_EXPONENT for colour in ("red", "green", "blue")]
    strongest = max(shares)
    if not strongest:
        return QColor(theme().color("light_white")), 0.0
    return QColor.fromRgbF(*(share / strongest for share in shares)), strongest
