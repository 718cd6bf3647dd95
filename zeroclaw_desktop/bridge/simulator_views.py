"""The bench of a simulated board as views: parts, terminals, choices, faults. No Qt, no decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.benches import LiveBench, Part, Reading
    from zeroclaw_desktop.runtime.runtime import Runtime


@dataclass(frozen=True)
class TerminalView:
    """Where a wire of a part begins; ``pin`` is None while it is wired to nothing."""

    key: str
    name: str
    role: str
    pin: int | None = None
    pin_name: str = ""


@dataclass(frozen=True)
class SettingView:
    """A choice that a part has: (key, words) of each, and which one is made."""

    key: str
    name: str
    choices: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True)
class PartView:
    """One virtual part."""

    part_id: str
    kind: str
    icon: str
    name: str
    terminals: tuple[TerminalView, ...] = ()
    settings: tuple[SettingView, ...] = ()
    value: float = 0.0
    limits: tuple[float, float] | None = None
    """What can be turned, from and to; None for a part with nothing to turn."""
    closed: bool = False
    """A button is pressed, the shaft of a motor is blocked."""
    reading: Mapping[str, float] = field(default_factory=dict)
    """See readings.Reading."""
    notes: tuple[str, ...] = ()
    """What is wrong with it now."""
    model: str = ""
    """Its electrical model in plain words, with the source of the numbers."""

    def setting(self, key: str) -> str:
        """The choice that is made; '' when the part has no such setting."""
        return next((setting.chosen for setting in self.settings if setting.key == key), "")


@dataclass(frozen=True)
class BenchFaultView:
    """A fault that lasts.

    ``kind`` is ``unplug``, ``garbage``, ``slow``, ``brown_out``, or ``stuck``, which has a pin and a level.
    """

    kind: str
    pin: int = -1
    pin_name: str = ""
    level: int = 0


@dataclass(frozen=True)
class BenchView:
    """The bench of one simulated board."""

    parts: tuple[PartView, ...] = ()
    can_undo: bool = False
    faults: tuple[BenchFaultView, ...] = ()


@dataclass(frozen=True)
class PinChoiceView:
    """A pin to which a terminal may be wired, or why it may not."""

    number: int
    name: str
    refusal: str = ""
    remark: str = ""


@dataclass(frozen=True)
class PartKindView:
    """A kind of part for the list of what can be added."""

    key: str
    name: str
    icon: str


def part_kind_views(language: Language) -> list[PartKindView]:
    """All kinds of parts."""
    from zeroclaw_desktop.runtime.benches import part_kinds

    return [PartKindView(kind.key, kind.name[language], kind.icon) for kind in part_kinds().values()]


def bench_view(runtime: Runtime, board_id: str, language: Language) -> BenchView | None:
    """The bench of a board; None when it is a real one."""
    live = runtime.simulators.bench(board_id)
    if live is None:
        return None
    process = runtime.simulators.find(board_id)
    if process is None:
        return bench_view_of(live, {}, (), {}, language)
    return bench_view_of(live, process.readings(), process.faults, process.stuck, language)


def bench_view_of(
    live: LiveBench,
    readings: Mapping[str, Reading],
    faults: tuple[str, ...],
    stuck: Mapping[int, int],
    language: Language,
) -> BenchView:
    """The same of its pieces."""
    names = {pin.number: pin.name for pin in live.profile.pins}
    parts = tuple(_part_view(part, readings.get(part.part_id), names, language) for part in live.bench.parts)
    lasting = [BenchFaultView(kind) for kind in faults]
    lasting += [BenchFaultView("stuck", pin, names.get(pin, ""), level) for pin, level in stuck.items()]
    return BenchView(parts, live.can_undo, tuple(lasting))


def _part_view(part: Part, reading: Reading | None, names: Mapping[int, str], language: Language) -> PartView:
    kind = part.facts
    terminals = []
    for terminal in kind.terminals:
        pin = part.wires.get(terminal.key)
        name = names.get(pin, "") if pin is not None else ""
        terminals.append(TerminalView(terminal.key, terminal.name[language], terminal.role, pin, name))
    settings = tuple(
        SettingView(
            setting.key,
            setting.name[language],
            tuple((key, words[language]) for key, words in setting.choices.items()),
            part.setting(setting.key),
        )
        for setting in kind.settings
    )
    return PartView(
        part.part_id,
        part.kind,
        kind.icon,
        part.name[language],
        tuple(terminals),
        settings,
        part.value,
        (kind.value.low, kind.value.high) if kind.value is not None else None,
        part.closed,
        reading.values if reading is not None else {},
        tuple(note.text(language) for note in reading.notes) if reading is not None else (),
        f"{kind.model[language]}\n\n{kind.source}",
    )


def pin_choices(live: LiveBench, part_id: str, terminal: str, language: Language) -> list[PinChoiceView]:
    """Every pin of the board for a terminal, with the reason where it may not be wired there."""
    choices = []
    for pin in live.profile.pins:
        verdict = live.check(part_id, terminal, pin.number)
        refusal = verdict.refusal.text(language) if verdict.refusal is not None else ""
        remark = " ".join(note.text(language) for note in verdict.remarks)
        choices.append(PinChoiceView(pin.number, pin.name, refusal, remark))
    return choices
