"""The button that adds a simulated board of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint

from zeroclaw_desktop.gui.devices.kind_menu import KindMenu
from zeroclaw_desktop.gui.widgets.buttons import Button

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_bridge import SimulatorBridge


class SimulatorChoice(Button):
    """Lets the person say which board to simulate."""

    def __init__(self, simulator: SimulatorBridge) -> None:
        super().__init__("", "ghost", "simulator")
        self._simulator = simulator
        self._menu: KindMenu | None = None
        self.clicked.connect(lambda: self.kinds().popup(self.mapToGlobal(QPoint(0, self.height()))))
        self._retranslate()

    def kinds(self) -> KindMenu:
        """The list of kinds; made when it is first asked for, as the board files are read for it."""
        if self._menu is None:
            self._menu = KindMenu(self, self._simulator.kinds())
            self._menu.chosen.connect(self._simulator.add_board)
        return self._menu

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setText(self.tr("Add a simulated board"))
