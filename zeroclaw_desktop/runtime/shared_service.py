"""The shared state in use (EX-13, EX-19): in this process, or in the Redis that the settings name.

An address that is wrong, or a Redis that is not there when it is wanted, leaves the program working by
itself: that is said, and Redis is tried again. A Redis that goes away later is another matter: others may
still hold devices in it, so nothing new is moved until it is back or taken out of the settings.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.config.address import read_address
from zeroclaw_desktop.contracts.events import SharedStateChanged
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.device_locks import DeviceLocks, DeviceUse
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.switchboard import ReporterSwitchboard
from zeroclaw_desktop.execution.shared_state import LockHolder, SharedState, open_shared_state
from zeroclaw_desktop.execution.shared_state.contract import LEASE_SECONDS
from zeroclaw_desktop.execution.shared_state.errors import (
    LockHeldError,
    SharedStateError,
    SharedStateRefusedError,
    SharedStateUnavailableError,
)
from zeroclaw_desktop.execution.shared_state.opening import load_library
from zeroclaw_desktop.execution.shared_state.snapshot_reporter import SnapshotReporter
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.machine import machine_name
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

REDIS_KEY = "shared.redis_url"
REPORTER_NAME = "snapshots"
OPENING_SECONDS = 5.0
"""How long an action waits for the answer whether there is a Redis."""
FIRST_RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 30.0
LOOK_SECONDS = 10.0
"""How often a Redis in use is asked whether it is still there."""
SNAPSHOT_PAUSE_SECONDS = 0.05
"""Writing a snapshot costs as much as half an action, so a busy board is not written down after each."""
CLOSE_SECONDS = 1.0
SHARING = Words("sharing boards with other programs", "与其他程序共用开发板")
FullAddress = Callable[[str], Awaitable[str]]
_log = logger("execution")


class SharedStateService:
    """Opens the shared state and lends it: barriers, snapshots, and device locks for the executor.

    Belongs to one loop. Before ``start`` everything is kept in this process.

    Args:
        reporters: gets the reporter of snapshots.
        bus: told of every change as SharedStateChanged.
        full_address: gives the address of a setting with its password; may raise ZeroClawError.
        instance_of: the name of a device among programs, from its id here.
        lease: seconds after which the devices of a dead program are free.
        retry: the plan of waits while a Redis is not there.
    """

    def __init__(
        self,
        reporters: ReporterSwitchboard,
        bus: EventBus,
        clock: Clock,
        full_address: FullAddress,
        instance_of: Callable[[str], str],
        *,
        lease: float = LEASE_SECONDS,
        retry: Callable[[], Backoff] = lambda: Backoff(FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS),
    ) -> None:
        self.status = SharedStateChanged()
        self.state: SharedState = open_shared_state("", clock)
        self.lease = lease
        self._reporters = reporters
        self._bus = bus
        self._clock = clock
        self._full_address = full_address
        self._instance_of = instance_of
        self._retry = retry
        self._locks = self._locks_in(self.state)
        self._address = ""
        self._wanted = ""
        self._decided = asyncio.Event()
        self._decided.set()
        self._one_at_a_time = asyncio.Lock()
        self._background: asyncio.Task[None] | None = None
        """Looks after a Redis in use, or tries to reach one that is wanted."""
        self._tasks = TaskSupervisor("shared-state")

    # -- what others use ------------------------------------------------------------------------------
    def use(
        self, device: str, owner: str, end: Callable[[], bool]
    ) -> contextlib.AbstractAsyncContextManager[None]:
        """See DeviceLocks.use; while the state is being opened, the lock waits for that."""
        if self._decided.is_set():
            return self._locks.use(device, owner, end)
        return _LateUse(self._opened_locks, device, owner, end)

    async def barrier(self, name: str, parties: int, timeout: float) -> float:
        """See SharedState.barrier."""
        await self._until_decided(Words(f"passing the barrier '{name}'", f"通过同步点“{name}”"))
        return await self.state.barrier(name, parties, timeout)

    async def holders(self) -> Sequence[LockHolder]:
        """Who drives which device in any program; see SharedState.holders."""
        return await self.state.holders()

    async def _opened_locks(self, device: str) -> DeviceLocks:
        await self._until_decided(Words(f"locking the device '{device}'", f"锁定设备“{device}”"))
        return self._locks

    async def _until_decided(self, not_done: Words) -> None:
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                await self._decided.wait()
        except TimeoutError:
            raise SharedStateUnavailableError(
                f"The shared state is still being opened, so {not_done.en} was not done.",
                hint="Unlock the keyring if it asks, then try again.",
                retryable=True,
                details={"not_done": not_done.en, "not_done_zh": not_done.zh},
            ) from None

    # -- switching ------------------------------------------------------------------------------------
    def start(self, address: str) -> None:
        """Begin to share snapshots, and to follow the setting, whose value is ``address``."""
        self._share_snapshots(self.state)
        if address:
            self.changed(REDIS_KEY, address)

    def changed(self, key: str, value: object) -> None:
        """Follow the setting, in the background; other keys are ignored. Fits ``ConfigStore.on_change``."""
        if key == REDIS_KEY:
            self._wanted = read_address(str(value)).where
            self._decided.clear()
            self._tasks.start(self._follow(), "follow")

    async def settled(self) -> None:
        """Wait until what was asked is done."""
        await self._decided.wait()

    async def close(self) -> None:
        """Give everything back and end all connections; bounded."""
        await self._tasks.stop(CLOSE_SECONDS)
        self._decided.set()
        await self._reporters.remove(REPORTER_NAME, CLOSE_SECONDS)
        await self._locks.close(CLOSE_SECONDS)
        await self.state.close()

    async def _follow(self) -> None:
        async with self._one_at_a_time:
            try:
                if await self._switch():
                    return
            finally:
                self._decided.set()
            self._in_background(self._try_again())

    async def _try_again(self) -> None:
        plan = self._retry()
        while True:
            await self._clock.sleep(plan.failed())
            async with self._one_at_a_time:
                if await self._switch(again=True):
                    return

    async def _switch(self, *, again: bool = False) -> bool:
        """Use what the setting says; where that does not work, this process.

        Returns:
            False when trying again may help.
        """
        try:
            address = await self._full_address(REDIS_KEY)
            if address == self._address:
                if not address and self.status.wanted:
                    self._in_background(None)
                    self._tell(SharedStateChanged())
                return True
            state = await self._opened(address)
        except ZeroClawError as error:
            await self._take(open_shared_state("", self._clock), "")
            if not again:
                _log.error(
                    "The state is not shared with other programs, this one works by itself: %s %s",
                    error.message,
                    error.hint,
                )
            self._tell(SharedStateChanged(self._wanted, False, error))
            return not isinstance(error, SharedStateUnavailableError)
        await self._take(state, address)
        self._tell(SharedStateChanged(self._wanted if address else "", bool(address)))
        if address:
            _log.info("The state is shared by the Redis at %s", self._wanted)
            self._in_background(self._look_after(state))
        return True

    async def _opened(self, address: str) -> SharedState:
        """A shared state that works.

        Raises:
            SharedStateError: it does not.
        """
        if not address:
            return open_shared_state("", self._clock)
        await asyncio.to_thread(load_library, address)
        state = open_shared_state(address, self._clock)
        try:
            # A lock is what is needed later: scripts, the right to write, an answer in time.
            probe = await state.acquire(f"(trial of {machine_name()})", "trial", lease=1.0)
            await state.release(probe)
        except LockHeldError:
            return state
        except (SharedStateUnavailableError, SharedStateRefusedError) as error:
            await state.close()
            raise _at_the_start(error) from error
        except BaseException:
            await state.close()
            raise
        return state

    async def _take(self, state: SharedState, address: str) -> None:
        """Use another state from now on; what still runs ends with the old one."""
        self._in_background(None)
        if state.in_process and self.state.in_process:
            return
        old_locks, old_state = self._locks, self.state
        self.state, self._locks, self._address = state, self._locks_in(state), address
        self._tasks.start(self._retire(old_locks, old_state), "retire")
        await self._reporters.remove(REPORTER_NAME)
        self._share_snapshots(state)

    def _share_snapshots(self, state: SharedState) -> None:
        reporter = SnapshotReporter(state, named=self._instance_of, pause=SNAPSHOT_PAUSE_SECONDS)
        self._reporters.add(REPORTER_NAME, reporter)

    @staticmethod
    async def _retire(locks: DeviceLocks, state: SharedState) -> None:
        try:
            await locks.drained()
        finally:
            await state.close()

    def _locks_in(self, state: SharedState) -> DeviceLocks:
        return DeviceLocks(state, lease=self.lease, told=lambda fault: self._heard(state, fault))

    # -- looking after --------------------------------------------------------------------------------
    def _in_background(self, work: Coroutine[Any, Any, None] | None) -> None:
        """Replace what goes on in the background; what goes on there may replace itself."""
        task = self._background
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            self._background = None
        if work is not None:
            self._background = self._tasks.start(work, "background")

    async def _look_after(self, state: SharedState) -> None:
        """Ask a Redis in use from time to time, so that the window tells when it goes and comes back."""
        plan = self._retry()
        while True:
            await self._clock.sleep(plan.failed() if self.status.fault else LOOK_SECONDS)
            try:
                await state.holder(f"(trial of {machine_name()})")
            except SharedStateError as error:
                self._heard(state, error)
            else:
                plan.succeeded()
                self._heard(state, None)

    def _heard(self, state: SharedState, fault: SharedStateError | None) -> None:
        """A Redis has answered, or not."""
        if state is not self.state or state.in_process or bool(fault) == bool(self.status.fault):
            return
        if fault is not None:
            _log.error("Nothing new is moved until Redis is back: %s %s", fault.message, fault.hint)
        else:
            _log.info("The Redis at %s is back", self._wanted)
        self._tell(SharedStateChanged(self._wanted, True, fault))

    def _tell(self, status: SharedStateChanged) -> None:
        if status != self.status:
            self.status = status
            self._bus.publish(status)


def _at_the_start(error: SharedStateError) -> SharedStateError:
    """The fault of a Redis that cannot be used, without the trial that showed it."""
    verb = "does not answer" if isinstance(error, SharedStateUnavailableError) else "refuses"
    return type(error)(
        f"The Redis at {error.details['address']} {verb}: {error.details['reason']}",
        hint=error.hint,
        retryable=error.retryable,
        details={**error.details, "not_done": SHARING.en, "not_done_zh": SHARING.zh},
    )


class _LateUse:
    """A DeviceUse that begins once it is known where the locks are."""

    def __init__(
        self,
        opened: Callable[[str], Awaitable[DeviceLocks]],
        device: str,
        owner: str,
        end: Callable[[], bool],
    ) -> None:
        self._opened = opened
        self._device = device
        self._owner = owner
        self._end = end
        self._use: DeviceUse | None = None

    async def __aenter__(self) -> None:
        locks = await self._opened(self._device)
        self._use = locks.use(self._device, self._owner, self._end)
        await self._use.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._use is not None:
            await self._use.__aexit__(kind, error, trace)
