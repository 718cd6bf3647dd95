"""The picture of a board with its live pins: the brightest thing on the screen.

Draws a ``BoardDrawing`` and over it levels, duty, voltages, the glowing LED and value labels; pins are
reached by mouse and by the arrow keys.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRadialGradient,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.board_drawing import BoardDrawing
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing
from zeroclaw_desktop.gui.widgets.pin_marks import (
    Callout,
    arranged,
    draw_mark,
    draw_warning,
    has_callout,
    mark_color,
    pin_sentence,
    value_text,
)

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import PinView

LED_ROLE = "led"
OWN_LED = "led-l"
"""Element of a drawing that is the board's own LED."""
_PITCH = 10.0
"""Distance of two pins in the drawing's units (100 mil)."""
_GLOW = 26.0
"""How far a lamp glows, in the same units; on a small board no farther than this share of its height."""
_GLOW_SHARE = 0.2


class BoardPicture(QWidget):
    """A board with live pins.

    Args:
        picture: drawing, see BoardDrawing.
        callouts: show value labels above and below the board.
    """

    pin_clicked = Signal(int)
    """Number of the pin that was clicked, or chosen with Enter; a board that is off sends none."""

    def __init__(self, picture: str = "arduino-uno", *, callouts: bool = True) -> None:
        super().__init__()
        self._drawing = BoardDrawing(picture)
        self._picture = picture
        self._show_callouts = callouts
        self._pins: dict[int, PinView] = {}
        self._highlighted: set[int] = set()
        self._callouts: list[Callout] = []
        self._focused: int | None = None
        self._hovered: int | None = None
        self._simulated = False
        self._powered = False
        self._name = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        FocusRing(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(size("board_minimum_width"))
        self.setMaximumWidth(size("board_maximum_width"))
        theme().theme_changed.connect(self.update)

    def set_board(self, picture: str, name: str, *, simulated: bool, powered: bool) -> None:
        """Show another board.

        Args:
            picture: drawing, see BoardDrawing; '' gives a generic board.
            name: for screen readers.
            simulated: draws the blue-violet rim.
            powered: lights the ON lamp and the pins; a board that is off is drawn pale.
        """
        if picture != self._picture:
            self._drawing = BoardDrawing(picture)
            self._picture = picture
            self._focused = None
            self.updateGeometry()
        self._name, self._simulated, self._powered = name, simulated, powered
        self._arrange()

    def set_pins(self, pins: Iterable[PinView]) -> None:
        """Show these pin states."""
        wanted = {pin.number: pin for pin in pins}
        if wanted != self._pins:
            self._pins = wanted
            self._arrange()

    def highlight_pins(self, numbers: Iterable[int]) -> None:
        """Draw a ring around pins that something else on the page speaks of; an empty list removes it."""
        self._highlighted = set(numbers)
        self.update()

    def highlighted_pins(self) -> frozenset[int]:
        """Return the numbers of the pins that have a ring."""
        return frozenset(self._highlighted)

    def led_brightness(self) -> float:
        """Return how bright the LED is drawn, 0..1."""
        pin = self._led()
        if pin is None or not self._powered or pin.mode not in ("output", "pwm"):
            return 0.0
        high = pin.duty if pin.duty is not None else float(bool(pin.level))
        return 1.0 - high if pin.active_low else high

    def _led(self) -> PinView | None:
        """The pin of the board's own LED."""
        return next((pin for pin in self._pins.values() if pin.role == LED_ROLE), None)

    def pin_at(self, place: QPointF) -> int | None:
        """Return the number of the pin at a place in the widget (its hole or its label), else None."""
        for callout in self._callouts:
            if callout.rect.contains(place):
                return callout.pin.number
        reach = _PITCH * self._scale() * 0.55
        nearest = min(self._drawing.pins, key=lambda number: self._distance(number, place), default=None)
        return nearest if nearest is not None and self._distance(nearest, place) <= reach else None

    def wire_place(self, number: int) -> QPointF | None:
        """Return where a wire to a pin ends: at its hole, at the LED on the board that has none, or None."""
        if number in self._drawing.pins:
            return self.pin_place(number)
        led = self._led()
        if led is not None and led.number == number and OWN_LED in self._drawing.leds:
            return self._placed(self._drawing.leds[OWN_LED].center())
        return None

    def pin_place(self, number: int) -> QPointF:
        """Return where a pin is drawn in the widget; KeyError when the drawing has no such pin."""
        return self._placed(self._drawing.pins[number])

    def sizeHint(self) -> QSize:
        """Prefer a picture in which the printed pin names can be read."""
        width = round(size("board_minimum_width") * 1.6)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        width = size("board_minimum_width")
        return QSize(width, self.heightForWidth(width))

    def heightForWidth(self, width: int) -> int:
        """Return the height that the drawing and its labels need at a width."""
        inner = width - 2 * space(3)
        return round(inner * self._drawing.view.height() / self._drawing.view.width() + 2 * self._band())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the labels anew."""
        super().resizeEvent(event)
        self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the pin under the pointer."""
        found = self.pin_at(event.position())
        if found != self._hovered:
            self._hovered = found
            takes_clicks = found is not None and self._powered
            self.setCursor(Qt.CursorShape.PointingHandCursor if takes_clicks else Qt.CursorShape.ArrowCursor)
            self.update()

    def _choose(self, number: int) -> None:
        if self._powered:
            self.pin_clicked.emit(number)

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the pointer."""
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the pin under the pointer."""
        found = self.pin_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self._focus_pin(found)
            self._choose(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk over the pins with the arrow keys, choose with Enter or space."""
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        key = Qt.Key(event.key())
        if key in steps and self._drawing.pins:
            self._walk(*steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._focused is not None:
            self._choose(self._focused)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Tell about the pin under the pointer in a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.pin_at(QPointF(event.pos()))
            pin = self._pins.get(number) if number is not None else None
            if pin is not None:
                QToolTip.showText(event.globalPos(), pin_sentence(pin), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._arrange()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw mat, board, lamps, marks and labels."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._draw_mat(painter)
        area = self._picture_area()
        painter.setOpacity(1.0 if self._powered else 0.55)
        painter.drawPixmap(area.topLeft(), self._drawing.pixmap(area.width(), self.devicePixelRatioF()))
        painter.setOpacity(1.0)
        if self._powered:
            self._draw_lamps(painter)
            radius = _PITCH * self._scale() * 0.36
            for number, pin in self._pins.items():
                if number in self._drawing.pins:
                    draw_mark(painter, self.pin_place(number), radius, pin)
                    if pin.strapping or pin.conflict:
                        draw_warning(painter, self.pin_place(number), radius)
            self._draw_callouts(painter)
        self._draw_rings(painter)
        painter.end()

    def _band(self) -> int:
        return space(10) if self._show_callouts else space(3)

    def _picture_area(self) -> QRectF:
        view = self._drawing.view
        inside = QRectF(self.rect()).adjusted(space(3), self._band(), -space(3), -self._band())
        scale = max(0.01, min(inside.width() / view.width(), inside.height() / view.height()))
        area = QRectF(0, 0, view.width() * scale, view.height() * scale)
        area.moveCenter(inside.center())
        return area

    def _scale(self) -> float:
        return self._picture_area().width() / self._drawing.view.width()

    def _placed(self, point: QPointF) -> QPointF:
        area, view = self._picture_area(), self._drawing.view
        scale = area.width() / view.width()
        offset = (point - view.topLeft()) * scale
        return area.topLeft() + offset

    def _distance(self, number: int, place: QPointF) -> float:
        offset = self.pin_place(number) - place
        return math.hypot(offset.x(), offset.y())

    def _arrange(self) -> None:
        self._callouts = self._wanted_callouts() if self._show_callouts and self._powered else []
        shown = self._pins.get(self._focused) if self._focused is not None else None
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(pin_sentence(shown) if shown else "")
        self.update()

    def _wanted_callouts(self) -> list[Callout]:
        metrics = QFontMetricsF(theme().font("mono_small"))
        middle = self._picture_area().center().y()
        height = float(space(6))
        rows: dict[bool, list[Callout]] = {True: [], False: []}
        for number, pin in self._pins.items():
            if number not in self._drawing.pins or not has_callout(pin):
                continue
            anchor = self.pin_place(number)
            above = anchor.y() < middle
            value = value_text(pin)
            top = float(space(2)) if above else self.height() - height - space(2)
            width = metrics.horizontalAdvance(pin.name + value) + space(8.5)
            rows[above].append(Callout(pin, value, anchor, QRectF(0, top, width, height)))
        left, right = float(space(2)), float(self.width() - space(2))
        return arranged(rows[True], left, right, space(1)) + arranged(rows[False], left, right, space(1))

    def _draw_mat(self, painter: QPainter) -> None:
        mat = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setBrush(theme().color("simulated_soft" if self._simulated else "sunken"))
        rim = QPen(theme().color("simulated"), 1.5) if self._simulated else QPen(Qt.PenStyle.NoPen)
        painter.setPen(rim)
        painter.drawRoundedRect(mat, theme().radius("card"), theme().radius("card"))

    def _draw_lamps(self, painter: QPainter) -> None:
        if "led-on" in self._drawing.leds:
            self._draw_lamp(painter, self._drawing.leds["led-on"], theme().color("power_on"), 0.6)
        brightness = self.led_brightness()
        if brightness > 0 and OWN_LED in self._drawing.leds:
            strength = 0.35 + 0.65 * brightness
            self._draw_lamp(painter, self._drawing.leds[OWN_LED], theme().color("led_on"), strength)

    def _draw_lamp(self, painter: QPainter, bounds: QRectF, tint: QColor, strength: float) -> None:
        center, scale = self._placed(bounds.center()), self._scale()
        reach = min(_GLOW, _GLOW_SHARE * self._drawing.view.height()) * scale * strength
        glow = QRadialGradient(center, reach)
        for stop, opacity in ((0.0, 0.95), (0.25, 0.55), (1.0, 0.0)):
            shade = QColor(tint)
            shade.setAlphaF(opacity * strength)
            glow.setColorAt(stop, shade)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(glow)
        painter.drawEllipse(center, reach, reach)
        painter.setBrush(theme().color("led_core") if strength > 0.6 else tint)
        lamp = QRectF(0, 0, bounds.width() * scale, bounds.height() * scale)
        lamp.moveCenter(center)
        painter.drawRoundedRect(lamp, scale, scale)

    def _draw_callouts(self, painter: QPainter) -> None:
        painter.setFont(theme().font("mono_small"))
        for callout in self._callouts:
            ink = theme().color(mark_color(callout.pin))
            above = callout.rect.center().y() < callout.anchor.y()
            edge = callout.rect.bottom() if above else callout.rect.top()
            painter.setPen(QPen(theme().color("text_faint"), 1))
            near = callout.anchor.y() + (-1 if above else 1) * _PITCH * self._scale() * 0.5
            painter.drawLine(QPointF(callout.rect.center().x(), edge), QPointF(callout.anchor.x(), near))
            hot = callout.pin.number in (self._hovered, self._focused if self.hasFocus() else None)
            painter.setPen(QPen(theme().color("accent" if hot else "hairline_strong"), 1))
            painter.setBrush(theme().color("raised"))
            painter.drawRoundedRect(callout.rect, callout.rect.height() / 2, callout.rect.height() / 2)
            dot = QPointF(callout.rect.left() + space(2.5), callout.rect.center().y())
            painter.setPen(QPen(theme().color("pin_ground"), 2))
            painter.setBrush(ink if not _is_low(callout.pin) else theme().color("raised"))
            painter.drawEllipse(dot, space(0.9), space(0.9))
            room = callout.rect.adjusted(space(4.5), 0, -space(2), 0)
            painter.setPen(theme().color("text_muted"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, int(middle | Qt.AlignmentFlag.AlignLeft), callout.pin.name)
            painter.setPen(theme().color("text"))
            painter.drawText(room, int(middle | Qt.AlignmentFlag.AlignRight), callout.value)

    def _draw_rings(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius = _PITCH * self._scale() * 0.55
        for number in self._highlighted & self._drawing.pins.keys():
            painter.setPen(QPen(theme().color("led_on"), 2.5))
            painter.drawEllipse(self.pin_place(number), radius, radius)
        focused = self._focused if self.hasFocus() else None
        for marked in (self._hovered, focused):
            if marked is not None and marked in self._drawing.pins:
                painter.setPen(QPen(theme().color("pin_focus"), 2))
                painter.drawEllipse(self.pin_place(marked), radius, radius)

    def _walk(self, right: int, down: int) -> None:
        pins = self._drawing.pins
        if self._focused is None:
            led = self._led()
            self._focus_pin(led.number if led is not None and led.number in pins else min(pins))
            return
        here = pins[self._focused]
        if right:
            same_row = [n for n, p in pins.items() if abs(p.y() - here.y()) < _PITCH]
            ahead = [n for n in same_row if (pins[n].x() - here.x()) * right > 0]
        else:
            ahead = [n for n, p in pins.items() if (p.y() - here.y()) * down > _PITCH]
        if ahead:
            self._focus_pin(min(ahead, key=lambda n: abs(pins[n].x() - here.x())))

    def _focus_pin(self, number: int) -> None:
        self._focused = number
        self._arrange()


def _is_low(pin: PinView) -> bool:
    return pin.mode != "servo" and pin.duty is None and pin.volts is None and not pin.level
