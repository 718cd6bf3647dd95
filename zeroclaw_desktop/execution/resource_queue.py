"""The resource queue (EX-11): sets of resources are taken whole, in order of submission.

Each resource has a line of its own. A request enters the lines of all its resources at once and gets its
set when it is admitted in every one of them: as a reader beside other readers, as a writer alone, never past
an earlier request that it conflicts with. Sets that share nothing run side by side; sets that share something
run in the order in which they came. Requests enter all their lines in the order of submission, so they wait
for earlier ones only, which rules out deadlock, and nobody overtakes whom he conflicts with, which rules out
starvation. The cost of a request grows with the number of its resources only, not with that of the waiters.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

MAX_WAITING = 10_000
READ, WRITE = "read", "write"


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
    """One set of resources: ``missing`` counts the lines that have not admitted it yet."""

    __slots__ = ("granted", "holder", "missing", "uses")

    def __init__(self, holder: str, uses: Mapping[str, str]) -> None:
        self.holder = holder
        self.uses = uses
        self.missing = len(uses)
        self.granted: asyncio.Future[None] | None = None


class _Line:
    """Who is at one resource and who waits for it, in order."""

    __slots__ = ("admitted", "waiting")

    def __init__(self) -> None:
        self.admitted: dict[_Request, str] = {}
        self.waiting: dict[_Request, str] = {}

    def admits(self, mode: str) -> bool:
        """Whether one more could join those who are at the resource."""
        return not self.admitted or (mode == READ and next(iter(self.admitted.values())) == READ)

    def enter(self, request: _Request, mode: str) -> None:
        """Join the end of the line."""
        if not self.waiting and self.admits(mode):
            self.admitted[request] = mode
            request.missing -= 1
        else:
            self.waiting[request] = mode

    def leave(self, request: _Request) -> list[_Request]:
        """Go away from any place; returns those who came to their turn by it."""
        self.admitted.pop(request, None)
        self.waiting.pop(request, None)
        came: list[_Request] = []
        while self.waiting:
            following, mode = next(iter(self.waiting.items()))
            if not self.admits(mode):
                break
            del self.waiting[following]
            self.admitted[following] = mode
            following.missing -= 1
            came.append(following)
        return came


class ResourceQueue:
    """Hands out sets of resources; all calls on the loop's thread."""

    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}
        self._requests: dict[_Request, None] = {}
        self._waiting = 0
        self._quarantined: dict[str, str] = {}

    def take(
        self, holder: str, uses: Sequence[tuple[str, str]], *, unrefused: bool = False
    ) -> AbstractAsyncContextManager[None]:
        """Hold resources for the time of the block; they are asked for when it is entered.

        Args:
            holder: who, for messages.
            uses: (resource id, ``read`` or ``write``); a name given twice counts with the stronger mode.
            unrefused: neither a lock nor the number of those who wait stands in the way; for what makes safe.

        Raises:
            QueueFullError: MAX_WAITING are waiting.
            ResourceQuarantinedError: one of them is locked.
        """
        return _Hold(self, holder, uses, unrefused=unrefused)

    async def _take(self, holder: str, uses: Sequence[tuple[str, str]], *, unrefused: bool) -> _Request:
        modes = self._modes(uses)
        if not unrefused:
            self._refuse(modes)
        request = _Request(holder, modes)
        self._enter(request)
        if request.missing:
            try:
                await self._wait(request)
            except BaseException:
                self._leave(request)
                raise
        return request

    def _refuse(self, modes: Mapping[str, str]) -> None:
        for name in modes:
            if name in self._quarantined:
                raise ResourceQuarantinedError(name, self._quarantined[name])
        if self._waiting >= MAX_WAITING:
            raise QueueFullError

    @staticmethod
    def _modes(uses: Sequence[tuple[str, str]]) -> dict[str, str]:
        modes: dict[str, str] = {}
        for name, mode in uses:
            modes[name] = WRITE if WRITE in (mode, modes.get(name)) else READ
        return modes

    def _enter(self, request: _Request) -> None:
        self._requests[request] = None
        for name, mode in request.uses.items():
            line = self._lines.get(name)
            if line is None:
                line = self._lines[name] = _Line()
            line.enter(request, mode)

    async def _wait(self, request: _Request) -> None:
        request.granted = asyncio.get_running_loop().create_future()
        self._waiting += 1
        try:
            await request.granted
        finally:
            self._waiting -= 1

    def _leave(self, request: _Request) -> None:
        del self._requests[request]
        for name in request.uses:
            line = self._lines[name]
            for came in line.leave(request):
                if not came.missing and came.granted is not None and not came.granted.done():
                    came.granted.set_result(None)
            if not line.admitted and not line.waiting:
                del self._lines[name]

    def quarantine(self, names: Sequence[str], holder: str) -> None:
        """Lock resources whose handler did not end; until ``release_quarantine``."""
        self._quarantined.update(dict.fromkeys(names, holder))

    def release_quarantine(self, device_id: str) -> None:
        """Unlock all resources of a device after it was reset."""
        prefix = f"{device_id}/"
        for name in [name for name in self._quarantined if name.startswith(prefix)]:
            del self._quarantined[name]

    def entries(self) -> list[QueueEntry]:
        """Holders first, then those who wait, each in order of submission."""
        found = [QueueEntry(r.holder, r.uses, not r.missing) for r in self._requests]
        return sorted(found, key=lambda entry: not entry.running)


class _Hold(AbstractAsyncContextManager[None]):
    """A block that holds resources; written out because a generator costs twice as much on every action."""

    def __init__(
        self, queue: ResourceQueue, holder: str, uses: Sequence[tuple[str, str]], *, unrefused: bool
    ) -> None:
        self._queue = queue
        self._holder = holder
        self._uses = uses
        self._unrefused = unrefused
        self._request: _Request | None = None

    async def __aenter__(self) -> None:
        self._request = await self._queue._take(self._holder, self._uses, unrefused=self._unrefused)

    async def __aexit__(self, *_fault: object) -> None:
        if self._request is not None:
            self._queue._leave(self._request)
