"""Boards that the person has named and that are not plugged in now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Hairline, SectionHeader
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.board_names_bridge import BoardNamesBridge
    from zeroclaw_desktop.bridge.name_views import AwayBoardView


class AwayRow(QWidget):
    """One board: name, what is known, 'Forget', which asks once more."""

    forget_requested = Signal(str)

    def __init__(self, board: AwayBoardView) -> None:
        super().__init__()
        self.board = board
        self._sure = False
        self.badge = Badge()
        self.forget_button = Button("", "ghost", "delete", compact=True)
        self.forget_button.clicked.connect(self._forget)
        self.keep_button = Button("", "secondary", compact=True)
        self.keep_button.clicked.connect(self._keep)
        texts = column(
            ElidedText(board.name, "strong"),
            ElidedText(board.facts, "caption", "muted", middle=True),
            gap=0.5,
        )
        icon = IconLabel("board", "text_faint", size("icon"))
        line = row(icon, texts, self.badge, self.keep_button, self.forget_button, gap=3, parent=self)
        line.setStretch(1, 1)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _forget(self) -> None:
        if self._sure:
            self.forget_requested.emit(self.board.identity)
        self._sure = not self._sure
        self._retranslate()

    def _keep(self) -> None:
        self._sure = False
        self._retranslate()
        self.forget_button.setFocus()

    def _retranslate(self) -> None:
        self.badge.set_state(self.tr("Not plugged in"), "off")
        self.forget_button.setText(self.tr("Forget its names") if self._sure else self.tr("Forget"))
        self.forget_button.set_role("danger" if self._sure else "ghost")
        self.keep_button.setText(self.tr("Keep"))
        self.keep_button.setVisible(self._sure)


class AwayList(Card):
    """All such boards; hidden when there is none.

    Args:
        names: bridge object.
    """

    def __init__(self, names: BoardNamesBridge) -> None:
        super().__init__(gap=3)
        self._names = names
        self._header = SectionHeader()
        self.rows: list[AwayRow] = []
        self._lines: list[QWidget] = []
        self.body.addWidget(self._header)
        self._retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Take over the boards from the bridge."""
        boards = self._names.away()
        self.setVisible(bool(boards))
        if boards == [line.board for line in self.rows]:
            return
        for widget in (*self.rows, *self._lines):
            self.body.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.rows = [AwayRow(board) for board in boards]
        self._lines = [Hairline() for _ in boards]
        for line, away_row in zip(self._lines, self.rows, strict=True):
            away_row.forget_requested.connect(self._forget)
            self.body.addWidget(line)
            self.body.addWidget(away_row)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.refresh()
        super().changeEvent(event)

    def _forget(self, identity: str) -> None:
        self._names.forget_away(identity)
        self.refresh()

    def _retranslate(self) -> None:
        self._header.set_text(self.tr("Known boards that are not plugged in"))
