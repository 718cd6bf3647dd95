"""A runtime with the simulated Uno: real firmware, real boot loader, real serial bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import UNO_ID


class Bench:
    """The runtime, its simulated board and shortcuts."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.connection = runtime.roster.connection(UNO_ID)
        self.process = runtime.simulators.process(UNO_ID)

    async def do(self, action: str, **params: Any) -> ActionResult:
        payload = make_payload(action, params, source="manual", device_id=UNO_ID)
        return await self.runtime.executor.submit(payload)

    def start(self, action: str, **params: Any) -> asyncio.Task[ActionResult]:
        return asyncio.create_task(self.do(action, **params))

    async def level(self, pin: int) -> int:
        return (await self.process.query()).levels[pin]

    async def until(self, condition: Callable[[], bool], what: str, seconds: float = 15.0) -> None:
        """Wait for something that must happen."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    await asyncio.sleep(0.02)
        except TimeoutError:
            pytest.fail(f"{what} did not happen within {seconds:g} s; the board is {self.connection.state}")

    async def until_state(self, state: str) -> None:
        await self.until(lambda: self.connection.state == state, f"state {state}")


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A live simulated Uno."""
    config = ConfigStore(tmp_path / "config.toml")
    config.set("flashing.save_first", False)  # test_restore_points.py is about them
    runtime = Runtime(config, with_person=False, watch_ports=False)
    await runtime.start()
    await runtime.simulators.start()
    try:
        yield Bench(runtime)
    finally:
        await runtime.stop()


@pytest.fixture
async def simple(tmp_path: Path) -> AsyncIterator[Bench]:
    """A live simplified Uno."""
    runtime = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)
    await runtime.start()
    try:
        await runtime.simulators.start(simplified=True)
        yield Bench(runtime)
    finally:
        await runtime.stop()
