"""A runtime with one board that was added by its address, whatever its kind, and the promises of HW-5."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.runtime.runtime import Runtime

PATIENCE_SECONDS = 15.0


class Bench:
    """The runtime, the board and shortcuts."""

    def __init__(self, runtime: Runtime, board_id: str) -> None:
        self.runtime = runtime
        self.board_id = board_id

    @property
    def connection(self) -> BoardConnection:
        return self.runtime.roster.connection(self.board_id)

    async def do(self, action: str, **params: Any) -> ActionResult:
        return await self.runtime.run_manual(action, params, self.board_id)

    async def done(self, action: str, **params: Any) -> ActionResult:
        """Do it, and it must succeed."""
        result = await self.do(action, **params)
        assert result.ok, result.faults
        return result

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait for something that must happen."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not condition():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            info = self.connection.info
            raise AssertionError(f"{what} did not happen; {info.state}: {info.fault_message}") from None

    async def until_state(self, state: str) -> None:
        await self.until(lambda: self.connection.state == state, f"state {state}")
