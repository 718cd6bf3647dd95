"""A clock that tests can move, and background tasks of which none is lost."""

from __future__ import annotations

import asyncio

import pytest

from zeroclaw_desktop.foundation import log
from zeroclaw_desktop.foundation.clock import ManualClock, SystemClock
from zeroclaw_desktop.foundation.tasks import TaskSupervisor


class TestManualClock:
    async def test_it_stands_still(self) -> None:
        clock = ManualClock(5.0)
        before = clock.monotonic(), clock.wall()
        await asyncio.sleep(0.01)
        assert (clock.monotonic(), clock.wall()) == before == (5.0, 5.0)

    async def test_sleepers_wake_in_order_of_their_time_and_see_it(self) -> None:
        clock, woken = ManualClock(0.0), []

        async def sleeper(name: str, seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append((name, clock.monotonic()))

        tasks = [asyncio.create_task(sleeper(*row)) for row in (("c", 3.0), ("a", 1.0), ("b", 1.0))]
        await asyncio.sleep(0)
        await clock.advance(0.5)
        assert woken == []
        await clock.advance(10.0)
        assert woken == [("a", 1.0), ("b", 1.0), ("c", 3.0)]
        assert clock.monotonic() == 10.5
        await asyncio.gather(*tasks)

    async def test_a_sleeper_that_sleeps_again_is_woken_in_the_same_advance(self) -> None:
        clock, ticks = ManualClock(0.0), []

        async def ticker() -> None:
            for _ in range(4):
                await clock.sleep(1.0)
                ticks.append(clock.monotonic())

        task = asyncio.create_task(ticker())
        await asyncio.sleep(0)
        await clock.advance(4.0)
        assert ticks == [1.0, 2.0, 3.0, 4.0]
        await task

    async def test_a_cancelled_sleeper_does_not_disturb(self) -> None:
        clock = ManualClock()
        task = asyncio.create_task(clock.sleep(1.0))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await clock.advance(2.0)
        assert clock.monotonic() == 1_002.0

    async def test_no_time_is_no_wait(self) -> None:
        await ManualClock().sleep(0)
        await ManualClock().sleep(-1)
        await SystemClock().sleep(-1)


async def test_system_clock_never_goes_back() -> None:
    clock = SystemClock()
    first = clock.monotonic()
    await clock.sleep(0.01)
    assert clock.monotonic() > first
    assert clock.wall() > 1_500_000_000


class TestTaskSupervisor:
    async def test_a_failing_task_is_logged_with_its_name(self) -> None:
        ring = log.start_logging(None)
        supervisor = TaskSupervisor("room")

        async def fail() -> None:
            raise LookupError("the port list is gone")

        with pytest.raises(LookupError):
            await supervisor.start(fail(), "ports")
        await asyncio.sleep(0)
        (record,) = ring.since(0)
        log.stop_logging()
        assert record.level == "ERROR"
        assert "room:ports" in record.message
        assert "the port list is gone" in record.message
        assert supervisor.running == 0

    async def test_stopping_cancels_all_and_waits(self) -> None:
        supervisor, ended = TaskSupervisor("room"), []

        async def work(number: int) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.01)
                ended.append(number)

        for number in range(3):
            supervisor.start(work(number), str(number))
        await asyncio.sleep(0)
        assert supervisor.running == 3
        assert await supervisor.stop() == []
        assert sorted(ended) == [0, 1, 2]
        assert supervisor.running == 0
        assert await supervisor.stop() == []

    async def test_a_task_that_does_not_end_is_named_and_not_waited_for(self) -> None:
        supervisor, release = TaskSupervisor("room"), asyncio.Event()

        async def stubborn() -> None:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue

        task = supervisor.start(stubborn(), "stubborn")
        await asyncio.sleep(0)
        assert await supervisor.stop(timeout=0.05) == ["room:stubborn"]
        release.set()
        await task

    async def test_a_task_may_stop_its_own_supervisor(self) -> None:
        supervisor = TaskSupervisor("room")

        async def stop_all() -> list[str]:
            return await supervisor.stop(timeout=1.0)

        assert await supervisor.start(stop_all(), "stop") == []
