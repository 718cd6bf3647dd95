"""Everything that is known of one board: identity, firmware, health, wiring, names, data sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.datasheets_panel import DatasheetsPanel
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button, SegmentedControl
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.labels import KeyValueList, SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn, Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import BoardView

REFRESH_MILLISECONDS = 1_000
BOARD_SIDE, SHEETS_SIDE = "board", "sheets"


class _Section(QWidget):
    """A heading with rows below it; hidden when there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.header = SectionHeader()
        self.rows = KeyValueList()
        self.more = Text(role="caption", tone="muted", wrap=True)
        self.more.hide()
        column(self.header, self.rows, self.more, gap=2, parent=self)

    def show_rows(self, rows: tuple[tuple[str, str], ...], more: str = "") -> None:
        """Show these rows, and a line below them."""
        self.rows.set_rows(rows)
        self.more.setText(more)
        self.more.setVisible(bool(more))
        self.setVisible(bool(rows or more))


class DetailsSheet(Sheet):
    """Lies over the Devices page; its figures follow the board once a second.

    Args:
        host: the page.
        devices: bridge object.
    """

    flash_requested = Signal(str)
    pins_requested = Signal(str)

    def __init__(self, host: QWidget, devices: DevicesBridge) -> None:
        super().__init__(host)
        self._devices = devices
        self._board: BoardView | None = None
        self.panel.setMaximumWidth(size("shortcuts_width"))
        self.identity, self.firmware, self.health = _Section(), _Section(), _Section()
        self.wiring, self.names, self.commands = _Section(), _Section(), _Section()
        self.update_notice = Notice(kind="info")
        self.update_notice.action_triggered.connect(self._flash)
        self.note = Text(role="caption", tone="muted", wrap=True)
        self.pins_button = Button("", "secondary", "pin", compact=True)
        self.pins_button.clicked.connect(self._name_pins)
        self.datasheets = DatasheetsPanel(devices.datasheets)
        left = column(self.identity, self.firmware, self.update_notice, self.health, STRETCH, gap=4)
        name_part = column(self.names, row(self.pins_button, STRETCH), gap=2)
        right = column(self.wiring, self.note, name_part, self.commands, STRETCH, gap=4)
        halves = row(gap=8)
        halves.addLayout(left, 1)
        halves.addLayout(right, 1)
        self.sides = SegmentedControl([(BOARD_SIDE, ""), (SHEETS_SIDE, "")])
        self.sides.chosen.connect(self.show_side)
        self._facts = QWidget()
        column(halves, gap=0, parent=self._facts)
        whole = column(self._facts, self.datasheets, STRETCH, gap=4, margins=(0, 0, 3, 0))
        self._scroll = ScrollColumn(whole)
        self.panel.body.addLayout(row(self.sides, STRETCH))
        self.panel.body.addWidget(self._scroll)
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MILLISECONDS)
        self._timer.timeout.connect(self.refresh)
        self.closed.connect(self._timer.stop)
        self._retranslate()

    def show_side(self, side: str) -> None:
        """Show what is known of the board (``board``), or the data sheets about it (``sheets``)."""
        self.sides.set_current(side)
        self._facts.setVisible(side == BOARD_SIDE)
        self.datasheets.setVisible(side == SHEETS_SIDE)
        self._fit()

    def _fit(self) -> None:
        """As high as the facts; room for passages beside the data sheets."""
        room = max(size("console_height"), self._host.height() - space(56))
        facts = self.sides.current() == BOARD_SIDE
        self._scroll.setMinimumHeight(min(self._facts.sizeHint().height(), room) if facts else room)

    def open_for(self, board: BoardView, side: str = BOARD_SIDE) -> None:
        """Show a board."""
        self._board = board
        self.datasheets.open_for(board.board_type)
        self._retranslate()
        self.refresh()
        self.show_side(side)
        self.open_sheet()
        self._timer.start()

    def refresh(self) -> None:
        """Take over what is known now; a board that has gone closes the sheet."""
        board = self._board
        view = self._devices.details(board.board_id) if board is not None else None
        if view is None:
            if self.isVisible():
                self.close_sheet()
            return
        self.identity.show_rows(view.identity)
        self.firmware.show_rows(view.firmware)
        self.commands.show_rows((), ", ".join(view.capabilities))
        self.health.show_rows(view.health)
        self.wiring.show_rows(view.wiring)
        none = self.tr("No pin has a name yet.")
        self.names.show_rows(view.names, "" if view.names else none)
        self.note.setText(view.note)
        self.note.setVisible(bool(view.note))
        now = next((known for known in self._devices.boards() if known.board_id == view.board_id), board)
        update = now.update if now is not None else ""
        self.update_notice.setVisible(bool(update))
        if update:
            sentence = self.tr("Firmware {0} is there.").format(update)
            self.update_notice.set_notice(sentence, "info", self.tr("Update…"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.refresh()
        super().changeEvent(event)

    def _flash(self) -> None:
        if self._board is not None:
            self.close_sheet()
            self.flash_requested.emit(self._board.board_id)

    def _name_pins(self) -> None:
        if self._board is not None:
            self.close_sheet()
            self.pins_requested.emit(self._board.board_id)

    def _retranslate(self) -> None:
        self.set_title(self._board.name if self._board is not None else "")
        sections = (self.identity, self.firmware, self.health, self.wiring, self.names, self.commands)
        texts = (
            self.tr("Identity"),
            self.tr("Firmware"),
            self.tr("Health of the connection"),
            self.tr("Wiring of the board"),
            self.tr("Names of pins"),
            self.tr("Commands of the firmware"),
        )
        for section, text in zip(sections, texts, strict=True):
            section.header.set_text(text)
        self.sides.set_texts([self.tr("Board"), self.tr("Data sheets")])
        self.pins_button.setText(self.tr("Name pins…"))
