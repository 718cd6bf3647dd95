"""Fourth step: the firmware is written to the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, PhaseProgress
from zeroclaw_desktop.gui.widgets.fields import LogText
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import column

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import FlashView

MAX_LINES = 2_000


class WriteStep(QWidget):
    """Progress, log and, when it failed, why."""

    retry_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.progress = PhaseProgress()
        self.error_card = ErrorCard()
        self.error_card.action_requested.connect(lambda _action: self.retry_requested.emit())
        self._log_head = Text(role="label", tone="muted")
        self.log = LogText()
        self.log.setMaximumBlockCount(MAX_LINES)
        self.log.setMinimumHeight(size("log_minimum_height"))
        body = column(self.progress, self.error_card, self._log_head, self.log, gap=3, parent=self)
        body.setStretch(3, 1)
        self._retranslate()
        self.begin()

    def begin(self) -> None:
        """A job begins."""
        self.log.clear()
        self.error_card.hide()
        self.progress.show()
        self.progress.set_progress(self._phase_text("check"), None)

    def show_flash(self, view: FlashView) -> None:
        """Show a job as it stands."""
        failed = view.phase in ("failed", "cancelled")
        self.progress.setVisible(not failed)
        if failed:
            title = self.tr("Flashing was cancelled.")
            error = view.error or ErrorView(title, action="retry")
            self.error_card.set_error(error if error.action == "retry" else _with_retry(error))
            self.error_card.show()
            return
        self.progress.set_progress(self._phase_text(view.phase), view.percent, view.seconds)

    def add_log(self, line: str) -> None:
        """A line of the tool."""
        self.log.appendPlainText(line)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _phase_text(self, phase: str) -> str:
        return {
            "check": self.tr("Looking for the board"),
            "prepare": self.tr("Preparing"),
            "backup": self.tr("Saving what is on the board"),
            "copy": self.tr("Copying"),
            "write": self.tr("Writing"),
            "verify": self.tr("Verifying"),
            "reset": self.tr("Restarting the board"),
            "handshake": self.tr("Waiting for the new firmware"),
        }.get(phase, "")

    def _retranslate(self) -> None:
        self._log_head.setText(self.tr("Log"))
        self.log.setAccessibleName(self.tr("Log"))


def _with_retry(error: ErrorView) -> ErrorView:
    """The same fault; the button of this sheet tries again, whatever else the flash sheet would offer."""
    return ErrorView(error.title, error.not_done, error.next_step, "retry", error.raw, error.code)
