"""The row of one virtual part: face, name, control, what it shows, its terminals, its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QGridLayout, QMenu, QSizePolicy

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.devices.part_controls import PartControl
from zeroclaw_desktop.gui.devices.part_faces import PartFace
from zeroclaw_desktop.gui.devices.terminal_line import PinButton, TerminalDot
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_bridge import SimulatorBridge
    from zeroclaw_desktop.bridge.simulator_views import PartView

WIDEST_VALUE = "-250 rpm"
NAME_STEPS = 23
PIN_BUTTON_STEPS = 20


class PartRow(QFrame):
    """One part.

    Args:
        simulator: bridge object.
        part: the first view; later ones come through ``show_part``.
        place: number of the row, for the colours of its wires.
    """

    refused = Signal(str)
    """Why something was not done."""
    told = Signal(str)
    """What to know about what was done."""
    model_wanted = Signal(str)
    """Id of the part whose electrical model is to be shown."""

    def __init__(self, simulator: SimulatorBridge, board_id: str, part: PartView, place: int) -> None:
        super().__init__()
        self._simulator, self._board_id, self._part = simulator, board_id, part
        self._place = place
        self.face = PartFace()
        self.control = PartControl(part)
        self.dots: dict[str, TerminalDot] = {}
        self.pin_buttons: dict[str, PinButton] = {}
        self.more_button = IconButton("more", small=True)
        self.menu = QMenu(self.more_button)
        actions().guard(self.menu)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.more_button.setMenu(self.menu)
        self.more_button.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._name = ElidedText(part.name)
        self._value = Text(role="mono")
        self._notes = Text(role="caption", tone="danger", wrap=True)
        self._terminal_names: dict[str, Text] = {}
        self._lay_out()
        self.control.closed.connect(lambda closed: simulator.close_contact(board_id, part.part_id, closed))
        self.control.turned.connect(lambda value: simulator.turn(board_id, part.part_id, value))
        self.show_part(part)

    def part(self) -> PartView:
        """The view that is shown."""
        return self._part

    def show_part(self, part: PartView) -> None:
        """Show the part as it is now."""
        self._part = part
        self._name.set_text(part.name)
        self.more_button.set_name(self.tr("More about {part}").format(part=part.name))
        self.face.show_part(part)
        self.control.show_part(part)
        self._value.setText(self._value_text(part))
        self._notes.setText("\n".join(part.notes))
        self._notes.setVisible(bool(part.notes))
        sole = len(part.terminals) == 1
        for number, terminal in enumerate(part.terminals):
            color = theme().series_color(self._place + number)
            self.dots[terminal.key].show_state(terminal.pin is not None, color)
            self.pin_buttons[terminal.key].show_terminal(part.name, terminal, sole=sole)
            if terminal.key in self._terminal_names:
                self._terminal_names[terminal.key].setText(terminal.name)
        self.setAccessibleName(f"{part.name}, {self._value.text()}")

    def value_text(self) -> str:
        """What stands for the value."""
        return self._value.text()

    def fill_menu(self) -> None:
        """List the settings of the part as they are now."""
        self.menu.clear()
        for setting in self._part.settings:
            below = self.menu.addMenu(setting.name)
            actions().guard(below)
            group = QActionGroup(below)
            for key, words in setting.choices:
                entry = below.addAction(words)
                entry.setCheckable(True)
                entry.setChecked(key == setting.chosen)
                group.addAction(entry)
                entry.triggered.connect(lambda _=False, name=setting.key, key=key: self._set(name, key))
        part_id = self._part.part_id
        about = self.menu.addAction(self.tr("How it is modelled"))
        about.triggered.connect(lambda: self.model_wanted.emit(part_id))
        self.menu.addSeparator()
        away = self.menu.addAction(self.tr("Remove"))
        away.triggered.connect(lambda: self._simulator.remove_part(self._board_id, part_id))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language; the names come with the next view."""
        if event.type() == QEvent.Type.LanguageChange:
            self.show_part(self._part)
        super().changeEvent(event)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(space(1.5))
        grid.setVerticalSpacing(space(1))
        grid.setColumnStretch(3, 1)
        self._name.setFixedWidth(space(NAME_STEPS))
        grid.setColumnMinimumWidth(4, self._value.fontMetrics().horizontalAdvance(WIDEST_VALUE))
        self._value.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self._value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = (self.face, self._name, self.control, self._value)
        for column, widget in enumerate(line, start=1):
            grid.addWidget(widget, 0, column)
        grid.setColumnMinimumWidth(5, PIN_BUTTON_STEPS * space(1))
        sole = len(self._part.terminals) == 1
        for number, terminal in enumerate(self._part.terminals):
            self._add_terminal(grid, 0 if sole else number + 1, terminal.key, sole)
        grid.addWidget(self.more_button, 0, 6)
        grid.addWidget(self._notes, grid.rowCount(), 1, 1, 6)

    def _add_terminal(self, grid: QGridLayout, line: int, key: str, sole: bool) -> None:
        part_id = self._part.part_id
        dot = TerminalDot(part_id, key)
        button = PinButton(lambda: self._simulator.pin_choices(self._board_id, part_id, key))
        button.chosen.connect(lambda pin: self.wire(key, pin))
        button.refused.connect(self.refused)
        self.dots[key], self.pin_buttons[key] = dot, button
        grid.addWidget(dot, line, 0)
        button.setFixedWidth(PIN_BUTTON_STEPS * space(1))
        grid.addWidget(button, line, 5)
        if not sole:
            name = self._terminal_names[key] = Text(role="caption", tone="muted")
            grid.addWidget(name, line, 2, 1, 3)

    def wire(self, terminal: str, pin: int | None) -> None:
        """Wire a terminal, and say what comes of it."""
        choices = self._simulator.pin_choices(self._board_id, self._part.part_id, terminal)
        refusal = self._simulator.wire(self._board_id, self._part.part_id, terminal, pin)
        if refusal:
            self.refused.emit(refusal)
        else:
            self.told.emit(next((choice.remark for choice in choices if choice.number == pin), ""))

    def _set(self, key: str, choice: str) -> None:
        refusal = self._simulator.set_setting(self._board_id, self._part.part_id, key, choice)
        (self.refused if refusal else self.told).emit(refusal)

    def _value_text(self, part: PartView) -> str:
        reading = part.reading
        if part.kind == "button":
            return self.tr("pressed") if part.closed else self.tr("released")
        if part.kind in ("tmp36", "ntc"):
            return f"{part.value:.1f} °C"
        if part.kind == "potentiometer":
            return f"{reading['volts']:.2f} V" if "volts" in reading else f"{part.value * 100:.0f} %"
        if part.kind == "servo":
            return f"{reading.get('degrees', 0.0):.0f}°"
        if part.kind == "motor":
            return self.tr("{speed} rpm").format(speed=f"{reading.get('rpm', 0.0):.0f}")
        if part.kind == "buzzer":
            hertz = reading.get("hertz", 0.0)
            return f"{hertz:.0f} Hz" if hertz else self.tr("silent")
        brightness = max(reading.get(key, 0.0) for key in ("brightness", "red", "green", "blue"))
        return {0.0: self.tr("off"), 1.0: self.tr("on")}.get(
            round(brightness, 2), f"{brightness * 100:.0f} %"
        )
