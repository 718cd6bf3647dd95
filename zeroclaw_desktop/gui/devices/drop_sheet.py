"""A firmware file that was dropped where several boards may be meant: which one gets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.dropped_files import sketch_in
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import BoardView


class DropSheet(Sheet):
    """Asks for the board, or says why no board takes the file.

    Args:
        host: page that it lies over.
    """

    board_chosen = Signal(str, str)
    """(board, path)."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._path = ""
        self._file = ElidedText("", "mono", middle=True)
        self._question = Text(wrap=True)
        self.refusal = Notice(kind="warning")
        self.choices: dict[str, Button] = {}
        self._column = column(gap=2)
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        for part in (self._file, self._question, self.refusal):
            self.panel.body.addWidget(part)
        self.panel.body.addLayout(self._column)
        self.panel.body.addLayout(row(STRETCH, self.cancel_button))
        self._retranslate()

    def ask(self, path: str, boards: Sequence[BoardView], endings: Sequence[str]) -> None:
        """Ask which of the boards gets the file.

        Args:
            boards: those that take files of this kind; none says why.
            endings: what the boards here take.
        """
        self._path = path
        self._file.set_text(path)
        for button in self.choices.values():
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.choices = {}
        for board in boards:
            place = board.system_path or board.port
            button = Button(f"{board.name}  ·  {place}".replace("&", "&&"), "secondary", "board")
            button.clicked.connect(lambda _=False, chosen=board.board_id: self._choose(chosen))
            self._column.addWidget(button)
            self.choices[board.board_id] = button
        self._name_button()
        self._question.setVisible(bool(boards))
        self.refusal.setVisible(not boards)
        self.refusal.set_notice(self._refusal(path, endings), "warning")
        self.open_sheet()
        first = next(iter(self.choices.values()), self.cancel_button)
        first.setFocus(Qt.FocusReason.PopupFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _name_button(self) -> None:
        self.cancel_button.setText(self.tr("Cancel") if self.choices else self.tr("Close"))

    def _choose(self, board_id: str) -> None:
        self.close_sheet()
        self.board_chosen.emit(board_id, self._path)

    def _refusal(self, path: str, endings: Sequence[str]) -> str:
        if not endings:
            return self.tr("There is no board that could be flashed. Connect one, or start the simulator.")
        if sketch_in(path):
            return self.tr(
                "A sketch has to be compiled first. Drop the .hex or .bin file that comes out of it."
            )
        return self.tr("None of the boards here takes this. They take: {0}").format(", ".join(endings))

    def _retranslate(self) -> None:
        self.set_title(self.tr("Flash a file"))
        self._question.setText(self.tr("Which board gets this firmware?"))
        self._name_button()
