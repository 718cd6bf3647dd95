"""What a person may choose about a console: filter, times, hexadecimal, encoding, following, saving."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.layout import row

ENCODINGS = ("utf-8", "gbk", "gb18030", "big5", "shift_jis", "latin-1", "cp1252")


class ConsoleTools(QWidget):
    """The row above the text."""

    encoding_chosen = Signal(str)
    hexadecimal_chosen = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.filter_field = QLineEdit()
        self.filter_field.setClearButtonEnabled(True)
        self.times_button = Button("", "ghost")
        self.times_button.setCheckable(True)
        self.hex_button = Button("", "ghost")
        self.hex_button.setCheckable(True)
        self.hex_button.toggled.connect(self.hexadecimal_chosen)
        self.encoding_list = ChoiceList()
        self.encoding_list.addItems([name.upper() for name in ENCODINGS])
        self.encoding_list.activated.connect(lambda place: self.encoding_chosen.emit(ENCODINGS[place]))
        self.follow_button = Button("", "ghost", "down")
        self.save_button = IconButton("export")
        self.clear_button = IconButton("clear")
        line = row(
            self.filter_field,
            self.times_button,
            self.hex_button,
            self.encoding_list,
            self.follow_button,
            self.save_button,
            self.clear_button,
            parent=self,
        )
        line.setStretch(0, 1)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.filter_field.setPlaceholderText(self.tr("Show lines with…"))
        self.filter_field.setAccessibleName(self.tr("Show lines with…"))
        self.times_button.setText(self.tr("Times"))
        self.times_button.setToolTip(self.tr("When each line came"))
        self.hex_button.setText(self.tr("Hex"))
        self.hex_button.setToolTip(self.tr("Show the bytes of each line"))
        self.encoding_list.setAccessibleName(self.tr("Encoding of the text"))
        self.encoding_list.setToolTip(self.tr("Encoding of the text"))
        self.follow_button.setText(self.tr("To the end"))
        self.save_button.set_name(self.tr("Save the shown lines"))
        self.clear_button.set_name(self.tr("Clear the console"))
