"""Reports on a serial line of their own, by a setting (EX-12); never on a board's line."""

from __future__ import annotations

import asyncio
import json
import os
import tty
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import PortBusyError
from zeroclaw_desktop.runtime.runtime import Runtime

KEY = "reporters.serial_port"


class Display:
    """What hangs on the other end of the line."""

    def __init__(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        self._slave = slave

    async def line(self) -> bytes:
        """The next line that came."""
        heard = bytearray()
        while not heard.endswith(b"\n"):
            heard += await asyncio.to_thread(os.read, self._master, 1)
        return bytes(heard)

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
async def runtime(tmp_path: Path) -> AsyncIterator[Runtime]:
    runtime = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)
    await runtime.start()
    yield runtime
    await runtime.stop()


async def test_the_end_of_each_action_is_a_line(runtime: Runtime) -> None:
    display = Display()
    runtime.config.set(KEY, display.path)
    assert runtime.reporter_settings is not None
    await runtime.reporter_settings.settled()
    payload = make_payload("device_list", source="manual")
    result = await runtime.executor.submit(payload)
    assert result.ok
    async with asyncio.timeout(10):
        row = json.loads(await display.line())
    assert (row["task_id"], row["action"], row["state"]) == (payload.task_id, "device_list", "COMPLETED")
    runtime.config.set(KEY, "")
    await runtime.reporter_settings.settled()
    display.close()


async def test_the_line_of_a_board_is_refused(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    runtime.roster.add("mine", "Mine", board_catalog()["arduino-uno"], "/dev/ttyUSB7")
    with pytest.raises(PortBusyError, match="belongs to the board 'Mine'"):
        runtime.open_report_port("/dev/ttyUSB7")
    runtime.config.set(KEY, "/dev/ttyUSB7")
    assert runtime.reporter_settings is not None
    await runtime.reporter_settings.settled()
    assert "reporters.serial_port is not used" in caplog.text
