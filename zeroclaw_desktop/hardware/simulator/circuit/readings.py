"""What the virtual parts show, from the pins of the board as a probe sees them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.simulator.circuit import electrics
from zeroclaw_desktop.hardware.simulator.circuit.bench import Bench, Part
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import LOAD, Details, Note
from zeroclaw_desktop.hardware.simulator.machine import Snapshot

DARK_MILLIAMPS = 0.2


@dataclass(frozen=True)
class Reading:
    """What a part shows now.

    Attributes:
        values: by quantity: ``brightness`` and ``red``, ``green``, ``blue`` (0..1), ``duty`` (0..1),
            ``milliamps``, ``degrees``, ``pulse_us``, ``rpm``, ``hertz``, ``volts``.
        notes: what is wrong with it now.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Probe:
    """The pins of a board as they are now.

    Attributes:
        stuck: pins that a fault holds at a level.
    """

    snapshot: Snapshot
    stuck: Mapping[int, int] = field(default_factory=dict)

    def drives(self, pin: int) -> bool:
        """Whether the board, or a short, gives the pin its level."""
        modes = self.snapshot.modes
        return pin in self.stuck or (pin < len(modes) and modes[pin] == "output")

    def level(self, pin: int) -> int:
        """Level of a pin."""
        levels = self.snapshot.levels
        return levels[pin] if pin < len(levels) else 0

    def wave(self, pin: int) -> tuple[float, float] | None:
        """Frequency and duty of a square wave that the board drives."""
        return self.snapshot.waves.get(pin) if self.drives(pin) and pin not in self.stuck else None

    def duty(self, pin: int | None) -> float:
        """Share of the time in which the board holds a pin high."""
        if pin is None or not self.drives(pin):
            return 0.0
        wave = self.wave(pin)
        return wave[1] if wave is not None else float(self.level(pin))


class Readings:
    """Computes the readings of one board; remembers where the servos stand."""

    def __init__(self, profile: BoardProfile) -> None:
        self._limit = profile.limits.pin_milliamps if profile.limits is not None else 0.0
        self._supply = supply_volts(profile)
        self._names = {pin.number: pin.name for pin in profile.pins}
        self._boot_levels = {pin.number: pin.boot_level for pin in profile.pins}
        self._angles: dict[str, float] = {}

    def of(self, bench: Bench, probe: Probe) -> dict[str, Reading]:
        """The reading of each part, by its id."""
        found = {}
        for part in bench.parts:
            values, notes = getattr(self, f"_{part.kind}")(part, probe)
            found[part.part_id] = Reading(values, (*notes, *self._fights(bench, part, probe)))
        return found

    # -- loads ----------------------------------------------------------------------------------------
    def _led(self, part: Part, probe: Probe) -> tuple[dict[str, float], list[Note]]:
        pin = part.wires.get("anode")
        current = electrics.led_milliamps(self._supply, electrics.FORWARD_VOLTS[part.setting("colour")])
        duty = probe.duty(pin)
        values = {
            "brightness": electrics.led_brightness(current, duty),
            "milliamps": current * duty,
            "duty": duty,
        }
        return values, self._lit_notes(pin, current, duty)

    def _rgb_led(self, part: Part, probe: Probe) -> tuple[dict[str, float], list[Note]]:
        values, notes = {"milliamps": 0.0}, []
        for colour, forward in electrics.RGB_FORWARD_VOLTS.items():
            pin = part.wires.get(colour)
            current = electrics.led_milliamps(self._supply, forward)
            duty = probe.duty(pin)
            values[colour] = electrics.led_brightness(current, duty)
            values["milliamps"] += current * duty
            notes += self._lit_notes(pin, current, duty)
        return values, list({note.code: note for note in notes}.values())

    def _lit_notes(self, pin: int | None, current: float, duty: float) -> list[Note]:
        if pin is None or not duty:
            return []
        if current < DARK_MILLIAMPS:
            return [Note("dark", {"volts": self._supply})]
        if self._limit and current > self._limit:
            load: Details = {"pin": self._names[pin], "milliamps": round(current), "limit": self._limit}
            return [Note("overload", load)]
        return []

    def _servo(self, part: Part, probe: Probe) -> tuple[dict[str, float], list[Note]]:
        pin = part.wires.get("signal")
        wave = probe.wave(pin) if pin is not None else None
        values: dict[str, float] = {}
        if wave is not None:
            pulse = wave[1] / wave[0] * 1e6
            degrees = electrics.servo_degrees(pulse, wave[0])
            if degrees is not None:
                values["pulse_us"] = pulse
                self._angles[part.part_id] = degrees
        return {**values, "degrees": self._angles.get(part.part_id, 0.0)}, []

    def _motor(self, part: Part, probe: Probe) -> tuple[dict[str, float], list[Note]]:
        direction = part.wires.get("direction")
        turned = direction is not None and probe.drives(direction) and probe.level(direction)
        duty = probe.duty(part.wires.get("speed"))
        return {
            "rpm": electrics.motor_rpm(duty, int(turned), part.closed),
            "milliamps": electrics.motor_milliamps(duty, part.closed),
            "duty": duty,
        }, []

    def _buzzer(self, part: Part, probe: Probe) -> tuple[dict[str, float], list[Note]]:
        pin = part.wires.get("signal")
        wave = probe.wave(pin) if pin is not None else None
        low, high = electrics.BUZZER_HERTZ
        hertz = wave[0] if wave is not None and low <= round(wave[0]) <= high else 0.0
        return {"hertz": hertz}, []

    # -- sources --------------------------------------------------------------------------------------
    def _button(self, part: Part, probe: Probe) -> tuple[dict[str, float], list[Note]]:
        pin = part.wires.get("contact")
        if pin is not None and self._keeps_from_starting(part, pin):
            return {}, [Note("no_start", {"pin": self._names[pin]})]
        if pin is None or part.setting("resistor") != "internal" or probe.drives(pin):
            return {}, []
        modes = probe.snapshot.modes
        floats = pin < len(modes) and modes[pin] != "input_pullup"
        return {}, [Note("no_pull_up_now", {"pin": self._names[pin]})] if floats else []

    def _keeps_from_starting(self, part: Part, pin: int) -> bool:
        """Whether the level that the button gives is one with which the board does not start."""
        needed = self._boot_levels.get(pin)
        given = switch_level(part)
        return needed is not None and given is not None and given != needed

    def _analog(self, part: Part, _probe: Probe) -> tuple[dict[str, float], list[Note]]:
        return {"volts": source_volts(part, self._supply)}, []

    _potentiometer = _tmp36 = _ntc = _analog

    def _fights(self, bench: Bench, part: Part, probe: Probe) -> list[Note]:
        """A contact that is closed, or a source, against an output of the board."""
        notes = []
        for wire in bench.wires():
            if wire.part is not part or wire.terminal.role == LOAD or not probe.drives(wire.pin):
                continue
            against = part.closed and probe.level(wire.pin) != part.rail if wire.is_switch else True
            if against:
                current = round(electrics.short_milliamps(self._supply))
                facts: Details = {"pin": self._names[wire.pin], "part": part.name, "milliamps": current}
                notes.append(Note("fight", facts))
        return notes


def supply_volts(profile: BoardProfile) -> float:
    """Voltage of the board's pins, which feeds the parts too."""
    return profile.limits.volts if profile.limits is not None else profile.adc_reference_volts


def switch_level(part: Part) -> int | None:
    """What a button gives its pin: its rail, or what its resistor gives; None without a resistor."""
    if part.closed:
        return part.rail
    return {"pull_up": 1, "pull_down": 0}.get(part.setting("resistor"))


def source_volts(part: Part, supply: float) -> float:
    """What an analog part puts on its pin."""
    if part.kind == "tmp36":
        return electrics.tmp36_volts(part.value)
    if part.kind == "ntc":
        return electrics.ntc_volts(part.value, supply)
    return part.value * supply
