"""Second step: values, pins and parts, with the board's picture and everything that is to be known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QSizePolicy, QWidget

from zeroclaw_desktop.gui.devices.firmware_maker.finding_list import FindingList
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from zeroclaw_desktop.bridge.maker_views import NeedView, ParamView, PlanView
    from zeroclaw_desktop.bridge.views import BoardView, PinView

TYPING_MILLISECONDS = 400
_FIELD_STEPS = 40


class PlanStep(QWidget):
    """Shows a plan and says what the person wants otherwise."""

    pin_chosen = Signal(str, str)
    """(need, name of the pin)"""
    param_chosen = Signal(str, str)
    dialect_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._plan: PlanView | None = None
        self._typed: dict[str, str] = {}
        self.picture = BoardPicture("arduino-uno")
        self.picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.picture.setMaximumWidth(size("board_maximum_width"))
        self.dialect_list = ChoiceList()
        self.dialect_list.activated.connect(self._dialect_activated)
        self._dialect_label = _label("")
        self._heads = {key: Text(role="strong") for key in ("pins", "values", "parts")}
        self._pin_grid, self._value_grid = QGridLayout(), QGridLayout()
        for grid in (self._pin_grid, self._value_grid):
            grid.setHorizontalSpacing(space(3))
            grid.setVerticalSpacing(space(2))
            grid.setColumnStretch(2, 1)
        self._parts = column(gap=1)
        self.findings = FindingList()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TYPING_MILLISECONDS)
        self._timer.timeout.connect(self._send_typed)
        self.pin_lists: dict[str, ChoiceList] = {}
        self.value_fields: dict[str, QLineEdit | ChoiceList] = {}
        self._lay_out()
        self._retranslate()

    def _lay_out(self) -> None:
        left = column(self.picture, STRETCH, gap=3)
        dialect = row(self._dialect_label, self.dialect_list, STRETCH, gap=3)
        right = column(
            self.findings,
            self._heads["pins"],
            self._pin_grid,
            self._heads["values"],
            self._value_grid,
            dialect,
            self._heads["parts"],
            self._parts,
            STRETCH,
            gap=3,
        )
        body = row(gap=6)
        body.addLayout(left, 5)
        body.addLayout(right, 5)
        column(ScrollColumn(body), gap=0, parent=self)

    def show_board(self, board: BoardView, pins: Iterable[PinView]) -> None:
        """Show the board's picture."""
        self.picture.set_board(
            board.picture or board.board_type, board.name, simulated=board.simulated, powered=True
        )
        self.picture.set_pins(pins)

    def show_plan(self, plan: PlanView) -> None:
        """Take over a plan; fields that the person is typing into are left alone."""
        same = self._plan is not None and (
            (self._plan.template, self._plan.dialect) == (plan.template, plan.dialect)
            and [need.key for need in self._plan.needs] == [need.key for need in plan.needs]
        )
        self._plan = plan
        if not same:
            self._fill_rows(plan)
        self._refresh_rows(plan)
        self.picture.highlight_pins(plan.pins())
        self.findings.show_findings(plan.findings, self.tr("Line {0}:"))
        self._fill_parts(plan)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # -- rows -----------------------------------------------------------------------------------------
    def _fill_rows(self, plan: PlanView) -> None:
        self._timer.stop()
        self._typed = {}
        for grid in (self._pin_grid, self._value_grid):
            _clear(grid)
        self.pin_lists, self.value_fields = {}, {}
        for line, need in enumerate(plan.needs):
            self._add_need(line, need)
        for line, param in enumerate(plan.params):
            self._add_param(line, param)
        self.dialect_list.clear()
        for key, name in plan.dialects:
            self.dialect_list.addItem(name, key)
        self._heads["pins"].setVisible(bool(plan.needs))
        self._heads["values"].setVisible(bool(plan.params))

    def _add_need(self, line: int, need: NeedView) -> None:
        pins = ChoiceList()
        pins.setEditable(False)
        pins.setAccessibleName(need.label)
        pins.activated.connect(lambda _at, key=need.key: self._pin_activated(key))
        self.pin_lists[need.key] = pins
        self._pin_grid.addWidget(_label(need.label), line, 0)
        self._pin_grid.addWidget(pins, line, 1)
        reason = Text(need.reason, "caption", "muted", wrap=True)
        reason.setObjectName(f"reason_{need.key}")
        reason.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._pin_grid.addWidget(reason, line, 2)

    def _add_param(self, line: int, param: ParamView) -> None:
        field: QLineEdit | ChoiceList
        if param.kind == "choice":
            field = ChoiceList()
            for key, text in param.choices:
                field.addItem(text, key)
            field.activated.connect(
                lambda _at, key=param.key, box=field: self.param_chosen.emit(key, box.currentData())
            )
        else:
            field = QLineEdit()
            field.setMaximumWidth(space(_FIELD_STEPS * 2 if param.kind == "text" else _FIELD_STEPS))
            field.textEdited.connect(lambda text, key=param.key: self._note_typed(key, text))
            field.editingFinished.connect(self._send_typed)
        field.setAccessibleName(param.label)
        self.value_fields[param.key] = field
        if param.kind == "text":
            # A long text has a line of its own under its name.
            self._value_grid.addLayout(column(_label(param.label), field, gap=1), line, 0, 1, 3)
            return
        self._value_grid.addWidget(_label(param.label), line, 0)
        self._value_grid.addWidget(field, line, 1)
        self._value_grid.addWidget(Text(param.unit, tone="muted"), line, 2)

    def _refresh_rows(self, plan: PlanView) -> None:
        for need in plan.needs:
            pins = self.pin_lists[need.key]
            pins.clear()
            for name in need.choices:
                pins.addItem(name, name)
            pins.setCurrentIndex(0 if need.name else -1)
            pins.setEnabled(bool(need.choices))
            reason = self.findChild(Text, f"reason_{need.key}")
            if reason is not None:
                reason.setText(need.reason)
        for param in plan.params:
            field = self.value_fields[param.key]
            if isinstance(field, ChoiceList):
                field.setCurrentIndex(field.findData(param.value))
            elif param.key not in self._typed and not field.hasFocus():
                field.setText(param.value)
        at = self.dialect_list.findData(plan.dialect)
        self.dialect_list.setCurrentIndex(at)
        several = len(plan.dialects) > 1
        self.dialect_list.setVisible(several)
        self._dialect_label.setVisible(several)

    def _fill_parts(self, plan: PlanView) -> None:
        _clear(self._parts)
        for name, lines in plan.parts:
            self._parts.addWidget(Text(name, wrap=True))
            for line in lines:
                self._parts.addWidget(Text(f"·  {line}", "caption", "muted", wrap=True))
        self._heads["parts"].setVisible(bool(plan.parts))

    # -- what the person does -------------------------------------------------------------------------
    def _pin_activated(self, need: str) -> None:
        self.pin_chosen.emit(need, self.pin_lists[need].currentText())

    def _dialect_activated(self, _at: int) -> None:
        self.dialect_chosen.emit(self.dialect_list.currentData())

    def _note_typed(self, key: str, text: str) -> None:
        self._typed[key] = text
        self._timer.start()

    def _send_typed(self) -> None:
        self._timer.stop()
        typed, self._typed = self._typed, {}
        for key, text in typed.items():
            self.param_chosen.emit(key, text.strip())

    def _retranslate(self) -> None:
        self._heads["pins"].setText(self.tr("Pins"))
        self._heads["values"].setText(self.tr("Values"))
        self._heads["parts"].setText(self.tr("Parts and wires"))
        self._dialect_label.setText(self.tr("Language"))
        self.dialect_list.setAccessibleName(self.tr("Language"))


def _label(text: str) -> Text:
    label = Text(text, wrap=True)
    label.setMinimumWidth(space(_FIELD_STEPS - 6))
    return label


def _clear(layout: object) -> None:
    """Take all widgets out of a layout and of those in it."""
    from PySide6.QtWidgets import QLayout

    assert isinstance(layout, QLayout)
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            continue
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            _clear(inner)
            inner.deleteLater()
