"""A runtime without a window and a far end on a pseudo terminal that a test may make as bad as it likes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.hardware.far_end import QUICK_UNO, FarEnd
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.runtime.runtime import Runtime

BOARD = "bad"


class Desk:
    """A started runtime and shortcuts."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    def board(self, end: FarEnd) -> BoardConnection:
        return self.runtime.roster.add(BOARD, "Bad board", QUICK_UNO, str(end.path))

    async def do(self, action: str, **params: Any) -> ActionResult:
        payload = make_payload(action, params, source="manual", device_id=BOARD)
        return await self.runtime.executor.submit(payload)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """A runtime that watches no ports."""
    config = ConfigStore(tmp_path / "config.toml")
    config.set("flashing.save_first", False)  # the programs in the place of avrdude cannot read
    runtime = Runtime(config, with_person=False, watch_ports=False)
    await runtime.start()
    try:
        yield Desk(runtime)
    finally:
        await runtime.stop()


@pytest.fixture
async def far_end(tmp_path: Path) -> AsyncIterator[Callable[..., FarEnd]]:
    """Make a far end under ``tmp_path/port``; unplugged after the test."""
    made: list[FarEnd] = []

    def make(*args: Any, **options: Any) -> FarEnd:
        made.append(FarEnd(tmp_path / f"port{len(made) or ''}", *args, **options))
        return made[-1]

    yield make
    for end in made:
        end.unplug()
