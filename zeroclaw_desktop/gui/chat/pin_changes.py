"""Pins before and after a command: small chips such as '13  low -> high', with shapes as well as words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.badges import draw_shape

PinChange = tuple[int, str, str]
"""(pin, before, after); a value that is not known is ''."""
_FIRST_ANALOG = 14
_LAST_ANALOG = 19
_HIGH_WORDS = ("high", "on", "1", "高")


def pin_name(number: int) -> str:
    """Return the printed name of an Uno's pin: 14 to 19 are A0 to A5."""
    return f"A{number - _FIRST_ANALOG}" if _FIRST_ANALOG <= number <= _LAST_ANALOG else str(number)


def _is_known(value: str) -> bool:
    return value not in ("", "?")


def level_text(value: str) -> str:
    """Return a pin's value in the person's language; values that are not words stay as they are."""
    words = {
        "low": QCoreApplication.translate("PinChanges", "low"),
        "high": QCoreApplication.translate("PinChanges", "high"),
        "": QCoreApplication.translate("PinChanges", "unknown"),
        "?": QCoreApplication.translate("PinChanges", "unknown"),
    }
    return words.get(value.lower(), value)


def change_sentence(change: PinChange) -> str:
    """Return a change in words, for screen readers: 'Pin 7: low to high'."""
    number, before, after = change
    sentence = QCoreApplication.translate("PinChanges", "Pin {0}: {1} to {2}")
    return sentence.format(pin_name(number), level_text(before), level_text(after))


class PinChanges(QWidget):
    """A row of chips that wraps; it draws itself."""

    def __init__(self, changes: Sequence[PinChange] = ()) -> None:
        super().__init__()
        self._changes: tuple[PinChange, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_changes(changes)

    def set_changes(self, changes: Sequence[PinChange]) -> None:
        """Show these changes; nothing is shown for an empty list."""
        self._changes = tuple(changes)
        if not self._changes:
            self.hide()
        elif self.parentWidget() is not None:
            # Without a parent it would open as a window of its own and take the keyboard.
            self.show()
        self._name()
        self.updateGeometry()
        self.update()

    def changes(self) -> tuple[PinChange, ...]:
        """Return what is shown."""
        return self._changes

    def sizeHint(self) -> QSize:
        """Ask for one row."""
        width = sum(self._chip_width(change) + space(2) for change in self._changes)
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Accept one chip for each row."""
        return QSize(max((self._chip_width(change) for change in self._changes), default=0), size("badge"))

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows at a width."""
        return round(self._places(width)[-1].bottom()) if self._changes else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for change, place in zip(self._changes, self._places(self.width()), strict=True):
            self._draw_chip(painter, change, place)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._name()
            self.updateGeometry()
        super().changeEvent(event)

    def _name(self) -> None:
        self.setAccessibleName("; ".join(change_sentence(change) for change in self._changes))

    def _parts(self, change: PinChange) -> tuple[str, str, str]:
        number, before, after = change
        return pin_name(number), level_text(before) if _is_known(before) else "", level_text(after)

    def _chip_width(self, change: PinChange) -> int:
        metrics = QFontMetrics(theme().font("mono_small"))
        name, before, after = (metrics.horizontalAdvance(part) for part in self._parts(change))
        middle = before + space(13.5) if _is_known(change[1]) else space(5)
        return name + middle + after + space(6)

    def _places(self, width: int) -> list[QRectF]:
        places: list[QRectF] = []
        left, top, height = 0, 0, size("badge")
        for change in self._changes:
            wide = self._chip_width(change)
            if left and left + wide > width:
                left, top = 0, top + height + space(1)
            places.append(QRectF(left, top, wide, height))
            left += wide + space(2)
        return places

    def _draw_chip(self, painter: QPainter, change: PinChange, place: QRectF) -> None:
        name, before, after = self._parts(change)
        painter.setPen(QPen(theme().color("hairline_strong"), 1))
        painter.setBrush(theme().color("sunken"))
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), place.height() / 2, place.height() / 2)
        painter.setFont(theme().font("mono_small"))
        left = place.left() + space(2.5)
        left = _draw_word(painter, place, left, name, theme().color("text_muted")) + space(2)
        if _is_known(change[1]):
            left = self._draw_value(painter, place, left, change[1], before) + space(1.5)
            left = _draw_arrow(painter, left, place.center().y()) + space(2)
        self._draw_value(painter, place, left, change[2], after)

    def _draw_value(self, painter: QPainter, place: QRectF, left: float, value: str, word: str) -> float:
        is_high = value.lower() in _HIGH_WORDS
        ink = theme().color("live" if is_high else "text_faint")
        center = QPointF(left + space(1), place.center().y())
        draw_shape(painter, center, space(0.9), "disc" if is_high else "ring", ink)
        text = theme().color("live_ink" if is_high else "text")
        return _draw_word(painter, place, left + space(3), word, text)


def _draw_arrow(painter: QPainter, left: float, middle: float) -> float:
    """Draw an arrow to the right and return where it ends."""
    right, wing = left + space(3), space(1)
    painter.setPen(QPen(theme().color("text_faint"), 1.5))
    tip = QPointF(right, middle)
    painter.drawLine(QPointF(left, middle), tip)
    painter.drawLine(QPointF(right - wing, middle - wing), tip)
    painter.drawLine(QPointF(right - wing, middle + wing), tip)
    return right


def _draw_word(painter: QPainter, place: QRectF, left: float, word: str, ink: QColor) -> float:
    """Draw a word in a chip and return where it ends."""
    width = painter.fontMetrics().horizontalAdvance(word)
    painter.setPen(ink)
    area = QRectF(left, place.top(), width + 1, place.height())
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), word)
    return left + width
