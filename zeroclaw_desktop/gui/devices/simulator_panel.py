"""Virtual parts of a simulated board: button, knob, thermometer, LED, and the faults one can provoke."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QPen, QRadialGradient
from PySide6.QtWidgets import QGridLayout, QMenu, QSizePolicy, QSlider, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge

FAULTS = ("unplug", "replug", "garbage", "long_line", "brown_out")
KNOB_STEPS_PER_VOLT = 100
TEMPERATURE_STEPS_PER_DEGREE = 2
TEMPERATURE_RANGE = (-40, 125)
"""What a TMP36 measures, degrees Celsius (data sheet, Analog Devices)."""


class Lamp(QWidget):
    """A round LED that glows."""

    def __init__(self) -> None:
        super().__init__()
        self._brightness = 0.0
        edge = size("control_small")
        self.setFixedSize(QSize(edge, edge))
        theme().theme_changed.connect(self.update)

    def set_brightness(self, brightness: float) -> None:
        """Glow as bright as 0..1."""
        if brightness != self._brightness:
            self._brightness = brightness
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw glow and lens."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        center = QPointF(self.width() / 2, self.height() / 2)
        radius = self.width() / 2
        if self._brightness > 0:
            glow = QRadialGradient(center, radius)
            tint = QColor(theme().color("led_on"))
            tint.setAlphaF(0.3 + 0.7 * self._brightness)
            glow.setColorAt(0.4, tint)
            tint.setAlphaF(0)
            glow.setColorAt(1, tint)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(glow)
            painter.drawEllipse(center, radius, radius)
        lens = QRectF(0, 0, radius, radius)
        lens.moveCenter(center)
        painter.setPen(QPen(theme().color("hairline_strong"), 1))
        painter.setBrush(theme().color("led_core" if self._brightness > 0.5 else "sunken"))
        painter.drawEllipse(lens)
        painter.end()


class ValueSlider(QSlider):
    """A slider that a person turns; values from outside do not send ``valueChanged``."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(low, high)
        self.setPageStep(max(1, (high - low) // 20))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_value(self, value: int) -> None:
        """Show what the board says, unless the person holds the handle."""
        if not self.isSliderDown():
            self.blockSignals(True)
            self.setValue(value)
            self.blockSignals(False)


class SimulatorPanel(Card):
    """The parts of one simulated board.

    Args:
        devices: bridge object that the parts act on.
        board_id: which board.
    """

    def __init__(self, devices: DevicesBridge, board_id: str) -> None:
        super().__init__(role="sunken", padding=3, gap=2)
        self._devices = devices
        self._board_id = board_id
        self.header = SectionHeader()
        self.fault_button = Button("", "ghost", "fault", compact=True)
        self.fault_menu = QMenu(self.fault_button)
        actions().guard(self.fault_menu)
        self.fault_actions: dict[str, QAction] = {}
        for kind in FAULTS:
            action = self.fault_menu.addAction(kind)
            action.triggered.connect(lambda _=False, fault=kind: devices.inject_fault(board_id, fault))
            self.fault_actions[kind] = action
        self.fault_button.setMenu(self.fault_menu)
        self.push_button = Button("", "secondary", compact=True)
        self.push_button.pressed.connect(lambda: devices.press_button(board_id, True))
        self.push_button.released.connect(lambda: devices.press_button(board_id, False))
        self.knob = ValueSlider(0, 5 * KNOB_STEPS_PER_VOLT)
        self.thermometer = ValueSlider(*(limit * TEMPERATURE_STEPS_PER_DEGREE for limit in TEMPERATURE_RANGE))
        self.knob.valueChanged.connect(lambda value: devices.set_knob(board_id, value / KNOB_STEPS_PER_VOLT))
        self.thermometer.valueChanged.connect(
            lambda value: devices.set_temperature(board_id, value / TEMPERATURE_STEPS_PER_DEGREE)
        )
        self.lamp = Lamp()
        self._names = [Text(tone="muted") for _ in range(4)]
        self._values = [Text(role="mono") for _ in range(4)]
        self._lay_out()
        self._retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Take over the parts' values from the bridge."""
        parts = self._devices.parts(self._board_id)
        volts, celsius = _number(parts, "knob_volts"), _number(parts, "celsius")
        self.knob.show_value(round(volts * KNOB_STEPS_PER_VOLT))
        self.thermometer.show_value(round(celsius * TEMPERATURE_STEPS_PER_DEGREE))
        pressed = self.tr("pressed") if parts.get("button") else self.tr("released")
        self._values[0].setText(pressed)
        self._values[1].setText(f"{volts:.2f} V")
        self._values[2].setText(f"{celsius:.1f} °C")

    def set_state(self, state: str) -> None:
        """Allow what makes sense: parts and faults while the board is live, the cable while it is lost.

        Args:
            state: ``BoardView.state``.
        """
        live, lost = state == "live", state in ("lost", "failed")
        for control in (self.push_button, self.knob, self.thermometer):
            control.setEnabled(live)
        self.fault_button.setEnabled(live or lost)
        for kind, action in self.fault_actions.items():
            action.setEnabled(lost if kind == "replug" else live)

    def show_led(self, brightness: float) -> None:
        """Show the LED on pin 13 at 0..1."""
        self.lamp.set_brightness(brightness)
        text = {0.0: self.tr("off"), 1.0: self.tr("on")}.get(brightness, f"{brightness * 100:.0f} %")
        self._values[3].setText(text)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.refresh()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        head = row(self.header, self.fault_button)
        head.setStretch(0, 1)
        self.body.addLayout(head)
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(1))
        grid.setColumnStretch(2, 1)
        controls = (self.push_button, self.knob, self.thermometer, self.lamp)
        icons = ("button", "knob", "temperature", "led")
        width = self.fontMetrics().horizontalAdvance("-88.88 °C") + space(4)
        for number, (control, icon_name) in enumerate(zip(controls, icons, strict=True)):
            grid.addWidget(IconLabel(icon_name, "simulated_ink", size("icon_small")), number, 0)
            grid.addWidget(self._names[number], number, 1)
            if isinstance(control, QSlider):
                grid.addWidget(control, number, 2)
            else:
                grid.addWidget(control, number, 2, Qt.AlignmentFlag.AlignLeft)
            self._values[number].setMinimumWidth(width)
            self._values[number].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(self._values[number], number, 3)
        self.body.addLayout(grid)

    def _retranslate(self) -> None:
        self.header.set_text(self.tr("Parts on this board"))
        self.fault_button.setText(self.tr("Provoke a fault"))
        self.push_button.setText(self.tr("Hold down"))
        names = (
            self.tr("Button, pin 2"),
            self.tr("Knob, A0"),
            self.tr("Thermometer, A1"),
            self.tr("LED, pin 13"),
        )
        for label, name in zip(self._names, names, strict=True):
            label.setText(name)
        for control, name in zip((self.push_button, self.knob, self.thermometer), names, strict=False):
            control.setAccessibleName(name)
        texts = {
            "unplug": self.tr("Pull the USB cable"),
            "replug": self.tr("Plug the USB cable in again"),
            "garbage": self.tr("Garbage on the line"),
            "long_line": self.tr("A line of 1 MB"),
            "brown_out": self.tr("Supply voltage too low (restart)"),
        }
        for kind, action in self.fault_actions.items():
            action.setText(texts[kind])
        self.lamp.setAccessibleName(names[3])


def _number(parts: dict[str, Any], key: str) -> float:
    value = parts.get(key, 0.0)
    return float(value) if isinstance(value, int | float) else 0.0
