"""What a page may remember from one start to the next, apart from all other pages. Qt-free.

The frame gives it to a page's ``restore`` after the page was made, and to its ``remember`` when the window
closes.
"""

from __future__ import annotations

from typing import Protocol


class Keeper(Protocol):
    """Where values are kept."""

    def text(self, key: str, default: str = "") -> str:
        """Return a remembered text."""

    def set_text(self, key: str, value: str) -> None:
        """Remember a text."""

    def numbers(self, key: str) -> list[int]:
        """Return remembered whole numbers, [] when there are none or they are damaged."""

    def set_numbers(self, key: str, values: list[int]) -> None:
        """Remember whole numbers."""


class PageMemory:
    """The values of one page.

    Args:
        keeper: where they are kept.
        page: key of the page.
    """

    def __init__(self, keeper: Keeper, page: str) -> None:
        self._keeper = keeper
        self._prefix = f"{page}/"

    def text(self, name: str, default: str = "") -> str:
        """Return a remembered text."""
        return self._keeper.text(self._prefix + name, default)

    def set_text(self, name: str, value: str) -> None:
        """Remember a text."""
        self._keeper.set_text(self._prefix + name, value)

    def numbers(self, name: str) -> list[int]:
        """Return remembered whole numbers, [] when there are none or they are damaged."""
        return self._keeper.numbers(self._prefix + name)

    def set_numbers(self, name: str, values: list[int]) -> None:
        """Remember whole numbers, such as a splitter's sizes in logical pixels."""
        self._keeper.set_numbers(self._prefix + name, values)

    def flag(self, name: str, default: bool) -> bool:
        """Return whether something was on."""
        return self.text(name, "1" if default else "0") == "1"

    def set_flag(self, name: str, value: bool) -> None:
        """Remember whether something is on."""
        self.set_text(name, "1" if value else "0")
