"""The sheet that adds a board by its address: on the network, by MQTT, with MicroPython, a Pi's own pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet
from zeroclaw_desktop.gui.widgets.switch import Switch

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.added_boards_bridge import AddedBoardsBridge
    from zeroclaw_desktop.bridge.views import ErrorView

FIELDS = {
    "tcp": ("host", "port", "board", "name"),
    "uno-q": ("host", "port", "name"),
    "mqtt": ("host", "port", "tls", "topic", "user", "password", "board", "name"),
    "micropython": ("serial", "board", "name"),
    "raspberry-pi": ("chip", "name"),
}
"""What is asked for each way to reach a board, in order."""
ORDER = ("host", "port", "tls", "topic", "user", "password", "serial", "chip", "board", "name")
DEFAULT_CHIP = "/dev/gpiochip0"
TLS_PORT = "8883"


class AddBoardSheet(Sheet):
    """Asks for the address of a board and adds it.

    Args:
        host: the page that it lies over.
        added: bridge object.
    """

    def __init__(self, host: QWidget, added: AddedBoardsBridge) -> None:
        super().__init__(host)
        self._added = added
        self.way = ChoiceList()
        self.way.activated.connect(lambda _number: self._show_way())
        self.fields = {name: QLineEdit() for name in ("host", "port", "topic", "user", "password", "name")}
        self.fields["password"].setEchoMode(QLineEdit.EchoMode.Password)
        self.fields["chip"] = QLineEdit(DEFAULT_CHIP)
        self.serial = ChoiceList()
        self.serial.setEditable(True)
        self.board = ChoiceList()
        self.tls = Switch()
        self.tls.toggled.connect(self._swap_port)
        self.error = ErrorCard()
        self.error.hide()
        self._explanation = Text(tone="muted", wrap=True)
        self.add_button = Button("", "primary", "add")
        self.add_button.clicked.connect(self._add)
        self._labels = {name: Text(role="label") for name in ("way", *ORDER)}
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(space(4))
        self._form.setVerticalSpacing(space(2))
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._labels["way"].setMinimumHeight(self.way.sizeHint().height())
        self._form.addRow(self._labels["way"], self.way)
        self._form.addRow("", self._explanation)
        for name in ORDER:
            self._labels[name].setBuddy(self._editor(name))
            self._labels[name].setMinimumHeight(self._editor(name).sizeHint().height())
            self._form.addRow(self._labels[name], self._editor(name))
        self.panel.body.addLayout(self._form)
        self.panel.body.addWidget(self.error)
        self.panel.body.addLayout(row(STRETCH, self.add_button))
        for field in self.fields.values():
            field.returnPressed.connect(self._add)
        added.added.connect(self._done)
        added.refused.connect(self._refused)
        self._retranslate()

    def open_sheet(self) -> None:
        """Ask anew; what was entered before is gone."""
        chosen = self._chosen()
        self.way.clear()
        names = self._way_names()
        for way in self._added.ways():
            self.way.addItem(names[way.key], way.key)
        self.way.setCurrentIndex(max(0, self.way.findData(chosen)))
        self.board.clear()
        for kind in self._added.board_types():
            self.board.addItem(kind.name, kind.key)
        self.serial.clear()
        self.serial.addItems(self._added.serial_ports())
        for name, field in self.fields.items():
            field.setText(DEFAULT_CHIP if name == "chip" else "")
        self.tls.setChecked(False)
        self._show_way()
        super().open_sheet()
        self.way.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_way(self, key: str) -> None:
        """Ask for another way to reach a board."""
        self.way.setCurrentIndex(self.way.findData(key))
        self._show_way()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _chosen(self) -> str:
        return str(self.way.currentData() or "tcp")

    def _editor(self, name: str) -> QWidget:
        others: dict[str, QWidget] = {"serial": self.serial, "board": self.board, "tls": self.tls}
        return others[name] if name in others else self.fields[name]

    def _show_way(self) -> None:
        """Show the fields of the chosen way."""
        key = self._chosen()
        for name in ORDER:
            self._form.setRowVisible(self._editor(name), name in FIELDS[key])
        self._explanation.setText(self._explanations()[key])
        way = next((way for way in self._added.ways() if way.key == key), None)
        if way is not None:
            self.fields["port"].setText(str(way.port or ""))
            self.board.setCurrentIndex(max(0, self.board.findData(way.board_type)))
        self.fields["host"].setPlaceholderText("192.168.1.20")
        self.fields["topic"].setPlaceholderText("greenhouse")
        self.error.hide()

    def _swap_port(self, tls: bool) -> None:
        """Follow the usual port of encrypted brokers, unless the person has chosen another."""
        way = next((way for way in self._added.ways() if way.key == "mqtt"), None)
        usual = str(way.port) if way is not None else ""
        if self.fields["port"].text() in (usual, TLS_PORT):
            self.fields["port"].setText(TLS_PORT if tls else usual)

    def _add(self) -> None:
        key = self._chosen()
        wanted = {name: self.fields[name].text() for name in FIELDS[key] if name in self.fields}
        wanted["path"] = self.serial.currentText() if key == "micropython" else wanted.get("chip", "")
        wanted["tls"] = "yes" if "tls" in FIELDS[key] and self.tls.isChecked() else ""
        kind = str(self.board.currentData() or "") if "board" in FIELDS[key] else ""
        self.error.hide()
        self.add_button.setEnabled(False)
        self._added.add(key, wanted, kind, self.fields["name"].text())

    def _done(self, _board_id: str) -> None:
        self.add_button.setEnabled(True)
        self.fields["password"].clear()
        self.close_sheet()

    def _refused(self, error: ErrorView) -> None:
        self.add_button.setEnabled(True)
        self.error.set_error(error, offer_action=False)
        self.error.show()

    def _way_names(self) -> dict[str, str]:
        return {
            "tcp": self.tr("Network (TCP)"),
            "uno-q": self.tr("Arduino Uno Q (its text bridge)"),
            "mqtt": self.tr("MQTT"),
            "micropython": self.tr("MicroPython on a serial port"),
            "raspberry-pi": self.tr("Pins of this Raspberry Pi"),
        }

    def _explanations(self) -> dict[str, str]:
        return {
            "tcp": self.tr("A board with WiFi or a bridge program that speaks the ZeroClaw protocol."),
            "uno-q": self.tr("The bridge on the Linux side of the board. It can only read and switch pins."),
            "mqtt": self.tr(
                "A board that gets its commands from a broker. The password goes to the keyring."
            ),
            "micropython": self.tr("Any board with MicroPython. Nothing is written to it."),
            "raspberry-pi": self.tr("The 40-pin header of the computer that this program runs on."),
        }

    def _retranslate(self) -> None:
        self.set_title(self.tr("Add a board"))
        self.add_button.setText(self.tr("Add and connect"))
        names = {
            "way": self.tr("How it is reached"),
            "host": self.tr("Host"),
            "port": self.tr("Port"),
            "tls": self.tr("Encrypted (TLS)"),
            "topic": self.tr("Topic"),
            "user": self.tr("User"),
            "password": self.tr("Password"),
            "serial": self.tr("Serial port"),
            "chip": self.tr("Chip"),
            "board": self.tr("Kind of board"),
            "name": self.tr("Name"),
        }
        for name, label in self._labels.items():
            label.setText(names[name])
            (self.way if name == "way" else self._editor(name)).setAccessibleName(names[name])
        self.fields["name"].setPlaceholderText(self.tr("optional"))
        shown = self._way_names()
        for number in range(self.way.count()):
            self.way.setItemText(number, shown[str(self.way.itemData(number))])
        self._explanation.setText(self._explanations()[self._chosen()])
