"""The line for other programs where there are no pseudo terminals: a TCP port that avrdude can open."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import PortBusyError
from zeroclaw_desktop.hardware.flashing.flasher import Flasher
from zeroclaw_desktop.hardware.flashing.methods.avrdude import AVRDUDE, avrdude_arguments
from zeroclaw_desktop.hardware.flashing.tools import find_tool
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings, open_port
from zeroclaw_desktop.sandbox.process import ChildProcesses

UNO = board_catalog()["arduino-uno"]
DEMO = firmware_path("prebuilt/zeroclaw-demo-uno.hex")
LED = 13
BOOT_LINE_SECONDS = 10.0


@pytest.fixture
async def process() -> AsyncIterator[BoardProcess]:
    """A board whose line for other programs is TCP."""
    board = BoardProcess("tcp-uno", ChildProcesses(), lambda: None, with_pty=False)
    await board.start()
    try:
        yield board
    finally:
        await board.stop()


class Caller:
    """Another program on the line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer

    async def line(self) -> dict[str, Any]:
        """The next whole JSON line."""
        async with asyncio.timeout(BOOT_LINE_SECONDS):
            while line := await self.reader.readline():
                with contextlib.suppress(ValueError):  # half a line after opening, as on a real board
                    row: dict[str, Any] = json.loads(line)
                    return row
        raise AssertionError("the board hung up")

    async def ask(self, command: str, **args: Any) -> Any:
        """The result of one request."""
        self._writer.write(json.dumps({"id": "x", "cmd": command, "args": args}).encode() + b"\n")
        while True:
            row = await self.line()
            if row.get("id") == "x":
                return row.get("result")


@contextlib.asynccontextmanager
async def calling(board: BoardProcess) -> AsyncIterator[Caller]:
    """Open the line as another program does."""
    host, port = board.system_path.removeprefix("net:").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield Caller(reader, writer)
    finally:
        writer.close()
        await writer.wait_closed()


async def test_the_line_is_offered_on_the_loopback_address_only(process: BoardProcess) -> None:
    assert re.fullmatch(r"net:127\.0\.0\.1:[1-9][0-9]*", process.system_path)
    assert process.kind == "avr"


async def test_connecting_resets_the_board(process: BoardProcess) -> None:
    async with calling(process) as caller:
        assert (await caller.line())["evt"] == "boot"
        assert await caller.ask("gpio_write", pin=LED, value=1) == "done"
        assert (await process.query()).levels[LED] == 1
    # Hanging up leaves the board as it is; the next one to connect finds it fresh.
    assert (await process.query()).levels[LED] == 1
    async with calling(process) as caller:
        assert (await caller.line())["evt"] == "boot"
        assert (await process.query()).levels[LED] == 0
        assert (await caller.ask("state"))["mode"][LED] == "i"


async def test_one_program_at_a_time(process: BoardProcess) -> None:
    async with calling(process) as first:
        assert (await first.line())["evt"] == "boot"
        async with calling(process) as second:
            async with asyncio.timeout(5):
                assert await second.reader.read() == b""
        with pytest.raises(PortBusyError):
            await asyncio.to_thread(open_port, process.port, PortSettings())
        assert await first.ask("ping") == "pong"  # neither of them reset the board or took the line


async def test_the_real_avrdude_flashes_through_it(process: BoardProcess) -> None:
    arguments = avrdude_arguments(find_tool(AVRDUDE), UNO, process.system_path, DEMO)
    ended = await ChildProcesses().run(arguments, timeout=60)
    assert ended.returncode == 0, ended.tail
    assert "bytes of flash verified" in ended.tail
    async with calling(process) as caller:
        boot = await caller.line()
    assert (boot["evt"], boot["fw"]) == ("boot", "zeroclaw-demo")


class Listener:
    """Keeps the phases of a flash job."""

    def __init__(self) -> None:
        self.phases: list[str] = []

    def phase(self, name: str, percent: float | None, message: str) -> None:
        if name not in self.phases:
            self.phases.append(name)

    def line(self, text: str) -> None:
        """What the tool prints is looked at elsewhere."""


async def test_the_app_itself_flashes_through_it_and_greets_the_new_firmware(process: BoardProcess) -> None:
    roster = BoardRoster(EventBus(), TelemetryStore())
    connection = roster.add(
        "tcp-uno", "Uno on TCP", UNO, process.port, system_path=process.system_path, simulated=True
    )
    try:
        await connection.connect()
        assert connection.info.firmware.startswith("zeroclaw-arduino ")
        listener = Listener()
        report = await Flasher(ChildProcesses()).flash(connection, FlashRequest(str(Path(DEMO))), listener)
        assert listener.phases == ["check", "prepare", "write", "verify", "reset", "handshake"]
        assert report.firmware.startswith("zeroclaw-demo ")
        assert connection.state == "live"
    finally:
        await roster.shut_down()
