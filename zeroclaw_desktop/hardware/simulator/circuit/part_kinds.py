"""The kinds of virtual parts, from ``resources/simulator/parts.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from zeroclaw_desktop.contracts.boards import LocalText
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.assets import resource_path

Details = Mapping[str, str | int | float | LocalText]
"""What the braces of a note stand for; by language where the word has two forms."""
LOAD, SWITCH, ANALOG = "load", "switch", "analog"
TO_GROUND, TO_SUPPLY = 0, 1


@dataclass(frozen=True)
class Terminal:
    """Where a wire begins.

    Attributes:
        role: LOAD (the board drives it), SWITCH (it ties the pin to a rail) or ANALOG (it gives a voltage).
    """

    key: str
    role: str
    name: LocalText


@dataclass(frozen=True)
class Setting:
    """A choice that a part has; the first is what it begins with."""

    key: str
    name: LocalText
    choices: Mapping[str, LocalText]


@dataclass(frozen=True)
class ValueRange:
    """What a person can turn: a share of the way, or degrees Celsius."""

    low: float
    high: float
    start: float


@dataclass(frozen=True)
class PartKind:
    """One kind of part.

    Attributes:
        model: its electrical model in plain words; ``source`` says where the numbers are from.
        value: None for a part with nothing to turn.
    """

    key: str
    icon: str
    name: LocalText
    model: LocalText
    source: str
    terminals: tuple[Terminal, ...]
    settings: tuple[Setting, ...] = ()
    value: ValueRange | None = None

    def terminal(self, key: str) -> Terminal | None:
        """The terminal with this key."""
        return next((terminal for terminal in self.terminals if terminal.key == key), None)


@dataclass(frozen=True)
class Note:
    """A reason or a remark in words that are filled in later.

    Attributes:
        code: key below ``[notes]`` of the file.
    """

    code: str
    details: Details = field(default_factory=dict)

    def text(self, language: Language) -> str:
        """The sentence in a language."""
        words = {key: _in(value, language) for key, value in self.details.items()}
        return _notes()[self.code][language].format(**words)


def _in(value: str | int | float | LocalText, language: Language) -> str:
    if isinstance(value, Mapping):
        return value[language]
    return f"{value:g}" if isinstance(value, float) else str(value)


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(resource_path("simulator/parts.toml").read_text(encoding="utf-8"))


@cache
def _notes() -> Mapping[str, Mapping[str, str]]:
    notes: Mapping[str, Mapping[str, str]] = _tables()["notes"]
    return notes


@cache
def part_kinds() -> Mapping[str, PartKind]:
    """All kinds by key, in the order of the file."""
    return {key: _kind(key, table) for key, table in _tables().items() if key != "notes"}


def _kind(key: str, table: Mapping[str, Any]) -> PartKind:
    settings = tuple(
        Setting(name, row["name"], row["choices"]) for name, row in table.get("settings", {}).items()
    )
    value = ValueRange(**table["value"]) if "value" in table else None
    terminals = tuple(Terminal(row["key"], row["role"], row["name"]) for row in table["terminals"])
    return PartKind(
        key, table["icon"], table["name"], table["model"], table["source"], terminals, settings, value
    )
