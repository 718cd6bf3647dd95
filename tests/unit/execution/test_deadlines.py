"""Deadlines of many actions on one timer (EX-8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from zeroclaw_desktop.execution.deadlines import Deadlines
from zeroclaw_desktop.foundation.clock import ManualClock, SystemClock, Timer


class CountingClock(ManualClock):
    """Counts the timers that were asked for."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.timers = 0

    def call_later(self, seconds: float, function: Callable[[], None]) -> Timer:
        self.timers += 1
        return super().call_later(seconds, function)


async def test_each_passes_at_its_time_and_in_order() -> None:
    clock, passed = ManualClock(0.0), []
    deadlines = Deadlines(clock)
    for seconds in (3.0, 1.0, 2.0, 1.0):
        deadlines.set(seconds, lambda s=seconds: passed.append((s, clock.monotonic())))
    await clock.advance(0.9)
    assert passed == []
    await clock.advance(5.0)
    assert passed == [(1.0, 1.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]


async def test_one_that_was_taken_back_never_passes() -> None:
    clock, passed = ManualClock(0.0), []
    deadlines = Deadlines(clock)
    first = deadlines.set(1.0, lambda: passed.append("first"))
    second = deadlines.set(1.0, lambda: passed.append("second"))
    first.cancel()
    await clock.advance(2.0)
    assert passed == ["second"]
    second.cancel()
    first.cancel()


async def test_a_later_one_comes_although_the_earlier_ones_were_taken_back() -> None:
    clock, passed = ManualClock(0.0), []
    deadlines = Deadlines(clock)
    deadlines.set(1.0, lambda: passed.append("early")).cancel()
    deadlines.set(5.0, lambda: passed.append("late"))
    await clock.advance(4.0)
    assert passed == []
    await clock.advance(1.0)
    assert passed == ["late"]


async def test_an_earlier_one_that_is_set_later_comes_first() -> None:
    clock, passed = ManualClock(0.0), []
    deadlines = Deadlines(clock)
    deadlines.set(10.0, lambda: passed.append("long"))
    await clock.advance(1.0)
    deadlines.set(2.0, lambda: passed.append("short"))
    await clock.advance(2.0)
    assert passed == ["short"]
    await clock.advance(7.0)
    assert passed == ["short", "long"]


async def test_setting_one_while_others_pass() -> None:
    clock, passed = ManualClock(0.0), []
    deadlines = Deadlines(clock)

    def again() -> None:
        passed.append(clock.monotonic())
        if len(passed) < 4:
            deadlines.set(1.0, again)

    deadlines.set(1.0, again)
    await clock.advance(10.0)
    assert passed == [1.0, 2.0, 3.0, 4.0]


async def test_thousands_that_are_taken_back_cost_one_timer() -> None:
    """Under Qt a timer that was cancelled stays until its time: ten seconds for most commands."""
    clock = CountingClock()
    deadlines = Deadlines(clock)
    for _ in range(5_000):
        deadlines.set(10.0, lambda: None).cancel()
    assert clock.timers == 1
    await clock.advance(20.0)
    assert clock.timers == 1
    deadlines.set(10.0, lambda: None).cancel()
    assert clock.timers == 2


def test_another_loop_begins_anew() -> None:
    deadlines, passed = Deadlines(SystemClock()), []

    async def leave_one() -> None:
        deadlines.set(0.01, lambda: passed.append("of a loop that has ended"))

    async def wait_for_one() -> None:
        came = asyncio.Event()
        deadlines.set(0.02, came.set)
        async with asyncio.timeout(10):
            await came.wait()

    asyncio.run(leave_one())
    asyncio.run(wait_for_one())
    assert passed == []
