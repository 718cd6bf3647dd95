"""How a pin's live state is drawn and put into words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from zeroclaw_desktop.gui.theme import theme

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import PinView

_PRIORITY = ("servo", "pwm", "analog", "input_pullup", "output")


def _tr(text: str) -> str:
    return QCoreApplication.translate("PinMarks", text)


def mode_text(mode: str) -> str:
    """Return a pin mode in the person's language."""
    return {
        "input": _tr("input"),
        "input_pullup": _tr("input with pull-up"),
        "output": _tr("output"),
        "pwm": _tr("PWM output"),
        "servo": _tr("servo"),
        "analog": _tr("analog input"),
        "serial": _tr("serial port"),
        "reserved": _tr("reserved"),
    }.get(mode, _tr("not known yet"))


def value_text(pin: PinView) -> str:
    """Return what the pin carries, with its unit; '' when nothing is known."""
    if pin.mode == "servo":
        return _tr("servo")
    if pin.duty is not None:
        return f"{pin.duty * 100:.0f} %"
    if pin.volts is not None:
        return f"{pin.volts:.2f} V"
    if pin.level is None:
        return ""
    return _tr("high") if pin.level else _tr("low")


def pin_state(pin: PinView) -> str:
    """Return names, role, mode and value."""
    name = _tr("Pin {0}").format(pin.name)
    named = "".join(f", {name}" for name in pin.names)
    called = ", ".join((*pin.other_names, *((pin.role,) if pin.role else ())))
    called = f"{named} ({called})" if called else named
    parts = dict.fromkeys(part for part in (mode_text(pin.mode), value_text(pin)) if part)
    state = ", ".join(parts)
    return f"{name}{called}: {state}"


def pin_sentence(pin: PinView) -> str:
    """Return the pin's state and what to be careful of, for tooltips and screen readers."""
    return " · ".join(part for part in (pin_state(pin), pin.conflict, pin.used_by, pin.note) if part)


def has_callout(pin: PinView) -> bool:
    """Tell whether the pin's value is worth a label beside the board."""
    return _rank(pin) < len(_PRIORITY) and bool(value_text(pin))


def _rank(pin: PinView) -> int:
    if pin.mode in _PRIORITY:
        return _PRIORITY.index(pin.mode)
    measured = pin.volts is not None or pin.duty is not None
    return _PRIORITY.index("analog") if measured else len(_PRIORITY)


def mark_color(pin: PinView) -> str:
    """Return the colour token of the pin's mark."""
    if pin.mode == "servo":
        return "pin_servo"
    if pin.duty is not None:
        return "pin_pwm"
    if pin.volts is not None:
        return "pin_analog"
    return "pin_high" if pin.level else "pin_low"


def draw_mark(painter: QPainter, center: QPointF, radius: float, pin: PinView) -> None:
    """Draw a pin's mark on its header hole.

    High is a filled disc with a bar, low an empty ring, PWM a ring closed as far as the duty, analog a vessel
    filled as far as the voltage, servo a needle, reserved a crossed-out ring.

    Args:
        painter: active painter, antialiased.
        center, radius: place and size in logical pixels.
        pin: what to show.
    """
    if pin.mode == "reserved":
        _draw_reserved(painter, center, radius)
        return
    if pin.mode == "unknown" or not value_text(pin):
        return
    box = QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color("pin_ground"))
    painter.drawEllipse(box)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    thin = QPen(theme().color(mark_color(pin)), max(1.0, radius * 0.28))
    if pin.mode == "servo":
        painter.setPen(thin)
        painter.drawEllipse(box)
        painter.drawLine(center, QPointF(center.x() + radius * 0.6, center.y() - radius * 0.6))
    elif pin.duty is not None:
        _draw_duty(painter, box, pin.duty)
    elif pin.volts is not None:
        _draw_vessel(painter, box, pin.volts / pin.full_volts, thin)
    elif pin.level:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(thin.color())
        painter.drawEllipse(box)
        painter.setPen(QPen(theme().color("pin_ground"), max(1.0, radius * 0.3)))
        reach = radius * 0.5
        painter.drawLine(QPointF(center.x(), center.y() - reach), QPointF(center.x(), center.y() + reach))
    else:
        painter.setPen(thin)
        painter.drawEllipse(box)


def draw_warning(painter: QPainter, center: QPointF, radius: float) -> None:
    """Draw the mark of a pin to be careful with (boot mode, conflict): a triangle at its upper right.

    Args:
        painter: active painter, antialiased.
        center, radius: place and size of the pin's own mark in logical pixels.
    """
    edge = max(6.0, radius * 1.1)
    tip = center + QPointF(radius * 0.9, -radius * 0.7 - edge)
    painter.setPen(QPen(theme().color("pin_ground"), 1.2))
    painter.setBrush(theme().color("pin_analog"))
    painter.drawPolygon(QPolygonF([tip, tip + QPointF(edge / 2, edge), tip + QPointF(-edge / 2, edge)]))


def _draw_reserved(painter: QPainter, center: QPointF, radius: float) -> None:
    reach = radius * 0.78
    painter.setBrush(theme().color("pin_ground"))
    painter.setPen(QPen(theme().color("pin_low"), max(1.0, radius * 0.2)))
    painter.drawEllipse(center, reach, reach)
    slant = reach * 0.7
    painter.drawLine(center + QPointF(-slant, slant), center + QPointF(slant, -slant))


def _draw_duty(painter: QPainter, box: QRectF, duty: float) -> None:
    painter.setPen(QPen(theme().color("pin_low"), max(1.0, box.width() * 0.1)))
    painter.drawEllipse(box)
    painter.setPen(QPen(theme().color("pin_pwm"), max(1.5, box.width() * 0.25)))
    painter.drawArc(box, 90 * 16, round(-360 * 16 * duty))


def _draw_vessel(painter: QPainter, box: QRectF, share: float, rim: QPen) -> None:
    level = min(1.0, max(0.0, share))
    span = round(math.degrees(math.acos(1 - 2 * level)) * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(rim.color())
    painter.drawChord(box, 270 * 16 - span, 2 * span)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(rim)
    painter.drawEllipse(box)


@dataclass
class Callout:
    """A value label beside the board."""

    pin: PinView
    value: str
    anchor: QPointF
    """Middle of the pin, logical pixels."""
    rect: QRectF
    """Where the label is drawn."""


def arranged(callouts: Iterable[Callout], left: float, right: float, gap: float) -> list[Callout]:
    """Place labels of one side in a row, each as near to its pin as the others allow.

    Args:
        callouts: labels with their sizes; those that do not fit are left out, plain levels first.
        left, right: ends of the row in logical pixels.
        gap: least distance between two labels.

    Returns:
        The labels that fit, from left to right, with their rectangles moved.
    """
    chosen: list[Callout] = []
    room = right - left
    for callout in sorted(callouts, key=lambda c: _rank(c.pin)):
        needed = callout.rect.width() + gap
        if needed <= room:
            chosen.append(callout)
            room -= needed
    chosen.sort(key=lambda c: c.anchor.x())
    edge = left
    for callout in chosen:
        start = max(edge, callout.anchor.x() - callout.rect.width() / 2)
        callout.rect.moveLeft(start)
        edge = callout.rect.right() + gap
    edge = right
    for callout in reversed(chosen):
        if callout.rect.right() > edge:
            callout.rect.moveRight(edge)
        edge = callout.rect.left() - gap
    return chosen
