"""What the frame needs to know of a page before anyone opens it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class PageSpec:
    """A page that is made on its first visit.

    A page may have ``focus_input()`` (Ctrl+L on the chat page) and ``show_detail(detail: str)`` (called when
    another page asked for it with a detail); both are optional.
    """

    key: str
    """``chat``, ``devices``, ``plots``, ``logs`` or ``settings``."""
    title: str
    """English title; translated in the context ``Pages``."""
    icon: str
    """Icon by meaning."""
    factory: Callable[[], QWidget]
    """Makes the page; imports its module inside, so that nothing is loaded before the first visit."""
    at_bottom: bool = False
    """True for a page whose button stands at the lower end of the activity bar."""

    def shown_title(self) -> str:
        """Return the title in the person's language."""
        return QCoreApplication.translate("Pages", self.title)
