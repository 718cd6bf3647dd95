"""What a new tile shall show or do: series, pins and commands of the boards in one list with a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from zeroclaw_desktop.bridge.command_views import CommandView
from zeroclaw_desktop.gui.dashboard.make_tile import ICONS, kind_name
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.theme import icon, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

_KINDS = {
    "series": ("number", "plot", "gauge", "bar", "led"),
    "pin": ("led", "number"),
    "command": ("button", "switch", "slider"),
    "text": ("text",),
}
"""Kinds of tiles that suit what was chosen; the first is the likely one."""
_NUMERIC = ("int", "float")


@dataclass(frozen=True)
class Subject:
    """What a tile may be about.

    Attributes:
        kind: ``series``, ``pin``, ``command`` or ``text``.
        text, group: for the list.
        value: the reference of a series or pin; the board and the command's view.
    """

    kind: str
    text: str
    group: str
    value: Any = None


class AddSheet(Sheet):
    """Lies over the Dashboard page.

    Args:
        host: the page.
        world: what there is.
    """

    chosen = Signal(str, object)
    """(kind of tile, settings to begin with)."""

    def __init__(self, host: QWidget, world: TileWorld) -> None:
        super().__init__(host)
        self._world = world
        self._subjects: list[Subject] = []
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QListWidget()
        self.list.currentItemChanged.connect(lambda _now, _before: self._offer())
        self.list.itemActivated.connect(lambda _item: self._choose_first())
        self._question = Text(tone="muted")
        self.buttons: dict[str, Button] = {}
        line = row(gap=2)
        for kind, name in ICONS.items():
            button = Button("", "secondary", name, compact=True)
            button.clicked.connect(lambda _=False, chosen=kind: self._choose(chosen))
            self.buttons[kind] = button
            line.addWidget(button)
        line.addStretch(1)
        self.nothing = Text(tone="muted", wrap=True)
        self.panel.body.addWidget(self.search)
        self.panel.body.addWidget(self.nothing)
        self.panel.body.addWidget(self.list, 1)
        self.panel.body.addLayout(column(self._question, line, gap=1))
        self.cancel_button = Button("", "secondary")
        self.cancel_button.clicked.connect(self.close_sheet)
        self.panel.body.addLayout(row(STRETCH, self.cancel_button))
        self._retranslate()

    def open_add(self) -> None:
        """Show what there is now."""
        self._subjects = self._collect()
        self.search.clear()
        self._fill("")
        self.list.setMinimumHeight(max(space(50), self._host.height() - space(100)))
        self.open_sheet()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def subjects(self) -> list[Subject]:
        """What is offered."""
        return list(self._subjects)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _collect(self) -> list[Subject]:
        dashboards = self._world.dashboards
        found = [
            Subject("pin" if one.pin is not None else "series", one.text, one.group, one.ref)
            for one in dashboards.source_choices()
        ]
        boards = [board for board in self._world.devices.boards() if board.state == "live"]
        found += [
            Subject("command", f"{command.name}  ·  {command.title}", board.name, (board.board_id, command))
            for board in boards
            for command in dashboards.orders.commands()
        ]
        return [*found, Subject("text", self.tr("A note, or the last line of a board"), "")]

    def _fill(self, words: str) -> None:
        wanted = words.casefold().split()
        self.list.clear()
        names = {
            "series": self.tr("series"),
            "pin": self.tr("pin"),
            "command": self.tr("command"),
            "text": self.tr("text"),
        }
        icons = {"series": "plots", "pin": "pin", "command": "run", "text": "note"}
        for number, subject in enumerate(self._subjects):
            shown = "   ·   ".join(
                part for part in (subject.text, names[subject.kind], subject.group) if part
            )
            if all(word in shown.casefold() for word in wanted):
                item = QListWidgetItem(icon(icons[subject.kind], "text_muted"), shown)
                item.setData(Qt.ItemDataRole.UserRole, number)
                self.list.addItem(item)
        self.nothing.setVisible(all(subject.kind == "text" for subject in self._subjects))
        if self.list.count():
            self.list.setCurrentRow(0)
        self._offer()

    def _filter(self, words: str) -> None:
        self._fill(words)

    def _subject(self) -> Subject | None:
        item = self.list.currentItem()
        return None if item is None else self._subjects[int(item.data(Qt.ItemDataRole.UserRole))]

    def _offer(self) -> None:
        subject = self._subject()
        kinds = _KINDS[subject.kind] if subject is not None else ()
        for kind, button in self.buttons.items():
            button.setVisible(kind in kinds)
            button.set_role("primary" if kinds and kind == kinds[0] else "secondary")

    def _choose_first(self) -> None:
        subject = self._subject()
        if subject is not None:
            self._choose(_KINDS[subject.kind][0])

    def _choose(self, kind: str) -> None:
        subject = self._subject()
        if subject is None:
            return
        self.close_sheet()
        self.chosen.emit(kind, first_settings(kind, subject))

    def _retranslate(self) -> None:
        self.set_title(self.tr("Add tile"))
        self.search.setPlaceholderText(self.tr("Search series, pins and commands"))
        self._question.setText(self.tr("Show it as"))
        self.nothing.setText(
            self.tr("No board is connected and no series came yet. Start the simulator to have some.")
        )
        self.cancel_button.setText(self.tr("Cancel"))
        for kind, button in self.buttons.items():
            button.setText(kind_name(kind))


def first_settings(kind: str, subject: Subject) -> dict[str, Any]:
    """The settings that follow from what was chosen."""
    if subject.kind in ("series", "pin"):
        return {"series": [subject.value]} if kind == "plot" else {"series": subject.value}
    if subject.kind != "command":
        return {}
    board_id, command = subject.value
    if kind == "switch":
        on, off = _on_and_off(command)
        return {
            "on": {"board": board_id, "command": command.name, "params": on},
            "off": {"board": board_id, "command": command.name, "params": off},
        }
    settings: dict[str, Any] = {"command": {"board": board_id, "command": command.name, "params": {}}}
    if kind == "slider":
        numbers = [param.name for param in command.params if param.type in _NUMERIC]
        likely = [name for name in ("duty", "angle", "frequency", "value") if name in numbers]
        settings["parameter"] = next(iter((*likely, *numbers)), "")
    return settings


def _on_and_off(command: CommandView) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters of the two orders of a switch, for a command with a parameter that is 0 or 1, or 0..1."""
    for param in command.params:
        if param.type == "bool":
            return {param.name: True}, {param.name: False}
        if set(param.choices) == {0, 1}:
            return {param.name: 1}, {param.name: 0}
    for param in command.params:
        if param.type == "float" and (param.minimum, param.maximum) == (0.0, 1.0):
            return {param.name: 1.0}, {param.name: 0.0}
    return {}, {}
