"""Text on a page: by type role and tone, elided when room is short, as section heads and key-value rows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row

_EXACT = ("mono", "mono_small")
"""Roles of texts that people copy: they are never changed."""
_LEAST_WRAP_STEPS = 30
_LONG_WORD = re.compile(r"\S{25,}")
_BREAK_AFTER = re.compile(r"([/\\\\_.:,;-]+)")
_BREAK = "\u200b"


def breakable(text: str) -> str:
    """Let long words such as paths break after their signs, by an invisible space that takes no room."""
    return _LONG_WORD.sub(lambda word: _BREAK_AFTER.sub(r"\1" + _BREAK, word.group()), text)


class Text(QLabel):
    """A label in one of the type roles.

    Args:
        text: shown as plain text, never as markup.
        role: ``caption``, ``label``, ``body``, ``strong``, ``lead``, ``title``, ``display``, ``mono``.
        tone: ``normal``, ``muted``, ``faint``, ``danger`` or ``accent``.
        wrap: break lines instead of asking for width.
    """

    def __init__(
        self, text: str = "", role: str = "body", tone: str = "normal", *, wrap: bool = False
    ) -> None:
        super().__init__()
        self._role = role
        self._given = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)
        self.setText(text)
        self._refresh_font()
        theme().theme_changed.connect(self._refresh_font)

    def setText(self, text: str) -> None:  # noqa: N802
        """Show another text."""
        self._given = text
        super().setText(breakable(text) if self.wordWrap() and self._role not in _EXACT else text)

    def text(self) -> str:
        """Return the text as it was given."""
        return self._given

    def minimumSizeHint(self) -> QSize:
        """Let no single long word ask for more room than there is."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), space(_LEAST_WRAP_STEPS)), hint.height()) if self.wordWrap() else hint

    def set_tone(self, tone: str) -> None:
        """Change the tone."""
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)

    def _refresh_font(self) -> None:
        self.setFont(theme().font(self._role))


class ElidedText(Text):
    """A one-line text that ends in an ellipsis when it does not fit; the whole text is its tooltip."""

    def __init__(
        self, text: str = "", role: str = "body", tone: str = "normal", *, middle: bool = False
    ) -> None:
        super().__init__("", role, tone)
        self._whole = ""
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text == self._whole:
            return
        self._whole = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def whole_text(self) -> str:
        """Return the text without the ellipsis."""
        return self._whole

    def sizeHint(self) -> QSize:
        """Ask for the width of the whole text."""
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 1, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Accept as little as an ellipsis."""
        return QSize(self.fontMetrics().horizontalAdvance("…") * 2, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide anew for the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, self._mode, max(self.width(), 1))
        self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


class Hairline(QFrame):
    """The one thin line that parts things."""

    def __init__(self, *, vertical: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "hairline")
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)


class SectionHeader(QWidget):
    """A section's name with room for buttons at its right."""

    def __init__(self, text: str = "", *trailing: QWidget) -> None:
        super().__init__()
        self._label = Text(text, "strong")
        row(self._label, STRETCH, *trailing, parent=self)

    def set_text(self, text: str) -> None:
        """Change the name."""
        self._label.setText(text)


class KeyValueList(QWidget):
    """Rows of name and value; values in mono digits, selectable with the mouse and the keyboard."""

    def __init__(self, rows: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(4))
        self._grid.setVerticalSpacing(space(1.5))
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[str, str]] = []
        self.set_rows(rows)

    def set_rows(self, rows: Iterable[tuple[str, str]]) -> None:
        """Show these (name, value) rows; nothing happens when they are the ones already shown."""
        wanted = list(rows)
        if wanted == self._rows:
            return
        if [name for name, _ in wanted] != [name for name, _ in self._rows]:
            self._rebuild(wanted)
        for number, (_, value) in enumerate(wanted):
            item = self._grid.itemAtPosition(number, 1)
            label = item.widget() if item else None
            if isinstance(label, ElidedText):
                label.set_text(value)
        self._rows = wanted

    def rows(self) -> list[tuple[str, str]]:
        """Return what is shown."""
        return list(self._rows)

    def _rebuild(self, rows: list[tuple[str, str]]) -> None:
        while item := self._grid.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for number, (name, value) in enumerate(rows):
            label = ElidedText(value, "mono", middle=True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(Text(name, "body", "muted"), number, 0)
            self._grid.addWidget(label, number, 1)
