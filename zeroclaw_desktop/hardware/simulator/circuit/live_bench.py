"""A bench at work on one simulated board: changes with undo, what is to be put on the pins, the readings."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.simulator.circuit.bench import MOST_PARTS, Bench
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import ANALOG, Note, part_kinds
from zeroclaw_desktop.hardware.simulator.circuit.readings import (
    Probe,
    Reading,
    Readings,
    source_volts,
    supply_volts,
    switch_level,
)
from zeroclaw_desktop.hardware.simulator.circuit.starting_bench import starting_bench
from zeroclaw_desktop.hardware.simulator.circuit.wiring_rules import (
    Verdict,
    check_wire,
    first_refusal,
)

UNDO_STEPS = 50
ROOM_CELSIUS = 22.5


@dataclass(frozen=True)
class Drives:
    """What the parts put on the pins.

    Attributes:
        levels: pin -> 0 or 1; None: connected to nothing that gives a level.
        volts: pin -> volts at an analog input; None: nothing there.
        celsius: temperature of the room.
    """

    levels: Mapping[int, int | None] = field(default_factory=dict)
    volts: Mapping[int, float | None] = field(default_factory=dict)
    celsius: float = ROOM_CELSIUS


class LiveBench:
    """The parts of one board.

    Args:
        bench: as it was kept, less the wires that the rules forbid; None for what a new board begins with.
    """

    def __init__(self, profile: BoardProfile, bench: Bench | None = None) -> None:
        self.profile = profile
        self.supply = supply_volts(profile)
        self.bench = starting_bench(profile) if bench is None else _sound(bench, profile)
        self._undo: deque[Bench] = deque(maxlen=UNDO_STEPS)
        self._readings = Readings(profile)

    # -- changes that can be taken back ---------------------------------------------------------------
    def add(self, kind: str) -> Note | None:
        """Put a part on the bench, at the end; the note says why not.

        Raises:
            KeyError: there is no such kind.
        """
        part_kinds()[kind]
        if len(self.bench.parts) >= MOST_PARTS:
            return Note("full", {"limit": MOST_PARTS})
        self._take(self.bench.added(kind)[0])
        return None

    def remove(self, part_id: str) -> None:
        """Take a part off the bench."""
        self._take(self.bench.removed(part_id))

    def check(self, part_id: str, terminal: str, pin: int) -> Verdict:
        """What is to be said of a wire before it is made; raises KeyError for no such part or terminal."""
        return check_wire(self.bench, self.profile, part_id, terminal, pin)

    def wire(self, part_id: str, terminal: str, pin: int | None) -> Note | None:
        """Wire a terminal to a pin, or to nothing; the note says why not, and nothing changes then."""
        if pin is not None:
            refusal = self.check(part_id, terminal, pin).refusal
            if refusal is not None:
                return refusal
        self._take(self.bench.wired(part_id, terminal, pin))
        return None

    def set_setting(self, part_id: str, key: str, choice: str) -> Note | None:
        """Make a choice; the note says which wire forbids it, and nothing changes then."""
        part = self.bench.part(part_id)
        if part is None:
            return None
        changed = self.bench.changed(part_id, settings={**part.settings, key: choice})
        refusal = first_refusal(changed, self.profile)
        if refusal is None:
            self._take(changed)
        return refusal

    def undo(self) -> bool:
        """Take the last change back; what a person turned meanwhile stays as it is."""
        if not self._undo:
            return False
        now = {part.part_id: part for part in self.bench.parts}
        before = self._undo.pop()
        for part in before.parts:
            if part.part_id in now:
                current = now[part.part_id]
                before = before.changed(part.part_id, value=current.value, closed=current.closed)
        self.bench = before
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._undo)

    def _take(self, changed: Bench) -> None:
        if changed != self.bench:
            self._undo.append(self.bench)
            self.bench = changed

    # -- what a hand does -----------------------------------------------------------------------------
    def turn(self, part_id: str, value: float) -> None:
        """Turn a knob or warm a thermometer, within its range."""
        part = self.bench.part(part_id)
        limits = part.facts.value if part is not None else None
        if limits is not None:
            self.bench = self.bench.changed(part_id, value=max(limits.low, min(limits.high, value)))

    def close(self, part_id: str, closed: bool) -> None:
        """Press a button, or block the shaft of a motor; or let go."""
        self.bench = self.bench.changed(part_id, closed=closed)

    # -- what comes of it -----------------------------------------------------------------------------
    def drives(self) -> Drives:
        """What the parts put on the pins now."""
        levels: dict[int, int | None] = {}
        volts: dict[int, float | None] = {}
        for wire in self.bench.wires():
            if wire.terminal.role == ANALOG:
                volts[wire.pin] = source_volts(wire.part, self.supply)
            elif wire.is_switch:
                level = switch_level(wire.part)
                if wire.part.closed or levels.get(wire.pin) is None:
                    levels[wire.pin] = level
        room = self.bench.first("tmp36", "ntc")
        return Drives(levels, volts, ROOM_CELSIUS if room is None else room.value)

    def volts_at(self, pin: int) -> float | None:
        """The voltage that a part puts on a pin; None when none does."""
        return self.drives().volts.get(pin)

    def readings(self, probe: Probe) -> dict[str, Reading]:
        """What the parts show, by id."""
        return self._readings.of(self.bench, probe)


def _sound(bench: Bench, profile: BoardProfile) -> Bench:
    """The bench with the wires that the rules allow; each is checked against those before it."""
    sound = bench
    for part in bench.parts:
        sound = sound.changed(part.part_id, wires={})
    for wire in bench.wires():
        part_id, terminal = wire.part.part_id, wire.terminal.key
        if check_wire(sound, profile, part_id, terminal, wire.pin).refusal is None:
            sound = sound.wired(part_id, terminal, wire.pin)
    return sound
