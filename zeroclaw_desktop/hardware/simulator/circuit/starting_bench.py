"""What a new simulated board has on its bench: a button, a knob, a thermometer and an LED."""

from __future__ import annotations

from zeroclaw_desktop.contracts.boards import BoardProfile, PinProfile
from zeroclaw_desktop.hardware.simulator.circuit.bench import Bench
from zeroclaw_desktop.hardware.simulator.circuit.wiring_rules import check_wire

FIRST_BUTTON_PIN = 2
"""On an Uno the first pin that is not the serial line."""
PARTS = (("button", "contact"), ("potentiometer", "slider"), ("tmp36", "output"), ("led", "anode"))


def starting_bench(profile: BoardProfile) -> Bench:
    """Button, knob, thermometer and LED, each wired where the board allows it without a remark.

    On an Uno these are pins 2, A0, A1 and 13.
    """
    bench = Bench()
    for kind, terminal in PARTS:
        bench, part = bench.added(kind)
        if kind == "button":  # so that it can be read without a word about pull-ups
            bench = bench.changed(part.part_id, settings={"resistor": "pull_up"})
        for pin in _candidates(kind, profile):
            verdict = check_wire(bench, profile, part.part_id, terminal, pin.number)
            free = not bench.wires_at(pin.number)
            own_led = kind == "led" and pin.number == profile.led_pin
            if free and verdict.refusal is None and (own_led or not verdict.remarks):
                bench = bench.wired(part.part_id, terminal, pin.number)
                break
    return bench


def _candidates(kind: str, profile: BoardProfile) -> list[PinProfile]:
    """The pins in the order in which they are tried."""
    if kind in ("potentiometer", "tmp36"):
        return sorted(profile.pins, key=_analog_order)
    if kind == "led":
        own = [pin for pin in profile.pins if pin.number == profile.led_pin]
        return own + [pin for pin in profile.pins if "pwm" in pin.functions and not pin.strapping]
    plain = [pin for pin in profile.pins if not pin.functions & {"analog", "uart"}]
    return [pin for pin in plain if pin.number >= FIRST_BUTTON_PIN and pin.number != profile.led_pin]


def _analog_order(pin: PinProfile) -> tuple[int, int]:
    """A0 first: the number behind the A of its name."""
    for name in (pin.name, *pin.aliases):
        if name[:1] == "A" and name[1:].isdigit():
            return int(name[1:]), pin.number
    return 99, pin.number
