"""The bench of one board as a document: parts with settings and wires. Frozen; changes give a new one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from zeroclaw_desktop.contracts.boards import LocalText
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import (
    SWITCH,
    TO_GROUND,
    TO_SUPPLY,
    PartKind,
    Terminal,
    part_kinds,
)

MOST_PARTS = 24
MOST_NUMBER = 1_000


@dataclass(frozen=True)
class Part:
    """One part.

    Attributes:
        part_id: kind and number: ``led-2``.
        wires: terminal -> wire number of a pin.
        value: what its knob or its temperature is, see ValueRange.
        closed: the contact of a button is closed; the shaft of a motor is blocked. Never kept in a file.
    """

    part_id: str
    kind: str
    settings: Mapping[str, str] = field(default_factory=dict)
    wires: Mapping[str, int] = field(default_factory=dict)
    value: float = 0.0
    closed: bool = False

    @property
    def facts(self) -> PartKind:
        """Its kind."""
        return part_kinds()[self.kind]

    @property
    def name(self) -> LocalText:
        """Name in each language, with its number from the second on."""
        number = self.part_id.rpartition("-")[2]
        more = "" if number == "1" else f" {number}"
        return {language: words + more for language, words in self.facts.name.items()}

    def setting(self, key: str) -> str:
        """The choice that is made; the first one until another is."""
        for setting in self.facts.settings:
            if setting.key == key:
                chosen = self.settings.get(key, "")
                return chosen if chosen in setting.choices else next(iter(setting.choices))
        return ""

    @property
    def rail(self) -> int:
        """What the contact of a button ties its pin to."""
        return TO_SUPPLY if self.setting("resistor") == "pull_down" else TO_GROUND


@dataclass(frozen=True)
class Wire:
    """A terminal at a pin."""

    part: Part
    terminal: Terminal
    pin: int

    @property
    def is_switch(self) -> bool:
        """Whether the terminal ties the pin to a rail."""
        return self.terminal.role == SWITCH


@dataclass(frozen=True)
class Bench:
    """All parts of a board, in the order in which they are shown."""

    parts: tuple[Part, ...] = ()

    def part(self, part_id: str) -> Part | None:
        """The part with this id."""
        return next((part for part in self.parts if part.part_id == part_id), None)

    def first(self, *kinds: str) -> Part | None:
        """The first part of one of these kinds."""
        return next((part for part in self.parts if part.kind in kinds), None)

    def wires(self) -> Iterator[Wire]:
        """All wires."""
        for part in self.parts:
            for terminal in part.facts.terminals:
                if terminal.key in part.wires:
                    yield Wire(part, terminal, part.wires[terminal.key])

    def wires_at(self, pin: int) -> list[Wire]:
        """The wires that end at a pin."""
        return [wire for wire in self.wires() if wire.pin == pin]

    def added(self, kind: str) -> tuple[Bench, Part]:
        """One more part, wired to nothing."""
        taken = {part.part_id for part in self.parts}
        free = (f"{kind}-{number}" for number in range(1, MOST_NUMBER))
        part_id = next(name for name in free if name not in taken)
        facts = part_kinds()[kind]
        part = Part(part_id, kind, value=facts.value.start if facts.value is not None else 0.0)
        return Bench((*self.parts, part)), part

    def removed(self, part_id: str) -> Bench:
        """Without a part and its wires."""
        return Bench(tuple(part for part in self.parts if part.part_id != part_id))

    def changed(self, part_id: str, **fields: Any) -> Bench:
        """With other fields of one part."""
        return Bench(
            tuple(replace(part, **fields) if part.part_id == part_id else part for part in self.parts)
        )

    def wired(self, part_id: str, terminal: str, pin: int | None) -> Bench:
        """With a terminal at another pin, or at none."""
        part = self.part(part_id)
        if part is None:
            return self
        wires = {key: number for key, number in part.wires.items() if key != terminal}
        return self.changed(part_id, wires=wires if pin is None else {**wires, terminal: pin})
