"""Builds sketches with the installed avr-gcc and runs them on the simulated chip, in its own time."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.contracts.synthesis import BuildReport, FirmwarePlan, FirmwareWish
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine
from zeroclaw_desktop.hardware.synthesis.arduino_core import find_core
from zeroclaw_desktop.hardware.synthesis.avr_build import build_avr
from zeroclaw_desktop.hardware.synthesis.planning import plan_firmware
from zeroclaw_desktop.hardware.telemetry.line_parser import TelemetryParser
from zeroclaw_desktop.sandbox.process import ChildProcesses

needs_compiler = pytest.mark.skipif(
    shutil.which("avr-gcc") is None or find_core() is None,
    reason="needs the compiler: sudo apt install gcc-avr arduino-core-avr",
)
CYCLES_PER_MICROSECOND = AvrMachine.CLOCK_HZ // 1_000_000
SLICE = 8_000


def plan(template: str, board: str = "arduino-uno", **wish: Any) -> FirmwarePlan:
    """A plan in the Arduino dialect; it must have no errors."""
    made = plan_firmware(FirmwareWish(template, "arduino", **wish), board_catalog()[board])
    assert made.ok, made.findings
    return made


def build(made: FirmwarePlan, root: Path) -> BuildReport:
    """Compile with avr-gcc in a folder whose cached core is kept for the other tests of the run."""
    board = board_catalog()[made.board]
    return asyncio.run(build_avr(made.sketch, made.file_name, board, ChildProcesses(), root))


class RunningSketch:
    """A sketch on an ATmega328P without a boot loader.

    Attributes:
        text: everything that it has sent.
        edges: every change of a pin: (microsecond, pin, level).
        on_slice: called after each half millisecond, to play what is connected.
    """

    def __init__(self, image: Path) -> None:
        self.machine = AvrMachine(boot_reset=False, wasm_path=firmware_path("prebuilt/avr.wasm"))
        self.machine.load_hex(image.read_text())
        self.text = ""
        self.edges: list[tuple[float, int, int]] = []
        self.on_slice: Callable[[], None] = lambda: None

    @property
    def seconds(self) -> float:
        """Time of the chip."""
        return self.machine.cycle_count / AvrMachine.CLOCK_HZ

    def advance(self, cycles: int) -> None:
        """Run and collect."""
        self.machine.run(cycles)
        self.text += self.machine.uart_transmitted().decode()
        self.edges += [
            (cycle / CYCLES_PER_MICROSECOND, pin, level) for cycle, pin, level in self.machine.take_edges()
        ]

    def run(self, seconds: float) -> RunningSketch:
        """Run for a time of the chip."""
        end = self.seconds + seconds
        while self.seconds < end:
            self.advance(SLICE)
            self.on_slice()
        return self

    def until(self, wanted: Callable[[], bool], limit: float = 5.0) -> None:
        """Run until something is so; fails after ``limit`` seconds of the chip."""
        end = self.seconds + limit
        while not wanted():
            assert self.seconds < end, self.text
            self.advance(SLICE)
            self.on_slice()

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request as the app does and give its reply."""
        line = json.dumps({"id": "7", "cmd": command, "args": arguments}, separators=(",", ":")) + "\n"
        begun = len(self.text)
        self.machine.uart_receive(line.encode())

        def replies() -> list[str]:
            rows = self.text[begun:].splitlines(keepends=True)
            return [row for row in rows if row.endswith("\n") and '"id":"7"' in row]

        self.until(lambda: bool(replies()))
        reply: dict[str, Any] = json.loads(replies()[0])
        return reply

    def series(self) -> dict[str, list[float]]:
        """The values that the plots would show of what was sent so far, by the telemetry reader."""
        parser = TelemetryParser()
        found: dict[str, list[float]] = {}
        for line in self.text.encode().split(b"\n")[:-1]:
            parsed = parser.feed_line(line.rstrip(b"\r"))
            for sample in parsed.samples if parsed is not None and not parsed.is_protocol else ():
                found.setdefault(sample.label, []).append(sample.value)
        return found

    def changes(self, pin: int) -> list[tuple[float, int]]:
        """Changes of one pin: (microsecond, level)."""
        return [(when, level) for when, changed, level in self.edges if changed == pin]


def high_pulses(changes: list[tuple[float, int]]) -> list[tuple[float, float]]:
    """(start, width) of each high pulse, in microseconds."""
    found = []
    rise: float | None = None
    for when, level in changes:
        if level:
            rise = when
        elif rise is not None:
            found.append((rise, when - rise))
            rise = None
    return found
