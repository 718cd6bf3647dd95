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
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from benchmarks._bench import row
from tests.helpers.execution import Door
from tests.integration.crash.journalled_executor import JournalledExecutor
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
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
        journal = Journal(store, SystemClock())
        door.executor.__class__ = JournalledExecutor
        door.executor.journal = journal  # type: ignore[attr-defined]
        door.executor.reporters = [journal]
        try:
            yield door, journal, store
        finally:
            await journal.close()
            await store.stop()


async def _times(door: Door, turns: int) -> list[float]:
    times = []
    for _ in range(turns):
        payload = make_payload("digital_read", {"pin": 7}, source="manual", device_id="uno")
        started = time.perf_counter()
        result = await door.executor.submit(payload)
        times.append((time.perf_counter() - started) * 1e6)
        if not result.ok:
            raise RuntimeError(result.faults[0].message)
    return times


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
    handed: list[float] = []
    synced: list[float] = []
    plain = Door()
    plain.executor.reporters = []
    async with journalled_door() as (door, journal, store):
        for _ in range(ROUNDS):
            bare += await _times(plain, TURNS)
            kept += await _times(door, TURNS)
            for _ in range(TURNS):
                started = time.perf_counter()
                await store.submit(lambda _connection: None)
                handed.append((time.perf_counter() - started) * 1e6)
        commits = store.commits
        rate, plain_rate = await _rate(door), await _rate(plain)
        together = PARALLEL_COMMANDS * 2 / max(1, store.commits - commits)
        counts = await journal.counts()
        expected = ROUNDS * TURNS + PARALLEL_COMMANDS
        if counts.tasks != expected or counts.by_state != {"COMPLETED": expected} or journal.lost_rows:
            raise RuntimeError(f"rows are missing: {counts}, expected {expected}")
        for _ in range(SYNCED_TURNS):
            started = time.perf_counter()
            await store.flush(durable=True)
            synced.append((time.perf_counter() - started) * 1e6)
    added = statistics.median(kept) - statistics.median(bare)
    return [
        row("B3-j0", "a command through the door, no journal", bare, "us"),
        row(
            "B3-j",
            "the same with the durable journal",
            kept,
            "us",
            ratio=statistics.median(kept) / statistics.median(bare),
            note=f"{added:.0f} us added; budget 400 in all",
        ),
        row("B3-j-rate", "commands over 16 pins at once, with the journal", [rate], "1/s",
            ratio=rate / plain_rate, note=f"{together:.0f} rows a commit; rows add up: {expected}"),
        row("B3-j-hand", "handing nothing to the store's thread and back", handed, "us",
            note="two of these and two commits are in each command"),
        row("B3-j-sync", "one sync to the disk, for comparison", synced, "us",
            note="what each commit would cost if it had to survive a loss of power at once"),
    ]  # fmt: skip


def run() -> list[dict[str, Any]]:
    """Return the rows of B3 with the journal."""
    return asyncio.run(_measure())
