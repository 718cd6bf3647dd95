"""The Devices page: board cards, ports, the empty state that starts the simulator, the flash sheet."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.devices.add_board_sheet import AddBoardSheet
from zeroclaw_desktop.gui.devices.away_list import AwayList
from zeroclaw_desktop.gui.devices.board_card import BoardCard
from zeroclaw_desktop.gui.devices.dropped_files import sketch_in, takes
from zeroclaw_desktop.gui.devices.firmware_maker.sheet import MakeSheet
from zeroclaw_desktop.gui.devices.flash_sheet import FlashSheet
from zeroclaw_desktop.gui.devices.page_sheets import PageSheets
from zeroclaw_desktop.gui.devices.ports_list import PortsList
from zeroclaw_desktop.gui.devices.simulator_choice import SimulatorFoot
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import EmptyState, ErrorCard
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.maker_bridge import MakerBridge
    from zeroclaw_desktop.bridge.views import BoardView, ErrorView

_FACTS_MS = 20


class DevicesPage(QWidget):
    """All boards and ports.

    Args:
        devices: bridge object.
        maker: bridge object that makes firmware; None where that is not offered.
    """

    def __init__(self, devices: DevicesBridge, maker: MakerBridge | None = None) -> None:
        super().__init__()
        self.setObjectName("page")
        self._devices = devices
        self.cards: dict[str, BoardCard] = {}
        self.sheets = PageSheets(self, devices)
        self.sheets.flash_requested.connect(self.open_file)
        self.ports = PortsList(devices.access)
        self.ports.connect_requested.connect(devices.connect_port)
        self.ports.mend_requested.connect(self._open_mend)
        self.away = AwayList(devices.names)
        picture = BoardPicture("arduino-uno", callouts=False)
        picture.set_board("arduino-uno", "", simulated=False, powered=True)
        picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        picture.setFixedSize(picture.minimumSizeHint())
        self.empty = EmptyState(picture)
        self.empty.action_triggered.connect(devices.start_simulator)
        self.empty_tools_button = Button("", "ghost", "settings")
        self.empty_tools_button.clicked.connect(self._open_tools)
        self.empty.body.insertWidget(self.empty.body.count() - 1, self.empty_tools_button)
        self.empty.body.setAlignment(self.empty_tools_button, Qt.AlignmentFlag.AlignHCenter)
        self._starting = False
        self.starting = EmptyState("board")
        self.fault_card = ErrorCard(dismissible=True)
        self.fault_card.dismissed.connect(self._hide_fault)
        self.fault_card.action_requested.connect(self._follow_fault)
        self.fault_card.hide()
        self._cards = column(gap=4)
        self.add_sheet = AddBoardSheet(self, devices.added)
        self.add_button, self._empty_add = Button("", "ghost", "add"), Button("", "ghost", "add")
        for button in (self.add_button, self._empty_add):
            button.clicked.connect(self.add_sheet.open_sheet)
        self.empty.body.insertWidget(4, self._empty_add, alignment=Qt.AlignmentFlag.AlignHCenter)
        self.tools_button = Button("", "ghost", "settings")
        self.tools_button.clicked.connect(self._open_tools)
        self.simulators = SimulatorFoot(devices.simulator, self.add_button, self.tools_button)
        parts = (self.fault_card, self._cards, self.ports, self.away, self.simulators, STRETCH)
        content = column(*parts, gap=4, margins=(6,))
        self._list = ScrollColumn(content)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._list)
        self._stack.addWidget(self.starting)
        self._facts: deque[BoardView] = deque()
        """Boards whose cards are still to show them: one card at a time, as each takes some milliseconds."""
        self._facts_timer = QTimer(self)
        self._facts_timer.setInterval(_FACTS_MS)
        self._facts_timer.timeout.connect(self._show_facts)
        self.flash_sheet = FlashSheet(self, devices)
        self.make_sheet = MakeSheet(self, devices, maker) if maker is not None else None
        devices.boards_changed.connect(self.refresh_boards)
        devices.current_board_changed.connect(lambda _: self.refresh_boards())
        devices.facts_changed.connect(self._take_facts)
        devices.ports_changed.connect(self.refresh_ports)
        devices.access.changed.connect(self.refresh_ports)
        devices.pins_changed.connect(self._refresh_pins)
        devices.datasheets.changed.connect(self._refresh_names)
        devices.console_received.connect(self._add_console)
        devices.console_skipped.connect(self._hurry_console)
        devices.console_unfinished.connect(self._show_unfinished)
        devices.command_failed.connect(self._show_error)
        self._retranslate()
        self.refresh_boards()
        self.refresh_ports()

    def set_starting(self, starting: bool) -> None:
        """Say that boards are being looked for, while nobody can know yet which there are."""
        self._starting = starting
        self._choose_view()

    def show_detail(self, detail: str) -> None:
        """Open a sheet.

        Args:
            detail: ``flash`` for the current board, ``flash:<path>`` with a file; ``drop:<path>`` for a file
                whose board is to be found; ``make`` for the current board; ``tools``.
        """
        key, _, path = detail.partition(":")
        if key == "flash":
            self.open_flash(self._devices.current_board_id(), path)
        elif key == "drop":
            self.open_drop(path)
        elif key == "make":
            self.open_maker(self._devices.current_board_id())
        elif key == "tools":
            self._open_tools()

    def open_flash(self, board_id: str, file_path: str = "") -> None:
        """Open the flash sheet for a board; nothing happens when the board is not there."""
        card = self.cards.get(board_id)
        if card is not None and card.board().can_flash:
            self.flash_sheet.open_for(card.board(), file_path)

    def open_file(self, board_id: str, path: str) -> None:
        """Open the sheet that makes firmware of a sketch, or the flash sheet with any other file."""
        sketch = self._sketch_in(path)
        if sketch:
            self.open_maker(board_id, sketch)
        else:
            self.open_flash(board_id, path)

    def open_drop(self, path: str) -> None:
        """Open a sheet with a file; when it may be for several boards, the person is asked."""
        boards = [card.board() for card in self.cards.values() if card.board().can_flash]
        endings = {board.board_id: self._devices.firmware_endings(board.board_id) for board in boards}
        sketch = bool(self._sketch_in(path))
        fitting = [board for board in boards if sketch or takes(endings[board.board_id], path)]
        if len(fitting) == 1:
            self.open_file(fitting[0].board_id, path)
        else:
            known = sorted({ending for taken in endings.values() for ending in taken})
            self.sheets.drop.ask(path, fitting, known)

    def _sketch_in(self, path: str) -> str:
        """The Arduino sketch that a path means; '' when it means none, or nothing here makes firmware."""
        return sketch_in(path) if self.make_sheet is not None else ""

    def open_maker(self, board_id: str, sketch_path: str = "") -> None:
        """Open the sheet that makes firmware; nothing happens when the board is not there.

        Args:
            sketch_path: an .ino file to begin with; '' for none.
        """
        card = self.cards.get(board_id)
        if card is not None and self.make_sheet is not None and card.board().can_flash:
            self.make_sheet.open_for(card.board(), sketch_path)

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
        self.away.refresh()
        self._choose_view()

    def _take_facts(self) -> None:
        if self.isVisible():
            self._facts = deque(self._devices.boards())
            self._facts_timer.start()

    def _show_facts(self) -> None:
        if not self._facts:
            self._facts_timer.stop()
            return
        board = self._facts.popleft()
        if board.board_id in self.cards:
            self.cards[board.board_id].show_facts(board)

    def refresh_ports(self) -> None:
        """Take over the ports from the bridge."""
        self.ports.show_ports(self._devices.ports(), self._devices.board_types())
        self.away.refresh()
        self._choose_view()

    def showEvent(self, event: QShowEvent) -> None:
        """Follow what keeps ports closed while somebody looks."""
        self._devices.access.set_shown(True)
        super().showEvent(event)
        self._take_facts()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        self._devices.access.set_shown(False)
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.refresh_ports()
        super().changeEvent(event)

    def _add_card(self, card: BoardCard) -> None:
        self.cards[card.board().board_id] = card
        card.flash_requested.connect(self.open_flash)
        card.file_dropped.connect(self.open_file)
        card.menu.chosen.connect(lambda key: self.sheets.open_for(key, card.board()))
        card.mend_requested.connect(self._open_mend)
        card.make_requested.connect(lambda board_id: self.open_maker(board_id))
        card.make_button.setVisible(self.make_sheet is not None and not card.board().added)
        self._cards.addWidget(card)

    def _choose_view(self) -> None:
        loose = not self.ports.is_empty() or bool(self.away.rows) or not self.fault_card.isHidden()
        empty = not self.cards and not loose
        idle = self.starting if self._starting else self.empty
        self._stack.setCurrentWidget(idle if empty else self._list)

    def _open_mend(self, place: str) -> None:
        self.sheets.mend.open_for(place)

    def _open_tools(self) -> None:
        self.sheets.tools.open_tools()

    def _refresh_pins(self, board_id: str) -> None:
        card = self.cards.get(board_id)
        if card is not None and self.isVisible():
            card.refresh_pins()

    def _refresh_names(self) -> None:
        """Data sheets may name pins."""
        for card in self.cards.values():
            card.refresh_pins()

    def _add_console(self, board_id: str, text: str) -> None:
        if board_id in self.cards:
            self.cards[board_id].console.add_text(text)

    def _hurry_console(self, board_id: str) -> None:
        if board_id in self.cards:
            self.cards[board_id].console.hurry()

    def _show_unfinished(self, board_id: str, text: str) -> None:
        if board_id in self.cards:
            self.cards[board_id].console.set_unfinished(text)

    def _show_error(self, board_id: str, error: ErrorView) -> None:
        """Say it on the board's card; what no card stands for is said above all of them."""
        if board_id in self.cards:
            self.cards[board_id].show_command_error(error)
            return
        known = error.action == "start_simulator" or error.action.startswith("open_")
        self.fault_card.set_error(error, offer_action=known)
        self.fault_card.show()
        self._choose_view()

    def _hide_fault(self) -> None:
        self.fault_card.hide()
        self._choose_view()

    def _follow_fault(self, action: str) -> None:
        self._hide_fault()
        if action == "start_simulator":
            self._devices.start_simulator()
        else:
            actions().open_page(action.removeprefix("open_"))

    def _retranslate(self) -> None:
        self.empty.set_texts(
            self.tr("Boards that you plug in by USB show up here by themselves."),
            self.tr("Start the simulator"),
            self.tr("No board at hand? A simulated Arduino Uno runs the real firmware."),
        )
        self.starting.set_texts(self.tr("Looking for boards…"))
        for button in (self.tools_button, self.empty_tools_button):
            button.setText(self.tr("Flashing tools"))
        for button in (self.add_button, self._empty_add):
            button.setText(self.tr("Add a board by its address…"))
