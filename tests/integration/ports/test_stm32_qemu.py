"""The image of the Nucleo in QEMU behind a terminal, and our session with it (HW-3, HW-8, HW-10)."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.ports.board_map import cases_for, names_of
from tests.integration.ports.nucleo import NUCLEO
from tests.integration.ports.qemu_nucleo import BSRR, QemuNucleo
from tests.integration.ports.vector_runner import run_case
from tests.unit.firmware.vectors import Case
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.protocol import BoardEvent
from zeroclaw_desktop.hardware.session import BoardSession, SessionEvents
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

pytestmark = pytest.mark.skipif(
    shutil.which("qemu-system-arm") is None, reason="needs QEMU: apt-get install qemu-system-arm"
)
TIM3_CCR1, TIM4_CCR1, TIM4_ARR = 0x40000434, 0x40000834, 0x4000082C
LED = 5


def reads_a_level(case: Case) -> bool:
    """Whether a case needs what QEMU's machine has not: levels of inputs, ADC values, devices on buses."""
    text = repr(case.steps)
    inputs = any("drive" in step or "analog" in step for step in case.steps)
    return (
        inputs
        or "'result': '1'" in text
        or '"result":"1"' in text
        or "'change'" in text
        or "input_pullup" in text
    )


def must_be_quick(case: Case) -> bool:
    """Whether a case looks before a time has passed, which a busy computer cannot promise here."""
    return case.name in ("host watchdog", "tone ends by itself")


def not_for_here(case: Case) -> bool:
    """Cases that test_stm32_vectors.py alone has."""
    return case.file in ("buses", "errors") or reads_a_level(case) or must_be_quick(case)


CASES = cases_for(NUCLEO, not_for_here)


@pytest.fixture(scope="module")
def shared_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QemuNucleo]:
    """Yield one QEMU; each test restarts its chip."""
    board = QemuNucleo(tmp_path_factory.mktemp("qemu"))
    yield board
    board.close()


@pytest.fixture
def board(shared_board: QemuNucleo) -> QemuNucleo:
    """Return a board that has just started."""
    shared_board.reset()
    return shared_board


@pytest.mark.parametrize("case", CASES, ids=names_of(CASES))
def test_vector(board: QemuNucleo, case: Case) -> None:
    run_case(board, case)


def test_the_timers_of_qemu_take_pwm_and_servo(board: QemuNucleo) -> None:
    board.ask("pwm_write", pin=20, duty=77)
    board.ask("servo_write", pin=22, us=1234)
    assert board.word(TIM3_CCR1) == 77
    assert (board.word(TIM4_CCR1), board.word(TIM4_ARR)) == (1234, 20_000 - 1)


class Told:
    """What the session tells."""

    def __init__(self) -> None:
        self.lost: list[ZeroClawError] = []
        self.events: list[BoardEvent] = []

    def observed(self) -> None:
        """Pins were read back."""


async def test_our_session_greets_blinks_and_stops(tmp_path: Path) -> None:
    board = QemuNucleo(tmp_path, opened=False)
    told = Told()
    events = SessionEvents(told.lost.append, told.events.append, told.observed)
    profile = board_catalog()["nucleo-f401re"]
    session = BoardSession(board.port, profile, TelemetryIngest("nucleo", TelemetryStore()), events)
    try:
        await session.open(PortSettings())
        assert session.capabilities["fw"] == "zeroclaw-stm32"
        assert session.capabilities["board"] == "nucleo-f401re"
        board.writes()
        for level in (1, 0, 1):
            await session.request("gpio_write", {"pin": LED, "value": level})
        assert _led_levels(board) == [1, 0, 1]
        assert (await session.observe())[LED].mode == "output"
        await session.request("pwm_write", {"pin": 6, "duty": 128})
        assert (await session.observe())[6].duty == pytest.approx(128 / 255)
        sent = await session.stop_now()
        assert sent.confirmed
        pins = await session.observe()
        assert {pin for pin, state in pins.items() if state.mode == "pwm"} == set()
        assert _led_levels(board)[-1] == 0
        await session.request("gpio_write", {"pin": LED, "value": 1})
        await session.request("watchdog_host", {"ms": 100})
        async with asyncio.timeout(5):
            while "host_lost" not in [event.name for event in told.events]:
                await asyncio.sleep(0.02)
        assert _led_levels(board) == [1, 0]
        assert told.lost == []
    finally:
        await session.close()
        board.close()


def _led_levels(board: QemuNucleo) -> list[int]:
    """The levels that were put on the LED's pin since the last look, each only once."""
    levels: list[int] = []
    for port, offset, value in board.writes():
        if port == LED // 16 and offset == BSRR and value in (1 << LED, 1 << LED + 16):
            levels.append(int(value == 1 << LED))
    return [level for place, level in enumerate(levels) if place == 0 or level != levels[place - 1]]


def test_capabilities_in_qemu_are_those_of_the_board(board: QemuNucleo) -> None:
    found: dict[str, Any] = json.loads(board.ask("capabilities"))
    assert {key: found[key] for key in NUCLEO.capabilities} == dict(NUCLEO.capabilities)
