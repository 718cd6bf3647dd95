"""Rows and columns on the 4 px grid, so that pages state what stands where and nothing else."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from zeroclaw_desktop.gui.theme import space

STRETCH = None
"""Put between items where free room should go."""

Item = QWidget | QLayout | None


def _filled(layout: QBoxLayout, items: tuple[Item, ...], gap: float, margins: tuple[float, ...]) -> None:
    left, top, right, bottom = (margins * 4)[:4] if len(margins) == 1 else (*margins, *margins)[:4]
    layout.setContentsMargins(space(left), space(top), space(right), space(bottom))
    layout.setSpacing(space(gap))
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, QWidget):
            layout.addWidget(item)
        else:
            layout.addLayout(item)


def row(
    *items: Item, gap: float = 2, margins: tuple[float, ...] = (0,), parent: QWidget | None = None
) -> QHBoxLayout:
    """Return a horizontal layout.

    Args:
        items: widgets, layouts or ``STRETCH``.
        gap: grid steps between items.
        margins: grid steps around: one for all sides, (horizontal, vertical), or (left, top, right, bottom).
        parent: widget that gets the layout.
    """
    layout = QHBoxLayout(parent) if parent else QHBoxLayout()
    _filled(layout, items, gap, margins)
    for item in items:
        if isinstance(item, QWidget):
            layout.setAlignment(item, Qt.AlignmentFlag.AlignVCenter)
    return layout


def column(
    *items: Item, gap: float = 2, margins: tuple[float, ...] = (0,), parent: QWidget | None = None
) -> QVBoxLayout:
    """Return a vertical layout; arguments as for ``row``."""
    layout = QVBoxLayout(parent) if parent else QVBoxLayout()
    _filled(layout, items, gap, margins)
    return layout
