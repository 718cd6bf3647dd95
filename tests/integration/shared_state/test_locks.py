"""Device locks, the same in this process and in a Redis (EX-19)."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.integration.shared_state.conftest import Connect
from zeroclaw_desktop.execution.shared_state import DeviceHold, SharedState
from zeroclaw_desktop.execution.shared_state.errors import LockHeldError, LockLostError


async def test_a_device_has_one_holder_and_everybody_sees_who(connect: Connect) -> None:
    """EX-19: the second is refused with the name of the first; who holds it can be seen."""
    first, second = connect(), connect()
    grant = await first.acquire("uno-1", "task-a", lease=30.0)
    with pytest.raises(LockHeldError, match="'task-a'") as raised:
        await second.acquire("uno-1", "task-b")
    assert raised.value.details["owner"] == "task-a"
    assert raised.value.details["process"].endswith(f":{os.getpid()}")
    assert raised.value.retryable
    holder = await second.holder("uno-1")
    assert holder is not None
    assert (holder.owner, holder.term) == ("task-a", grant.term)
    assert 0 < holder.remaining <= 30.0
    assert await first.release(grant)
    assert await second.holder("uno-1") is None
    assert (await second.acquire("uno-1", "task-b")).term == grant.term + 1


async def test_locks_are_of_instances_not_of_types(connect: Connect) -> None:
    """EX-19: two boards of one type are two devices."""
    state = connect()
    await state.acquire("arduino-uno-A", "left")
    await state.acquire("arduino-uno-B", "right")
    listed = [(holder.device_id, holder.owner) for holder in await connect().holders()]
    assert listed == [("arduino-uno-A", "left"), ("arduino-uno-B", "right")]


async def test_a_lock_that_nobody_renews_ends(connect: Connect) -> None:
    """EX-19: a task that died without a word loses its lock when the lease ends."""
    state = connect()

    async def die() -> None:
        await state.acquire("uno", "dead", lease=0.2)

    await asyncio.get_running_loop().create_task(die())
    with pytest.raises(LockHeldError):
        await connect().acquire("uno", "heir")
    await asyncio.sleep(0.3)
    assert await state.holder("uno") is None
    assert (await connect().acquire("uno", "heir")).owner == "heir"


async def test_a_renewed_lock_stays(state: SharedState) -> None:
    """EX-19: renewal lets the lease begin again."""
    grant = await state.acquire("uno", "task", lease=0.4)
    for _ in range(4):
        await asyncio.sleep(0.2)
        await state.renew(grant)
    holder = await state.holder("uno")
    assert holder is not None
    assert holder.owner == "task"


async def test_what_is_lost_is_told(connect: Connect) -> None:
    """EX-19: renewing or releasing a lock that ended changes nothing for the one who has it now."""
    state = connect()
    old = await state.acquire("uno", "old", lease=0.1)
    await asyncio.sleep(0.2)
    with pytest.raises(LockLostError, match="lease has ended"):
        await state.renew(old)
    new = await connect().acquire("uno", "new", lease=30.0)
    with pytest.raises(LockLostError, match="'new' holds it now"):
        await state.renew(old)
    assert not await state.release(old)
    holder = await state.holder("uno")
    assert holder is not None
    assert (holder.owner, holder.term) == ("new", new.term)


async def test_asking_twice_with_the_same_token_is_asking_once(state: SharedState) -> None:
    """EX-19: after a broken connection a holder may ask again and is not its own rival."""
    first = await state.acquire("uno", "task", token="mine")
    again = await state.acquire("uno", "task", token="mine")
    assert again == first
    assert await state.release(first)
    assert not await state.release(again)


@pytest.mark.parametrize(("device", "owner", "lease"), [("", "a", 1.0), ("a", "", 1.0), ("a", "b", 0.0)])
async def test_a_lock_that_cannot_be_is_refused(
    state: SharedState, device: str, owner: str, lease: float
) -> None:
    """EX-19: wrong arguments are told."""
    with pytest.raises(ValueError, match="must"):
        await state.acquire(device, owner, lease=lease)


async def test_holders_never_overlap(connect: Connect) -> None:
    """EX-19: twenty tasks on four clients, one device: never two at a time, and all have their turn."""
    clients = [connect() for _ in range(4)]
    inside, most, turns = 0, 0, 0

    async def use(number: int) -> None:
        nonlocal inside, most, turns
        async with DeviceHold(clients[number % 4], "uno", f"task-{number}", wait=30.0):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.002)
            inside -= 1
            turns += 1

    await asyncio.gather(*(use(number) for number in range(20)))
    assert (most, turns) == (1, 20)


async def test_holding_longer_than_the_lease(connect: Connect) -> None:
    """EX-19: the lease is renewed while the work goes on; nobody gets in between."""
    state, rival = connect(), connect()
    async with DeviceHold(state, "uno", "long", lease=0.6) as grant:
        for _ in range(8):
            await asyncio.sleep(0.2)
            holder = await rival.holder("uno")
            assert holder is not None
            assert (holder.owner, holder.term) == ("long", grant.term)
    assert await rival.holder("uno") is None


@pytest.mark.parametrize("end", ["cancel", "fault"])
async def test_a_task_that_ends_badly_gives_the_device_back_at_once(connect: Connect, end: str) -> None:
    """EX-19: released when the holder dies, not only when its lease ends."""
    state, inside = connect(), asyncio.Event()

    async def work() -> None:
        async with DeviceHold(state, "uno", "task", lease=60.0):
            inside.set()
            if end == "fault":
                raise ZeroDivisionError
            await asyncio.sleep(60)

    task = asyncio.get_running_loop().create_task(work())
    await inside.wait()
    if end == "cancel":
        task.cancel()
    await asyncio.wait({task})
    assert task.cancelled() if end == "cancel" else isinstance(task.exception(), ZeroDivisionError)
    assert await connect().holder("uno") is None


async def test_waiting_for_a_device(connect: Connect) -> None:
    """EX-19: with a wait the hold begins when the other ends; without one it is refused at once."""
    state, order = connect(), []

    async def first() -> None:
        async with DeviceHold(state, "uno", "first"):
            order.append("first in")
            await asyncio.sleep(0.2)
            order.append("first out")

    task = asyncio.get_running_loop().create_task(first())
    while not order:
        await asyncio.sleep(0.005)
    with pytest.raises(LockHeldError):
        async with DeviceHold(connect(), "uno", "hasty"):
            order.append("hasty in")
    with pytest.raises(LockHeldError):
        async with DeviceHold(connect(), "uno", "short", wait=0.05):
            order.append("short in")
    async with DeviceHold(connect(), "uno", "patient", wait=30.0):
        order.append("patient in")
    await task
    assert order == ["first in", "first out", "patient in"]


async def test_waiting_may_be_cancelled(connect: Connect) -> None:
    """EX-19: who stops waiting leaves nothing behind."""
    state = connect()
    grant = await state.acquire("uno", "first")

    async def want() -> None:
        async with DeviceHold(connect(), "uno", "second", wait=60.0):
            raise AssertionError("must not get in")

    task = asyncio.get_running_loop().create_task(want())
    await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert await state.release(grant)
    assert await state.holder("uno") is None


async def test_work_ends_when_the_lock_is_lost(connect: Connect) -> None:
    """EX-19: somebody else may move the device from then on, so the body is cancelled and told why."""
    state, ended = connect(), []

    async def work() -> None:
        async with DeviceHold(state, "uno", "task", lease=0.3) as grant:
            assert await state.release(grant)
            await state.acquire("uno", "thief", lease=30.0)
            try:
                await asyncio.sleep(30)
            finally:
                ended.append("body")

    with pytest.raises(LockLostError, match="'thief' holds it now"):
        await work()
    assert ended == ["body"]
    holder = await state.holder("uno")
    assert holder is not None
    assert holder.owner == "thief"
    current = asyncio.current_task()
    assert current is not None
    assert current.cancelling() == 0


async def test_a_cancel_from_outside_stays_one_when_the_lock_is_lost_too(connect: Connect) -> None:
    """EX-19: losing the lock must not hide that the caller has cancelled the task."""
    state = connect()
    inside = asyncio.Event()

    async def work() -> None:
        async with DeviceHold(state, "uno", "task", lease=0.3) as grant:
            await state.release(grant)
            inside.set()
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                await asyncio.sleep(0.5)
                raise

    task = asyncio.get_running_loop().create_task(work())
    await inside.wait()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()


async def test_a_fault_of_the_work_goes_first(connect: Connect) -> None:
    """EX-19: what the body itself raised while it was ended is what the caller hears."""
    state = connect()

    async def work() -> None:
        async with DeviceHold(state, "uno", "task", lease=0.3) as grant:
            await state.release(grant)
            try:
                await asyncio.sleep(30)
            finally:
                raise OSError("the motor did not stop")

    with pytest.raises(OSError, match="did not stop"):
        await work()
