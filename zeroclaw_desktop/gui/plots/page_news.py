"""What the plots page says in place: a notice with one deed, a fault, the progress of an export."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice, PhaseProgress
from zeroclaw_desktop.gui.widgets.layout import column, row

NOTICE_MS = 6_000


class PageNews(QWidget):
    """One place for all of them, above the plot."""

    def __init__(self) -> None:
        super().__init__()
        self.notice = Notice("", "success")
        self.second_button = Button("", compact=True)
        self.error = ErrorCard(dismissible=True)
        self.progress = PhaseProgress()
        self.cancel_button = Button("", compact=True)
        self.work = QWidget()
        row(self.progress, self.cancel_button, gap=4, parent=self.work).setStretch(0, 1)
        self.noticed = QWidget()
        row(self.notice, self.second_button, gap=2, parent=self.noticed).setStretch(0, 1)
        column(self.noticed, self.work, self.error, gap=2, parent=self)
        self._deed: Callable[[], object] | None = None
        self._second_deed: Callable[[], object] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(NOTICE_MS)
        self._timer.timeout.connect(self._end_notice)
        self.notice.action_triggered.connect(lambda: self._do(self._deed))
        self.second_button.clicked.connect(lambda: self._do(self._second_deed))
        self.error.dismissed.connect(self.show_error)
        for part in (self.noticed, self.work, self.error):
            part.hide()
        self._fold()
        self._retranslate()

    def tell(
        self,
        text: str,
        action: str = "",
        deed: Callable[[], object] | None = None,
        *,
        second: str = "",
        second_deed: Callable[[], object] | None = None,
        lasting: bool = False,
        kind: str = "success",
    ) -> None:
        """Say a sentence with up to two deeds; it goes away by itself unless it is ``lasting``."""
        self._deed, self._second_deed = deed, second_deed
        self.error.hide()
        self.notice.set_notice(text, kind, action)
        self.notice.show()
        self.second_button.setText(second)
        self.second_button.setVisible(bool(second))
        self.noticed.show()
        if lasting:
            self._timer.stop()
        else:
            self._timer.start()
        self._fold()

    def show_error(self, error: ErrorView | None = None) -> None:
        """Say a fault; None takes an older one away."""
        self.error.setVisible(error is not None)
        if error is not None:
            self.noticed.hide()
            self.error.set_error(error, offer_action=False)
        self._fold()

    def show_work(self, name: str, percent: float | None = None) -> None:
        """Show how far some work is; '' when there is none."""
        self.work.setVisible(bool(name))
        if name:
            self.progress.set_progress(name, percent)
        self._fold()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _do(self, deed: Callable[[], object] | None) -> None:
        self._end_notice()
        if deed is not None:
            deed()

    def _end_notice(self) -> None:
        self.noticed.hide()
        self._fold()

    def _fold(self) -> None:
        """Take no room at all while there is nothing to say."""
        parts = (self.noticed, self.work, self.error)
        self.setVisible(any(not part.isHidden() for part in parts))

    def _retranslate(self) -> None:
        self.cancel_button.setText(self.tr("Cancel"))


def open_folder(folder: str) -> None:
    """Show a folder in the file browser of the system."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
