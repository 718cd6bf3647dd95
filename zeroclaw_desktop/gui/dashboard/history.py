"""Undo and redo for dashboards: each step keeps the dashboards before and after, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from zeroclaw_desktop.bridge.dashboard_document import Book, Dashboard

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.dashboards_bridge import DashboardsBridge

MOST_STEPS = 200


class _State(NamedTuple):
    """What a step changes; plots in the chat are not a part of it."""

    dashboards: tuple[Dashboard, ...]
    current: str


class DashboardHistory(QObject):
    """Changes the document through undo steps; what others change becomes a step as well.

    Args:
        bridge: keeps the document.
        parent: owner.
    """

    def __init__(self, bridge: DashboardsBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(MOST_STEPS)
        self._known = _state_of(bridge.book())
        self._applying = False
        bridge.changed.connect(self._follow)

    def change(self, text: str, book: Book) -> None:
        """Make a change that can be undone.

        Args:
            text: what is done, for the undo button.
            book: the whole document afterwards.
        """
        after = _state_of(book)
        if after.dashboards != self._known.dashboards:
            self.stack.push(_Step(self, text, self._known, after))

    def choose(self, dashboard_id: str) -> None:
        """Show another dashboard; that is no step."""
        self.apply(_State(self._known.dashboards, dashboard_id))

    def apply(self, state: _State) -> None:
        """Bring the document to a state."""
        self._applying = True
        self._known = state
        self._bridge.change(replace(self._bridge.book(), dashboards=state.dashboards, current=state.current))
        self._applying = False

    def _follow(self) -> None:
        found = _state_of(self._bridge.book())
        if self._applying or found == self._known:
            return
        before, self._known = self._known, found
        if before.dashboards != found.dashboards:
            self.stack.push(_Step(self, "", before, found))


class _Step(QUndoCommand):
    def __init__(self, history: DashboardHistory, text: str, before: _State, after: _State) -> None:
        super().__init__(text)
        self._history, self._before, self._after = history, before, after

    def redo(self) -> None:
        self._history.apply(self._after)

    def undo(self) -> None:
        # The dashboard that the step was about is shown, not the one that was shown when it began.
        ids = [one.dashboard_id for one in self._before.dashboards]
        current = self._after.current if self._after.current in ids else self._before.current
        self._history.apply(_State(self._before.dashboards, current))


def _state_of(book: Book) -> _State:
    return _State(book.dashboards, book.current)
