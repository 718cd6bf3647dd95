"""The settings of one tile, made from the schema of its kind, checked with every key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.bridge.dashboard_document import Tile
from zeroclaw_desktop.bridge.tile_fields import FIELDS, Problem, tile_problems
from zeroclaw_desktop.gui.dashboard.act_tiles import order_of
from zeroclaw_desktop.gui.dashboard.editors import ChoiceEditor, CommandEditor, Editor, make_editor
from zeroclaw_desktop.gui.dashboard.field_words import field_name, problem_text
from zeroclaw_desktop.gui.dashboard.make_tile import kind_name
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn, Sheet

_NAME_WIDTH = 38


class _FieldRow(QWidget):
    """Name, editor, and below it what is wrong."""

    def __init__(self, name: str, editor: QWidget) -> None:
        super().__init__()
        label = Text(name, "body", "muted", wrap=True)
        label.setFixedWidth(space(_NAME_WIDTH))
        label.setMinimumHeight(size("control"))
        self.problem = Text("", "caption", "danger", wrap=True)
        self.problem.hide()
        right = column(editor, self.problem, gap=0.5)
        line = row(gap=3, parent=self)
        line.addWidget(label)
        line.setAlignment(label, Qt.AlignmentFlag.AlignTop)
        line.addLayout(right, 1)

    def show_problem(self, text: str) -> None:
        """Say what is wrong; '' when nothing is."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))


class PropertySheet(Sheet):
    """Lies over the Dashboard page.

    Args:
        host: the page.
        world: boards, series and commands to choose from.
    """

    accepted = Signal(object)
    """The Tile as it shall be."""

    def __init__(self, host: QWidget, world: TileWorld) -> None:
        super().__init__(host)
        self._world = world
        self._tile: Tile | None = None
        self._is_new = False
        self.editors: dict[str, Editor] = {}
        self.rows: dict[str, _FieldRow] = {}
        self.title_field = QLineEdit(self)
        self.title_field.hide()
        self._title_row: _FieldRow | None = None
        self._column = column(STRETCH, gap=2, margins=(0, 0, 3, 0))
        self._scroll = ScrollColumn(self._column)
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        self.done_button = Button("", "primary")
        self.done_button.clicked.connect(self.accept)
        self.panel.body.addWidget(self._scroll)
        self.panel.body.addLayout(row(STRETCH, self.cancel_button, self.done_button))
        self._retranslate()

    def open_tile(self, tile: Tile, *, is_new: bool) -> None:
        """Show the settings of a tile.

        Args:
            is_new: whether it is added, so that the button says so.
        """
        self._tile, self._is_new = tile, is_new
        self._make_rows(tile)
        self._retranslate()
        self.check()
        wanted = self._column.sizeHint().height() + space(4)
        self._scroll.setMinimumHeight(min(wanted, self._host.height() - space(50)))
        self.open_sheet()
        first = next(iter(self.editors.values()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.PopupFocusReason)

    def settings(self) -> dict[str, Any]:
        """The settings as they stand in the editors; what was there and is not shown stays."""
        known = {name: editor.value() for name, editor in self.editors.items()}
        kept = dict(self._tile.settings) if self._tile is not None else {}
        for name, value in known.items():
            if value is None:
                kept.pop(name, None)
            else:
                kept[name] = value
        return kept

    def check(self) -> bool:
        """Say under each field what is wrong; returns whether all is well."""
        if self._tile is None:
            return False
        self._offer_parameters()
        settings = self.settings()
        found = {problem.field: problem_text(problem) for problem in self._problems(settings)}
        for name, text in self._order_problems(settings).items():
            found.setdefault(name, text)
        for name, field_row in self.rows.items():
            field_row.show_problem(found.get(name, ""))
        self.done_button.setEnabled(not found)
        return not found

    def accept(self) -> None:
        """Hand the tile on, if all is well."""
        if self._tile is not None and self.check():
            title = " ".join(self.title_field.text().split())
            tile = replace(self._tile, title=title, settings=self.settings())
            self.close_sheet()
            self.accepted.emit(tile)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _problems(self, settings: Mapping[str, Any]) -> list[Problem]:
        return tile_problems(self._tile.kind, settings) if self._tile is not None else []

    def _order_problems(self, settings: Mapping[str, Any]) -> dict[str, str]:
        """What the door would refuse; a slider's own parameter is not set yet."""
        found: dict[str, str] = {}
        for name, editor in self.editors.items():
            order = order_of(settings.get(name)) if isinstance(editor, CommandEditor) else None
            if order is None:
                continue
            moved = (
                settings.get("parameter") if self._tile is not None and self._tile.kind == "slider" else None
            )
            if moved:
                low, _ = self._world.dashboards.orders.range_of(order, str(moved))
                order = replace(order, params={**order.params, str(moved): low or 0})
            problems = self._world.dashboards.orders.problems(order)
            if problems:
                found[name] = " ".join(problem.title for problem in problems)
        return found

    def _offer_parameters(self) -> None:
        """The numbers of the chosen command, for a slider."""
        parameter, command = self.editors.get("parameter"), self.editors.get("command")
        if isinstance(parameter, ChoiceEditor) and isinstance(command, CommandEditor):
            offered = [(param.name, f"{param.name}  {param.unit}".strip()) for param in command.numeric()]
            kept = parameter.value()
            parameter.set_choices(offered)
            names = [name for name, _ in offered]
            if kept not in names and names:
                likely = [name for name in ("duty", "angle", "frequency") if name in names]
                parameter.set_value((likely or names)[0])

    def _make_rows(self, tile: Tile) -> None:
        old = (self._title_row,) if self._title_row is not None else ()
        for field_row in (*self.rows.values(), *old):
            self._column.removeWidget(field_row)
            field_row.hide()
            field_row.deleteLater()
        self.editors, self.rows = {}, {}
        self.title_field = QLineEdit(tile.title)
        self.title_field.setMaxLength(60)
        self._title_row = _FieldRow(self.tr("Title"), self.title_field)
        dashboards = self._world.dashboards
        sources, commands = dashboards.source_choices(), dashboards.orders.commands()
        boards = self._world.devices.boards()
        place = 0
        for field in FIELDS.get(tile.kind, ()):
            editor = make_editor(field, sources, commands, boards, self.tr("no board"))
            value = tile.settings.get(field.name)
            editor.set_value(field.default if value is None else value)
            editor.changed.connect(self.check)
            self.editors[field.name] = editor
            self.rows[field.name] = _FieldRow(field_name(tile.kind, field.name), editor)
            self._column.insertWidget(place, self.rows[field.name])
            place += 1
        self._column.insertWidget(place, self._title_row)

    def _retranslate(self) -> None:
        kind = kind_name(self._tile.kind) if self._tile is not None else ""
        self.set_title(kind)
        self.title_field.setPlaceholderText(self.tr("by itself"))
        self.cancel_button.setText(self.tr("Cancel"))
        self.done_button.setText(self.tr("Add tile") if self._is_new else self.tr("Done"))
        self.panel.setMinimumHeight(size("console_height"))
