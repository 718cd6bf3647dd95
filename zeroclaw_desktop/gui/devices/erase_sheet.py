"""Asks for a board's name before everything on its chip is erased, and shows how that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.gui.devices.flash_steps import SaveFirst
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice, PhaseProgress
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.views import BoardView, FlashView

_ENDED = ("done", "failed", "cancelled")


class EraseSheet(Sheet):
    """Erases a chip.

    Args:
        host: page that it lies over.
        devices: bridge object.
    """

    def __init__(self, host: QWidget, devices: DevicesBridge) -> None:
        super().__init__(host)
        self._devices = devices
        self._board: BoardView | None = None
        self._running = False
        self._kept = ""
        self._explanation = Text(wrap=True)
        self.save_first = SaveFirst()
        self._question = Text(wrap=True)
        self.field = QLineEdit()
        self.field.textChanged.connect(self._refresh)
        self.progress = PhaseProgress()
        self.outcome = Notice(kind="success")
        self.error_card = ErrorCard()
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self._cancel)
        self.erase_button = Button("", "danger", "delete")
        self.erase_button.clicked.connect(self._erase)
        asked = (self._explanation, self.save_first, self._question, self.field)
        for part in (*asked, self.progress, self.outcome, self.error_card):
            self.panel.body.addWidget(part)
        self.panel.body.addLayout(row(STRETCH, self.cancel_button, self.erase_button))
        devices.flash_changed.connect(self._show_job)
        self._retranslate()

    def open_for(self, board: BoardView) -> None:
        """Ask anew, or show the job that is running."""
        self._board = board
        if not self._running:
            self.field.clear()
            self.save_first.offer(True, True)
            self.outcome.hide()
            self.error_card.hide()
        self._refresh()
        self._retranslate()
        self.open_sheet()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does nothing: nobody erases by a slip."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _erase(self) -> None:
        assert self._board is not None
        self._running = True
        self.outcome.hide()
        self.error_card.hide()
        self._refresh()
        self._devices.start_erase(self._board.board_id, save_first=bool(self.save_first.wanted()))

    def _cancel(self) -> None:
        if self._running and self._board is not None:
            self._devices.cancel_flash(self._board.board_id)
        else:
            self.close_sheet()

    def _show_job(self, view: FlashView) -> None:
        if not self._running or self._board is None or view.board_id != self._board.board_id:
            return
        self.progress.set_progress(self._phase_text(view.phase), view.percent, view.seconds)
        if view.phase in _ENDED:
            self._running = False
            self.field.clear()
            if view.error is not None:
                self.error_card.set_error(view.error, offer_action=False)
            self.error_card.setVisible(view.error is not None)
            if view.phase == "done":
                self._kept = view.restore_point
                self.outcome.set_notice(self._outcome_text(), "success")
            self.outcome.setVisible(view.phase == "done")
        self._refresh()

    def _refresh(self) -> None:
        named = self._board is not None and self.field.text().strip() == self._board.name
        self.erase_button.setEnabled(named and not self._running)
        self.field.setEnabled(not self._running)
        self.save_first.setEnabled(not self._running)
        self.progress.setVisible(self._running)
        self.cancel_button.setText(self.tr("Cancel") if self._running or named else self.tr("Close"))

    def _phase_text(self, phase: str) -> str:
        return {
            "check": self.tr("Looking for the board"),
            "prepare": self.tr("Asking the chip"),
            "backup": self.tr("Saving what is on the board"),
            "erase": self.tr("Erasing"),
            "reset": self.tr("Restarting the board"),
        }.get(phase, "")

    def _outcome_text(self) -> str:
        done = self.tr("Everything is erased. The board does nothing until a firmware is written.")
        if not self._kept:
            return done
        return done + " " + self.tr("What was on it can be written back from {0}.").format(self._kept)

    def _retranslate(self) -> None:
        name = self._board.name if self._board is not None else ""
        self.set_title(self.tr("Erase everything on {0}").format(name))
        self._explanation.setText(
            self.tr(
                "The whole flash of the chip is emptied: program, boot loader, settings, networks and files. "
                "That helps when a board restarts over and over after old settings."
            )
        )
        self._question.setText(self.tr("To go on, type the board's name: {0}").format(name))
        self.field.setAccessibleName(self._question.text())
        self.erase_button.setText(self.tr("Erase everything"))
        self._refresh()
