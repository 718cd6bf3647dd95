"""The window's bridge on the real core with the simulated Uno, inside Qt's own loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from zeroclaw_desktop.bridge.app_bridge import AppBridge
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.log import start_logging, stop_logging
from zeroclaw_desktop.runtime.simulators import UNO_ID

T = TypeVar("T")


class Live:
    """A started bridge and ways to wait for what it says."""

    def __init__(self, bridge: AppBridge, loop: asyncio.AbstractEventLoop) -> None:
        self.bridge = bridge
        self.loop = loop

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run to its end, as in the app, where Qt's loop never turns without asyncio's.

        qasync's ``run_until_complete`` turns Qt's loop once more after asyncio's has stopped; a handler that
        wakes up in that moment has no loop to sleep on.
        """
        task = self.loop.create_task(coroutine)
        task.add_done_callback(lambda _task: self.loop.stop())
        self.loop.run_forever()
        return task.result()

    def until(self, condition: Callable[[], bool], what: str, seconds: float = 15.0) -> None:
        """Let both loops run until something is true."""

        async def wait() -> None:
            async with asyncio.timeout(seconds):
                while not condition():
                    await asyncio.sleep(0.01)

        try:
            self.run(wait())
        except TimeoutError:
            pytest.fail(f"{what} did not happen within {seconds:g} s")

    def start_board(self) -> str:
        self.bridge.devices.start_simulator()
        self.until(
            lambda: any(board.state == "live" for board in self.bridge.devices.boards()), "a live board"
        )
        return UNO_ID

    def shown(self, pin: int) -> int | None:
        """Level of a pin as the window has it, for conditions."""
        return self.bridge.devices.pins(UNO_ID)[pin].level

    def level(self, pin: int) -> int:
        """Electrical level in the simulator, asked for now."""
        assert self.bridge.core.runtime is not None
        process = self.bridge.core.runtime.simulators.process(UNO_ID)
        return self.run(process.query()).levels[pin]


@pytest.fixture
def live(qt_loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Iterator[Live]:
    """A bridge whose core has started; no board yet."""
    ring = start_logging(None)
    bridge = AppBridge(ConfigStore(tmp_path / "config.toml"), ring)
    qt_loop.run_until_complete(bridge.start())
    yield Live(bridge, qt_loop)
    qt_loop.run_until_complete(bridge.stop())
    stop_logging()
