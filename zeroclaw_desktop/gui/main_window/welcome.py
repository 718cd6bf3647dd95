"""The first page of the first start: what one can do here at once, with and without a board."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

BOARD_TYPE = "arduino-uno"


class Offer(Card):
    """One thing to do: icon, name, sentence, button."""

    def __init__(self, icon_name: str, icon_role: str, button_role: str) -> None:
        self.icon = IconLabel(icon_name, icon_role, size("icon_large") - size("icon") // 2)
        self.name = Text(role="title")
        self.sentence = Text(tone="muted", wrap=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.button = Button("", button_role)
        super().__init__(self.icon, self.name, self.sentence, self.button, padding=5, gap=3)

    def set_texts(self, name: str, sentence: str, button: str) -> None:
        """Take over the texts."""
        self.name.setText(name)
        self.sentence.setText(sentence)
        self.button.setText(button)


class WelcomePage(QWidget):
    """Offers the simulator (or the chat, when a board is there already), a board, and language and look."""

    simulator_chosen = Signal()
    board_chosen = Signal()
    settings_chosen = Signal()
    chat_chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("page")
        self._title = Text(role="display", wrap=True)
        self._sentence = Text(role="lead", tone="muted", wrap=True)
        self.simulator = Offer("simulator", "simulated", "primary")
        self.board = Offer("board", "accent", "secondary")
        self.look = Offer("language", "accent", "secondary")
        self._board_name = ""
        self.simulator.button.clicked.connect(self._first_clicked)
        self.board.button.clicked.connect(self.board_chosen)
        self.look.button.clicked.connect(self.settings_chosen)
        picture = BoardPicture(BOARD_TYPE, callouts=False)
        picture.set_board(BOARD_TYPE, "Arduino Uno", simulated=False, powered=True)
        picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        picture.setFixedSize(size("board_minimum_width"), size("welcome_picture_height"))
        texts = column(STRETCH, self._title, self._sentence, STRETCH, gap=3)
        head = row(gap=8)
        head.addLayout(texts, 1)
        head.addWidget(picture)
        offers = row(gap=4)
        for offer in (self.simulator, self.board, self.look):
            offers.addWidget(offer, 1)
        inner = QWidget()
        inner.setMaximumWidth(size("welcome_width"))
        column(head, offers, gap=6, parent=inner)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(inner, 100)
        middle.addStretch(1)
        column(STRETCH, middle, STRETCH, margins=(6, 4), parent=self)
        self._retranslate()

    def show_board(self, name: str) -> None:
        """Offer the chat with this board; '' offers the simulator."""
        if name != self._board_name:
            self._board_name = name
            self._retranslate()

    def _first_clicked(self) -> None:
        (self.chat_chosen if self._board_name else self.simulator_chosen).emit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Talk to your hardware"))
        self._sentence.setText(
            self.tr("Say what a board should do, watch its pins while it does it, and plot what it measures.")
        )
        if self._board_name:
            self.simulator.set_texts(
                self.tr("A board is ready"),
                self.tr("{board} is connected. Tell it to blink its LED, or ask what it measures.").format(
                    board=self._board_name
                ),
                self.tr("Open the chat"),
            )
        else:
            self.simulator.set_texts(
                self.tr("Try it without a board"),
                self.tr(
                    "A simulated Arduino Uno runs real firmware, with LED, button, knob and thermometer."
                ),
                self.tr("Start the simulator"),
            )
        self.board.set_texts(
            self.tr("Connect a board"),
            self.tr("Plug in an Arduino, ESP32, Nucleo or Pico by USB. It shows up; one button flashes it."),
            self.tr("Show boards and ports"),
        )
        self.look.set_texts(
            self.tr("Language and look"),
            self.tr("English or Chinese, light or dark. The assistant works offline; no account is needed."),
            self.tr("Open settings"),
        )
