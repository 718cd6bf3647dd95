"""The sheets that lie over the Devices page, each made when it is first opened."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.board_menu import DETAILS, ERASE, FORGET, PINS, RENAME, SHEETS

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import BoardView
    from zeroclaw_desktop.gui.devices.details_sheet import DetailsSheet
    from zeroclaw_desktop.gui.devices.drop_sheet import DropSheet
    from zeroclaw_desktop.gui.devices.erase_sheet import EraseSheet
    from zeroclaw_desktop.gui.devices.mend_sheet import MendSheet
    from zeroclaw_desktop.gui.devices.name_sheets import ForgetSheet, RenameSheet
    from zeroclaw_desktop.gui.devices.pin_names_sheet import PinNamesSheet
    from zeroclaw_desktop.gui.devices.tools_sheet import ToolsSheet


class PageSheets(QObject):
    """Opens the right one.

    Args:
        page: what they lie over.
        devices: bridge object.
    """

    flash_requested = Signal(str, str)
    """(board, path of a file or '')."""

    def __init__(self, page: QWidget, devices: DevicesBridge) -> None:
        super().__init__(page)
        self._page = page
        self._devices = devices

    def open_for(self, key: str, board: BoardView) -> None:
        """Open what a board's menu names."""
        if key == RENAME:
            self.rename.open_for(board)
        elif key == PINS:
            self.pin_names.open_for(board)
        elif key == DETAILS:
            self.details.open_for(board)
        elif key == SHEETS:
            self.details.open_for(board, "sheets")
        elif key == ERASE:
            self.erase.open_for(board)
        elif key == FORGET:
            self.forget.open_for(board)

    @cached_property
    def mend(self) -> MendSheet:
        """What opens a closed port."""
        from zeroclaw_desktop.gui.devices.mend_sheet import MendSheet

        return MendSheet(self._page, self._devices.access)

    @cached_property
    def rename(self) -> RenameSheet:
        """Another name for a board."""
        from zeroclaw_desktop.gui.devices.name_sheets import RenameSheet

        return RenameSheet(self._page, self._devices.names)

    @cached_property
    def forget(self) -> ForgetSheet:
        """Drop what was remembered."""
        from zeroclaw_desktop.gui.devices.name_sheets import ForgetSheet

        return ForgetSheet(self._page, self._devices.names)

    @cached_property
    def erase(self) -> EraseSheet:
        """Empty a whole chip."""
        from zeroclaw_desktop.gui.devices.erase_sheet import EraseSheet

        return EraseSheet(self._page, self._devices)

    @cached_property
    def pin_names(self) -> PinNamesSheet:
        """Names and roles of pins."""
        from zeroclaw_desktop.gui.devices.pin_names_sheet import PinNamesSheet

        return PinNamesSheet(self._page, self._devices.names)

    @cached_property
    def details(self) -> DetailsSheet:
        """Everything about a board."""
        from zeroclaw_desktop.gui.devices.details_sheet import DetailsSheet

        sheet = DetailsSheet(self._page, self._devices)
        sheet.flash_requested.connect(lambda board_id: self.flash_requested.emit(board_id, ""))
        sheet.pins_requested.connect(self._name_pins)
        return sheet

    @cached_property
    def tools(self) -> ToolsSheet:
        """Programs that write firmware."""
        from zeroclaw_desktop.gui.devices.tools_sheet import ToolsSheet

        return ToolsSheet(self._page, self._devices.tools)

    @cached_property
    def drop(self) -> DropSheet:
        """Which board gets a file."""
        from zeroclaw_desktop.gui.devices.drop_sheet import DropSheet

        sheet = DropSheet(self._page)
        sheet.board_chosen.connect(self.flash_requested)
        return sheet

    def _name_pins(self, board_id: str) -> None:
        for board in self._devices.boards():
            if board.board_id == board_id:
                self.pin_names.open_for(board)
