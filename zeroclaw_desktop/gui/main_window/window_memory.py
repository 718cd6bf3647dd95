"""Remembers where the window stood and what it showed, in an ini file in the ZeroClaw home folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication

from zeroclaw_desktop.gui.theme import size

if TYPE_CHECKING:
    from zeroclaw_desktop.gui.widgets.page_memory import PageMemory

VERSION = 1
"""Raised when the meaning of a stored value changes; values of another version are ignored."""


def clamped(wanted: QRect, screens: list[QRect], minimum: QSize) -> QRect:
    """Return a rectangle that lies whole on one screen.

    Args:
        wanted: where the window stood.
        screens: usable areas; the one that shares most with ``wanted`` is taken, else the first.
        minimum: the window's least size; a smaller screen wins over it.
    """
    if not screens:
        return wanted

    def shared(screen: QRect) -> int:
        common = screen.intersected(wanted)
        return common.width() * common.height() if common.isValid() else 0

    screen = max(screens, key=shared)
    width = min(max(wanted.width(), minimum.width()), screen.width())
    height = min(max(wanted.height(), minimum.height()), screen.height())
    left = min(max(wanted.left(), screen.left()), screen.left() + screen.width() - width)
    top = min(max(wanted.top(), screen.top()), screen.top() + screen.height() - height)
    return QRect(left, top, width, height)


class WindowMemory:
    """Values that survive the window.

    Args:
        folder: the ZeroClaw home folder; None keeps everything in memory only.
    """

    def __init__(self, folder: Path | None) -> None:
        self._settings: QSettings | None = None
        self._values: dict[str, object] = {}
        if folder is not None:
            self._settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
            if _as_int(self._settings.value("version"), VERSION) != VERSION:
                self._settings.clear()
            self._settings.setValue("version", VERSION)

    def text(self, key: str, default: str = "") -> str:
        """Return a remembered text."""
        found = self._get(key)
        return found if isinstance(found, str) else default

    def set_text(self, key: str, value: str) -> None:
        """Remember a text."""
        self._set(key, value)

    def numbers(self, key: str) -> list[int]:
        """Return remembered whole numbers, [] when there are none or they are damaged."""
        words = self.text(key).split()
        return [int(word) for word in words] if all(word.lstrip("-").isdigit() for word in words) else []

    def set_numbers(self, key: str, values: list[int]) -> None:
        """Remember whole numbers, such as a splitter's sizes."""
        self._set(key, " ".join(str(value) for value in values))

    def is_first_start(self) -> bool:
        """Tell whether no window was ever closed with this memory."""
        return not self.text("frame/page")

    def of_page(self, page: str) -> PageMemory:
        """Return the part of the memory that belongs to a page."""
        from zeroclaw_desktop.gui.widgets.page_memory import PageMemory  # not needed to paint

        return PageMemory(self, page)

    def geometry(self) -> QRect:
        """Return where the window should stand, clamped to the screens that are there now."""
        minimum = QSize(size("window_minimum_width"), size("window_minimum_height"))
        primary = QGuiApplication.primaryScreen()
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        if primary is not None:
            screens.sort(key=lambda area: area != primary.availableGeometry())
        numbers = self.numbers("frame/geometry")
        if len(numbers) == 4:
            return clamped(QRect(*numbers), screens, minimum)
        wanted = QRect(0, 0, size("window_width"), size("window_height"))
        if screens:
            wanted.moveCenter(screens[0].center())
        return clamped(wanted, screens, minimum)

    def save(self) -> None:
        """Write the file now."""
        if self._settings is not None:
            self._settings.sync()

    def _get(self, key: str) -> object:
        return self._values.get(key) if self._settings is None else self._settings.value(key)

    def _set(self, key: str, value: object) -> None:
        if self._settings is None:
            self._values[key] = value
        else:
            self._settings.setValue(key, value)


def _as_int(value: object, default: int) -> int:
    return int(value) if isinstance(value, str) and value.isdigit() else default
