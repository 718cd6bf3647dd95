"""Faults of a simulated board on demand: the menu that begins them, and a line for each that lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.layout import column

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_bridge import SimulatorBridge
    from zeroclaw_desktop.bridge.simulator_views import BenchFaultView

PinNames = Callable[[], Sequence[tuple[int, str]]]
LASTING = ("unplug", "garbage", "slow", "brown_out")
MOMENTARY = ("long_line",)


class FaultMenu(Button):
    """Begins faults of one board.

    Args:
        pins: gives number and name of the pins that can be stuck, when the list is opened.
    """

    def __init__(self, simulator: SimulatorBridge, board_id: str, pins: PinNames) -> None:
        super().__init__("", "ghost", "fault", compact=True)
        self._simulator, self._board_id, self._pins = simulator, board_id, pins
        self.entries: dict[str, QAction] = {}
        menu = QMenu(self)
        actions().guard(menu)
        for kind in (*LASTING, *MOMENTARY):
            entry = self.entries[kind] = menu.addAction(kind)
            entry.triggered.connect(lambda _=False, kind=kind: self._begin(kind))
        self._stuck = [QMenu(menu), QMenu(menu)]
        for level, below in enumerate(self._stuck):
            actions().guard(below)
            below.aboutToShow.connect(lambda level=level: self.fill_pins(level))
            menu.addMenu(below)
        self.setMenu(menu)
        self._retranslate()

    def show_faults(self, faults: Sequence[BenchFaultView]) -> None:
        """A fault that lasts already cannot begin again."""
        active = {fault.kind for fault in faults}
        for kind, entry in self.entries.items():
            entry.setEnabled(kind not in active)

    def fill_pins(self, level: int) -> QMenu:
        """List the pins that can be stuck at a level; returns the list."""
        below = self._stuck[level]
        below.clear()
        for number, name in self._pins():
            entry = below.addAction(self.tr("Pin {pin}").format(pin=name))
            entry.triggered.connect(
                lambda _=False, pin=number: self._simulator.set_stuck(self._board_id, pin, level)
            )
        return below

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _begin(self, kind: str) -> None:
        if kind in MOMENTARY:
            self._simulator.inject_fault(self._board_id, kind)
        else:
            self._simulator.set_fault(self._board_id, kind, True)

    def _retranslate(self) -> None:
        self.setText(self.tr("Provoke a fault"))
        texts = {
            "unplug": self.tr("Pull the USB cable"),
            "garbage": self.tr("Garbage on the line"),
            "slow": self.tr("Slow replies"),
            "brown_out": self.tr("Supply voltage too low"),
            "long_line": self.tr("A line of 1 MB"),
        }
        for kind, entry in self.entries.items():
            entry.setText(texts[kind])
        self._stuck[0].setTitle(self.tr("A pin stuck low"))
        self._stuck[1].setTitle(self.tr("A pin stuck high"))


class FaultLines(QWidget):
    """One line for each fault that lasts, with the button that ends it."""

    def __init__(self, simulator: SimulatorBridge, board_id: str) -> None:
        super().__init__()
        self._simulator, self._board_id = simulator, board_id
        self._faults: tuple[BenchFaultView, ...] = ()
        self.lines: list[Notice] = []
        self._column = column(gap=1, parent=self)
        self.hide()

    def show_faults(self, faults: Sequence[BenchFaultView]) -> None:
        """Show these faults."""
        if tuple(faults) != self._faults:
            self._faults = tuple(faults)
            self._rebuild()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._rebuild()
        super().changeEvent(event)

    def _rebuild(self) -> None:
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = [self._line(fault) for fault in self._faults]
        for line in self.lines:
            self._column.addWidget(line)
        self.setVisible(bool(self.lines))

    def _line(self, fault: BenchFaultView) -> Notice:
        ends = {"unplug": self.tr("Plug in"), "brown_out": self.tr("Restore")}
        line = Notice(self._text(fault), "warning", ends.get(fault.kind, self.tr("End")))
        line.action_triggered.connect(lambda: self._end(fault))
        line.button.setAccessibleName(f"{line.button.text()}: {line.text()}")
        return line

    def _end(self, fault: BenchFaultView) -> None:
        if fault.kind == "stuck":
            self._simulator.set_stuck(self._board_id, fault.pin, None)
        else:
            self._simulator.set_fault(self._board_id, fault.kind, False)

    def _text(self, fault: BenchFaultView) -> str:
        if fault.kind == "stuck":
            words = self.tr("Pin {pin} is stuck high.") if fault.level else self.tr("Pin {pin} is stuck low.")
            return words.format(pin=fault.pin_name)
        return {
            "unplug": self.tr("The USB cable is out."),
            "garbage": self.tr("Garbage comes four times a second."),
            "slow": self.tr("Each reply comes a second late."),
            "brown_out": self.tr("The supply is too low: the chip is held in reset."),
        }.get(fault.kind, fault.kind)
