"""The table of a board's pins with the person's names and roles; what is wrong is said in its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zeroclaw_desktop.bridge.board_names_bridge import BoardNamesBridge
    from zeroclaw_desktop.bridge.name_views import PinNameView, RoleView
    from zeroclaw_desktop.bridge.views import BoardView

FIRST_ROWS, MORE_ROWS = 14, 5
"""How many rows are made at once at the beginning, and then in each turn of the loop; one takes 2 ms."""
_ROWS_EACH = 2
"""Grid rows of one pin: its fields, and what is wrong with them."""


class PinNameRow:
    """The fields of one pin; ``edited`` is called whenever the person has changed one of them."""

    def __init__(self, pin: PinNameView, roles: Sequence[RoleView]) -> None:
        self.pin = pin
        self.printed = ElidedText(pin.printed, "mono")
        self.printed.setToolTip(pin.note)
        self.field = QLineEdit(pin.name)
        self.role = ChoiceList()
        for role in roles:
            self.role.addItem(role.title, role.key)
        self.role.setCurrentIndex(max(0, self.role.findData(pin.role)))
        self.sheet = ElidedText(", ".join(pin.sheet_names), "body", "muted")
        self.problem = Text(role="caption", tone="danger", wrap=True)
        self.problem.hide()

    def wanted(self) -> tuple[str, str]:
        """Name and role as they stand in the fields."""
        return self.field.text().strip(), str(self.role.currentData())

    def changed(self) -> bool:
        """Whether something else stands there than is kept."""
        return self.wanted() != (self.pin.name, self.pin.role)

    def parts(self) -> tuple[QWidget, ...]:
        """Widgets in the order of the columns."""
        return self.printed, self.field, self.role, self.sheet


class _Rows(QWidget):
    """The grid with all rows."""

    edited = Signal(int)
    added = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[PinNameView] = []
        self._roles: Sequence[RoleView] = ()
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.timeout.connect(lambda: self._add_rows(MORE_ROWS))
        self.rows: dict[int, PinNameRow] = {}
        self.heads = [Text(role="caption", tone="muted") for _ in range(4)]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, space(3), 0)
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(1))
        for place, stretch in enumerate((2, 4, 0, 3)):
            self._grid.setColumnStretch(place, stretch)
            self._grid.addWidget(self.heads[place], 0, place)

    def fill(self, pins: Sequence[PinNameView], roles: Sequence[RoleView]) -> None:
        """Show these pins."""
        for old in self.rows.values():
            for part in (*old.parts(), old.problem):
                self._grid.removeWidget(part)
                part.hide()
                part.deleteLater()
        self.rows = {}
        self._waiting, self._roles = list(pins), roles
        self._add_rows(FIRST_ROWS)
        if self._waiting:
            self._more.start()

    def _add_rows(self, most: int) -> None:
        """Make the next rows; those that cannot be seen at once are made while the window lives on."""
        for pin in self._waiting[:most]:
            line = self.rows[pin.number] = PinNameRow(pin, self._roles)
            place = len(self.rows) - 1
            for place_in_row, part in enumerate(line.parts()):
                self._grid.addWidget(part, 1 + place * _ROWS_EACH, place_in_row)
            self._grid.addWidget(line.problem, 2 + place * _ROWS_EACH, 1, 1, 3)
            line.field.textChanged.connect(lambda _text, pin=pin.number: self.edited.emit(pin))
            line.role.currentIndexChanged.connect(lambda _index, pin=pin.number: self.edited.emit(pin))
            self.added.emit(pin.number)
        del self._waiting[:most]
        if not self._waiting:
            self._more.stop()


class PinNamesSheet(Sheet):
    """Names the pins of one board.

    Args:
        host: page that it lies over.
        names: bridge object.
    """

    def __init__(self, host: QWidget, names: BoardNamesBridge) -> None:
        super().__init__(host)
        self._names = names
        self._board: BoardView | None = None
        self.panel.setMaximumWidth(size("shortcuts_width"))
        self._explanation = Text(tone="muted", wrap=True)
        self._table = _Rows()
        self._table.edited.connect(self._check)
        self._table.added.connect(self._name_row)
        body = row(self._table, gap=0)
        self._scroll = ScrollColumn(body)
        self.error_card = ErrorCard(dismissible=True)
        self.error_card.dismissed.connect(self.error_card.hide)
        self.error_card.hide()
        self.state = Text(tone="muted")
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        self.save_button = Button("", "primary")
        self.save_button.clicked.connect(self._save)
        for part in (self._explanation, self._scroll, self.error_card):
            self.panel.body.addWidget(part)
        self.panel.body.addLayout(row(self.state, STRETCH, self.cancel_button, self.save_button))
        self._retranslate()

    def rows(self) -> dict[int, PinNameRow]:
        """Return the rows by pin number."""
        return self._table.rows

    def open_for(self, board: BoardView) -> None:
        """Show the pins of a board; the first one gets the keyboard."""
        self._board = board
        self.error_card.hide()
        self._table.fill(self._names.pin_names(board.board_id), self._names.roles())
        self._retranslate()
        self._refresh()
        room = self._host.height() - space(72)
        self._scroll.setMinimumHeight(max(size("console_height"), min(size("console_height") * 3, room)))
        self.open_sheet()
        for line in list(self.rows().values())[:1]:
            line.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            if self.isVisible() and self._board is not None and not self._changed():
                self._table.fill(self._names.pin_names(self._board.board_id), self._names.roles())
                self._name_fields()
            self._refresh()
        super().changeEvent(event)

    def _changed(self) -> list[PinNameRow]:
        return [line for line in self.rows().values() if line.changed()]

    def _check(self, _pin: int) -> None:
        self._refresh()

    def _refresh(self) -> None:
        """Say in each changed row what is wrong; a name that moves within the table is no problem."""
        good = True
        for line in self.rows().values():
            problem = self._problem(line) if line.changed() else ""
            line.problem.setText(problem)
            line.problem.setVisible(bool(problem))
            good = good and not problem
        changed = len(self._changed())
        self.save_button.setEnabled(good and changed > 0)
        self.state.setText(self.tr("{0} changed").format(changed) if changed else "")

    def _problem(self, line: PinNameRow) -> str:
        assert self._board is not None
        name, role = line.wanted()
        wanted = {
            other.pin.number: other.wanted()[0].casefold()
            for other in self.rows().values()
            if other is not line
        }
        twin = next((pin for pin, text in wanted.items() if name and text == name.casefold()), None)
        if twin is not None:
            return self.tr("Pin {0} has this name, too.").format(self.rows()[twin].pin.printed)
        problem = self._names.pin_name_problem(self._board.board_id, line.pin.number, name, role)
        freed = any(
            other.changed() and other.pin.name.casefold() == name.casefold()
            for other in self.rows().values()
            if other is not line
        )
        return "" if freed and name else problem

    def _save(self) -> None:
        """Keep the changes: names that are taken away first, so that one can move to another pin."""
        assert self._board is not None
        for line in sorted(self._changed(), key=lambda line: bool(line.wanted()[0])):
            error = self._names.name_pin(self._board.board_id, line.pin.number, *line.wanted())
            if error is not None:
                self.error_card.set_error(error, offer_action=False)
                self.error_card.show()
                return
        self.close_sheet()

    def _name_fields(self) -> None:
        for pin in self.rows():
            self._name_row(pin)

    def _name_row(self, pin: int) -> None:
        line = self.rows()[pin]
        line.field.setAccessibleName(self.tr("Name of pin {0}").format(line.pin.printed))
        line.role.setAccessibleName(self.tr("What pin {0} is for").format(line.pin.printed))

    def _retranslate(self) -> None:
        self.set_title(
            self.tr("Names of pins: {0}").format(self._board.name if self._board is not None else "")
        )
        self._explanation.setText(
            self.tr(
                "A name can be used in the chat. What a pin is for says which commands the assistant may use "
                "on it without asking; a name alone allows nothing. Data sheets can give names, too."
            )
        )
        heads = (self.tr("Pin"), self.tr("Name"), self.tr("What it is for"), self.tr("In data sheets"))
        for head, text in zip(self._table.heads, heads, strict=True):
            head.setText(text)
        self.cancel_button.setText(self.tr("Cancel"))
        self.save_button.setText(self.tr("Save"))
        self._name_fields()
