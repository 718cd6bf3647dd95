"""What may be wired to which pin: refusals with the reason, and remarks on what is allowed (HW-10). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile, LocalText, PinProfile
from zeroclaw_desktop.hardware.simulator.circuit.bench import Bench, Part, Wire
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import (
    ANALOG,
    LOAD,
    SWITCH,
    TO_GROUND,
    Details,
    Note,
    Terminal,
)

DIMMED = ("led", "rgb_led", "motor")
"""Kinds that need PWM for more than on and off."""


@dataclass(frozen=True)
class Verdict:
    """What is to be said of a wire.

    Attributes:
        refusal: why it may not be; None when it may.
        remarks: what to know about it all the same.
    """

    refusal: Note | None = None
    remarks: tuple[Note, ...] = ()


def check_wire(bench: Bench, profile: BoardProfile, part_id: str, terminal_key: str, pin: int) -> Verdict:
    """Judge one wire among all the others of the bench.

    Args:
        bench: with or without that wire.

    Raises:
        KeyError: there is no such part or terminal.
    """
    part = bench.part(part_id)
    terminal = part.facts.terminal(terminal_key) if part is not None else None
    if part is None or terminal is None:
        raise KeyError(f"{part_id}.{terminal_key}")
    board_pin = profile.pin(pin)
    if board_pin is None:
        return Verdict(Note("no_pin", {"pin": pin}))
    refusal = _at_pin(part, terminal, board_pin, profile) or _beside_others(
        Wire(part, terminal, pin), bench, board_pin.name
    )
    return Verdict(refusal) if refusal else Verdict(None, _remarks(part, terminal, board_pin, profile))


def allowed_pins(bench: Bench, profile: BoardProfile, part_id: str, terminal_key: str) -> list[int]:
    """The pins to which a terminal may be wired, in the order of the board file."""
    return [
        pin.number
        for pin in profile.pins
        if check_wire(bench, profile, part_id, terminal_key, pin.number).refusal is None
    ]


def first_refusal(bench: Bench, profile: BoardProfile) -> Note | None:
    """The first wire of a whole bench that may not be, with the reason."""
    for wire in bench.wires():
        verdict = check_wire(bench, profile, wire.part.part_id, wire.terminal.key, wire.pin)
        if verdict.refusal is not None:
            return verdict.refusal
    return None


def _at_pin(part: Part, terminal: Terminal, pin: PinProfile, profile: BoardProfile) -> Note | None:
    """What the pin itself cannot do."""
    if pin.reserved:
        return Note("reserved", {"pin": pin.name, "note": _words(pin)})
    if terminal.role == ANALOG:
        if "analog" in pin.functions:
            return None
        return Note("not_analog", {"pin": pin.name, "pins": _names(profile, "analog")})
    if "digital" not in pin.functions:
        return Note("not_digital", {"pin": pin.name})
    if terminal.role == LOAD and pin.input_only:
        return Note("input_only", {"pin": pin.name, "part": part.name})
    return None


def _beside_others(wire: Wire, bench: Bench, pin_name: str) -> Note | None:
    """What goes wrong with what is at the pin already."""
    for other in bench.wires_at(wire.pin):
        if other.part.part_id == wire.part.part_id:
            if other.terminal.key != wire.terminal.key:
                return Note("one_pin_twice", {"part": wire.part.name, "pin": pin_name})
            continue
        refusal = _between(wire, other, pin_name)
        if refusal is not None:
            return refusal
    return None


def _between(wire: Wire, other: Wire, pin_name: str) -> Note | None:
    """Loads share a pin, and so do contacts to the same rail; nothing else does."""
    roles = {wire.terminal.role, other.terminal.role}
    if roles == {LOAD}:
        return None
    if roles == {SWITCH}:
        same = wire.part.rail == other.part.rail
        facts: Details = {
            "part": wire.part.name,
            "other": other.part.name,
            "pin": pin_name,
        }
        return None if same else Note("short_rails", facts)
    if roles == {SWITCH, LOAD}:
        switch, load = (wire, other) if wire.is_switch else (other, wire)
        code = "short_ground" if switch.part.rail == TO_GROUND else "short_supply"
        return Note(code, {"switch": switch.part.name, "pin": pin_name, "load": load.part.name})
    return Note("two_drivers", {"other": other.part.name, "pin": pin_name})


def _remarks(part: Part, terminal: Terminal, pin: PinProfile, profile: BoardProfile) -> tuple[Note, ...]:
    notes = []
    if pin.strapping:
        notes.append(Note("strapping", {"pin": pin.name, "note": _words(pin)}))
    if part.kind == "servo" and "servo" not in pin.functions:
        notes.append(Note("no_servo", {"pin": pin.name, "pins": _names(profile, "servo")}))
    dimmed = part.kind in DIMMED and terminal.key != "direction"
    if dimmed and "pwm" not in pin.functions:
        notes.append(Note("no_pwm", {"pin": pin.name}))
    if part.setting("resistor") == "internal" and pin.input_only:
        notes.append(Note("no_pull_up", {"pin": pin.name}))
    return tuple(notes)


def _words(pin: PinProfile) -> str | LocalText:
    return pin.notes or pin.note


def _names(profile: BoardProfile, function: str) -> str:
    names = [pin.name for pin in profile.pins if function in pin.functions and not pin.reserved]
    return ", ".join(names)
