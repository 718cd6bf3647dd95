"""HW-10: illegal wiring is refused with the reason; whatever is done, no bench breaks a rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.simulator.circuit.bench import Bench
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import LiveBench
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import part_kinds
from zeroclaw_desktop.hardware.simulator.circuit.wiring_rules import (
    allowed_pins,
    check_wire,
    first_refusal,
)
from zeroclaw_desktop.runtime.simulators import simulated_kinds

UNO = board_catalog()["arduino-uno"]
ESP32 = board_catalog()["esp32"]
NANO = board_catalog()["arduino-nano"]
KINDS = list(part_kinds())
BOARDS = [profile.key for profile in simulated_kinds()]


def bench_with(*parts: tuple[str, str, int]) -> Bench:
    """A bench with parts at pins: (kind, terminal, pin)."""
    bench = Bench()
    for kind, terminal, pin in parts:
        bench, part = bench.added(kind)
        bench = bench.wired(part.part_id, terminal, pin)
    return bench


def code(bench: Bench, part_id: str, terminal: str, pin: int, profile=UNO) -> str:  # type: ignore[no-untyped-def]
    """Code of the refusal; '' when the wire is allowed."""
    refusal = check_wire(bench, profile, part_id, terminal, pin).refusal
    return refusal.code if refusal is not None else ""


@pytest.mark.parametrize(
    ("kind", "terminal", "pin", "profile", "expected"),
    [
        ("led", "anode", 99, UNO, "no_pin"),
        ("led", "anode", 1, UNO, "reserved"),
        ("led", "anode", 6, ESP32, "reserved"),
        ("potentiometer", "slider", 7, UNO, "not_analog"),
        ("tmp36", "output", 13, UNO, "not_analog"),
        ("button", "contact", 20, NANO, "not_digital"),
        ("led", "anode", 34, ESP32, "input_only"),
        ("servo", "signal", 39, ESP32, "input_only"),
        ("led", "anode", 13, UNO, ""),
        ("potentiometer", "slider", 14, UNO, ""),
        ("potentiometer", "slider", 20, NANO, ""),
        ("button", "contact", 34, ESP32, ""),
    ],
)
def test_what_a_pin_cannot_do_is_refused(
    kind: str, terminal: str, pin: int, profile: object, expected: str
) -> None:
    bench, part = Bench().added(kind)
    assert code(bench, part.part_id, terminal, pin, profile) == expected


def test_two_parts_do_not_drive_one_pin() -> None:
    bench = bench_with(("potentiometer", "slider", 14))
    for kind, terminal in (("tmp36", "output"), ("button", "contact"), ("led", "anode")):
        wider, part = bench.added(kind)
        assert code(wider, part.part_id, terminal, 14) == "two_drivers"


def test_a_button_would_short_what_the_board_drives() -> None:
    bench, button = bench_with(("led", "anode", 9)).added("button")
    assert code(bench, button.part_id, "contact", 9) == "short_ground"
    to_supply = bench.changed(button.part_id, settings={"resistor": "pull_down"})
    assert code(to_supply, button.part_id, "contact", 9) == "short_supply"


def test_buttons_to_ground_and_to_supply_on_one_pin_would_short_the_supply() -> None:
    bench, second = bench_with(("button", "contact", 2)).added("button")
    assert code(bench, second.part_id, "contact", 2) == ""
    turned = bench.changed(second.part_id, settings={"resistor": "pull_down"})
    assert code(turned, second.part_id, "contact", 2) == "short_rails"


def test_loads_may_share_a_pin_but_one_part_not_with_itself() -> None:
    bench, buzzer = bench_with(("led", "anode", 9)).added("buzzer")
    assert code(bench, buzzer.part_id, "signal", 9) == ""
    bench, motor = bench.added("motor")
    bench = bench.wired(motor.part_id, "speed", 5)
    assert code(bench, motor.part_id, "direction", 5) == "one_pin_twice"


def test_what_is_allowed_may_still_have_something_to_be_known() -> None:
    bench, led = Bench().added("led")
    assert [note.code for note in check_wire(bench, UNO, led.part_id, "anode", 12).remarks] == ["no_pwm"]
    assert check_wire(bench, UNO, led.part_id, "anode", 9).remarks == ()
    strapping = check_wire(bench, ESP32, led.part_id, "anode", 12).remarks
    assert [note.code for note in strapping] == ["strapping"]
    assert "1.8 V" in strapping[0].text("en")
    bench, servo = bench.added("servo")
    (no_servo,) = check_wire(bench, UNO, servo.part_id, "signal", 7).remarks
    assert no_servo.text("en") == "Pin 7 has no servo output. Use one of 9, 10."
    bench, button = bench.added("button")
    pull = check_wire(bench, ESP32, button.part_id, "contact", 34).remarks
    assert [note.code for note in pull] == ["no_pull_up"]


def test_reasons_are_sentences_in_both_languages() -> None:
    bench, button = bench_with(("led", "anode", 9)).added("button")
    refusal = check_wire(bench, UNO, button.part_id, "contact", 9).refusal
    assert refusal is not None
    expected = "Pressing Button would short pin 9 to ground while the board drives LED with it."
    assert refusal.text("en") == expected
    assert "按钮" in refusal.text("zh")
    assert "9" in refusal.text("zh")


moves = st.lists(
    st.tuples(
        st.sampled_from(["add", "wire", "remove", "setting", "undo"]),
        st.integers(0, 30),
        st.integers(0, 2),
        st.integers(-1, 60),
    ),
    max_size=40,
)


@given(board=st.sampled_from(BOARDS), steps=moves)
def test_no_sequence_of_changes_makes_a_bench_that_breaks_a_rule(
    board: str, steps: list[tuple[str, int, int, int]]
) -> None:
    """Every wire of the bench passes the rules after every step, and a refused step changes nothing."""
    profile = board_catalog()[board]
    live = LiveBench(profile)
    for action, which, terminal, pin in steps:
        before = live.bench
        parts = live.bench.parts
        part = parts[which % len(parts)] if parts else None
        if action == "add":
            refusal = live.add(KINDS[which % len(KINDS)])
        elif action == "undo":
            live.undo()
            refusal = None
        elif part is None:
            continue
        elif action == "remove":
            live.remove(part.part_id)
            refusal = None
        elif action == "setting" and part.facts.settings:
            setting = part.facts.settings[0]
            choice = list(setting.choices)[terminal % len(setting.choices)]
            refusal = live.set_setting(part.part_id, setting.key, choice)
        else:
            key = part.facts.terminals[terminal % len(part.facts.terminals)].key
            refusal = live.wire(part.part_id, key, None if pin < 0 else pin)
        assert refusal is None or live.bench == before
        assert first_refusal(live.bench, profile) is None


@given(board=st.sampled_from(BOARDS), kind=st.sampled_from(KINDS))
def test_the_list_of_allowed_pins_is_what_the_rules_say(board: str, kind: str) -> None:
    """No reserved pin, nothing that drives on an input, nothing analog where nothing can be measured."""
    profile = board_catalog()[board]
    bench, part = Bench().added(kind)
    for terminal in part.facts.terminals:
        for number in allowed_pins(bench, profile, part.part_id, terminal.key):
            pin = profile.pin(number)
            assert pin is not None
            assert not pin.reserved
            if terminal.role == "analog":
                assert "analog" in pin.functions
            else:
                assert "digital" in pin.functions
            if terminal.role == "load":
                assert not pin.input_only


@pytest.mark.parametrize("board", BOARDS)
def test_a_new_board_begins_with_parts_that_are_wired_legally(board: str) -> None:
    profile = board_catalog()[board]
    live = LiveBench(profile)
    assert first_refusal(live.bench, profile) is None
    wired = {wire.part.kind for wire in live.bench.wires()}
    assert {"button", "potentiometer", "led"} <= wired
    assert len({wire.pin for wire in live.bench.wires()}) == len(list(live.bench.wires()))
