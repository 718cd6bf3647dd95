"""The card of one board: picture, state, firmware, the Flash board button, details, parts, console."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.board_menu import BoardMenu
from zeroclaw_desktop.gui.devices.console_view import ConsoleView
from zeroclaw_desktop.gui.devices.pin_strip import PinStrip
from zeroclaw_desktop.gui.devices.simulator_panel import SimulatorPanel
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.badges import Badge, kind_of_board_state
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.buttons import Button, FoldButton, MenuButton
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice, PhaseProgress
from zeroclaw_desktop.gui.widgets.labels import ElidedText, KeyValueList, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import BoardView, ErrorView, FlashView

_ENDED = ("done", "failed", "cancelled")


class BoardCard(Card):
    """Shows a ``BoardView`` and sends what the person wants of the board.

    Args:
        devices: bridge object.
        board: the first view; later ones come through ``show_board``.
    """

    flash_requested = Signal(str)
    file_dropped = Signal(str, str)
    """(board, path) of a firmware file that was dropped on the card."""
    mend_requested = Signal(str)
    """Port that the person may not open."""
    make_requested = Signal(str)

    def __init__(self, devices: DevicesBridge, board: BoardView) -> None:
        super().__init__(padding=5, gap=3)
        self.setAcceptDrops(True)
        self._devices = devices
        self._board = board
        self._sole = self._current = True
        self._command_fault: ErrorView | None = None
        self._make_parts()
        self._lay_out()
        self._connect()
        for line in devices.console_lines(board.board_id):
            self.console.add_text(line)
        self.show_board(board, sole=True, current=True)

    def board(self) -> BoardView:
        """Return the view that is shown."""
        return self._board

    def show_board(self, board: BoardView, *, sole: bool, current: bool) -> None:
        """Show another view of the same board.

        Args:
            board: what to show.
            sole: whether it is the only board (then nothing needs to be made current).
            current: whether chat and plots act on it.
        """
        came_back = board.state == "live" and self._board.state != "live"
        self._board, self._sole, self._current = board, sole, current
        self.set_selected(current and not sole)
        self.current_button.setVisible(not sole and not current)
        live = board.state == "live"
        self.picture.set_board(
            board.picture or board.board_type, board.name, simulated=board.simulated, powered=live
        )
        self._name.set_text(board.name)
        self.simulated_badge.setVisible(board.simulated)
        self._simplified.setVisible(board.simplified)
        self.note.setText(board.note)
        self.note.setVisible(bool(board.note))
        if board.error is not None:
            self.error_card.set_error(board.error)
        self.error_card.setVisible(board.error is not None)
        if came_back or _same_fault(self._command_fault, board.error):
            self.command_error.hide()
        self.flash_button.setVisible(not board.added)
        self.flash_button.setEnabled(board.can_flash and board.state != "connecting")
        self.make_button.setEnabled(board.can_flash and board.state not in ("connecting", "flashing"))
        self.console.setEnabled(live)
        self.pin_strip.set_live(live)
        self._retranslate()
        self.refresh_pins()

    def show_facts(self, board: BoardView) -> None:
        """Show another view of the same board of which mostly the facts are news."""
        known = self._board
        if dataclasses.replace(board, facts=known.facts) != known:
            self.show_board(board, sole=self._sole, current=self._current)
            return
        self._board = board
        self._show_details()
        self.refresh_pins()

    def refresh_pins(self) -> None:
        """Take over pin states and parts from the bridge."""
        pins = self._devices.pins(self._board.board_id)
        self.picture.set_pins(pins)
        self.pin_strip.refresh({pin.number: pin for pin in pins})
        if self.parts is not None:
            self.parts.refresh()

    def show_command_error(self, error: ErrorView) -> None:
        """Say why a manual command was not done."""
        self._command_fault = error
        self.command_error.set_error(error)
        self.command_error.setVisible(not _same_fault(error, self._board.error))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file for this board."""
        if self._board.can_flash and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the flash sheet with it; what does not fit is said there."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.file_dropped.emit(self._board.board_id, paths[0])

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _make_parts(self) -> None:
        board = self._board
        self.picture = BoardPicture(board.picture or board.board_type)
        self.pin_strip = PinStrip(self._devices, board.board_id)
        self._name = ElidedText(board.name, "title")
        self.state_badge = Badge()
        self.simulated_badge = Badge("", "simulated")
        self._simplified = Notice(kind="simulated")
        self.flash_button = Button("", "primary", "flash")
        self.make_button = Button("", "secondary", "firmware")
        self.make_button.hide()
        self.make_button.clicked.connect(lambda: self.make_requested.emit(self._board.board_id))
        self.connect_button = Button("", "secondary", "connect")
        self.stop_simulator_button = Button("", "ghost")
        self.current_button = Button("", "ghost")
        self.menu_button = MenuButton("more")
        self.menu = BoardMenu(
            self.menu_button,
            can_forget=not (board.simulated or board.added),
            can_erase=board.can_erase,
        )
        self.menu_button.take_menu(self.menu)
        self.update_notice = Notice(kind="info")
        self.progress = PhaseProgress()
        self.progress.hide()
        self.error_card = ErrorCard()
        self.command_error = ErrorCard(dismissible=True)
        self.command_error.hide()
        self.details = KeyValueList()
        self.note = Text(role="caption", tone="muted", wrap=True)
        self.parts = SimulatorPanel(self._devices, board.board_id) if board.simulated else None
        self.console = ConsoleView()
        self.console_fold = FoldButton("", self.console)

    def _lay_out(self) -> None:
        left = QWidget()
        left.setMaximumWidth(size("board_maximum_width"))
        column(self.picture, self.pin_strip, STRETCH, gap=2, parent=left)
        badges = row(self.state_badge, self.simulated_badge, STRETCH)
        title = row(self._name, self.menu_button)
        title.setStretch(0, 1)
        lesser = (self.stop_simulator_button, self.current_button)
        buttons = row(self.flash_button, self.make_button, self.connect_button, *lesser, STRETCH)
        right = column(title, badges, gap=2)
        right.addSpacing(space(2))
        right.addLayout(buttons)
        right.addSpacing(space(2))
        cards = (self.progress, self.update_notice, self._simplified, self.error_card, self.command_error)
        for part in (*cards, self.details, self.note):
            right.addWidget(part)
        if self.parts is not None:
            right.addSpacing(space(2))
            right.addWidget(self.parts)
            self.parts.attach(self.picture, self)
        right.addStretch(1)
        top = row(gap=6)
        top.addWidget(left, 6)
        top.addLayout(right, 5)
        self.body.addLayout(top)
        self.body.addWidget(self.console_fold, alignment=Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.console)

    def _connect(self) -> None:
        devices, board_id = self._devices, self._board.board_id
        self.flash_button.clicked.connect(lambda: self.flash_requested.emit(board_id))
        self.connect_button.clicked.connect(self._toggle_connection)
        self.stop_simulator_button.clicked.connect(self._remove)
        self.current_button.clicked.connect(lambda: devices.set_current_board(board_id))
        self.console.line_sent.connect(lambda text, end: devices.send_console(board_id, text, end))
        self.console.kept_wanted.connect(lambda: self.console.set_kept(devices.console_kept(board_id)))
        tools = self.console.tools
        tools.encoding_chosen.connect(
            lambda name: self.console.set_lines(devices.choose_console(board_id, encoding=name))
        )
        tools.hexadecimal_chosen.connect(
            lambda wanted: self.console.set_lines(devices.choose_console(board_id, hexadecimal=wanted))
        )
        self.update_notice.action_triggered.connect(lambda: self.flash_requested.emit(board_id))
        self.picture.pin_clicked.connect(self._click_pin)
        self.error_card.action_requested.connect(self._follow_error)
        self.command_error.action_requested.connect(self._follow_error)
        self.command_error.dismissed.connect(self.command_error.hide)
        devices.flash_changed.connect(self._take_flash)

    def _toggle_connection(self) -> None:
        if self._is_open():
            self._devices.disconnect_board(self._board.board_id)
        else:
            self._devices.connect_board(self._board.board_id)

    def _remove(self) -> None:
        if self._board.added:
            self._devices.added.remove(self._board.board_id)
        else:
            self._devices.stop_simulator(self._board.board_id)

    def _is_open(self) -> bool:
        return self._board.state in ("live", "connecting")

    def _click_pin(self, number: int) -> None:
        """The first click looks at a pin, the next ones switch it over when it is an output."""
        for pin in self._devices.pins(self._board.board_id):
            if pin.number == number:
                self.pin_strip.click_pin(pin)

    def _follow_error(self, action: str) -> None:
        if action == "flash":
            self.flash_requested.emit(self._board.board_id)
        elif action in ("connect", "reconnect", "retry"):
            self._devices.connect_board(self._board.board_id)
        elif action == "start_simulator":
            self._devices.start_simulator()
        elif action == "allow_access":
            self.mend_requested.emit(self._board.port)
        elif action.startswith("open_"):
            from zeroclaw_desktop.gui.actions import actions

            actions().open_page(action.removeprefix("open_"))

    def _take_flash(self, view: FlashView) -> None:
        if view.board_id == self._board.board_id:
            self._show_flash(view)

    def _show_flash(self, view: FlashView | None) -> None:
        running = view is not None and view.phase not in _ENDED
        self.progress.setVisible(running)
        if view is not None and running:
            self.progress.set_progress(self.tr("Flashing"), view.percent, view.seconds)
        self.flash_button.setText(self.tr("Show progress") if running else self.tr("Flash board"))

    def _state_text(self) -> str:
        if not self._board.plugged and self._board.state in ("offline", "lost", "failed"):
            return self.tr("Not plugged in")
        return {
            "offline": self.tr("Not connected"),
            "connecting": self.tr("Connecting"),
            "live": self.tr("Live"),
            "flashing": self.tr("Flashing"),
            "lost": self.tr("Connection lost"),
            "failed": self.tr("Failed"),
        }.get(self._board.state, self._board.state)

    def _retranslate(self) -> None:
        board = self._board
        self.state_badge.set_state(self._state_text(), kind_of_board_state(board.state))
        self.simulated_badge.set_state(self.tr("Simulated"), "simulated")
        simplified = self.tr("A simplified simulation: the protocol is real, but no firmware runs inside.")
        self._simplified.set_notice(simplified, "simulated")
        self.connect_button.setText(self.tr("Disconnect") if self._is_open() else self.tr("Connect"))
        self.connect_button.set_icon_name("disconnect" if self._is_open() else "connect")
        self.connect_button.setEnabled(board.state != "flashing")
        self.make_button.setText(self.tr("Make firmware"))
        self.stop_simulator_button.setText(self.tr("Remove"))
        self.stop_simulator_button.setToolTip(
            self.tr("Forget this board with its name, pins and password")
            if board.added
            else self.tr("Stop the simulated board and remove its card")
        )
        self.stop_simulator_button.setVisible(board.simulated or board.added)
        self.current_button.setText(self.tr("Use in chat"))
        self.console_fold.setText(self.tr("Serial console"))
        self._show_flash(self._devices.flash_state(board.board_id))
        self.menu_button.set_name(self.tr("More about {0}").format(board.name))
        self.update_notice.setVisible(bool(board.update) and board.can_flash)
        if board.update:
            update = self.tr("Firmware {0} is there; this board has an older one.").format(board.update)
            self.update_notice.set_notice(update, "info", self.tr("Update…"))
        self._show_details()

    def _show_details(self) -> None:
        board = self._board
        firmware = board.firmware or self.tr("none has answered")
        rows = [(self.tr("Firmware"), firmware), (self.tr("Port"), board.port)]
        self.details.set_rows([*rows, *board.facts])


def _same_fault(one: ErrorView | None, other: ErrorView | None) -> bool:
    """Tell whether two cards would say the same; the board's own card is enough then."""
    return one is not None and other is not None and (one.code, one.title) == (other.code, other.title)
