"""The boot loader of real Unos in the product's board process: avrdude flashes through the real Optiboot.

The product ships a loader of its own, because Optiboot is under the GPL; boards on a desk have Optiboot.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.avr.optiboot import build_optiboot
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.flashing.flasher import Flasher
from zeroclaw_desktop.hardware.flashing.methods.avrdude import AVRDUDE, avrdude_arguments
from zeroclaw_desktop.hardware.flashing.tools import find_tool
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.sandbox.process import ChildProcesses

UNO = board_catalog()["arduino-uno"]
FIRMWARE = firmware_path("prebuilt/zeroclaw-arduino-uno.hex")
LED = 13


@pytest.fixture(scope="module")
def optiboot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Intel HEX file of Optiboot."""
    return build_optiboot(tmp_path_factory.mktemp("optiboot"))


@pytest.fixture
async def factory_fresh(optiboot: Path) -> AsyncIterator[BoardProcess]:
    """A board with Optiboot and nothing else in its flash."""
    board = BoardProcess("optiboot-uno", ChildProcesses(), lambda: None, images=[optiboot])
    await board.start()
    try:
        yield board
    finally:
        await board.stop()


@pytest.fixture
async def connection(optiboot: Path) -> AsyncIterator[BoardConnection]:
    """A live board with our firmware under Optiboot."""
    board = BoardProcess("optiboot-uno", ChildProcesses(), lambda: None, images=[FIRMWARE, optiboot])
    roster = BoardRoster(EventBus(), TelemetryStore())
    await board.start()
    try:
        found = roster.add(
            "optiboot-uno", "Uno", UNO, board.port, system_path=board.system_path, simulated=True
        )
        await found.connect()
        yield found
    finally:
        await roster.shut_down()
        await board.stop()


class Listener:
    """Keeps the highest percent of each phase of a flash job."""

    def __init__(self) -> None:
        self.reached: dict[str, float | None] = {}

    def phase(self, name: str, percent: float | None, message: str) -> None:
        self.reached[name] = percent

    def line(self, text: str) -> None:
        """What the tool prints is looked at elsewhere."""


async def test_avrdude_programs_an_empty_chip(factory_fresh: BoardProcess) -> None:
    arguments = avrdude_arguments(find_tool(AVRDUDE), UNO, factory_fresh.system_path, FIRMWARE)
    ended = await ChildProcesses().run(arguments, timeout=60)
    assert ended.returncode == 0, ended.tail
    assert "bytes of flash verified" in ended.tail
    await factory_fresh.query()
    blinks = factory_fresh.rising_edges(LED)
    assert len(blinks) >= 3  # Optiboot flashes the LED three times when it starts; our own loader does not

    roster = BoardRoster(EventBus(), TelemetryStore())
    found = roster.add("optiboot-uno", "Uno", UNO, factory_fresh.port, simulated=True)
    try:
        await found.connect()
        assert found.info.firmware.startswith("zeroclaw-arduino ")
    finally:
        await roster.shut_down()


async def test_the_product_flashes_to_and_fro_through_optiboot(connection: BoardConnection) -> None:
    flasher = Flasher(ChildProcesses())
    for key in ("zeroclaw-demo", "zeroclaw-arduino"):
        listener = Listener()
        report = await flasher.flash(connection, FlashRequest(key), listener)
        assert report.firmware.startswith(key)
        assert listener.reached["write"] == listener.reached["verify"] == 100.0
        assert connection.state == "live"
    assert connection.session is not None
    assert await connection.session.request("gpio_read", {"pin": LED}) == "0"
