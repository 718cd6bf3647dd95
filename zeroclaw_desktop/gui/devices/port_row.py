"""One port without a known board: what is known, what keeps it closed, who is there, choosing by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.kind_menu import KindMenu
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, IconLabel, Notice
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.port_views import AccessView, AskView
    from zeroclaw_desktop.bridge.views import BoardKindView, PortView

MOST_OFFERED = 3
"""Kinds that stand as buttons below an answer; with more of them the menu is clearer."""


class PortRow(QWidget):
    """One port: path, chip, hint, 'Find out', 'Connect as ...'.

    Args:
        port: what is shown.
        board_types: kinds for the menu.
    """

    connect_requested = Signal(str, str)
    """Path of the port and key of the board type."""
    ask_requested = Signal(str)
    mend_requested = Signal(str)

    def __init__(self, port: PortView, board_types: list[BoardKindView]) -> None:
        super().__init__()
        self.port = port
        self._board_types = board_types
        self._answer: AskView | None = None
        self._problem: AccessView | None = None
        known = "  ·  ".join(part for part in (port.description, port.chip, port.usb_id, port.place) if part)
        texts = column(
            ElidedText(port.path, "mono", middle=True), ElidedText(known, "caption", "muted"), gap=0.5
        )
        self.new_badge = Badge("", "live")
        self.new_badge.hide()
        self.ask_button = Button("", "secondary", "search", compact=True)
        self.ask_button.clicked.connect(lambda: self.ask_requested.emit(port.path))
        self.connect_button = Button("", "secondary", "connect", compact=True)
        self.menu = self._menu(port.candidates)
        icon = IconLabel("port", "text_muted", size("icon"))
        line = row(icon, texts, self.new_badge, self.ask_button, self.connect_button, gap=3)
        line.setStretch(1, 1)
        self.problem = Notice(kind="warning")
        self.problem.action_triggered.connect(lambda: self.mend_requested.emit(port.path))
        self.hint = Text(port.hint, "caption", "muted", wrap=True)
        self.hint.setVisible(bool(port.hint))
        self.answer = Notice()
        self.error_card = ErrorCard()
        self.error_card.action_requested.connect(self._follow_error)
        self.offers: dict[str, Button] = {}
        self._offers = QWidget()
        self._offer_row = row(STRETCH, gap=2, parent=self._offers)
        for part in (self.problem, self.answer, self.error_card, self._offers):
            part.hide()
        parts = (line, self.hint, self.problem, self.answer, self.error_card, self._offers)
        column(*parts, gap=2, parent=self)
        self._retranslate()

    def show_new(self, new: bool) -> None:
        """Mark a port that was just plugged in, so that one of several boards can be told by its cable."""
        self.new_badge.setVisible(new)

    def show_problem(self, problem: AccessView | None) -> None:
        """Say what keeps the port closed; None for nothing."""
        if problem == self._problem:
            return
        self._problem = problem
        self.problem.setVisible(problem is not None)
        if problem is not None:
            kind = "warning" if problem.serious else "info"
            self.problem.set_notice(problem.sentence, kind, problem.mend)
        self._refresh_buttons()

    def show_answer(self, answer: AskView | None) -> None:
        """Show how a question goes, or what was answered; None when nobody has asked."""
        if answer == self._answer:
            return
        self._answer = answer
        error = answer.error if answer is not None else None
        self.answer.setVisible(answer is not None and bool(answer.sentence))
        if answer is not None:
            kind = "success" if answer.certain else "info"
            self.answer.set_notice(answer.sentence, kind)
        self.error_card.setVisible(error is not None)
        if error is not None:
            self.error_card.set_error(error)
        self._show_offers(answer)
        self._refresh_buttons()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _menu(self, candidates: tuple[str, ...]) -> KindMenu:
        menu = KindMenu(self.connect_button, self._board_types, candidates)
        menu.chosen.connect(lambda kind: self.connect_requested.emit(self.port.path, kind))
        self.connect_button.setMenu(menu)
        return menu

    def _show_offers(self, answer: AskView | None) -> None:
        """Offer the boards that the answer leaves open: as buttons when they are few, else in the menu."""
        for button in self.offers.values():
            self._offer_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.offers = {}
        kinds = answer.kinds if answer is not None and not answer.certain else ()
        if kinds:
            self.menu.deleteLater()
            self.menu = self._menu(tuple(key for key, _ in kinds))
        for key, name in kinds if len(kinds) <= MOST_OFFERED else ():
            button = Button(name.replace("&", "&&"), "secondary", compact=True)
            button.clicked.connect(
                lambda _=False, kind=key: self.connect_requested.emit(self.port.path, kind)
            )
            self._offer_row.insertWidget(len(self.offers), button)
            self.offers[key] = button
        self._offers.setVisible(bool(self.offers))

    def _follow_error(self, action: str) -> None:
        if action == "retry":
            self.ask_requested.emit(self.port.path)
        elif action == "allow_access":
            self.mend_requested.emit(self.port.path)

    def _refresh_buttons(self) -> None:
        """The button that was pressed keeps the keyboard: it stays enabled while the port is asked."""
        running = self._answer is not None and self._answer.running
        self.connect_button.setEnabled(not running)
        if running:
            self.ask_button.setText(self.tr("Asking…"))
        else:
            self.ask_button.setText(self.tr("Find out") if self._answer is None else self.tr("Ask again"))

    def _retranslate(self) -> None:
        self.connect_button.setText(self.tr("Connect as…"))
        self.new_badge.set_state(self.tr("Just plugged in"), "live")
        self.ask_button.setToolTip(
            self.tr(
                "Find out which board this is: first its firmware is asked, then its boot loader, which "
                "restarts the board. Nothing is written."
            )
        )
        self.connect_button.setAccessibleDescription(self.port.path)
        self.ask_button.setAccessibleDescription(self.port.path)
        self._refresh_buttons()


class PortlessRow(QWidget):
    """A board that is plugged in and has no port: why, and what helps."""

    mend_requested = Signal(str)

    def __init__(self, problem: AccessView) -> None:
        super().__init__()
        self.view = problem
        self.notice = Notice(problem.sentence, "warning", problem.mend)
        self.notice.action_triggered.connect(lambda: self.mend_requested.emit(problem.place))
        column(self.notice, gap=0, parent=self)
