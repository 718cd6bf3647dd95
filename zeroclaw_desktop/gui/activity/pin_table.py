"""Pins of a task: what was asked beside what was read back from the board. They are different things."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from zeroclaw_desktop.gui.activity.words import level_word, pin_name
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.labels import Text

PinRow = tuple[int, str, str, str]
"""(pin, value before, value asked for, value read back); '' for what is not known."""
_LEVELS = {"low": 0, "high": 1, "低": 0, "高": 1}


def pin_rows(commanded: Sequence[tuple[int, str, str]], observed: dict[int, str]) -> list[PinRow]:
    """Return one row for each pin that was asked for or read back, by pin number.

    Args:
        commanded: (pin, before, after) as asked.
        observed: value by pin as read back.
    """
    asked = {pin: (before, after) for pin, before, after in commanded}
    return [(pin, *asked.get(pin, ("", "")), observed.get(pin, "")) for pin in sorted({*asked, *observed})]


def differs(row: PinRow) -> bool:
    """Tell whether the board said something else than what was asked."""
    _, _, asked, observed = row
    if not asked or not observed or asked == "?":
        return False
    return _plain(asked) != _plain(observed)


def _plain(value: str) -> str:
    return str(_LEVELS.get(value, value))


class PinTable(QWidget):
    """Rows of pins under the heads 'asked' and 'read back'."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[PinRow, ...] = ()
        self._ended = True
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(6))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(3, 1)

    def set_rows(self, rows: Sequence[PinRow], *, ended: bool = True) -> None:
        """Show these pins; ``ended`` is False while nothing can have been read back yet."""
        if (tuple(rows), ended) != (self._rows, self._ended):
            self._rows, self._ended = tuple(rows), ended
            self._rebuild()
        self.setVisible(bool(self._rows))

    def rows(self) -> tuple[PinRow, ...]:
        """Return what is shown."""
        return self._rows

    def texts(self) -> list[list[str]]:
        """Return the words of each row as they are shown."""
        return [self._texts(row) for row in self._rows]

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._rebuild()
        super().changeEvent(event)

    def _texts(self, row: PinRow) -> list[str]:
        pin, before, asked, observed = row
        known = f"{_word(before)} → {_word(asked)}" if before not in ("", "?") else _word(asked)
        seen = _word(observed) if observed else (self.tr("not read") if self._ended else "…")
        return [pin_name(pin), known if asked else self.tr("nothing"), seen]

    def _rebuild(self) -> None:
        while item := self._grid.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        heads = (self.tr("Pin"), self.tr("Asked"), self.tr("Read back"))
        for place, head in enumerate(heads):
            self._grid.addWidget(Text(head, "caption", "muted"), 0, place)
        for number, row in enumerate(self._rows, start=1):
            texts = self._texts(row)
            wrong = differs(row)
            for place, text in enumerate(texts):
                label = Text(text, "mono", "danger" if wrong and place == 2 else "normal")
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                self._grid.addWidget(label, number, place)
            if wrong:
                self._grid.addWidget(Text(self.tr("differs"), "label", "danger"), number, 3)
        self.setAccessibleName(
            "; ".join(f"{heads[0]} {a}, {heads[1]} {b}, {heads[2]} {c}" for a, b, c in self.texts())
        )


def _word(value: str) -> str:
    return level_word(_LEVELS[value]) if value in _LEVELS else value or level_word(None)
