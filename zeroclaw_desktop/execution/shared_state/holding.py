"""Holding a device while something is done with it: renewed in time, given back in any case, lost aloud."""

from __future__ import annotations

import asyncio
import time
import uuid
from types import TracebackType

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.shared_state import contract
from zeroclaw_desktop.execution.shared_state.contract import LEASE_SECONDS, LockGrant, SharedState
from zeroclaw_desktop.execution.shared_state.errors import LockHeldError, LockLostError, SharedStateError
from zeroclaw_desktop.foundation.log import logger

ASK_AGAIN_SECONDS = 0.05
RELEASE_SECONDS = 2.0
NOT_RENEWED = Words("it could not be renewed before its lease ended", "租期结束前未能续期")
_log = logger("execution")


class DeviceHold:
    """The lock of one device as ``async with DeviceHold(state, "uno-1", task_id) as grant``.

    The lease is renewed in the background. When the task ends, fails or is cancelled, the lock is released at
    once; when the process dies, the lease runs out. When the lock is lost (the keeper has forgotten it, or
    could not be reached until the lease's end) the body is cancelled and LockLostError raised in its place,
    as somebody else may move the device from then on.

    Args:
        owner: who holds it, shown to others.
        lease: seconds; renewed after each third of it.
        wait: seconds to wait for a device that is held; 0 does not wait.

    Raises:
        LockHeldError: on entering, when it is still held after ``wait`` seconds.
        LockLostError: on leaving, when it was lost.
    """

    def __init__(
        self,
        state: SharedState,
        device_id: str,
        owner: str,
        *,
        lease: float = LEASE_SECONDS,
        wait: float = 0.0,
    ) -> None:
        self._state = state
        self._device_id = device_id
        self._owner = owner
        self._lease = lease
        self._wait = wait
        self._token = uuid.uuid4().hex
        self._body: asyncio.Task[object] | None = None
        self._cancels_before = 0
        self._renewing: asyncio.Task[None] | None = None
        self._grant: LockGrant | None = None
        self._loss: LockLostError | None = None

    async def __aenter__(self) -> LockGrant:
        self._body = asyncio.current_task()
        self._cancels_before = self._body.cancelling() if self._body is not None else 0
        asked_at = time.monotonic()
        try:
            asked_at, self._grant = await self._acquire()
        except asyncio.CancelledError:
            # The answer may be on its way: without this the lease would have to run out.
            await self._give_back(LockGrant(self._device_id, self._owner, self._token, 0, self._lease))
            raise
        self._renewing = asyncio.get_running_loop().create_task(
            self._renew(self._grant, asked_at + self._lease), name=f"hold:{self._device_id}"
        )
        return self._grant

    async def _acquire(self) -> tuple[float, LockGrant]:
        until = time.monotonic() + self._wait
        while True:
            asked_at = time.monotonic()
            try:
                return asked_at, await self._state.acquire(
                    self._device_id, self._owner, lease=self._lease, token=self._token
                )
            except LockHeldError:
                if time.monotonic() >= until:
                    raise
            await asyncio.sleep(ASK_AGAIN_SECONDS)

    async def _renew(self, grant: LockGrant, until: float) -> None:
        """Renew until cancelled or lost; ``until`` is the end of the lease by the own clock."""
        pause = self._lease / 3.0
        while self._loss is None:
            await asyncio.sleep(min(pause, max(0.0, until - time.monotonic())))
            asked_at = time.monotonic()
            try:
                async with asyncio.timeout(max(0.001, until - asked_at)):
                    await self._state.renew(grant)
                until, pause = asked_at + self._lease, self._lease / 3.0
            except LockLostError as error:
                self._loss = error
            except (SharedStateError, TimeoutError) as error:
                if time.monotonic() >= until:
                    self._loss = contract.lost(grant, NOT_RENEWED)
                    self._loss.__cause__ = error
                pause = min(self._lease / 10.0, 0.5)
        _log.error("%s", self._loss.message)
        if self._body is not None:
            self._body.cancel()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        late = await self._end_renewing()
        if self._loss is None:
            if self._grant is not None:
                await self._give_back(self._grant)
        elif self._body is not None:
            self._body.uncancel()
            cancelled_by_others = self._body.cancelling() > self._cancels_before
            if not cancelled_by_others and (kind is None or kind is asyncio.CancelledError):
                raise self._loss from error
            if not cancelled_by_others:
                return
        if late is not None:
            raise late

    async def _end_renewing(self) -> asyncio.CancelledError | None:
        """End the background task; returns a cancel of the body that was only delivered here."""
        if self._renewing is None:
            return None
        self._renewing.cancel()
        try:
            await asyncio.wait({self._renewing})
        except asyncio.CancelledError as error:
            return error
        return None

    async def _give_back(self, grant: LockGrant) -> None:
        """Release, bounded; a keeper that is away frees it at the lease's end."""
        try:
            async with asyncio.timeout(RELEASE_SECONDS):
                await self._state.release(grant)
        except (SharedStateError, TimeoutError) as error:
            _log.warning(
                "The lock of %s could not be released and ends with its lease: %s", grant.device_id, error
            )
