"""The resource queue (EX-11): sets of resources are taken whole, in order of submission.

A waiter gets its set when nothing that it needs conflicts with a holder or with an earlier waiter. Sets that
share nothing run side by side; sets that share something run in the order in which they came. As nobody ever
holds a part while waiting for the rest there is no deadlock, and as nobody overtakes whom he conflicts with
there is no starvation.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

MAX_WAITING = 1_000


@dataclass(frozen=True)
class QueueEntry:
    """Somebody who holds or waits, for lists and messages."""

    holder: str
    resources: Mapping[str, str]
    running: bool


class QueueFullError(Exception):
    """Too many are waiting already."""


class ResourceQuarantinedError(Exception):
    """A resource is locked until its device is reset."""

    def __init__(self, resource: str, holder: str) -> None:
        super().__init__(resource)
        self.resource = resource
        self.holder = holder


class _Request:
    def __init__(self, holder: str, uses: Mapping[str, str], granted: asyncio.Future[None] | None) -> None:
        self.holder = holder
        self.uses = uses
        self.granted = granted

    def conflicts(self, other: _Request) -> bool:
        small, large = sorted((self.uses, other.uses), key=len)
        return any(
            name in large and (mode == "write" or large[name] == "write") for name, mode in small.items()
        )


class ResourceQueue:
    """Hands out sets of resources; all calls on the loop's thread."""

    def __init__(self) -> None:
        self._active: list[_Request] = []
        self._waiting: list[_Request] = []
        self._quarantined: dict[str, str] = {}

    @contextlib.asynccontextmanager
    async def take(self, holder: str, uses: Sequence[tuple[str, str]]) -> AsyncIterator[None]:
        """Hold resources for the time of the block.

        Args:
            holder: who, for messages.
            uses: (resource id, ``read`` or ``write``); a name given twice counts with the stronger mode.

        Raises:
            QueueFullError: MAX_WAITING are waiting.
            ResourceQuarantinedError: one of them is locked.
        """
        modes: dict[str, str] = {}
        for name, mode in uses:
            modes[name] = "write" if "write" in (mode, modes.get(name)) else "read"
            if name in self._quarantined:
                raise ResourceQuarantinedError(name, self._quarantined[name])
        if len(self._waiting) >= MAX_WAITING:
            raise QueueFullError
        request = _Request(holder, modes, None)
        if self._must_wait(request, len(self._waiting)):
            request.granted = asyncio.get_running_loop().create_future()
            self._waiting.append(request)
            try:
                await request.granted
            except asyncio.CancelledError:
                self._forget(request)
                raise
        else:
            self._active.append(request)
        try:
            yield
        finally:
            self._forget(request)

    def _must_wait(self, request: _Request, place: int) -> bool:
        return any(request.conflicts(holder) for holder in self._active) or any(
            request.conflicts(earlier) for earlier in self._waiting[:place]
        )

    def _forget(self, request: _Request) -> None:
        if request in self._active:
            self._active.remove(request)
        if request in self._waiting:
            self._waiting.remove(request)
        self._grant_waiting()

    def _grant_waiting(self) -> None:
        place = 0
        while place < len(self._waiting):
            request = self._waiting[place]
            if self._must_wait(request, place):
                place += 1
                continue
            del self._waiting[place]
            self._active.append(request)
            if request.granted is not None and not request.granted.done():
                request.granted.set_result(None)

    def quarantine(self, names: Sequence[str], holder: str) -> None:
        """Lock resources whose handler did not end; until ``release_quarantine``."""
        self._quarantined.update(dict.fromkeys(names, holder))

    def release_quarantine(self, device_id: str) -> None:
        """Unlock all resources of a device after it was reset."""
        prefix = f"{device_id}/"
        for name in [name for name in self._quarantined if name.startswith(prefix)]:
            del self._quarantined[name]

    def entries(self) -> list[QueueEntry]:
        """Holders first, then those who wait, in order."""
        return [QueueEntry(r.holder, r.uses, True) for r in self._active] + [
            QueueEntry(r.holder, r.uses, False) for r in self._waiting
        ]
