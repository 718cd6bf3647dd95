"""The chat before the first message: what one can say here, each by one click."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import Notice
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

_COLUMNS = 2


class EmptyChat(QWidget):
    """Sentence and suggestions; a notice with a button when no board is there."""

    suggestion_chosen = Signal(str)
    simulator_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._texts: list[str] = []
        self._chips: list[Button] = []
        self._title = Text(role="display", wrap=True)
        self._sentence = Text(role="lead", tone="muted", wrap=True)
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.notice = Notice(kind="simulated")
        self.notice.action_triggered.connect(self.simulator_requested)
        self._grid = QGridLayout()
        self._grid.setSpacing(space(2))
        inner = QWidget()
        inner.setMaximumWidth(size("sheet_width"))
        inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        body = column(self._title, self._sentence, gap=2, parent=inner)
        body.addSpacing(space(4))
        body.addLayout(self._grid)
        body.addSpacing(space(2))
        body.addWidget(self.notice)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(inner, 1000)
        middle.addStretch(1)
        column(STRETCH, middle, STRETCH, margins=(6,), parent=self)
        self._retranslate()

    def show_suggestions(self, texts: Sequence[str]) -> None:
        """Offer these sentences."""
        if list(texts) == self._texts:
            return
        self._texts = list(texts)
        for chip in self._chips:
            self._grid.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for number, text in enumerate(texts):
            chip = Button(text, "secondary")
            chip.setObjectName("suggestion")
            chip.clicked.connect(lambda _=False, sentence=text: self.suggestion_chosen.emit(sentence))
            self._chips.append(chip)
            self._grid.addWidget(chip, number // _COLUMNS, number % _COLUMNS)

    def chips(self) -> list[Button]:
        """Return the buttons of the suggestions in order."""
        return list(self._chips)

    def show_board_missing(self, missing: bool) -> None:
        """Say that no board is there, with the way out."""
        self.notice.setVisible(missing)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._title.setText(self.tr("What should the board do?"))
        self._sentence.setText(
            self.tr("Say it in your own words, in English or Chinese, or begin with one of these.")
        )
        self.notice.set_notice(
            self.tr("No board is connected. A simulated Arduino Uno is ready in a second."),
            "simulated",
            self.tr("Start the simulator"),
        )
