"""Timers of the clocks, and tasks that outlive whoever waits for them."""

from __future__ import annotations

import asyncio

import pytest

from zeroclaw_desktop.foundation.clock import Clock, ManualClock, SystemClock
from zeroclaw_desktop.foundation.tasks import followed


async def test_a_manual_clock_calls_when_it_is_moved_and_never_what_was_called_off() -> None:
    clock, called = ManualClock(0.0), []
    clock.call_later(2.0, lambda: called.append(clock.monotonic()))
    clock.call_later(1.0, lambda: called.append(clock.monotonic()))
    off = clock.call_later(1.5, lambda: called.append(-1.0))
    off.cancel()
    await clock.advance(0.5)
    assert called == []
    await clock.advance(2.0)
    assert called == [1.0, 2.0]


@pytest.mark.parametrize("seconds", [0.01, 0.0, -1.0])
async def test_the_machines_clock_calls_by_itself(seconds: float) -> None:
    clock: Clock = SystemClock()
    came, never = asyncio.Event(), asyncio.Event()
    clock.call_later(seconds, came.set)
    clock.call_later(seconds, never.set).cancel()
    async with asyncio.timeout(10):
        await came.wait()
    await asyncio.sleep(0.02)
    assert not never.is_set()


async def test_the_future_is_done_when_the_task_is() -> None:
    async def answer() -> int:
        await asyncio.sleep(0)
        return 7

    task, ended = followed(answer(), "named")
    await ended
    assert task.done()
    assert task.result() == 7
    assert task.get_name() == "named"


async def test_a_fault_stays_with_the_task() -> None:
    async def fail() -> None:
        raise LookupError("gone")

    task, ended = followed(fail())
    await ended
    with pytest.raises(LookupError, match="gone"):
        task.result()


async def test_whoever_goes_away_leaves_the_task_alone() -> None:
    release = asyncio.Event()
    task, ended = followed(release.wait())

    async def wait() -> None:
        await ended

    waiter = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert not task.done()
    release.set()
    assert await task is True


@pytest.mark.parametrize("turns", [0, 1, 2])
async def test_a_cancelled_task_ends_the_wait_also_before_its_first_step(turns: int) -> None:
    task, ended = followed(asyncio.Event().wait())
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(10):
        await ended
    assert task.cancelled()


async def test_a_task_that_will_not_be_cancelled_is_followed_to_its_own_end() -> None:
    release = asyncio.Event()

    async def stubborn() -> str:
        try:
            await release.wait()
        except asyncio.CancelledError:
            await release.wait()
        return "done"

    task, ended = followed(stubborn())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    assert not ended.done()
    release.set()
    await ended
    assert task.result() == "done"
