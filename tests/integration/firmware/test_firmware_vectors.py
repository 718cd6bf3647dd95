"""The firmware binary, run instruction by instruction, against the vectors of the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.integration.firmware.simulated_uno import SimulatedUno, started_firmware
from tests.unit.firmware.vectors import (
    Case,
    all_refused,
    check_pins,
    check_replies,
    load_cases,
    load_optional_cases,
    request_bytes,
)
from zeroclaw_desktop.hardware.simulator.avr_machine import ResetCause

CASES = load_cases() + load_optional_cases()
VOLTS_PER_STEP = 5 / 1024


@pytest.fixture(scope="module")
def shared_uno() -> SimulatedUno:
    """Return one started board; each case resets it."""
    return started_firmware()


def do_step(uno: SimulatedUno, step: dict[str, Any]) -> list[bytes]:
    """Do what a step says; returns the lines that came back."""
    data = request_bytes(step)
    if data is not None:
        return uno.exchange(data, at_least=len(step.get("replies", [])))
    if "advance_ms" in step:
        return uno.advance(step["advance_ms"] + 5)
    for pin, level in step.get("drive", {}).items():
        uno.machine.drive_pin(int(pin), level)
    for channel, value in step.get("analog", {}).items():
        uno.machine.set_analog(int(channel), (value + 0.5) * VOLTS_PER_STEP)
    return []


def without_time(values: list[dict[str, Any]]) -> set[tuple[str, str, int]]:
    """Events as far as they hold when the board's own clock runs."""
    return {
        (
            value["evt"],
            value.get("signal", ""),
            0 if value.get("signal") == "uptime" else value.get("value", 0),
        )
        for value in values
        if "evt" in value
    }


def check_events(case: Case, lines: list[bytes]) -> None:
    """Assert that a case brought the events that its steps expect, whatever the moment."""
    if any(step.get("timed") for step in case.steps):
        expected = [value for step in case.steps for value in step.get("replies", [])]
        assert without_time([json.loads(line) for line in lines]) == without_time(expected), case.name


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}: {case.name}" for case in CASES])
def test_vector_on_the_binary(shared_uno: SimulatedUno, case: Case) -> None:
    shared_uno.reset(ResetCause.EXTERNAL)
    shared_uno.attach_devices()
    for pin in range(20):
        shared_uno.machine.drive_pin(pin, None)
    for channel in range(6):
        shared_uno.machine.set_analog(channel, None)
    (boot,) = shared_uno.exchange(b"", at_least=1)
    assert json.loads(boot)["reset"] == "external"
    seen: list[bytes] = []
    for number, step in enumerate(case.steps):
        where = f"{case.name}, step {number}: {step}"
        before = shared_uno.registers_of_outputs()
        lines = do_step(shared_uno, step)
        seen += lines
        if case.file == "events" or step.get("timed"):
            lines = [line for line in lines if b'"evt"' not in line]
            step = {**step, "replies": [value for value in step.get("replies", []) if "id" in value]}
        check_replies(step, lines, where)
        if all_refused(lines):
            assert shared_uno.registers_of_outputs() == before, where
        if "pins" in step:  # asking for the state would feed the host watchdog, so look at the ports there
            check_pins(step, shared_uno.wires() if case.file == "events" else shared_uno.pins(), where)
    check_events(case, seen)
