"""Editors for the settings of a tile, made from its schema: one for each kind of field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from zeroclaw_desktop.bridge.command_views import CommandView, ParamView
from zeroclaw_desktop.bridge.tile_fields import Field, is_series
from zeroclaw_desktop.gui.dashboard.field_words import choice_name
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.fields import ChoiceList, MonoField
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.switch import Switch

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.dashboards_bridge import SourceChoice
    from zeroclaw_desktop.bridge.views import BoardView

_NUMERIC = ("int", "float")
_LIST_ROWS = 6


class Editor(QWidget):
    """Edits one value; ``changed`` tells of each change by a person."""

    changed = Signal()

    def value(self) -> Any:
        """The value as it is; None for one that is not set."""
        return None

    def set_value(self, value: Any) -> None:
        """Show a value."""


class TextEditor(Editor):
    """A line of text."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.textEdited.connect(self.changed)
        row(self.field, gap=0, parent=self)

    def value(self) -> str:
        """The text."""
        return self.field.text()

    def set_value(self, value: Any) -> None:
        """Show a text."""
        self.field.setText("" if value is None else str(value))


class NumberEditor(Editor):
    """A number, or nothing; what is no number is handed on as text, so that it can be told."""

    def __init__(self, unit: str = "", hint: str = "") -> None:
        super().__init__()
        self.field = MonoField()
        self.field.setPlaceholderText(hint)
        self.field.setMaximumWidth(space(36))
        self.field.textEdited.connect(self.changed)
        row(self.field, Text(unit, "body", "muted"), STRETCH, gap=2, parent=self)

    def value(self) -> Any:
        """The number; None when nothing is entered; the text when it is no number."""
        text = self.field.text().strip().replace(",", ".")
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if number.is_integer() and "." not in text and abs(number) < 1e15 else number

    def set_value(self, value: Any) -> None:
        """Show a number."""
        self.field.setText(
            "" if value is None else (f"{value:g}" if isinstance(value, float) else str(value))
        )


class FlagEditor(Editor):
    """Yes or no."""

    def __init__(self) -> None:
        super().__init__()
        self.switch = Switch()
        self.switch.clicked.connect(self.changed)
        row(self.switch, STRETCH, gap=0, parent=self)

    def value(self) -> bool:
        """Whether it is on."""
        return self.switch.isChecked()

    def set_value(self, value: Any) -> None:
        """Show it."""
        self.switch.setChecked(bool(value))


class ChoiceEditor(Editor):
    """One of several values.

    Args:
        choices: (value, text) in order.
    """

    def __init__(self, choices: Sequence[tuple[Any, str]] = ()) -> None:
        super().__init__()
        self.list = ChoiceList()
        self._values: list[Any] = []
        self.list.activated.connect(self.changed)
        line = row(self.list, STRETCH, gap=0, parent=self)
        line.setStretch(0, 1)
        self.set_choices(choices)

    def set_choices(self, choices: Sequence[tuple[Any, str]]) -> None:
        """Offer these; the chosen one stays if it is among them."""
        chosen = self.value()
        self.list.clear()
        self._values = [value for value, _ in choices]
        self.list.addItems([text for _, text in choices])
        self.list.setCurrentIndex(self._values.index(chosen) if chosen in self._values else -1)

    def value(self) -> Any:
        """The chosen value; None for none."""
        number = self.list.currentIndex()
        return self._values[number] if 0 <= number < len(self._values) else None

    def set_value(self, value: Any) -> None:
        """Choose a value; one that is not offered is added as it is, so that it is not lost."""
        if value is not None and value not in self._values:
            self._values.append(value)
            self.list.addItem(_plain_ref(value))
        self.list.setCurrentIndex(self._values.index(value) if value in self._values else -1)


class SeriesListEditor(Editor):
    """Any number of series."""

    def __init__(self, choices: Sequence[SourceChoice]) -> None:
        super().__init__()
        self.list = QListWidget()
        self.list.setMaximumHeight(space(7 * _LIST_ROWS))
        self._refs: list[dict[str, object]] = []
        for choice in choices:
            if choice.pin is None:
                self._add(choice.ref, f"{choice.text}   ·   {choice.group}")
        self.list.itemChanged.connect(lambda _item: self.changed.emit())
        row(self.list, gap=0, parent=self)

    def value(self) -> list[dict[str, object]]:
        """The series that are ticked."""
        return [
            ref
            for number, ref in enumerate(self._refs)
            if self.list.item(number).checkState() == Qt.CheckState.Checked
        ]

    def set_value(self, value: Any) -> None:
        """Tick these series; one that is not there now is added."""
        wanted = [dict(ref) for ref in value if is_series(ref)] if isinstance(value, list) else []
        self.list.blockSignals(True)
        for ref in wanted:
            if ref not in self._refs:
                self._add(ref, _plain_ref(ref))
        for number, ref in enumerate(self._refs):
            state = Qt.CheckState.Checked if ref in wanted else Qt.CheckState.Unchecked
            self.list.item(number).setCheckState(state)
        self.list.blockSignals(False)

    def _add(self, ref: dict[str, object], text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable
        )
        item.setCheckState(Qt.CheckState.Unchecked)
        self._refs.append(ref)
        self.list.addItem(item)


class CommandEditor(Editor):
    """A board, one of its commands, and the parameters of that command.

    Args:
        commands: that connected boards can do.
        boards: all boards.
    """

    def __init__(self, commands: Sequence[CommandView], boards: Sequence[BoardView]) -> None:
        super().__init__()
        self._commands = {command.name: command for command in commands}
        self.board = ChoiceEditor([(board.board_id, board.name) for board in boards])
        self.command = ChoiceEditor([(one.name, f"{one.name}  ·  {one.title}") for one in commands])
        self.params: dict[str, Editor] = {}
        self._given: dict[str, Any] = {}
        self._column = column(gap=1)
        self._rows: list[QWidget] = []
        self.board.changed.connect(self.changed)
        self.command.changed.connect(self._choose)
        layout = column(self.board, self.command, gap=1, parent=self)
        layout.addLayout(self._column)

    def value(self) -> dict[str, Any] | None:
        """Board, command and the parameters that are set; None while one of the first two is missing."""
        board, command = self.board.value(), self.command.value()
        if not board or not command:
            return None
        if command not in self._commands:
            return {"board": board, "command": command, "params": dict(self._given)}
        params = {name: editor.value() for name, editor in self.params.items()}
        return {
            "board": board,
            "command": command,
            "params": {name: value for name, value in params.items() if value not in (None, "")},
        }

    def set_value(self, value: Any) -> None:
        """Show a command."""
        chosen = value if isinstance(value, Mapping) else {}
        self.board.set_value(chosen.get("board"))
        if self.board.value() is None and self.board.list.count():
            self.board.list.setCurrentIndex(0)
        self.command.set_value(chosen.get("command"))
        self._given = dict(chosen.get("params", {}))
        self._make_rows()

    def numeric(self) -> list[ParamView]:
        """The parameters that are numbers."""
        view = self._commands.get(str(self.command.value()))
        return [param for param in view.params if param.type in _NUMERIC] if view is not None else []

    def _choose(self) -> None:
        self._given = {name: editor.value() for name, editor in self.params.items()}
        self._make_rows()
        self.changed.emit()

    def _make_rows(self) -> None:
        for widget in self._rows:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._rows, self.params = [], {}
        view = self._commands.get(str(self.command.value()))
        for param in view.params if view is not None else ():
            editor = _param_editor(param)
            editor.set_value(self._given.get(param.name, param.default if param.choices else None))
            editor.changed.connect(self.changed)
            name = Text(f"{param.name} *" if param.required else param.name, "mono_small", "muted")
            name.setMinimumWidth(space(26))
            name.setToolTip(param.description)
            line = QWidget()
            row(name, editor, gap=2, parent=line).setStretch(1, 1)
            self._column.addWidget(line)
            self._rows.append(line)
            self.params[param.name] = editor


class _ListEditor(TextEditor):
    """A list of texts or numbers, parted by commas."""

    def value(self) -> Any:
        """The list; None when nothing is entered."""
        parts = [part.strip() for part in self.field.text().split(",") if part.strip()]
        return [_number_or_text(part) for part in parts] or None

    def set_value(self, value: Any) -> None:
        """Show a list."""
        self.field.setText(", ".join(map(str, value)) if isinstance(value, list | tuple) else "")


def _number_or_text(part: str) -> Any:
    try:
        number = float(part)
    except ValueError:
        return part
    return int(number) if number.is_integer() and "." not in part else number


def _param_editor(param: ParamView) -> Editor:
    if param.choices:
        return ChoiceEditor([(choice, str(choice)) for choice in param.choices])
    if param.type == "bool":
        return FlagEditor()
    if param.type in _NUMERIC:
        return NumberEditor(param.unit, _range_text(param))
    if param.type == "list":
        return _ListEditor()
    editor = TextEditor()
    editor.field.setPlaceholderText("" if param.default is None else str(param.default))
    return editor


def _range_text(param: ParamView) -> str:
    if param.default is not None:
        return f"{param.default:g}"
    if param.minimum is not None and param.maximum is not None:
        return f"{param.minimum:g} … {param.maximum:g}"
    return ""


def _plain_ref(value: Any) -> str:
    if isinstance(value, Mapping):
        pin = QCoreApplication.translate("_SeriesTile", "pin {0}").format(value.get("pin"))
        name = pin if "pin" in value else str(value.get("label", ""))
        return f"{name}   ·   {value.get('source', '')}"
    return str(value)


def make_editor(
    field: Field,
    sources: Sequence[SourceChoice],
    commands: Sequence[CommandView],
    boards: Sequence[BoardView],
    nothing: str,
) -> Editor:
    """The editor of a field.

    Args:
        nothing: words for no board.
    """
    if field.kind == "series":
        return ChoiceEditor([(one.ref, f"{one.text}   ·   {one.group}") for one in sources])
    if field.kind == "series_list":
        return SeriesListEditor(sources)
    if field.kind == "command":
        return CommandEditor(commands, boards)
    if field.kind == "board":
        return ChoiceEditor([("", nothing), *((board.board_id, board.name) for board in boards)])
    if field.kind == "choice":
        return ChoiceEditor([(choice, choice_name(choice)) for choice in field.choices])
    if field.kind == "flag":
        return FlagEditor()
    if field.kind in ("number", "limit", "whole"):
        hint = "" if field.default is None else f"{field.default:g}"
        return NumberEditor(field.unit, hint)
    return ChoiceEditor() if field.kind == "parameter" else TextEditor()
