"""B3 with the durable journal: a command's row before is committed before it reaches the wire, its row after
before it is told. The board is in memory, so that what is measured is the door and the journal.

The same commands go in turns through a door without a journal and one with it; the bare hand-over to the
store's thread and one sync to the disk are measured beside them.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks._bench import row
from tests.helpers.execution import Door
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.execution.handlers.pin_rules import gpio, needs_pin
from zeroclaw_desktop.execution.handlers.pins import PIN
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.thread import StoreThread

ROUNDS = 10
TURNS = 200
SYNCED_TURNS = 20
PARALLEL_COMMANDS = 5_000
PARALLEL = 16


@contextlib.asynccontextmanager
async def journalled_door() -> AsyncIterator[tuple[Door, Journal, StoreThread]]:
    """A door whose executor keeps a journal in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        store = StoreThread(Path(folder) / "store.db", [JOURNAL_SCHEMA])
        await store.start()
        door = Door()
        door.registry.register(MOVE)
        journal = Journal(store, SystemClock())
        door.executor.__class__ = Executor
        door.executor.journal = journal  # type: ignore[attr-defined]
        door.executor.reporters = [journal]
        try:
            yield door, journal, store
        finally:
            await journal.close()
            await store.stop()


READING = ("digital_read", {"pin": 7})
MOVING = ("benchmark_move", {"pin": 7})


async def _move(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """One request like the reading's, in a command that the journal must take for a movement."""
    return Outcome({"value": await context.link.request("gpio_read", {"pin": params["pin"]})})


MOVE = Command(
    "benchmark_move",
    "Sends one request.",
    _move,
    {"pin": PIN},
    check=needs_pin("digital"),
    resources=gpio("write"),
)


async def _times(door: Door, turns: int, command: tuple[str, dict[str, Any]] = READING) -> list[float]:
    times = []
    for _ in range(turns):
        payload = make_payload(*command, source="manual", device_id="uno")
        started = time.perf_counter()
        result = await door.executor.submit(payload)
        times.append((time.perf_counter() - started) * 1e6)
        if not result.ok:
            raise RuntimeError(result.faults[0].message)
    return times


async def _direct_times(door: Door, turns: int) -> list[float]:
    """The request alone, as a session would send it."""
    link = door.boards.link("uno", Grant("benchmark"))
    times = []
    for _ in range(turns):
        started = time.perf_counter()
        await link.request("gpio_read", {"pin": 7})
        times.append((time.perf_counter() - started) * 1e6)
    return times


def _over(kept: list[float], bare: list[float], direct: list[float]) -> str:
    """Cost of the journal, and of door and journal together over the requests alone."""
    journal = statistics.median(kept) - statistics.median(bare)
    whole = statistics.median(kept) - statistics.median(direct)
    return f"{journal:.0f} us added by the journal, {whole:.0f} over the bare request; budget 400"


async def _rate(door: Door) -> float:
    started = time.perf_counter()
    pins = [2 + index % PARALLEL for index in range(PARALLEL_COMMANDS)]
    results = await asyncio.gather(*(door.do("digital_read", {"pin": pin}) for pin in pins))
    seconds = time.perf_counter() - started
    if not all(result.ok for result in results):
        raise RuntimeError("a command failed")
    return PARALLEL_COMMANDS / seconds


async def _measure() -> list[dict[str, Any]]:
    bare: list[float] = []
    kept: list[float] = []
    bare_moving: list[float] = []
    moving: list[float] = []
    direct: list[float] = []
    handed: list[float] = []
    synced: list[float] = []
    plain = Door()
    plain.registry.register(MOVE)
    plain.executor.reporters = []
    async with journalled_door() as (door, journal, store):
        for _ in range(ROUNDS):
            bare += await _times(plain, TURNS)
            kept += await _times(door, TURNS)
            bare_moving += await _times(plain, TURNS, MOVING)
            moving += await _times(door, TURNS, MOVING)
            direct += await _direct_times(plain, TURNS)
            for _ in range(TURNS):
                started = time.perf_counter()
                await store.submit(lambda _connection: None)
                handed.append((time.perf_counter() - started) * 1e6)
        commits = store.commits
        rate, plain_rate = await _rate(door), await _rate(plain)
        together = PARALLEL_COMMANDS * 2 / max(1, store.commits - commits)
        counts = await journal.counts()
        expected = 2 * ROUNDS * TURNS + PARALLEL_COMMANDS
        if counts.tasks != expected or counts.by_state != {"COMPLETED": expected} or journal.lost_rows:
            raise RuntimeError(f"rows are missing: {counts}, expected {expected}")
        for _ in range(SYNCED_TURNS):
            started = time.perf_counter()
            await store.flush(durable=True)
            synced.append((time.perf_counter() - started) * 1e6)
    return [
        row("B3-j0", "a reading through the door, no journal", bare, "us"),
        row("B3-j", "the same with the durable journal", kept, "us",
            ratio=statistics.median(kept) / statistics.median(bare), note=_over(kept, bare, direct)),
        row("B3-j0-move", "a movement through the door, no journal", bare_moving, "us"),
        row("B3-j-move", "the same with the durable journal", moving, "us",
            ratio=statistics.median(moving) / statistics.median(bare_moving),
            note=_over(moving, bare_moving, direct)),
        row("B3-j-rate", "commands over 16 pins at once, with the journal", [rate], "1/s",
            ratio=rate / plain_rate, note=f"{together:.0f} rows a commit; rows add up: {expected}"),
        row("B3-j-hand", "handing nothing to the store's thread and back", handed, "us",
            note="one in each reading, two in each movement, each with a commit"),
        row("B3-j-sync", "one sync to the disk, for comparison", synced, "us",
            note="what each commit would cost if it had to survive a loss of power at once"),
    ]  # fmt: skip


def run() -> list[dict[str, Any]]:
    """Return the rows of B3 with the journal."""
    return asyncio.run(_measure())
