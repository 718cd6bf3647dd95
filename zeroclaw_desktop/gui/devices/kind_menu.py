"""The menu of kinds of boards that a port may be taken for: the likely ones, then all of them by family."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.gui.actions import actions

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import BoardKindView


class KindMenu(QMenu):
    """Lets the person say which board is at a port.

    Args:
        kinds: all kinds, families together.
        candidates: keys of those that the port's USB id may stand for; when there are some, they come first
            and the others are a menu below.
    """

    chosen = Signal(str)
    """Key of the kind."""

    def __init__(
        self, parent: QWidget, kinds: Sequence[BoardKindView], candidates: Collection[str] = ()
    ) -> None:
        super().__init__(parent)
        actions().guard(self)
        self.entries: dict[str, QAction] = {}
        """The entry of each kind, by key; a candidate's is the one at the top."""
        self._others: QMenu | None = None
        self._nameless: list[QMenu] = []
        likely = [kind for kind in kinds if kind.key in candidates]
        for kind in likely:
            self._add(self, kind)
        place: QMenu = self
        if likely:
            self.addSeparator()
            self._others = place = self._menu_in(self)
        self._add_families(place, [kind for kind in kinds if kind not in likely])
        self._retranslate()

    def families(self) -> list[str]:
        """Headings of the menus below, as they are shown."""
        place = self._others or self
        return [action.text() for action in place.actions() if action.menu() is not None]

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _add_families(self, place: QMenu, kinds: Sequence[BoardKindView]) -> None:
        for family in dict.fromkeys(kind.family for kind in kinds):
            menu = self._menu_in(place)
            if family:
                menu.setTitle(family)
            else:
                self._nameless.append(menu)
            for kind in kinds:
                if kind.family == family:
                    self._add(menu, kind)

    def _menu_in(self, place: QMenu) -> QMenu:
        menu = QMenu(place)
        actions().guard(menu)
        place.addMenu(menu)
        return menu

    def _add(self, place: QMenu, kind: BoardKindView) -> None:
        entry = place.addAction(kind.name.replace("&", "&&"))
        entry.triggered.connect(lambda: self.chosen.emit(kind.key))
        self.entries[kind.key] = entry

    def _retranslate(self) -> None:
        if self._others is not None:
            self._others.setTitle(self.tr("Another kind of board"))
        for menu in self._nameless:
            menu.setTitle(self.tr("Your own boards"))
