"""Shows exactly what a mend of the system will do, does it when asked to, and says what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice
from zeroclaw_desktop.gui.widgets.fields import LogText
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.port_access_bridge import PortAccessBridge
    from zeroclaw_desktop.bridge.port_views import MendResultView


class MendSheet(Sheet):
    """Lies over the Devices page.

    Args:
        host: the page.
        access: bridge object that does the mend.
    """

    def __init__(self, host: QWidget, access: PortAccessBridge) -> None:
        super().__init__(host)
        self._access = access
        self._place = ""
        self._explanation = Text(wrap=True)
        self._file_name = Text(role="strong", wrap=True)
        self.content = LogText()
        self.content.setMinimumHeight(size("log_minimum_height"))
        self.content.setMaximumHeight(size("console_height"))
        self._commands_name = Text(role="strong")
        self.commands = LogText()
        self.commands.setFixedHeight(size("log_minimum_height") + space(8))
        self._afterwards = Text(tone="muted", wrap=True)
        self.result = Notice(kind="success")
        self.error_card = ErrorCard()
        self.copy_button = Button("", "ghost", "copy")
        self.copy_button.clicked.connect(self._copy)
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        self.do_button = Button("", "primary")
        self.do_button.clicked.connect(self._do)
        texts = (self._explanation, self._file_name, self.content, self._commands_name, self.commands)
        for part in (*texts, self._afterwards, self.result, self.error_card):
            self.panel.body.addWidget(part)
        self.panel.body.addLayout(row(self.copy_button, STRETCH, self.cancel_button, self.do_button))
        access.mended.connect(self._take_result)
        self._retranslate()

    def open_for(self, place: str) -> None:
        """Show what helps at a port or USB place, or that only the person can do something there."""
        self._place = place
        self._fill()
        self.result.hide()
        self.error_card.hide()
        self._show_running()
        self.open_sheet()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _fill(self) -> None:
        view = self._access.mend(self._place)
        for part in (self._commands_name, self.commands, self.copy_button):
            part.setVisible(view is not None)
        if view is None:
            self._fill_without_mend()
            return
        self.set_title(view.title)
        self._explanation.setText(view.explanation)
        self._file_name.setText(view.file_name)
        self.content.setPlainText(view.content)
        for part in (self._file_name, self.content):
            part.setVisible(bool(view.content))
        self.commands.setPlainText(view.commands)
        self._afterwards.setText(view.afterwards)
        self._afterwards.setVisible(bool(view.afterwards))

    def _fill_without_mend(self) -> None:
        problem = self._access.problem(self._place)
        self.set_title(self.tr("Access to {0}").format(self._place))
        nothing = self.tr("Nothing that this program could change keeps the port closed now. Try again.")
        self._explanation.setText(problem.sentence if problem is not None else nothing)
        for part in (self._file_name, self.content, self._afterwards):
            part.hide()

    def _do(self) -> None:
        if self.result.isVisible() or self._access.mend(self._place) is None:
            self.close_sheet()
            return
        self.error_card.hide()
        self._access.do_mend(self._place)
        self._show_running()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.commands.toPlainText())

    def _take_result(self, result: MendResultView) -> None:
        self.error_card.setVisible(result.error is not None)
        self.result.setVisible(result.error is None)
        if result.error is not None:
            self.error_card.set_error(result.error, offer_action=False)
        else:
            self.result.set_notice(result.sentence, "success")
        self._show_running()

    def _show_running(self) -> None:
        running = bool(self._access.mending())
        done = self.result.isVisibleTo(self) or self._access.mend(self._place) is None
        self.do_button.setEnabled(not running)
        self.cancel_button.setVisible(not done)
        if running:
            self.do_button.setText(self.tr("Waiting for the password…"))
        elif done:
            self.do_button.setText(self.tr("Done"))
        else:
            again = self.error_card.isVisibleTo(self)
            self.do_button.setText(self.tr("Try again") if again else self.tr("Do it"))

    def _retranslate(self) -> None:
        self._commands_name.setText(self.tr("Commands"))
        self.commands.setAccessibleName(self.tr("Commands"))
        self.content.setAccessibleName(self.tr("Text of the file"))
        self.copy_button.setText(self.tr("Copy the commands"))
        self.cancel_button.setText(self.tr("Cancel"))
        if self.isVisible():
            self._fill()
        self._show_running()
