"""Small sheets about one board: give it another name, forget it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.board_names_bridge import BoardNamesBridge
    from zeroclaw_desktop.bridge.views import BoardView


class RenameSheet(Sheet):
    """Gives a board a name; it is checked while it is typed.

    Args:
        host: page that it lies over.
        names: bridge object.
    """

    def __init__(self, host: QWidget, names: BoardNamesBridge) -> None:
        super().__init__(host)
        self._names = names
        self._board: BoardView | None = None
        self._explanation = Text(tone="muted", wrap=True)
        self.field = QLineEdit()
        self.field.textChanged.connect(self._check)
        self.problem = Text(tone="danger", wrap=True)
        self.error_card = ErrorCard()
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        self.save_button = Button("", "primary")
        self.save_button.clicked.connect(self._save)
        for part in (self._explanation, self.field, self.problem, self.error_card):
            self.panel.body.addWidget(part)
        self.panel.body.addLayout(row(STRETCH, self.cancel_button, self.save_button))
        self._retranslate()

    def open_for(self, board: BoardView) -> None:
        """Show the name that the board has now."""
        self._board = board
        self.error_card.hide()
        self.field.setText(board.name)
        self._check()
        self._retranslate()
        self.open_sheet()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter saves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.save_button.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._check()
        super().changeEvent(event)

    def _check(self) -> None:
        board_id = self._board.board_id if self._board is not None else ""
        problem = self._names.board_name_problem(board_id, self.field.text())
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.save_button.setEnabled(not problem)

    def _save(self) -> None:
        assert self._board is not None
        unchanged = self.field.text() == self._board.name
        error = None if unchanged else self._names.rename(self._board.board_id, self.field.text())
        if error is None:
            self.close_sheet()
            return
        self.error_card.set_error(error, offer_action=False)
        self.error_card.show()

    def _retranslate(self) -> None:
        self.set_title(self.tr("Rename the board"))
        self._explanation.setText(
            self.tr(
                "The name is used in the chat and on every page. It stays with this board when it is plugged "
                "in elsewhere. An empty field gives it the name of its kind."
            )
        )
        self.field.setAccessibleName(self.tr("Name of the board"))
        self.field.setPlaceholderText(self.tr("Name of the board"))
        self.cancel_button.setText(self.tr("Cancel"))
        self.save_button.setText(self.tr("Save"))


class ForgetSheet(Sheet):
    """Asks before what was remembered of a board is dropped.

    Args:
        host: page that it lies over.
        names: bridge object.
    """

    def __init__(self, host: QWidget, names: BoardNamesBridge) -> None:
        super().__init__(host)
        self._names = names
        self._board: BoardView | None = None
        self._explanation = Text(wrap=True)
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        self.forget_button = Button("", "danger", "delete")
        self.forget_button.clicked.connect(self._forget)
        self.panel.body.addWidget(self._explanation)
        self.panel.body.addLayout(row(STRETCH, self.cancel_button, self.forget_button))
        self._retranslate()

    def open_for(self, board: BoardView) -> None:
        """Say what would be dropped."""
        self._board = board
        self._retranslate()
        self.open_sheet()
        self.cancel_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _forget(self) -> None:
        assert self._board is not None
        self._names.forget(self._board.board_id)
        self.close_sheet()

    def _retranslate(self) -> None:
        self.set_title(self.tr("Forget {0}").format(self._board.name if self._board is not None else ""))
        self._explanation.setText(
            self.tr(
                "The board is disconnected. Its name, the names of its pins and the choice of its kind are "
                "dropped. Nothing on the board itself is changed; its port is listed again while it is "
                "plugged in."
            )
        )
        self.cancel_button.setText(self.tr("Cancel"))
        self.forget_button.setText(self.tr("Forget"))
