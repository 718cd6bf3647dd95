"""The form that takes a port whose board speaks no protocol."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.bridge.plot_sources_bridge import ENCODINGS, PlotSourcesBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_existing_file
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField

BAUDS = (9_600, 19_200, 38_400, 57_600, 74_880, 115_200, 230_400, 460_800, 921_600, 1_000_000, 2_000_000)
USUAL_BAUD = 115_200


class AddPort(QWidget):
    """Asks for port, rate, encoding, description of frames, line rate.

    Args:
        sources: bridge object.
    """

    added = Signal()

    def __init__(self, sources: PlotSourcesBridge) -> None:
        super().__init__()
        self._sources = sources
        self.port, self.baud, self.encoding = ChoiceList(), ChoiceList(), ChoiceList()
        self.port.setEditable(True)
        self.port.setMinimumWidth(space(44))
        self.baud.setEditable(True)
        self.baud.addItems([str(baud) for baud in BAUDS])
        self.baud.setCurrentText(str(USUAL_BAUD))
        self.encoding.addItems(ENCODINGS)
        self.frames = QLineEdit()
        self.browse_button = IconButton("folder")
        self.browse_button.clicked.connect(self._browse)
        self.rate = NumberField()
        self.rate.setMaximumWidth(space(24))
        self.refresh_button = IconButton("refresh")
        self.refresh_button.clicked.connect(self.look)
        self.add_button = Button("", "primary", "add")
        self.add_button.clicked.connect(self.add)
        self.error = ErrorCard()
        self.error.hide()
        self._words = [Text(role="caption", tone="muted") for _ in range(5)]
        frames = row(self.frames, self.browse_button, gap=1)
        frames.setStretch(0, 1)
        ports = row(self.port, self.refresh_button, gap=1)
        ports.setStretch(0, 1)
        upper = row(
            column(self._words[0], ports, gap=1),
            column(self._words[1], self.baud, gap=1),
            column(self._words[2], self.encoding, gap=1),
            gap=3,
        )
        upper.setStretch(0, 1)
        lower = row(column(self._words[3], frames, gap=1), column(self._words[4], self.rate, gap=1), gap=3)
        lower.setStretch(0, 1)
        column(upper, lower, self.error, row(STRETCH, self.add_button), gap=2, parent=self)
        self._retranslate()

    def look(self) -> None:
        """List the ports that are plugged in; what was typed stays."""
        typed = self.port.currentText()
        self.port.clear()
        self.port.addItems(self._sources.free_ports())
        if typed:
            self.port.setCurrentText(typed)

    def add(self) -> None:
        """Take the port; what is wrong is said below."""
        self.error.hide()
        port, baud = self.port.currentText().strip(), self.baud.currentText().strip()
        rate = self.rate.value()
        if not port or not baud.isdecimal() or int(baud) < 1 or rate is None or rate < 0:
            self._show(
                ErrorView(
                    title=self.tr("Port, baud rate or line rate is missing or no number."),
                    next_step=self.tr("For example: /dev/ttyUSB0 or COM5, 115200, 0."),
                    code="port_fields",
                )
            )
            return
        self.add_button.setEnabled(False)
        self._sources.listen_to_port(
            port,
            int(baud),
            self._done,
            encoding=self.encoding.currentText(),
            frames=self.frames.text().strip(),
            line_rate=rate,
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _done(self, fault: ErrorView | None) -> None:
        self.add_button.setEnabled(True)
        if fault is not None:
            self._show(fault)
            return
        self.port.setCurrentText("")
        self.look()
        self.added.emit()

    def _show(self, error: ErrorView) -> None:
        self.error.set_error(error, offer_action=False)
        self.error.show()

    def _browse(self) -> None:
        kinds = self.tr("Descriptions of frames") + " (*.toml)"
        folder = str(Path(self.frames.text()).parent) if self.frames.text() else ""
        ask_existing_file(self, self.tr("Choose a description of frames"), kinds, self.frames.setText, folder)

    def _retranslate(self) -> None:
        names = (
            self.tr("Serial port"),
            self.tr("Baud"),
            self.tr("Encoding"),
            self.tr("Binary frames (TOML)"),
            self.tr("Lines a second"),
        )
        fields = (self.port, self.baud, self.encoding, self.frames, self.rate)
        for label, field, name in zip(self._words, fields, names, strict=True):
            label.setText(name)
            field.setAccessibleName(name)
        self.frames.setPlaceholderText(self.tr("empty: lines of text"))
        self.rate.setToolTip(
            self.tr("0: times come from the board's clock, or else from the arrival of each line")
        )
        self.browse_button.set_name(self.tr("Choose a description of frames"))
        self.refresh_button.set_name(self.tr("Look for ports again"))
        self.add_button.setText(self.tr("Listen to this port"))
