"""B3 and B4 with a full queue: ten thousand movements over sixteen pins with the durable journal, and how
long a stop takes from the press to the board while they wait or run.

The press comes from another thread at a random moment, as a wired input does. The board is in memory, so that
the figure is the program's own share; the way over a real wire is not in it.
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from benchmarks._bench import add_up, row
from benchmarks._doors import HOLD, MOVE, PINS, InstantBoards, count_of, journal_adds_up, journalled_door
from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionResult, ActionState
from zeroclaw_desktop.contracts.boards import StopOutcome

QUEUED = 10_000
FULL_QUEUES = 5
PRESSES = 60
LONGEST_PAUSE_SECONDS = 0.03
SETTLE_SECONDS = 1.0


class StoppedBoards(InstantBoards):
    """Notes when the stop bytes were handed over."""

    def __init__(self) -> None:
        super().__init__("uno")
        self.stopped_at = 0.0
        self.stops = 0

    def stop_all(self, triggered_at: float) -> Awaitable[Sequence[StopOutcome]]:
        """See LoopbackBoards."""
        answers = super().stop_all(triggered_at)
        self.stopped_at = time.perf_counter()
        self.stops += 1
        return answers


async def _press(door: Door, boards: StoppedBoards, pause: float) -> float:
    """Press the stop from another thread after a pause; returns milliseconds until the board had it."""
    loop, pressed = asyncio.get_running_loop(), [0.0]
    done = loop.create_future()

    async def stop() -> None:
        await door.stop.trigger("benchmark")
        done.set_result(None)

    def press() -> None:
        time.sleep(pause)
        pressed[0] = time.perf_counter()
        loop.call_soon_threadsafe(lambda: tasks.append(loop.create_task(stop())))

    tasks: list[asyncio.Task[None]] = []
    thread = threading.Thread(target=press, name="press")
    thread.start()
    await done
    thread.join()
    door.stop.release("benchmark")
    return (boards.stopped_at - pressed[0]) * 1e3


def _submit(door: Door, action: str, pins: Sequence[int]) -> list[asyncio.Task[ActionResult]]:
    return [asyncio.create_task(door.do(action, {"pin": pin}, device_id="uno")) for pin in pins]


def _by_state(results: Sequence[ActionResult], state: ActionState) -> int:
    return sum(1 for result in results if result.state is state)


async def _queued(door: Door) -> float:
    """Commands a second when all of them are queued at once."""
    started = time.perf_counter()
    pins = [PINS[number % len(PINS)] for number in range(QUEUED)]
    results = await asyncio.gather(*_submit(door, MOVE.name, pins))
    seconds = time.perf_counter() - started
    add_up(QUEUED, completed=_by_state(results, ActionState.COMPLETED))
    return QUEUED / seconds


async def _stop_full_queue(door: Door, boards: StoppedBoards) -> tuple[float, float]:
    """Milliseconds until the board had the stop, and until every waiting command had its report."""
    holding = _submit(door, HOLD.name, PINS)
    waiting = _submit(door, MOVE.name, [PINS[number % len(PINS)] for number in range(QUEUED - len(PINS))])
    await asyncio.sleep(SETTLE_SECONDS)
    add_up(QUEUED, in_the_queue=len(door.executor.queue_entries()))
    started = time.perf_counter()
    latency = await _press(door, boards, 0.0)
    results = await asyncio.gather(*holding, *waiting)
    ended = (time.perf_counter() - started) * 1e3
    add_up(QUEUED, cancelled=_by_state(results, ActionState.CANCELLED))
    return latency, ended


async def _stop_at_work(door: Door, boards: StoppedBoards) -> tuple[list[float], int]:
    """Milliseconds until the board had the stop while sixteen callers work; how many commands there were."""
    chance, latencies, submitted, over = random.Random(5), [], 0, False

    async def caller(pin: int) -> None:
        nonlocal submitted
        while not over:
            submitted += 1
            await door.do(MOVE.name, {"pin": pin}, device_id="uno")

    callers = [asyncio.create_task(caller(pin)) for pin in PINS]
    for _ in range(PRESSES):
        latencies.append(await _press(door, boards, chance.uniform(0.001, LONGEST_PAUSE_SECONDS)))
    over = True
    await asyncio.gather(*callers)
    return latencies, submitted


async def _with_journal(
    measure: Callable[[Door, StoppedBoards], Awaitable[tuple[Any, int]]],
) -> tuple[Any, str]:
    """Measure with a journal of its own; also returns the sums, which must add up."""
    boards = StoppedBoards()
    async with journalled_door(boards) as (door, journal, _store):
        found, submitted = await measure(door, boards)
        sums = await journal_adds_up(submitted, door, journal)
        add_up(count_of(door).ends, told=submitted)
    return found, sums


async def _measure() -> list[dict[str, Any]]:
    async def rates(door: Door, _boards: StoppedBoards) -> tuple[list[float], int]:
        return [await _queued(door) for _ in range(FULL_QUEUES)], FULL_QUEUES * QUEUED

    async def stops(door: Door, boards: StoppedBoards) -> tuple[list[tuple[float, float]], int]:
        found = [await _stop_full_queue(door, boards) for _ in range(FULL_QUEUES)]
        add_up(FULL_QUEUES, stops=boards.stops)
        return found, FULL_QUEUES * QUEUED

    queued, queued_sums = await _with_journal(rates)
    stopped, stopped_sums = await _with_journal(stops)
    busy, busy_sums = await _with_journal(_stop_at_work)
    return [
        row("B3-j-queue", "10,000 movements queued at once over 16 pins, with the journal", queued, "1/s",
            note=f"{queued_sums}"),
        row("B4-queue", "stop, from the press to the board, with 10,000 waiting", [ms for ms, _ in stopped],
            "ms", note=f"budget 10, 50 at p99; {stopped_sums}"),
        row("B4-queue-end", "until each of the 10,000 had its report and its rows", [ms for _, ms in stopped],
            "ms"),
        row("B4-busy", "stop, from the press to the board, with 16 callers at work", busy, "ms",
            note=f"budget 10, 50 at p99; {busy_sums}"),
    ]  # fmt: skip


def run() -> list[dict[str, Any]]:
    """Return the rows of B3 and B4 with a full queue."""
    logging.getLogger("zeroclaw").setLevel(logging.ERROR)  # each stop is a warning
    return asyncio.run(_measure())
