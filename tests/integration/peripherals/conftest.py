"""A runtime to which boards are added."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.helpers.memory_passwords import MemoryPasswords
from tests.integration.peripherals.bench import Bench
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.runtime.runtime import Runtime

Join = Callable[..., Awaitable[Bench]]


@pytest.fixture
def passwords() -> MemoryPasswords:
    return MemoryPasswords()


@pytest.fixture
async def runtime(tmp_path: Path, passwords: MemoryPasswords) -> AsyncIterator[Runtime]:
    """A started runtime without boards."""
    config = ConfigStore(tmp_path / "config.toml")
    config.set("simulator.start_with_app", False)
    runtime = Runtime(config, with_person=False, watch_ports=False, keyring=passwords)
    await runtime.start()
    yield runtime
    await runtime.stop()


@pytest.fixture
def join(runtime: Runtime) -> Join:
    """Add a board by its address and connect it."""

    async def add(address: str, board_type: str = "", connect: bool = True, **options: str) -> Bench:
        bench = Bench(runtime, await runtime.added.add(address, board_type, **options))
        if connect:
            await bench.connection.connect()
        return bench

    return add
