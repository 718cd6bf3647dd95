"""How much may be unanswered at a time (SPEC.md, ``window`` and ``window_bytes``): requests wait in order."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator

REQUEST_BYTES = 60
"""The size of request that ``window`` counts with."""


class RequestWindow:
    """Counts the requests under way; one thread, first come first served.

    Args:
        requests: how many may be unanswered at a time.
        line_bytes: how many bytes they may have together, endings included.
    """

    def __init__(self, requests: int = 1, line_bytes: int = REQUEST_BYTES) -> None:
        self._requests = requests
        self._bytes = line_bytes
        self._under_way = 0
        self._bytes_under_way = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @contextlib.asynccontextmanager
    async def place(self, size: int) -> AsyncIterator[None]:
        """Wait for a place for a request of ``size`` bytes; a larger one than fits goes alone."""
        if self._waiting or not self._fits(size):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((size, turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.cancelled():
                    with contextlib.suppress(ValueError):
                        self._waiting.remove((size, turn))
                    self._admit()
                else:
                    self._leave(size)
                raise
        else:
            self._enter(size)
        try:
            yield
        finally:
            self._leave(size)

    def _fits(self, size: int) -> bool:
        if self._under_way == 0:
            return True
        return self._under_way < self._requests and self._bytes_under_way + size <= self._bytes

    def _enter(self, size: int) -> None:
        self._under_way += 1
        self._bytes_under_way += size

    def _leave(self, size: int) -> None:
        self._under_way -= 1
        self._bytes_under_way -= size
        self._admit()

    def _admit(self) -> None:
        while self._waiting and self._fits(self._waiting[0][0]):
            size, turn = self._waiting.popleft()
            if not turn.done():
                self._enter(size)
                turn.set_result(None)
