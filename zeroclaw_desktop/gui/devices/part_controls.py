"""What a hand does with a virtual part: press, hold, turn, block; made for the kind of the part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QSlider, QWidget

from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.simulator_views import PartView

SLIDER_STEPS = 500
DEGREE_STEPS = 2
"""A thermometer is warmed in half degrees."""


class ValueSlider(QSlider):
    """A slider that a person turns; values from outside do not send ``valueChanged``."""

    def __init__(self, steps: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, steps)
        self.setPageStep(max(1, steps // 20))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_value(self, value: int) -> None:
        """Show what the part says, unless the person holds the handle."""
        if not self.isSliderDown() and value != self.value():
            self.blockSignals(True)
            self.setValue(value)
            self.blockSignals(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the value."""
        event.ignore()


class PartControl(QWidget):
    """The control of one part.

    Args:
        part: the first view of it.
    """

    closed = Signal(bool)
    """The contact was closed or opened, the shaft blocked or freed."""
    turned = Signal(float)
    """The knob or the temperature is at this value."""

    def __init__(self, part: PartView) -> None:
        super().__init__()
        self._kind = part.kind
        self._limits = part.limits
        self.push_button: Button | None = None
        self.keep_button: IconButton | None = None
        self.slider: ValueSlider | None = None
        self.current: Text | None = None
        line = row(parent=self)
        if part.limits is not None:
            low, high = part.limits
            degrees = high - low > 1
            self.slider = ValueSlider(round((high - low) * DEGREE_STEPS) if degrees else SLIDER_STEPS)
            self.slider.valueChanged.connect(self._turn)
            line.addWidget(self.slider)
        elif part.kind == "button":
            self._add_contact(line)
        elif part.kind == "motor":
            self.push_button = Button("", compact=True)
            self.push_button.setCheckable(True)
            self.push_button.toggled.connect(self.closed)
            line.addWidget(self.push_button)
            line.addStretch(1)
        else:
            self.current = Text(role="caption", tone="muted")
            line.addWidget(self.current)
            line.addStretch(1)
        self._retranslate()

    def show_part(self, part: PartView) -> None:
        """Follow the part."""
        if self.slider is not None and part.limits is not None:
            low, high = part.limits
            self.slider.show_value(round((part.value - low) / (high - low) * self.slider.maximum()))
            self.slider.setAccessibleName(part.name)
        if self.keep_button is not None:
            _check(self.keep_button, part.closed and not (self.push_button and self.push_button.isDown()))
        if self.push_button is not None:
            if self.push_button.isCheckable():
                _check(self.push_button, part.closed)
            self.push_button.setAccessibleName(f"{part.name}: {self.push_button.text()}")
        if self.current is not None:
            milliamps = part.reading.get("milliamps", 0.0)
            self.current.setText(f"{milliamps:.1f} mA" if milliamps else "")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _add_contact(self, line: QHBoxLayout) -> None:
        self.push_button = Button("", "secondary", compact=True)
        self.keep_button = IconButton("keep", checkable=True, small=True)
        self.push_button.pressed.connect(lambda: self.closed.emit(True))
        self.push_button.released.connect(self._let_go)
        self.keep_button.toggled.connect(self.closed)
        line.addWidget(self.push_button)
        line.addWidget(self.keep_button)
        line.addStretch(1)

    def _let_go(self) -> None:
        """A button that is kept pressed comes up with the next press."""
        if self.keep_button is not None:
            _check(self.keep_button, False)
        self.closed.emit(False)

    def _turn(self, step: int) -> None:
        if self._limits is not None and self.slider is not None:
            low, high = self._limits
            self.turned.emit(low + (high - low) * step / self.slider.maximum())

    def _retranslate(self) -> None:
        if self._kind == "motor" and self.push_button is not None:
            self.push_button.setText(self.tr("Block the shaft"))
        elif self.push_button is not None:
            self.push_button.setText(self.tr("Hold down"))
        if self.keep_button is not None:
            self.keep_button.set_name(self.tr("Keep it pressed"))


def _check(button: QAbstractButton, checked: bool) -> None:
    button.blockSignals(True)
    button.setChecked(checked)
    button.blockSignals(False)
