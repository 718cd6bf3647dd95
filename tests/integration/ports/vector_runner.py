"""Runs a case of the vectors on a board whose own clock runs: the events' times are not compared."""

from __future__ import annotations

import json
from typing import Any, Protocol

from tests.unit.firmware.vectors import (
    Case,
    PinState,
    all_refused,
    check_pins,
    check_replies,
    request_bytes,
)


class VectorBoard(Protocol):
    """A board under test, started, its boot line read."""

    def exchange(self, data: bytes, at_least: int) -> list[bytes]:
        """Send bytes; return the lines that came back, when at least so many answer and the line is quiet."""

    def advance(self, milliseconds: int) -> list[bytes]:
        """Let time pass; return the lines that came."""

    def drive(self, pin: int, level: int | None) -> None:
        """Drive an input from outside, or let it go."""

    def set_analog(self, channel: int, value: int) -> None:
        """Set the value of an ADC channel, in 10 bits."""

    def pins(self) -> dict[int, PinState]:
        """The pins as the firmware's ``state`` tells them, checked against what is seen at the chip."""

    def wires(self) -> dict[int, PinState]:
        """The pins as seen at the chip, without asking the firmware."""

    def outputs(self) -> object:
        """All that decides what the pins do, to compare before and after."""


def answers(lines: list[bytes]) -> int:
    """How many of the lines answer something: replies and the boot line."""
    return sum(b'"id"' in line or b'"boot"' in line for line in lines)


def run_case(board: VectorBoard, case: Case) -> None:
    """Run all steps and check all that they say."""
    seen: list[bytes] = []
    for number, step in enumerate(case.steps):
        where = f"{case.name}, step {number}: {step}"
        before = board.outputs()
        lines = _do_step(board, step)
        seen += lines
        if case.file == "events" or step.get("timed"):
            lines = [line for line in lines if b'"evt"' not in line]
            step = {**step, "replies": [value for value in step.get("replies", []) if "id" in value]}
        check_replies(step, lines, where)
        if all_refused(lines):
            assert board.outputs() == before, f"{where}: a refused request changed a pin"
        if "pins" in step:  # asking for the state would feed the host watchdog, so look at the chip there
            check_pins(step, board.wires() if case.file == "events" else board.pins(), where)
    _check_events(case, seen)


def _do_step(board: VectorBoard, step: dict[str, Any]) -> list[bytes]:
    data = request_bytes(step)
    if data is not None:
        counted = sum("id" in value for value in step.get("replies", [])) or len(step.get("lines", []))
        expects_one = "capabilities" in step or "state" in step
        boots = any(value.get("evt") == "boot" for value in step.get("replies", []))
        return board.exchange(data, counted + expects_one + boots)
    if "advance_ms" in step:
        return board.advance(step["advance_ms"] + 5)
    for pin, level in step.get("drive", {}).items():
        board.drive(int(pin), level)
    for channel, value in step.get("analog", {}).items():
        board.set_analog(int(channel), value)
    return []


def _without_time(values: list[dict[str, Any]]) -> set[tuple[str, str, int]]:
    return {
        (
            value["evt"],
            value.get("signal", ""),
            0 if value.get("signal") == "uptime" else value.get("value", 0),
        )
        for value in values
        if "evt" in value
    }


def _check_events(case: Case, lines: list[bytes]) -> None:
    if any(step.get("timed") for step in case.steps):
        expected = [value for step in case.steps for value in step.get("replies", [])]
        assert _without_time([json.loads(line) for line in lines]) == _without_time(expected), case.name
