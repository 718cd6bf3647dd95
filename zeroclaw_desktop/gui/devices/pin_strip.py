"""The line under the picture about the chosen pin: what it is, and what one may do with it by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QSizePolicy

from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.pin_marks import pin_state

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import PinView


class PinStrip(QFrame):
    """Reads or sets one pin through the execution layer, as the person's own command.

    Args:
        devices: bridge object.
        board_id: which board.
    """

    def __init__(self, devices: DevicesBridge, board_id: str) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._devices = devices
        self._board_id = board_id
        self._pin: PinView | None = None
        self._sentence = ElidedText()
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.high_button = Button(compact=True)
        self.low_button = Button(compact=True)
        self.read_button = Button(compact=True)
        self.close_button = IconButton("close", small=True)
        self.high_button.clicked.connect(lambda: self._write(1))
        self.low_button.clicked.connect(lambda: self._write(0))
        self.read_button.clicked.connect(self._read)
        self.close_button.clicked.connect(self.hide)
        buttons = (self.high_button, self.low_button, self.read_button, self.close_button)
        self.note = Text(role="caption", tone="muted", wrap=True)
        self.hint = Text(role="caption", tone="muted", wrap=True)
        line = row(self._sentence, *buttons, gap=1)
        line.setStretch(0, 1)
        column(line, self.note, self.hint, gap=1, margins=(3, 1.5, 1.5, 1.5), parent=self)
        self._retranslate()
        self.hide()

    def show_pin(self, pin: PinView) -> None:
        """Show a pin and what can be done with it; serial and reserved pins can only be looked at."""
        self._pin = pin
        closed = pin.mode in ("serial", "reserved")
        drives = not closed and pin.mode != "analog" and not pin.input_only
        self.high_button.setVisible(drives)
        self.low_button.setVisible(drives)
        self.read_button.setVisible(not closed)
        self._sentence.set_text(pin_state(pin))
        careful = " · ".join(part for part in (pin.conflict, pin.note) if part)
        self.note.setText(careful[:1].upper() + careful[1:])
        self.note.setVisible(bool(careful))
        self.hint.setVisible(self._toggles())
        self.show()

    def click_pin(self, pin: PinView) -> None:
        """Show a pin; one that is shown already and is an output is switched over (HW-14)."""
        shown = self._pin is not None and self._pin.number == pin.number and self.isVisible()
        self.show_pin(pin)
        if shown and self._toggles():
            self._write(0 if pin.level else 1)

    def _toggles(self) -> bool:
        """Only what is an output already is switched by a click: an input may be wired to another output."""
        pin = self._pin
        known = pin is not None and pin.mode == "output" and pin.level is not None
        return known and self.high_button.isEnabled()

    def set_live(self, live: bool) -> None:
        """Allow commands only while the board answers."""
        for button in (self.high_button, self.low_button, self.read_button):
            button.setEnabled(live)
        self.hint.setVisible(self._toggles())

    def refresh(self, pins: dict[int, PinView]) -> None:
        """Take over the shown pin's new state."""
        if self._pin is not None and self.isVisible() and self._pin.number in pins:
            self.show_pin(pins[self._pin.number])

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _write(self, value: int) -> None:
        if self._pin is not None:
            params = {"pin": self._pin.number, "value": value}
            self._devices.run_command(self._board_id, "digital_write", params)

    def _read(self) -> None:
        if self._pin is None:
            return
        if self._pin.mode == "analog":
            self._devices.run_command(self._board_id, "analog_read", {"pin": self._pin.name})
        else:
            self._devices.run_command(self._board_id, "digital_read", {"pin": self._pin.number})

    def _retranslate(self) -> None:
        self.high_button.setText(self.tr("Set high"))
        self.low_button.setText(self.tr("Set low"))
        self.read_button.setText(self.tr("Read"))
        self.close_button.set_name(self.tr("Close"))
        self.hint.setText(self.tr("Click the pin again to switch it over."))
        if self._pin is not None:
            self._sentence.set_text(pin_state(self._pin))
