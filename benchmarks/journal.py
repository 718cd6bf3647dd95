"""B3 with the durable journal: a command's row before is committed before it reaches the wire, its row after
before it is told. The board is in memory, so that what is measured is the door and the journal.

The same commands go in short turns through a door without a journal and one with it; the bare hand-over to
the store's thread and one sync to the disk are measured beside them.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks._bench import percentile, row
from benchmarks._doors import (
    MOVING,
    READING,
    InstantBoards,
    bare_door,
    direct_times,
    journal_adds_up,
    journalled_door,
    rate,
    requests_of,
    times,
)
from zeroclaw_desktop.store.thread import StoreThread

ROUNDS = 100
TURNS = 20
SYNCED_TURNS = 20
COMMANDS = 4_000
RATES = 5
"""Of each kind; together less than the journal keeps, or the sums would tell what it forgot."""


async def _store_times(turns: int, ask: Callable[[], Awaitable[object]]) -> list[float]:
    took = []
    for _ in range(turns):
        started = time.perf_counter()
        await ask()
        took.append((time.perf_counter() - started) * 1e6)
    return took


def _nothing(store: StoreThread) -> Callable[[], Awaitable[object]]:
    return lambda: store.submit(lambda _connection: None)


def _over(kept: list[float], bare: list[float], direct: list[float]) -> str:
    """Cost of the journal, and of door and journal together over the requests alone."""
    journal = statistics.median(kept) - statistics.median(bare)
    whole = statistics.median(kept) - statistics.median(direct)
    return (
        f"{journal:.0f} us added by the journal, {whole:.0f} over the bare request; budget 400; "
        f"p99.9 {percentile(kept, 0.999):,.0f}"
    )


async def _latencies() -> list[dict[str, Any]]:
    bare, kept, bare_moving, moving, direct, handed = ([] for _ in range(6))  # type: list[list[float]]
    plain = bare_door()
    async with journalled_door() as (door, journal, store):
        for _ in range(ROUNDS):
            bare += await times(plain, TURNS)
            kept += await times(door, TURNS)
            bare_moving += await times(plain, TURNS, MOVING)
            moving += await times(door, TURNS, MOVING)
            direct += await direct_times(plain, TURNS)
            handed += await _store_times(TURNS, _nothing(store))
        submitted = 2 * ROUNDS * TURNS
        sums = await journal_adds_up(submitted, door, journal, requests=requests_of(door))
        synced = await _store_times(SYNCED_TURNS, lambda: store.flush(durable=True))
    return [
        row("B3-j0", "a reading through the door, no journal", bare, "us"),
        row("B3-j", "the same with the durable journal", kept, "us",
            ratio=statistics.median(kept) / statistics.median(bare), note=_over(kept, bare, direct)),
        row("B3-j0-move", "a movement through the door, no journal", bare_moving, "us"),
        row("B3-j-move", "the same with the durable journal", moving, "us",
            ratio=statistics.median(moving) / statistics.median(bare_moving),
            note=f"{_over(moving, bare_moving, direct)}; {sums}"),
        row("B3-j-hand", "handing nothing to the store's thread and back", handed, "us",
            note="through the loop, with an empty commit"),
        row("B3-j-sync", "one sync to the disk, for comparison", synced, "us",
            note="what each commit would cost if it had to survive a loss of power at once"),
    ]  # fmt: skip


async def _rates() -> list[dict[str, Any]]:
    rows = []
    plain = bare_door(InstantBoards())
    async with journalled_door(InstantBoards()) as (door, journal, store):
        submitted = 0
        for number, name, action in (
            ("B3-j-rate", "movements over 16 pins, with the journal", MOVING[0]),
            ("B3-j-rate-read", "readings over 16 pins, with the journal", READING[0]),
        ):
            rates, bare_rates, commits = [], [], store.commits
            for _ in range(RATES):
                bare_rates.append(await rate(plain, COMMANDS, action))
                rates.append(await rate(door, COMMANDS, action))
            submitted += RATES * COMMANDS
            together = RATES * COMMANDS / max(1, store.commits - commits)
            sums = await journal_adds_up(submitted, door, journal, requests=requests_of(door))
            ratio = statistics.median(rates) / statistics.median(bare_rates)
            note = f"{together:.1f} commands a commit; {sums}"
            rows.append(row(number, name, rates, "1/s", ratio=ratio, note=note))
    return rows


def run() -> list[dict[str, Any]]:
    """Return the rows of B3 with the journal."""
    return asyncio.run(_latencies()) + asyncio.run(_rates())
