"""The device locks of a program, the same in this process and in a Redis (EX-19)."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from tests.integration.shared_state.conftest import Connect
from tests.integration.shared_state.redis_server import RedisServer
from zeroclaw_desktop.execution.device_locks import DeviceLocks
from zeroclaw_desktop.execution.shared_state import SharedState
from zeroclaw_desktop.execution.shared_state.errors import LockHeldError, LockLostError

PATIENCE = 20.0


class Worker:
    """An action that drives a device until it is told to finish."""

    def __init__(self, locks: DeviceLocks, owner: str, device: str = "uno") -> None:
        self.inside, self.finish = asyncio.Event(), asyncio.Event()
        self.cancelled = False
        self._locks, self._owner, self._device = locks, owner, device
        self.task = asyncio.get_running_loop().create_task(self._work())

    def end(self) -> bool:
        return self.task.cancel()

    async def _work(self) -> str:
        async with self._locks.use(self._device, self._owner, self.end):
            self.inside.set()
            try:
                await self.finish.wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        return self._owner

    async def done(self) -> None:
        self.finish.set()
        await asyncio.wait({self.task})


async def owner_of(state: SharedState, device: str = "uno") -> str:
    holder = await state.holder(device)
    return holder.owner if holder is not None else ""


async def until_free(state: SharedState, device: str = "uno") -> None:
    async with asyncio.timeout(PATIENCE):
        while await owner_of(state, device):
            await asyncio.sleep(0.01)


async def test_actions_of_one_program_share_the_lock(connect: Connect) -> None:
    """EX-19, EX-11: the program holds it from its first action to its last; another program is refused."""
    state, rival = connect(), DeviceLocks(connect(), wait=0.05)
    locks = DeviceLocks(state)
    first, second = Worker(locks, "first"), Worker(locks, "second")
    await asyncio.gather(first.inside.wait(), second.inside.wait())
    assert await owner_of(state) == "first"
    await first.done()
    with pytest.raises(LockHeldError, match="'first'"):
        async with rival.use("uno", "rival", lambda: False):
            raise AssertionError("must not get in")
    await second.done()
    await until_free(state)
    other = Worker(rival, "rival")
    await other.inside.wait()
    await other.done()
    await asyncio.gather(locks.close(), rival.close())
    assert (first.task.result(), second.task.result(), other.task.result()) == ("first", "second", "rival")


async def test_another_device_is_another_lock(connect: Connect) -> None:
    """EX-19: per instance."""
    locks, others = DeviceLocks(connect()), DeviceLocks(connect(), wait=0.05)
    left, right = Worker(locks, "left", "uno-A"), Worker(others, "right", "uno-B")
    await asyncio.gather(left.inside.wait(), right.inside.wait())
    await asyncio.gather(left.done(), right.done())
    await asyncio.gather(locks.close(), others.close())


async def test_a_short_use_by_another_program_is_waited_for(connect: Connect) -> None:
    """EX-19: most commands take less than a second; who comes meanwhile has its turn after that."""
    locks, others = DeviceLocks(connect()), DeviceLocks(connect(), wait=PATIENCE)
    first = Worker(locks, "first")
    await first.inside.wait()
    second = Worker(others, "second")
    await asyncio.sleep(0.15)
    assert not second.inside.is_set()
    await first.done()
    await second.inside.wait()
    await second.done()
    await asyncio.gather(locks.close(), others.close())


@pytest.mark.parametrize("end", ["fault", "cancel"])
async def test_a_dead_action_gives_the_device_back(connect: Connect, end: str) -> None:
    """EX-19: a lock held by a dead task is released at once, not when its lease ends."""
    state = connect()
    locks = DeviceLocks(state, lease=60.0)

    async def work() -> None:
        async with locks.use("uno", "task", lambda: False):
            if end == "fault":
                raise ZeroDivisionError
            await asyncio.sleep(60)

    task = asyncio.get_running_loop().create_task(work())
    while not await owner_of(state) and not task.done():
        await asyncio.sleep(0.005)
    task.cancel()
    await asyncio.wait({task})
    await until_free(state)
    await locks.close()


async def test_who_stops_waiting_leaves_nothing_behind(connect: Connect) -> None:
    """EX-19, EX-16: cancelled while it waits for the lock, alone and beside another of the same program."""
    holder, locks, state = DeviceLocks(connect()), DeviceLocks(connect(), wait=PATIENCE), connect()
    first = Worker(holder, "first")
    await first.inside.wait()
    alone = Worker(locks, "alone")
    await asyncio.sleep(0.05)
    alone.task.cancel()
    await asyncio.wait({alone.task})
    one, other = Worker(locks, "one"), Worker(locks, "other")
    await asyncio.sleep(0.05)
    one.task.cancel()
    await asyncio.wait({one.task})
    assert one.task.cancelled()
    await first.done()
    await other.inside.wait()
    await other.done()
    await until_free(state)
    await asyncio.gather(holder.close(), locks.close())


async def test_quick_use_after_use_never_meets_itself(connect: Connect) -> None:
    """EX-19: giving back goes on in the background; the next action of the program is not refused by it."""
    state = connect()
    locks = DeviceLocks(state, wait=0.01)
    for number in range(50):
        async with locks.use("uno", f"task-{number}", lambda: False):
            assert await owner_of(state) == f"task-{number}"
    await locks.close()
    assert await owner_of(state) == ""


async def lose(server: RedisServer) -> None:
    """Take the lock away as a Redis does that restarts without its memory."""
    assert server.say("FLUSHALL").startswith("+OK")


async def test_a_lost_lock_ends_every_action_and_says_so(
    redis_connect: Connect, redis_server: RedisServer
) -> None:
    """EX-19: somebody else may drive the device from then on."""
    state = redis_connect()
    locks = DeviceLocks(state, lease=0.3)
    workers = [Worker(locks, "one"), Worker(locks, "two")]
    await asyncio.gather(*(worker.inside.wait() for worker in workers))
    await lose(redis_server)
    await asyncio.wait({worker.task for worker in workers})
    for worker in workers:
        assert worker.cancelled
        assert isinstance(worker.task.exception(), LockLostError)
        assert worker.task.cancelling() == 0
    again = Worker(locks, "again")
    await again.inside.wait()
    await again.done()
    await locks.close()


async def test_a_cancel_from_outside_stays_one_when_the_lock_is_lost_too(
    redis_connect: Connect, redis_server: RedisServer
) -> None:
    """EX-19, EX-7: the action was being ended already, so it ends as cancelled."""
    state = redis_connect()
    locks = DeviceLocks(state, lease=0.3)
    entered = asyncio.Event()

    async def work() -> None:
        async with locks.use("uno", "task", lambda: False):
            entered.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                await asyncio.sleep(0.6)
                raise

    task = asyncio.get_running_loop().create_task(work())
    await entered.wait()
    await lose(redis_server)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    await locks.close()


async def test_work_that_ends_all_the_same_is_not_reported_as_done(
    redis_connect: Connect, redis_server: RedisServer
) -> None:
    """EX-19: it did not obey its cancel, and may have met another program's work."""
    locks = DeviceLocks(redis_connect(), lease=0.3)

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        async with locks.use("uno", "task", task.cancel):
            await lose(redis_server)
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    task = asyncio.get_running_loop().create_task(work())
    await asyncio.wait({task})
    assert isinstance(task.exception(), LockLostError)
    await locks.close()


async def test_the_fault_of_the_work_goes_first(redis_connect: Connect, redis_server: RedisServer) -> None:
    """EX-19: what the work itself met while it was ended is what is told."""
    locks = DeviceLocks(redis_connect(), lease=0.3)

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        async with locks.use("uno", "task", task.cancel):
            await lose(redis_server)
            try:
                await asyncio.sleep(60)
            finally:
                raise OSError("the motor did not stop")

    task = asyncio.get_running_loop().create_task(work())
    await asyncio.wait({task})
    assert isinstance(task.exception(), OSError)
    assert task.cancelling() == 0
    await locks.close()
