"""The foot of the Devices page: the button that adds a simulated board, and why one could not be added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.kind_menu import KindMenu
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_bridge import SimulatorBridge
    from zeroclaw_desktop.bridge.views import ErrorView


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


class SimulatorFoot(QWidget):
    """The button, and the error of the last board that could not be added.

    Args:
        others: buttons beside it.
    """

    def __init__(self, simulator: SimulatorBridge, *others: QWidget) -> None:
        super().__init__()
        self.button = SimulatorChoice(simulator)
        self.error = ErrorCard(dismissible=True)
        self.error.dismissed.connect(self.error.hide)
        self.error.hide()
        column(self.error, row(self.button, *others, STRETCH), gap=2, parent=self)
        simulator.add_failed.connect(self._show_error)

    def _show_error(self, error: ErrorView) -> None:
        self.error.set_error(error, offer_action=False)
        self.error.show()
