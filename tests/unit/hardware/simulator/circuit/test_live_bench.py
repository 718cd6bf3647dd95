"""HW-10: what the parts put on the pins, what they show, and undo of changes."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.simulator.circuit.bench import MOST_PARTS, Bench
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import LiveBench
from zeroclaw_desktop.hardware.simulator.circuit.readings import Probe, Reading
from zeroclaw_desktop.hardware.simulator.machine import Snapshot

UNO = board_catalog()["arduino-uno"]


def uno(*kinds: str) -> LiveBench:
    """A bench with these parts, wired to nothing."""
    live = LiveBench(UNO, Bench())
    for kind in kinds:
        live.add(kind)
    return live


def probe(
    outputs: dict[int, int] | None = None,
    waves: dict[int, tuple[float, float]] | None = None,
    stuck: dict[int, int] | None = None,
) -> Probe:
    """Pins: those in ``outputs`` are outputs with a level, those in ``waves`` carry a square wave."""
    driven = {**{pin: 0 for pin in waves or {}}, **(outputs or {})}
    levels = tuple((stuck or {}).get(pin, driven.get(pin, 0)) for pin in range(20))
    modes = tuple("output" if pin in driven else "input" for pin in range(20))
    return Probe(Snapshot(levels, modes, {}, waves or {}), stuck or {})


def reading(live: LiveBench, part_id: str, seen: Probe) -> Reading:
    return live.readings(seen)[part_id]


def test_a_new_uno_has_button_knob_thermometer_and_led() -> None:
    wires = {wire.part.kind: wire.pin for wire in LiveBench(UNO).bench.wires()}
    assert wires == {"button": 2, "potentiometer": 14, "tmp36": 15, "led": 13}


@pytest.mark.parametrize(
    ("resistor", "released", "pressed"), [("internal", None, 0), ("pull_up", 1, 0), ("pull_down", 0, 1)]
)
def test_a_button_ties_its_pin_to_its_rail(resistor: str, released: int | None, pressed: int) -> None:
    live = uno("button")
    live.wire("button-1", "contact", 4)
    live.set_setting("button-1", "resistor", resistor)
    assert live.drives().levels == {4: released}
    live.close("button-1", True)
    assert live.drives().levels == {4: pressed}


def test_of_two_buttons_on_a_pin_the_pressed_one_counts() -> None:
    live = uno("button", "button")
    for part in ("button-1", "button-2"):
        live.wire(part, "contact", 4)
        live.set_setting(part, "resistor", "pull_up")
    live.close("button-1", True)
    assert live.drives().levels == {4: 0}
    live.close("button-1", False)
    live.close("button-2", True)
    assert live.drives().levels == {4: 0}


def test_analog_parts_put_their_voltage_on_their_pin() -> None:
    live = uno("potentiometer", "tmp36", "ntc")
    live.wire("potentiometer-1", "slider", 16)
    live.wire("tmp36-1", "output", 14)
    live.wire("ntc-1", "divider", 15)
    live.turn("potentiometer-1", 0.25)
    live.turn("tmp36-1", 60.0)
    live.turn("ntc-1", 25.0)
    assert live.drives().volts == {16: 1.25, 14: pytest.approx(1.1), 15: pytest.approx(2.5)}
    assert live.drives().celsius == 60.0
    live.turn("tmp36-1", 500.0)
    assert live.bench.part("tmp36-1").value == 125.0  # type: ignore[union-attr]


def test_an_led_shines_as_its_pin_is_high() -> None:
    live = uno("led")
    live.wire("led-1", "anode", 9)
    assert reading(live, "led-1", probe()).values["brightness"] == 0.0
    on = reading(live, "led-1", probe({9: 1}))
    assert on.values["brightness"] == 1.0
    assert on.values["milliamps"] == pytest.approx(12.245, abs=0.001)
    dimmed = reading(live, "led-1", probe(waves={9: (490.2, 0.25)}))
    assert dimmed.values["brightness"] == 0.25
    assert dimmed.values["milliamps"] == pytest.approx(12.245 / 4, abs=0.001)


def test_a_blue_led_stays_dark_on_a_board_of_3_3_volts() -> None:
    live = LiveBench(board_catalog()["esp32"], Bench())
    live.add("led")
    live.wire("led-1", "anode", 4)
    red = live.readings(Probe(Snapshot((0,) * 4 + (1,) * 36, ("output",) * 40)))["led-1"]
    assert red.values["brightness"] == 1.0
    live.set_setting("led-1", "colour", "blue")
    blue = live.readings(Probe(Snapshot((0,) * 4 + (1,) * 36, ("output",) * 40)))["led-1"]
    assert blue.values["brightness"] < 0.5


def test_the_colours_of_an_rgb_led_are_the_duties_of_its_pins() -> None:
    live = uno("rgb_led")
    for colour, pin in (("red", 3), ("green", 5), ("blue", 6)):
        live.wire("rgb_led-1", colour, pin)
    seen = probe({6: 1}, {3: (490.2, 0.5), 5: (976.6, 0.1)})
    values = reading(live, "rgb_led-1", seen).values
    assert (values["red"], values["green"], values["blue"]) == (0.5, 0.1, 1.0)


def test_a_servo_follows_the_measured_pulses_and_stays_when_they_end() -> None:
    live = uno("servo")
    live.wire("servo-1", "signal", 9)
    pulse = 1472e-6
    assert reading(live, "servo-1", probe(waves={9: (50.0, pulse * 50)})).values["degrees"] == pytest.approx(
        90.0
    )
    still = reading(live, "servo-1", probe({9: 0}))
    assert still.values["degrees"] == pytest.approx(90.0)
    assert "pulse_us" not in still.values


def test_a_motor_has_speed_direction_and_a_shaft_that_can_be_blocked() -> None:
    live = uno("motor")
    live.wire("motor-1", "speed", 5)
    live.wire("motor-1", "direction", 4)
    assert reading(live, "motor-1", probe({4: 0}, {5: (976.6, 0.4)})).values["rpm"] == pytest.approx(100.0)
    assert reading(live, "motor-1", probe({4: 1}, {5: (976.6, 0.4)})).values["rpm"] == pytest.approx(-100.0)
    live.close("motor-1", True)
    stalled = reading(live, "motor-1", probe({4: 0}, {5: (976.6, 0.4)})).values
    assert (stalled["rpm"], stalled["milliamps"]) == (0.0, pytest.approx(600.0))


def test_a_buzzer_sounds_at_the_frequency_of_its_pin_and_not_on_a_level() -> None:
    live = uno("buzzer")
    live.wire("buzzer-1", "signal", 8)
    assert reading(live, "buzzer-1", probe(waves={8: (440.0, 0.5)})).values["hertz"] == 440.0
    assert reading(live, "buzzer-1", probe({8: 1})).values["hertz"] == 0.0


def test_a_board_that_drives_against_a_closed_contact_is_told() -> None:
    live = uno("button")
    live.wire("button-1", "contact", 4)
    assert [note.code for note in reading(live, "button-1", probe({4: 1})).notes] == []
    live.close("button-1", True)
    (fight,) = reading(live, "button-1", probe({4: 1})).notes
    assert fight.code == "fight"
    assert "200 mA" in fight.text("en")
    assert reading(live, "button-1", probe({4: 0})).notes == ()


def test_a_button_without_any_pull_up_is_told_that_its_pin_floats() -> None:
    live = uno("button")
    live.wire("button-1", "contact", 4)
    assert [note.code for note in reading(live, "button-1", probe()).notes] == ["no_pull_up_now"]


def test_a_button_that_would_keep_the_board_from_starting_is_told() -> None:
    """Pin 0 of an ESP32 must be high at power-up."""
    live = LiveBench(board_catalog()["esp32"], Bench())
    live.add("button")
    live.wire("button-1", "contact", 0)
    live.set_setting("button-1", "resistor", "pull_up")
    seen = Probe(Snapshot((0,) * 40, ("input",) * 40))
    assert live.readings(seen)["button-1"].notes == ()
    live.close("button-1", True)
    assert [note.code for note in live.readings(seen)["button-1"].notes] == ["no_start"]


def test_a_stuck_pin_lights_the_led_whatever_the_board_does() -> None:
    live = uno("led")
    live.wire("led-1", "anode", 9)
    assert reading(live, "led-1", probe(stuck={9: 1})).values["brightness"] == 1.0
    assert reading(live, "led-1", probe({9: 1}, stuck={9: 0})).values["brightness"] == 0.0


# -- undo -------------------------------------------------------------------------------------------------
def test_each_change_can_be_taken_back_and_values_stay_as_they_were_turned() -> None:
    live = LiveBench(UNO)
    start = live.bench
    live.wire("potentiometer-1", "slider", 17)
    live.turn("potentiometer-1", 0.9)
    assert live.undo()
    assert live.bench.part("potentiometer-1").wires == {"slider": 14}  # type: ignore[union-attr]
    assert live.bench.part("potentiometer-1").value == 0.9  # type: ignore[union-attr]
    live.remove("led-1")
    assert live.undo()
    assert [part.part_id for part in live.bench.parts] == [part.part_id for part in start.parts]
    assert not live.can_undo
    assert not live.undo()


def test_what_changes_nothing_cannot_be_taken_back() -> None:
    live = LiveBench(UNO)
    live.wire("led-1", "anode", 13)
    live.wire("led-1", "anode", 1)
    assert not live.can_undo


def test_a_board_takes_no_more_parts_than_can_be_shown() -> None:
    live = uno(*("led" for _ in range(MOST_PARTS)))
    refusal = live.add("led")
    assert refusal is not None
    assert refusal.text("en") == f"A board takes {MOST_PARTS} parts at most."
    assert len(live.bench.parts) == MOST_PARTS


def test_a_setting_that_would_make_a_short_is_refused() -> None:
    live = uno("button", "button")
    live.wire("button-1", "contact", 4)
    live.wire("button-2", "contact", 4)
    refusal = live.set_setting("button-2", "resistor", "pull_down")
    assert refusal is not None
    assert refusal.code == "short_rails"
    assert live.bench.part("button-2").setting("resistor") == "internal"  # type: ignore[union-attr]
