"""By which way a firmware is written, where a board has several; and which programs are missing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.tools_sheet import InstallCommand
from zeroclaw_desktop.gui.widgets.buttons import FoldButton, IconButton
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.tool_views import WayView
    from zeroclaw_desktop.bridge.tools_bridge import ToolsBridge

AUTOMATIC = ""


class FlashWay(QWidget):
    """The choice, hidden where there is nothing to choose and nothing missing.

    Args:
        tools: bridge object that knows the ways.
    """

    changed = Signal()
    """Another way was chosen, or more is known of the ways."""

    def __init__(self, tools: ToolsBridge) -> None:
        super().__init__()
        self._tools = tools
        self._asked = ("", "")
        self._ways: list[WayView] = []
        self._name = Text(tone="muted")
        self._body = QWidget()
        self.fold = FoldButton("", self._body)
        self.choice = ChoiceList()
        self.choice.currentIndexChanged.connect(lambda _index: self._show_reason())
        self._line = QWidget()
        self.look_button = IconButton("refresh", small=True)
        self.look_button.clicked.connect(self._look_again)
        row(self._name, self.choice, STRETCH, gap=4, parent=self._line)
        self.reason = Notice(kind="warning")
        self._reason_line = QWidget()
        row(self.reason, self.look_button, gap=1, parent=self._reason_line).setStretch(0, 1)
        self.commands: list[InstallCommand] = []
        self._column = column(gap=1)
        column(self._line, self._reason_line, self._column, gap=2, parent=self._body)
        column(self.fold, self._body, gap=1, parent=self)
        tools.ways_found.connect(self._take_ways)
        self._show([])
        self._retranslate()

    def look(self, board_id: str, firmware: str) -> None:
        """Find out the ways for a firmware."""
        if (board_id, firmware) != self._asked:
            self._show([])
        self._asked = (board_id, firmware)
        self._tools.find_ways(board_id, firmware)

    def usable(self) -> bool:
        """Tell whether the firmware can be written by the chosen way; yes while that is not known yet."""
        chosen = self.chosen()
        wanted = [way for way in self._ways if chosen in (AUTOMATIC, way.key)]
        return not wanted or any(way.usable for way in wanted)

    def chosen(self) -> str:
        """Return the key of the way that the person chose; '' for the best one."""
        return str(self.choice.currentData() or AUTOMATIC)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            if self._asked[0]:
                self._tools.find_ways(*self._asked)
        super().changeEvent(event)

    def _take_ways(self, board_id: str, firmware: str, ways: list[WayView]) -> None:
        if (board_id, firmware) == self._asked:
            self._show(ways)

    def _show(self, ways: list[WayView]) -> None:
        kept = self.chosen()
        self._ways = ways
        usable = [way for way in ways if way.usable]
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItem(self._automatic(), AUTOMATIC)
        for way in ways:
            self.choice.addItem(
                way.title if way.usable else self.tr("{0} (not usable)").format(way.title), way.key
            )
        self.choice.setCurrentIndex(max(0, self.choice.findData(kept)))
        self.choice.blockSignals(False)
        self._line.setVisible(len(ways) > 1)
        # One way that works needs no choice; the others are there for who looks for them.
        alone = len(usable) == 1 and not self.chosen()
        self.fold.setVisible(len(ways) > 1 and alone)
        self.fold.setChecked(not alone)
        self._body.setVisible(not alone)
        self.setVisible(len(ways) > 1 or (bool(ways) and not usable))
        self._show_reason()

    def _show_reason(self) -> None:
        """Say why the chosen way cannot be used, or that none can, with the commands that help."""
        chosen = self.chosen()
        none = bool(self._ways) and not any(way.usable for way in self._ways)
        told = [way for way in self._ways if not way.usable and (way.key == chosen or (none and not chosen))]
        self._reason_line.setVisible(bool(told))
        if told:
            reasons = dict.fromkeys(way.reason for way in told)
            self.reason.set_notice(" ".join(reasons), "warning")
        for command in self.commands:
            self._column.removeWidget(command)
            command.hide()
            command.deleteLater()
        commands = dict.fromkeys(way.install for way in told if way.install)
        self.commands = [InstallCommand(command) for command in commands]
        for command in self.commands:
            self._column.addWidget(command)
        self.changed.emit()

    def _look_again(self) -> None:
        self._tools.find_ways(*self._asked)

    def _automatic(self) -> str:
        best = next((way.title for way in self._ways if way.usable), "")
        return self.tr("Automatic: {0}").format(best) if best else self.tr("Automatic")

    def _retranslate(self) -> None:
        self._name.setText(self.tr("Way of writing"))
        self.fold.setText(self.tr("Other ways of writing"))
        self.look_button.set_name(self.tr("Look again"))
        self.choice.setAccessibleName(self.tr("Way of writing"))
        self.choice.setItemText(0, self._automatic())
