"""The example for people who build a board of their own works as docs/own-board.md says (HW-5)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.integration.mqtt.broker import Broker, missing_programs
from tests.integration.peripherals.bench import Bench
from tests.integration.peripherals.conftest import Join
from tests.integration.peripherals.promises import commands_come_and_go
from zeroclaw_desktop.hardware import heartbeat

EXAMPLE = Path(__file__).resolve().parents[3] / "docs/examples/own_board.py"


class Program:
    """The example as its own process; ``said`` are its lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[str] = []
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.said.append(line.decode().strip())

    async def until(self, begin: str) -> str:
        """The first line that begins so."""
        async with asyncio.timeout(15.0):
            while True:
                found = next((line for line in self.said if line.startswith(begin)), None)
                if found is not None:
                    return found
                await asyncio.sleep(0.01)

    async def end(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await self._reading


@asynccontextmanager
async def example(*arguments: str) -> AsyncIterator[Program]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLE), *arguments, stdout=asyncio.subprocess.PIPE
    )
    program = Program(process)
    try:
        yield program
    finally:
        await program.end()


async def works(bench: Bench, program: Program) -> None:
    """What the document promises of the example."""
    assert bench.connection.info.firmware == "own-board 1.0"
    result = await bench.done("led_set", state=1)
    assert result.hardware_states["pin_13"]["level"] == 1
    await program.until("pin 13 is 1")
    assert not (await bench.do("digital_write", pin=5, value=1)).ok
    counted = await bench.done("arduino_uno_count", number=5)
    assert counted.value == {"result": "101"}
    assert [counted.hardware_states[f"pin_{pin}"]["level"] for pin in (13, 12, 11)] == [1, 0, 1]
    await commands_come_and_go(bench, "led_set", "digital_read", "board_safe", without=("tone", "i2c_scan"))
    report = await bench.runtime.stop_everything.trigger("test")
    assert [outcome.confirmed for outcome in report.outcomes] == [True]
    await program.until("all pins are 0")


async def test_over_tcp(join: Join) -> None:
    async with example("tcp", "0") as program:
        port = (await program.until("listening on")).rpartition(" ")[2]
        bench = await join(f"tcp://127.0.0.1:{port}")
        await works(bench, program)
        await bench.connection.disconnect()


async def test_over_mqtt(join: Join, tmp_path: Path) -> None:
    if missing_programs():
        pytest.skip(missing_programs())
    broker = Broker(tmp_path)
    broker.start()
    try:
        async with example("mqtt", "127.0.0.1", str(broker.port), "greenhouse") as program:
            await program.until("connected")
            bench = await join(f"{broker.url}/greenhouse")
            await works(bench, program)
            program.process.kill()
            await bench.until_state("lost")
            assert bench.connection.info.fault_code == "device_offline"
    finally:
        broker.end()


async def test_its_watchdog_makes_the_pins_safe(join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    """HW-8: the lost link is the board's matter; the example shows how."""
    monkeypatch.setattr(heartbeat, "WATCHDOG_MILLISECONDS", 300)
    async with example("tcp", "0") as program:
        port = (await program.until("listening on")).rpartition(" ")[2]
        bench = await join(f"tcp://127.0.0.1:{port}")
        await bench.done("led_set", state=1)
        assert bench.connection._heartbeat is not None
        bench.connection._heartbeat.cancel()
        await program.until("all pins are 0")
        await bench.connection.disconnect()
