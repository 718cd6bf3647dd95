"""The flash sheet: choose, check, write, done, in one panel over the page; never a chain of dialogs."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.views import ErrorView, FirmwareView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.devices.boot_mode_help import BootModeHelp
from zeroclaw_desktop.gui.devices.flash_steps import DropArea, FirmwareChoice, SaveFirst, StepLine, size_text
from zeroclaw_desktop.gui.devices.flash_way import FlashWay
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.buttons import Button, FoldButton
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice, PhaseProgress
from zeroclaw_desktop.gui.widgets.fields import LogText
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_existing_file
from zeroclaw_desktop.gui.widgets.labels import KeyValueList, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import BoardView, FlashView


class Step(Enum):
    """What the sheet shows."""

    CHOOSE = 0
    CHECK = 1
    WRITE = 2
    DONE = 3


_ENDED = ("done", "failed", "cancelled")
SLOW_CHECK_MILLISECONDS = 200
"""A check that is over before says nothing of itself, so that the sheet does not flicker."""


class FlashSheet(Sheet):
    """Flashes one board.

    Args:
        host: page that the sheet lies over.
        devices: bridge object.
    """

    firmware_written = Signal(str)
    """Board whose firmware was replaced and has answered."""

    def __init__(self, host: QWidget, devices: DevicesBridge) -> None:
        super().__init__(host)
        self._devices = devices
        self._board: BoardView | None = None
        self._choices: dict[str, FirmwareChoice] = {}
        self._chosen: FirmwareView | None = None
        self._step = Step.CHOOSE
        self._phase = ""
        self._checked_path = ""
        self._by_hand = False
        self._make_parts()
        self._lay_out()
        devices.flash_changed.connect(self._show_flash)
        devices.flash_log_added.connect(self._add_log)
        devices.firmware_checked.connect(self._take_checked)
        self._retranslate()

    def step(self) -> Step:
        """Return the state that is shown."""
        return self._step

    def chosen_firmware(self) -> FirmwareView | None:
        """Return what the person chose."""
        return self._chosen

    def open_for(self, board: BoardView, file_path: str = "") -> None:
        """Open for a board; a running job is shown as it stands.

        Args:
            board: which board.
            file_path: a firmware file that was dropped on the window, '' for none.
        """
        self._end_check()
        another = self._board is None or self._board.board_id != board.board_id
        if another:
            self._chosen = None
        self._board = board
        job = self._devices.flash_state(board.board_id)
        running = job is not None and job.phase not in _ENDED
        if another or not running:
            self._log.clear()
        self._by_hand = False
        self._file_error.hide()
        self._fill_choices()
        self.drop_area.set_endings(self._devices.firmware_endings(board.board_id))
        self.save_first.offer(self._devices.offers_saving(board.board_id), self._devices.saves_first())
        self._go(Step.WRITE if running else Step.CHOOSE)
        if job is not None and running:
            self._show_flash(job)
        if file_path and not running:
            self.take_file(file_path)
        self._retranslate()
        self.open_sheet()

    def take_file(self, path: str) -> None:
        """Let a file be checked; then it is chosen, or it is said in place why it cannot be used."""
        if self._board is None:
            return
        self._checked_path = path
        self._file_error.hide()
        self._slow_check.start()
        self._refresh_buttons()
        self._devices.check_firmware_file(self._board.board_id, path)

    def _take_checked(self, board_id: str, path: str, result: FirmwareView | ErrorView) -> None:
        """What came of the check of the file that was chosen last."""
        if self._board is None or (board_id, path) != (self._board.board_id, self._checked_path):
            return
        self._end_check()
        if isinstance(result, ErrorView):
            self._file_error.set_error(result)
            self._file_error.show()
            return
        self._add_choice(result)
        self._choose(result.key)

    def _end_check(self) -> None:
        self._checked_path = ""
        self._slow_check.stop()
        self._checking.hide()
        self._refresh_buttons()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, as the button at the right does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            usual = self.next_button.isVisible() or not self.boot_mode_help.isVisible()
            (self.next_button if usual else self.boot_mode_help.done_button).click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _make_parts(self) -> None:
        self._steps = StepLine()
        self._choice_column = column(gap=2)
        self.drop_area = DropArea()
        self.drop_area.file_dropped.connect(self.take_file)
        self.drop_area.browse_requested.connect(self._browse)
        self._checking = Text(tone="muted", wrap=True)
        self._checking.hide()
        self._slow_check = QTimer(self)
        self._slow_check.setSingleShot(True)
        self._slow_check.setInterval(SLOW_CHECK_MILLISECONDS)
        self._slow_check.timeout.connect(self._checking.show)
        self._file_error = ErrorCard(dismissible=True)
        self._file_error.dismissed.connect(self._file_error.hide)
        self._file_error.hide()
        self._facts = KeyValueList()
        self._warning = Notice()
        self.save_first = SaveFirst()
        self.way = FlashWay(self._devices.tools)
        self.progress = PhaseProgress()
        self._message = Text(tone="muted", wrap=True)
        self._log = LogText()
        self._log.setMaximumBlockCount(2_000)
        self._log.setMinimumHeight(size("log_minimum_height"))
        self._log.setMaximumHeight(size("console_height"))
        self._log_fold = FoldButton("", self._log, opened=True)
        self.error_card = ErrorCard()
        self.error_card.action_requested.connect(self._follow_error)
        self.boot_mode_help = BootModeHelp()
        self.boot_mode_help.done_button.clicked.connect(lambda: self._start(by_hand=True))
        self._trouble = ErrorCard()
        self._trouble.action_requested.connect(self._follow_error)
        self._result = Notice(kind="success")
        self._greeting = KeyValueList()
        self.back_button = Button("", "ghost")
        self.skip_button = Button("", "ghost")
        self.skip_button.clicked.connect(self._skip_saving)
        self.cancel_button = Button("", "secondary")
        self.next_button = Button("", "primary")
        self.back_button.clicked.connect(self._back)
        self.cancel_button.clicked.connect(self._cancel)
        self.next_button.clicked.connect(self._advance)
        self.way.changed.connect(self._refresh_buttons)

    def _lay_out(self) -> None:
        choose, check, write, done = QWidget(), QWidget(), QWidget(), QWidget()
        checking = (self.drop_area, self._checking, self._file_error)
        column(self._choice_column, *checking, STRETCH, gap=2, parent=choose)
        column(self._facts, self.way, self._warning, self.save_first, STRETCH, gap=4, parent=check)
        trouble = (self.error_card, self.boot_mode_help)
        column(self.progress, self._message, *trouble, STRETCH, gap=3, parent=write)
        column(self._result, self._trouble, self._greeting, STRETCH, gap=4, parent=done)
        self._parts = (choose, check, write, done)
        self.panel.body.addWidget(self._steps)
        for part in self._parts:
            self.panel.body.addWidget(part)
        self.panel.body.addWidget(self._log_fold)
        self.panel.body.addWidget(self._log)
        buttons = row(self.back_button, STRETCH, self.skip_button, self.cancel_button, self.next_button)
        self.panel.body.addLayout(buttons)

    def _go(self, step: Step) -> None:
        self._step = step
        for number, part in enumerate(self._parts):
            part.setVisible(number == step.value)
        self._steps.set_current(step.value)
        self.error_card.hide()
        self.boot_mode_help.hide()
        self._refresh_buttons()

    def _refresh_buttons(self) -> None:
        ended = self._phase in _ENDED
        writing = self._step is Step.WRITE and not ended
        stuck = self._step is Step.WRITE and ended
        self.back_button.setVisible(self._step is Step.CHECK or stuck)
        self.cancel_button.setVisible(self._step is not Step.DONE and not stuck)
        saving = writing and self._phase == "backup"
        self.skip_button.setVisible(saving)
        self.skip_button.setEnabled(self.skip_button.isEnabled() or not saving)
        self.next_button.setVisible(not writing)
        may_choose = self._chosen is not None and not self._checked_path
        if self._step is Step.CHOOSE:
            self.next_button.setEnabled(may_choose)
        else:
            self.next_button.setEnabled(self._step is not Step.CHECK or self.way.usable())
        logged = self._step in (Step.WRITE, Step.DONE)
        self._log_fold.setVisible(logged)
        self._log.setVisible(logged and self._log_fold.isChecked())
        self.progress.setVisible(not ended)
        texts = {
            Step.CHOOSE: self.tr("Continue"),
            Step.CHECK: self.tr("Write to the board"),
            Step.WRITE: self.tr("Try again"),
            Step.DONE: self.tr("Done"),
        }
        self.next_button.setText(texts[self._step])
        self.cancel_button.setText(self.tr("Cancel"))

    def _fill_choices(self) -> None:
        for choice in self._choices.values():
            self._choice_column.removeWidget(choice)
            choice.hide()
            choice.deleteLater()
        self._choices, kept = {}, self._chosen
        assert self._board is not None
        for firmware in self._devices.firmware_choices(self._board.board_id):
            self._add_choice(firmware)
        if kept is not None and kept.key not in self._choices:
            self._add_choice(kept)
        shipped = [key for key, choice in self._choices.items() if not choice.firmware.restore_point]
        same = self._board.firmware.partition(" ")[0]  # an update is for what is on the board now
        first = kept.key if kept else same if same in shipped else next(iter(shipped), "")
        if first:
            self._choose(first)

    def _add_choice(self, firmware: FirmwareView) -> None:
        if firmware.key not in self._choices:
            choice = FirmwareChoice(firmware)
            choice.chosen.connect(self._choose)
            self._choices[firmware.key] = choice
            self._choice_column.addWidget(choice)

    def _choose(self, key: str) -> None:
        """Choose a firmware; a file that is still being checked is not waited for any more."""
        self._chosen = self._choices[key].firmware
        if self._board is not None:
            self.way.look(self._board.board_id, key)
        for name, choice in self._choices.items():
            choice.set_selected(name == key)
        self._end_check()

    def _advance(self) -> None:
        if self._step is Step.CHOOSE:
            self._show_check()
        elif self._step in (Step.CHECK, Step.WRITE):
            self._start()
        else:
            self.close_sheet()

    def _back(self) -> None:
        self._phase = ""
        self._go(Step.CHOOSE)

    def _cancel(self) -> None:
        if self._step is Step.WRITE and self._board is not None:
            self._devices.cancel_flash(self._board.board_id)
        else:
            self.close_sheet()

    def _show_check(self) -> None:
        self._go(Step.CHECK)
        self._refresh_check()

    def _refresh_check(self) -> None:
        if self._board is None or self._chosen is None:
            return
        version = f" {self._chosen.version}" if self._chosen.version else ""
        self._facts.set_rows(
            [
                (self.tr("Board"), self._board.name),
                (self.tr("Port"), self._board.system_path or self._board.port),
                (self.tr("Now on it"), self._board.firmware or self.tr("not known")),
                (self.tr("New firmware"), self._chosen.title + version),
                (self.tr("Size"), size_text(self._chosen.size_bytes)),
            ]
        )
        self._warning.set_notice(
            self.tr("The program on the board is replaced. Console and plots pause until it is written.")
        )

    def _start(self, *, by_hand: bool = False) -> None:
        if self._board is None or self._chosen is None:
            return
        self._by_hand = by_hand
        self._log.clear()
        self._phase = ""
        self.progress.set_progress(self._phase_text("check"), None)
        self._message.clear()
        self._go(Step.WRITE)
        self._devices.start_flash(
            self._board.board_id,
            self._chosen.key,
            save_first=self.save_first.wanted(),
            by_hand=by_hand,
            method=self.way.chosen(),
        )

    def _skip_saving(self) -> None:
        if self._board is not None:
            self.skip_button.setEnabled(False)
            self._devices.skip_saving(self._board.board_id)

    def _show_flash(self, view: FlashView) -> None:
        if self._board is None or view.board_id != self._board.board_id or self._step is Step.CHOOSE:
            return
        self._phase = view.phase
        if view.phase == "done":
            self._show_done(view)
            return
        if self._step is not Step.WRITE:
            self._go(Step.WRITE)
        self.progress.set_progress(self._phase_text(view.phase), view.percent, view.seconds)
        message = view.message or self._phase_message(view.phase)
        self._message.setText(message)
        self._message.setVisible(bool(message))
        self.cancel_button.setEnabled(view.can_cancel)
        if view.phase in ("failed", "cancelled"):
            error = view.error or self._cancelled_error()
            by_hand = error.action == "boot_mode"
            self.error_card.set_error(error, offer_action=error.action != "retry" and not by_hand)
            self.error_card.show()
            self.boot_mode_help.setVisible(by_hand)
        self._refresh_buttons()
        if view.phase == "failed" and view.error is not None and view.error.action == "boot_mode":
            # A reset by the computer would take the board out of its boot mode again.
            only_by_hand = view.error.code == "wrong_boot_mode"
            self.next_button.setVisible(not only_by_hand)
            self.boot_mode_help.done_button.set_role("primary" if only_by_hand else "secondary")

    def _show_done(self, view: FlashView) -> None:
        self._go(Step.DONE)
        verified = self.tr("The firmware is written, verified and running.")
        unverified = self.tr("The firmware is written. This way cannot read it back to compare it.")
        self._result.set_notice(verified if view.verified else unverified, "success")
        rows = [(self.tr("The board answered"), view.firmware)] if view.firmware else []
        kept = [(self.tr("Saved before"), view.restore_point)] if view.restore_point else []
        self._greeting.set_rows([*rows, *kept, (self.tr("Time"), f"{view.seconds:.1f} s")])
        self._trouble.setVisible(view.error is not None)
        if view.error is not None:
            compared = self.tr("The firmware is written and verified.")
            self._result.set_notice(compared if view.verified else unverified, "success")
            self._trouble.set_error(view.error, offer_action=False)
        self.firmware_written.emit(view.board_id)

    def _cancelled_error(self) -> ErrorView:
        return ErrorView(
            title=self.tr("Flashing was cancelled."),
            not_done=self.tr("The firmware is not complete, so the board may do nothing now."),
            next_step=self.tr("Write it again, or choose another firmware."),
        )

    def _follow_error(self, action: str) -> None:
        if action == "retry":
            self._start()
        elif action == "skip_saving":
            self.save_first.refuse()
            self._start()
        elif action == "choose_firmware":
            self._back()
        elif action.startswith("open_"):
            self.close_sheet()
            actions().open_page(action.removeprefix("open_"))
        else:
            actions().help_requested.emit()

    def _add_log(self, board_id: str, line: str) -> None:
        if self._board is not None and board_id == self._board.board_id:
            self._log.appendPlainText(line)

    def _browse(self) -> None:
        endings = self._devices.firmware_endings(self._board.board_id) if self._board else ()
        kinds = self.tr("Firmware files") + f" ({' '.join(f'*{ending}' for ending in endings)})"
        ask_existing_file(self, self.tr("Choose a firmware file"), kinds, self.take_file)

    def _phase_text(self, phase: str) -> str:
        return {
            "check": self.tr("Looking for the board"),
            "prepare": self.tr("Preparing"),
            "backup": self.tr("Saving what is on the board"),
            "copy": self.tr("Copying"),
            "erase": self.tr("Erasing"),
            "write": self.tr("Writing"),
            "verify": self.tr("Verifying"),
            "reset": self.tr("Restarting the board"),
            "handshake": self.tr("Waiting for the new firmware"),
        }.get(phase, "")

    def _phase_message(self, phase: str) -> str:
        if phase == "backup":
            return self.tr("So that it can be written back. Once for each board.")
        if self._by_hand and phase in ("reset", "handshake"):
            return self.tr("Press EN (or RST) once if the board does not start by itself.")
        return ""

    def _retranslate(self) -> None:
        name = self._board.name if self._board else ""
        self.set_title(self.tr("Flash {0}").format(name))
        self._steps.set_names([self.tr("Choose"), self.tr("Check"), self.tr("Write"), self.tr("Done")])
        self._checking.setText(self.tr("The file is being checked."))
        self._log_fold.setText(self.tr("Log"))
        self._log.setAccessibleName(self.tr("Log"))
        self.back_button.setText(self.tr("Back"))
        self.skip_button.setText(self.tr("Skip saving"))
        self._refresh_check()
        self._refresh_buttons()
