"""Commands that pages, widgets and the frame share, so that no page needs to know another one.

A page asks for another page through ``actions().open_page("plots")``; the frame listens and obeys.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

STOP_KEY = "F12"
RULES_DETAIL = "approval-rules"
"""What to ask the Activity page for to see the remembered answers."""


class Actions(QObject):
    """Wishes that reach beyond one page; the frame connects to the signals."""

    page_requested = Signal(str, str)
    """Key of a page (``chat``, ``devices``, ``plots``, ``activity`` ...); what to show there or ''."""
    stop_requested = Signal(str)
    """Where the emergency stop was asked for: ``key`` or ``button``."""
    help_requested = Signal()
    question_requested = Signal()
    """The person wants to see the question that waits for an answer."""

    full_screen_requested = Signal()
    """The person wants the page to fill the screen, or no longer."""

    def open_page(self, key: str, detail: str = "") -> None:
        """Show a page; an unknown key is ignored by the frame."""
        self.page_requested.emit(key, detail)

    def guard(self, window: QWidget) -> None:
        """Make F12 stop everything also while this menu or dialog has the keyboard."""
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn F12 in a guarded window into ``stop_requested``."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_F12
            and not event.isAutoRepeat()
        ):
            self.stop_requested.emit("key")
            return True
        return super().eventFilter(watched, event)


_shared: list[Actions] = []


def actions() -> Actions:
    """Return the application's one Actions object, made on first use."""
    if not _shared:
        _shared.append(Actions())
    return _shared[0]
