"""The device locks of this program (EX-19): while its actions drive a device, no other program does.

Actions of one program share a device and are kept in order by the resource queue (EX-11). So it is the
program that takes the lock of a device, with the first action that drives it, and gives it back after the
last. Who dies gives nothing back: then the lease runs out.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable
from types import TracebackType

from zeroclaw_desktop.execution.shared_state.contract import LEASE_SECONDS, LockGrant, SharedState
from zeroclaw_desktop.execution.shared_state.errors import LockHeldError, LockLostError, SharedStateError
from zeroclaw_desktop.execution.shared_state.holding import DeviceHold
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

WAIT_SECONDS = 1.0
"""How long an action waits for a device that another program drives: most commands are shorter."""
UNLEASED_SECONDS = 1e9
"""In this process a dead holder gives back by itself, and nobody renews."""


class _Held:
    """A device that this program holds or is about to hold."""

    __slots__ = ("closing", "grant", "loss", "over", "ready", "task", "users")

    def __init__(self) -> None:
        self.users: dict[DeviceUse, None] = {}
        self.grant: LockGrant | None = None
        self.ready: asyncio.Future[None] | None = None
        self.over: asyncio.Event | None = None
        self.task: asyncio.Task[None] | None = None
        self.closing = False
        self.loss: LockLostError | None = None


class DeviceLocks:
    """Takes and gives back the locks of devices in one shared state.

    Args:
        state: keeps the locks; not owned.
        lease: seconds after which others may have the device of a dead program.
        wait: seconds that an action waits for a device of another program.
        told: hears of each attempt to take a lock in another keeper: None when it answered, else its fault.
    """

    def __init__(
        self,
        state: SharedState,
        *,
        lease: float = LEASE_SECONDS,
        wait: float = WAIT_SECONDS,
        told: Callable[[SharedStateError | None], None] = lambda _fault: None,
    ) -> None:
        self.state = state
        self._lease = lease
        self._wait = wait
        self._told = told
        self._token = uuid.uuid4().hex
        self._held: dict[str, _Held] = {}
        self._tasks = TaskSupervisor("device-locks")

    def use(self, device: str, owner: str, end: Callable[[], bool]) -> DeviceUse:
        """Hold a device for the time of an ``async with`` block.

        Args:
            device: its instance, see BoardInfo.instance.
            owner: who drives it, shown to others.
            end: cancels the task of the block; called when the lock is lost, as somebody else may drive the
                device from then on. Returns False when the task is being ended already.

        Raises:
            LockHeldError: on entering: another program has it.
            SharedStateError: on entering: the keeper does not answer or refuses; nobody knows who has it.
            LockLostError: on leaving: it was lost on the way.
        """
        return DeviceUse(self, device, owner, end)

    async def drained(self) -> None:
        """Wait until every device is given back, which it is when the actions that drive it have ended."""
        while pending := [held.task for held in self._held.values() if held.task is not None]:
            await asyncio.wait(pending)

    async def close(self, timeout: float = 5.0) -> None:
        """The same, bounded; what is held then still is given back all the same."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self.drained()
        await self._tasks.stop(timeout)

    # -- for DeviceUse --------------------------------------------------------------------------------
    async def enter(self, use: DeviceUse) -> _Held:
        """Have the device for one more user."""
        while True:
            held = self._held.get(use.device)
            if held is not None and held.closing and held.task is not None:
                await asyncio.wait({held.task})
            elif held is None and self.state.in_process:
                try:
                    return await self._enter_at_once(use)
                except LockHeldError:
                    # Another executor of this process has it; wait for it as for another program.
                    return await self._join(self._begin(use), use)
            else:
                return await self._join(held or self._begin(use), use)

    async def _enter_at_once(self, use: DeviceUse) -> _Held:
        held = _Held()
        held.grant = await self.state.acquire(
            use.device, use.owner, lease=UNLEASED_SECONDS, token=self._token
        )
        held.users[use] = None
        self._held[use.device] = held
        return held

    async def _join(self, held: _Held, use: DeviceUse) -> _Held:
        held.users[use] = None
        if held.ready is not None:
            try:
                await asyncio.shield(held.ready)
            except BaseException:
                await self.leave(held, use)
                raise
        return held

    def _begin(self, use: DeviceUse) -> _Held:
        held = _Held()
        held.ready = asyncio.get_running_loop().create_future()
        held.over = asyncio.Event()
        self._held[use.device] = held
        held.task = self._tasks.start(self._keep(held, held.ready, held.over, use), use.device)
        held.task.add_done_callback(lambda _task: self._forget(use.device, held))
        return held

    def _forget(self, device: str, held: _Held) -> None:
        """The keeper of a device has ended."""
        if self._held.get(device) is held:
            del self._held[device]
        if held.ready is not None and not held.ready.done():
            held.ready.cancel()

    async def _keep(
        self, held: _Held, ready: asyncio.Future[None], over: asyncio.Event, first: DeviceUse
    ) -> None:
        """Hold the device until its last user has gone or the lock is lost."""
        try:
            async with DeviceHold(self.state, first.device, first.owner, lease=self._lease, wait=self._wait):
                self._told(None)
                ready.set_result(None)
                await over.wait()
        except LockLostError as error:
            held.loss = error
            held.closing = True
            for use in tuple(held.users):
                use.lost()
        except SharedStateError as error:
            self._told(None if isinstance(error, LockHeldError) else error)
            held.closing = True
            ready.set_exception(error)
            # Marks it as seen: whoever waited may have gone.
            ready.exception()

    async def leave(self, held: _Held, use: DeviceUse) -> None:
        """One user less; the last one gives the device back, in the background where that takes time."""
        del held.users[use]
        if held.users:
            return
        if held.grant is not None:
            del self._held[use.device]
            await self.state.release(held.grant)
            return
        held.closing = True
        if held.over is not None and held.ready is not None and held.ready.done():
            held.over.set()
        elif held.task is not None:
            held.task.cancel()


class DeviceUse:
    """One action's use of a device; see DeviceLocks.use."""

    __slots__ = ("_end", "_ended_by_loss", "_held", "_locks", "device", "owner")

    def __init__(self, locks: DeviceLocks, device: str, owner: str, end: Callable[[], bool]) -> None:
        self.device = device
        self.owner = owner
        self._locks = locks
        self._end = end
        self._held: _Held | None = None
        self._ended_by_loss = False

    async def __aenter__(self) -> None:
        self._held = await self._locks.enter(self)

    def lost(self) -> None:
        """The lock is gone: end the block."""
        self._ended_by_loss = self._end()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        held = self._held
        if held is None:
            return
        await self._locks.leave(held, self)
        if held.loss is not None and self._ended_by_loss:
            self._tell(held.loss, kind, error)

    @staticmethod
    def _tell(loss: LockLostError, kind: type[BaseException] | None, error: BaseException | None) -> None:
        """Raise the loss in place of the cancel that it caused; a fault of the block itself goes first."""
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        if kind is None or issubclass(kind, asyncio.CancelledError):
            raise LockLostError(loss.message, hint=loss.hint, details=loss.details) from error
