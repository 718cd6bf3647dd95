"""What the frame needs to know of a page before anyone opens it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget


class PageSpec:
    """A page that is made on its first visit.

    A page may have ``focus_input()`` (Ctrl+L on the chat page) and ``show_detail(detail: str)`` (called when
    another page asked for it with a detail), ``restore(memory: PageMemory)`` (called once, after it was made)
    and ``remember(memory: PageMemory)`` (called when the window closes); all are optional. Not a dataclass:
    that module would be loaded before the first paint for this class alone.

    Args:
        key: ``chat``, ``devices``, ``plots``, ``dashboard``, ``activity``, ``logs`` or ``settings``.
        title: English title; translated in the context ``Pages``.
        icon: icon by meaning.
        factory: makes the page; imports its module inside, so that nothing is loaded before the first visit.
        at_bottom: True for a page whose button stands at the lower end of the activity bar.
    """

    __slots__ = ("at_bottom", "factory", "icon", "key", "title")

    def __init__(
        self, key: str, title: str, icon: str, factory: Callable[[], QWidget], at_bottom: bool = False
    ) -> None:
        self.key = key
        self.title = title
        self.icon = icon
        self.factory = factory
        self.at_bottom = at_bottom

    def shown_title(self) -> str:
        """Return the title in the person's language."""
        return QCoreApplication.translate("Pages", self.title)
