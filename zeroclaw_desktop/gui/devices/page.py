"""The Devices page: board cards, ports, the empty state that starts the simulator, the flash sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from zeroclaw_desktop.gui.devices.add_board_sheet import AddBoardSheet
from zeroclaw_desktop.gui.devices.board_card import BoardCard
from zeroclaw_desktop.gui.devices.flash_sheet import FlashSheet
from zeroclaw_desktop.gui.devices.ports_list import PortsList
from zeroclaw_desktop.gui.devices.simulator_choice import SimulatorFoot
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import EmptyState
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import ErrorView


class DevicesPage(QWidget):
    """All boards and ports.

    Args:
        devices: bridge object.
    """

    def __init__(self, devices: DevicesBridge) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self._devices = devices
        self.cards: dict[str, BoardCard] = {}
        self.ports = PortsList()
        self.ports.connect_requested.connect(devices.connect_port)
        picture = BoardPicture("arduino-uno", callouts=False)
        picture.set_board("arduino-uno", "", simulated=False, powered=True)
        picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        picture.setFixedSize(picture.minimumSizeHint())
        self.empty = EmptyState(picture)
        self.empty.action_triggered.connect(devices.start_simulator)
        self._starting = False
        self.starting = EmptyState("board")
        self._cards = column(gap=4)
        self.add_sheet = AddBoardSheet(self, devices.added)
        self.add_button, self._empty_add = Button("", "ghost", "add"), Button("", "ghost", "add")
        for button in (self.add_button, self._empty_add):
            button.clicked.connect(self.add_sheet.open_sheet)
        self.empty.body.insertWidget(4, self._empty_add, alignment=Qt.AlignmentFlag.AlignHCenter)
        self.simulators = SimulatorFoot(devices.simulator, self.add_button)
        content = column(self._cards, self.ports, self.simulators, STRETCH, gap=4, margins=(6,))
        self._list = ScrollColumn(content)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._list)
        self._stack.addWidget(self.starting)
        self.flash_sheet = FlashSheet(self, devices)
        devices.boards_changed.connect(self.refresh_boards)
        devices.current_board_changed.connect(lambda _: self.refresh_boards())
        devices.ports_changed.connect(self.refresh_ports)
        devices.pins_changed.connect(self._refresh_pins)
        devices.console_received.connect(self._add_console)
        devices.command_failed.connect(self._show_error)
        self._retranslate()
        self.refresh_boards()
        self.refresh_ports()

    def set_starting(self, starting: bool) -> None:
        """Say that boards are being looked for, while nobody can know yet which there are."""
        self._starting = starting
        self._choose_view()

    def show_detail(self, detail: str) -> None:
        """Open the flash sheet: ``flash`` for the current board, ``flash:<path>`` with a file."""
        if detail.startswith("flash"):
            self.open_flash(self._devices.current_board_id(), detail.partition(":")[2])

    def open_flash(self, board_id: str, file_path: str = "") -> None:
        """Open the flash sheet for a board; nothing happens when the board is not there."""
        card = self.cards.get(board_id)
        if card is not None and card.board().can_flash:
            self.flash_sheet.open_for(card.board(), file_path)

    def refresh_boards(self) -> None:
        """Take over the boards from the bridge."""
        boards = self._devices.boards()
        current = self._devices.current_board_id()
        present = {board.board_id for board in boards}
        for board_id in [known for known in self.cards if known not in present]:
            card = self.cards.pop(board_id)
            self._cards.removeWidget(card)
            card.hide()
            card.deleteLater()
        for board in boards:
            if board.board_id not in self.cards:
                self._add_card(BoardCard(self._devices, board))
            self.cards[board.board_id].show_board(
                board, sole=len(boards) == 1, current=board.board_id == current
            )
        self._choose_view()

    def refresh_ports(self) -> None:
        """Take over the ports from the bridge."""
        self.ports.show_ports(self._devices.ports(), self._devices.board_types())
        self._choose_view()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a firmware file for the current board."""
        if self._dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the flash sheet with the dropped file."""
        path = self._dropped(event)
        if path:
            event.acceptProposedAction()
            self.open_flash(self._devices.current_board_id(), path)

    def _dropped(self, event: QDropEvent) -> str:
        """The first file that the current board takes; '' when there is none."""
        endings = self._devices.firmware_endings(self._devices.current_board_id())
        paths = [url.toLocalFile() for url in event.mimeData().urls()]
        return next((path for path in paths if path.lower().endswith(endings)), "") if endings else ""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _add_card(self, card: BoardCard) -> None:
        self.cards[card.board().board_id] = card
        card.flash_requested.connect(self.open_flash)
        self._cards.addWidget(card)

    def _choose_view(self) -> None:
        empty = not self.cards and not self._devices.ports()
        idle = self.starting if self._starting else self.empty
        self._stack.setCurrentWidget(idle if empty else self._list)

    def _refresh_pins(self, board_id: str) -> None:
        card = self.cards.get(board_id)
        if card is not None and self.isVisible():
            card.refresh_pins()

    def _add_console(self, board_id: str, text: str) -> None:
        if board_id in self.cards:
            self.cards[board_id].console.add_text(text)

    def _show_error(self, board_id: str, error: ErrorView) -> None:
        if board_id in self.cards:
            self.cards[board_id].show_command_error(error)

    def _retranslate(self) -> None:
        self.empty.set_texts(
            self.tr("Boards that you plug in by USB show up here by themselves."),
            self.tr("Start the simulator"),
            self.tr("No board at hand? A simulated Arduino Uno runs the real firmware."),
        )
        self.starting.set_texts(self.tr("Looking for boards…"))
        for button in (self.add_button, self._empty_add):
            button.setText(self.tr("Add a board by its address…"))
