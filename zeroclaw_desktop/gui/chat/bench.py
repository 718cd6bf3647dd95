"""The bench beside the transcript: the current board with its live pins, what runs on it, a small plot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedLayout, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.badges import Badge, kind_of_board_state
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.feedback import EmptyState
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Hairline, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
    from zeroclaw_desktop.bridge.views import BoardView
    from zeroclaw_desktop.gui.chat.sparkline import SparkPanel


class Bench(QFrame):
    """The current board.

    Args:
        devices: bridge object of boards and pins.
        plots: bridge object of the telemetry.
    """

    hide_requested = Signal()

    def __init__(self, devices: DevicesBridge, plots: PlotsBridge) -> None:
        super().__init__()
        self._devices, self._plots = devices, plots
        self._board: BoardView | None = None
        self._starting = False
        self.spark: SparkPanel | None = None
        self._make_parts()
        self._lay_out()
        self.connect_button.clicked.connect(self._connect_board)
        self.empty.action_triggered.connect(devices.start_simulator)
        self.hide_button.clicked.connect(self.hide_requested)
        devices.boards_changed.connect(self.refresh)
        devices.current_board_changed.connect(self._take_current)
        devices.pins_changed.connect(self._take_pins)
        self._retranslate()
        self.refresh()

    def board(self) -> BoardView | None:
        """Return the board that is shown, None when there is none."""
        return self._board

    def refresh(self) -> None:
        """Take over the current board from the bridge."""
        current = self._devices.current_board_id()
        boards = {board.board_id: board for board in self._devices.boards()}
        self._board = boards.get(current)
        self._stack.setCurrentIndex(1 if self._board else 0)
        if self._board is None:
            return
        board = self._board
        powered = board.state == "live"
        self.picture.set_board(
            board.picture or board.board_type, board.name, simulated=board.simulated, powered=powered
        )
        self.picture.set_pins(self._devices.pins(board.board_id))
        self._name.set_text(board.name)
        self.simulated_badge.setVisible(board.simulated)
        self._firmware.set_text(board.firmware or board.port)
        self.connect_button.setVisible(board.state in ("offline", "lost", "failed"))
        self._retranslate()

    def set_starting(self, starting: bool) -> None:
        """Say that boards are being looked for, while nobody can know yet which there are."""
        self._starting = starting
        self._retranslate()

    def show_work(self, sentence: str, pins: Iterable[int]) -> None:
        """Say what runs on the board and mark its pins; an empty sentence and no pins end it."""
        self._work.setText(sentence)
        self.picture.highlight_pins(pins)

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the small plot in at the first sight, and the pins up to date."""
        super().showEvent(event)
        self.refresh()
        if self.spark is None:
            QTimer.singleShot(0, self, self._add_spark)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _make_parts(self) -> None:
        self._title = Text(role="label", tone="muted")
        self.hide_button = IconButton("square-half", small=True)
        self._name = ElidedText("", "title")
        self._firmware = ElidedText("", "mono_small", "muted")
        self.state_badge = Badge()
        self.simulated_badge = Badge("", "simulated")
        self.connect_button = Button("", "primary", "connect", compact=True)
        self.picture = BoardPicture("arduino-uno")
        self.picture.pin_clicked.connect(lambda _: actions().open_page("devices"))
        self._work = Text(role="body", tone="accent", wrap=True)
        self._work.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._work.setMinimumHeight(space(10))
        self._work.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        idle_picture = BoardPicture("arduino-uno", callouts=False)
        idle_picture.set_board("arduino-uno", "", simulated=False, powered=False)
        idle_picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        idle_picture.setFixedSize(idle_picture.minimumSizeHint())
        self.empty = EmptyState(idle_picture)

    def _lay_out(self) -> None:
        badges = row(self.state_badge, self.simulated_badge, STRETCH, self.connect_button)
        self._spark_place = column(gap=2)
        filled = QWidget()
        body = column(self._name, badges, self._firmware, gap=2, parent=filled)
        body.addSpacing(space(1))
        body.addWidget(self.picture)
        body.addWidget(self._work)
        body.addLayout(self._spark_place)
        body.addStretch(1)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(filled)
        head = row(self._title, STRETCH, self.hide_button)
        inner = column(head, gap=2, margins=(4, 3, 4, 4))
        inner.addLayout(self._stack, 1)
        outer = row(gap=0, parent=self)
        outer.addWidget(Hairline(vertical=True))
        outer.addLayout(inner, 1)
        self.setMinimumWidth(size("board_minimum_width") + space(9))

    def _add_spark(self) -> None:
        if self.spark is not None or not self.isVisible():
            return
        from zeroclaw_desktop.gui.chat.sparkline import SparkPanel

        self.spark = SparkPanel(self._plots)
        self.spark.opened.connect(lambda: actions().open_page("plots"))
        self._spark_place.addWidget(Hairline())
        self._spark_place.addWidget(self.spark)

    def _connect_board(self) -> None:
        if self._board is not None:
            self._devices.connect_board(self._board.board_id)

    def _take_current(self, _board_id: str) -> None:
        self.refresh()

    def _take_pins(self, board_id: str) -> None:
        if self._board is not None and board_id == self._board.board_id and self.isVisible():
            self.picture.set_pins(self._devices.pins(board_id))

    def _state_text(self, state: str) -> str:
        return {
            "offline": self.tr("Not connected"),
            "connecting": self.tr("Connecting"),
            "live": self.tr("Live"),
            "flashing": self.tr("Flashing"),
            "lost": self.tr("Connection lost"),
            "failed": self.tr("Failed"),
        }.get(state, state)

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Bench"))
        self.hide_button.set_name(self.tr("Hide the bench"))
        self.simulated_badge.set_state(self.tr("Simulated"), "simulated")
        self.connect_button.setText(self.tr("Connect"))
        if self._board is not None:
            state = self._board.state
            self.state_badge.set_state(self._state_text(state), kind_of_board_state(state))
        if self._starting:
            self.empty.set_texts(self.tr("Looking for boards…"))
            return
        self.empty.set_texts(
            self.tr("Your board stands here, with its pins live."),
            self.tr("Start the simulator"),
            self.tr("No board at hand? A simulated Arduino Uno runs the real firmware."),
        )
