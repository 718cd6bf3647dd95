"""Serial ports for which no board card stands yet, each with what is known and a way to connect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.kind_menu import KindMenu
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel, Notice
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Hairline, SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import BoardKindView, PortView


class PortRow(QWidget):
    """One port: path, chip, hint, 'Connect as ...'.

    Args:
        port: what is shown.
        board_types: kinds for the menu.
    """

    connect_requested = Signal(str, str)
    """Path of the port and key of the board type."""

    def __init__(self, port: PortView, board_types: list[BoardKindView]) -> None:
        super().__init__()
        self.port = port
        known = "  ·  ".join(part for part in (port.description, port.chip, port.usb_id) if part)
        texts = column(
            ElidedText(port.path, "mono", middle=True), ElidedText(known, "caption", "muted"), gap=0.5
        )
        self.connect_button = Button("", "secondary", "connect", compact=True)
        self.menu = KindMenu(self.connect_button, board_types, port.candidates)
        self.menu.chosen.connect(lambda kind: self.connect_requested.emit(port.path, kind))
        self.connect_button.setMenu(self.menu)
        line = row(IconLabel("port", "text_muted", size("icon")), texts, self.connect_button, gap=3)
        line.setStretch(1, 1)
        whole = column(line, gap=2, parent=self)
        if port.hint:
            whole.addWidget(Notice(port.hint, "warning"))
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.connect_button.setText(self.tr("Connect as …"))


class PortsList(Card):
    """All such ports; hidden when there is none."""

    connect_requested = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(gap=3)
        self._header = SectionHeader()
        self._explanation = Text(tone="muted", wrap=True)
        self._shown: list[PortView] = []
        self.rows: list[PortRow] = []
        self._lines: list[QWidget] = []
        self.body.addWidget(self._header)
        self.body.addWidget(self._explanation)
        self._retranslate()
        self.hide()

    def show_ports(self, ports: list[PortView], board_types: list[BoardKindView]) -> None:
        """Show these ports; nothing happens when they are already shown."""
        self.setVisible(bool(ports))
        if ports == self._shown:
            return
        self._shown = list(ports)
        for widget in (*self.rows, *self._lines):
            widget.hide()
            widget.deleteLater()
        self.rows, self._lines = [], []
        for port in ports:
            line, port_row = Hairline(), PortRow(port, board_types)
            port_row.connect_requested.connect(self.connect_requested)
            self.body.addWidget(line)
            self.body.addWidget(port_row)
            self._lines.append(line)
            self.rows.append(port_row)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._header.set_text(self.tr("Ports without a known board"))
        self._explanation.setText(
            self.tr("A USB chip does not tell which board it sits on. Say what it is, and it will be asked.")
        )
