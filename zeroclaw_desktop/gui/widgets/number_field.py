"""A field for one number, typed as people type it: ``0.5``, ``0,5``, ``-1e-3``, full-width signs too."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit

_AS_TYPED = str.maketrans("，,．。－−＋０１２３４５６７８９", "....--+0123456789")


def typed_number(text: str) -> float | None:
    """Return the finite number that a person typed, None when it is none."""
    try:
        value = float(text.strip().translate(_AS_TYPED))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class NumberField(QLineEdit):
    """Takes one number; what is no number is marked and ``value`` is None.

    Args:
        value: at first.
    """

    number_changed = Signal()
    """The person typed; ``value`` tells what."""

    def __init__(self, value: float = 0.0) -> None:
        super().__init__()
        self.textEdited.connect(self._take)
        self.set_value(value)

    def value(self) -> float | None:
        """Return the number, None while the text is none."""
        return typed_number(self.text())

    def set_value(self, value: float) -> None:
        """Show a number with as many digits as it needs; a text that means the same is left as it is."""
        if self.value() != value:
            self.setText(f"{value:.10g}")
        self._mark()

    def _take(self) -> None:
        self._mark()
        self.number_changed.emit()

    def _mark(self) -> None:
        faulty = self.value() is None
        if bool(self.property("invalid")) != faulty:
            self.setProperty("invalid", faulty)
            self.style().unpolish(self)
            self.style().polish(self)
