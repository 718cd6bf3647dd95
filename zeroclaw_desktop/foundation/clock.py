"""Time behind one interface, so that a test can be master of it."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that is yet to come."""

    def cancel(self) -> object:
        """Call it off."""


class Clock(Protocol):
    """What the core asks about time."""

    def monotonic(self) -> float:
        """Seconds that never go back."""

    def wall(self) -> float:
        """Epoch seconds."""

    async def sleep(self, seconds: float) -> None:
        """Wait, letting the loop run."""

    def call_later(self, seconds: float, function: Callable[[], None]) -> Timer:
        """Call a function on the running loop when the time has passed; it may be a little too early."""


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """See Clock."""
        return time.monotonic()

    def wall(self) -> float:
        """See Clock."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """See Clock."""
        await asyncio.sleep(max(0.0, seconds))

    def call_later(self, seconds: float, function: Callable[[], None]) -> Timer:
        """See Clock."""
        return asyncio.get_running_loop().call_later(max(0.0, seconds), function)


class ManualClock:
    """A clock that stands still until it is told to advance; wakes its sleepers in order."""

    def __init__(self, start: float = 1_000.0) -> None:
        self._now = start
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def monotonic(self) -> float:
        """See Clock."""
        return self._now

    def wall(self) -> float:
        """See Clock."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """See Clock."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        await self._sleeper(seconds)

    def call_later(self, seconds: float, function: Callable[[], None]) -> Timer:
        """See Clock."""
        sleeper = self._sleeper(seconds)
        sleeper.add_done_callback(lambda woken: None if woken.cancelled() else function())
        return sleeper

    def _sleeper(self, seconds: float) -> asyncio.Future[None]:
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), sleeper))
        return sleeper

    async def advance(self, seconds: float) -> None:
        """Move time on and let everything that became due run."""
        end = self._now + seconds
        while self._sleepers and self._sleepers[0][0] <= end:
            due, _, future = heapq.heappop(self._sleepers)
            self._now = max(self._now, due)
            if not future.done():
                future.set_result(None)
            for _ in range(5):
                await asyncio.sleep(0)
        self._now = end
