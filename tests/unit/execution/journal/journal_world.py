"""A journal on a real database behind a door, and what its tests put into it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionPayload, ActionResult, ActionState, ActionTransition
from zeroclaw_desktop.execution import journal_queries as queries
from zeroclaw_desktop.execution.journal import Journal, Retention
from zeroclaw_desktop.execution.journal_queries import JournalEntry
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.opening import reading_store
from zeroclaw_desktop.store.thread import Connection, StoreThread


class World:
    """A door with a journal on a real database."""

    def __init__(self, folder: Path, retention: Retention | None = None) -> None:
        self.store = StoreThread(folder / "store.db", [JOURNAL_SCHEMA])
        self.retention = retention
        self.door = Door("a", "b")

    async def start(self) -> World:
        await self.store.start()
        self.journal = Journal(self.store, SystemClock(), self.retention)
        self.door.executor.journal = self.journal
        self.door.executor.reporters.append(self.journal)
        return self

    async def stop(self) -> None:
        await self.journal.close()
        await self.store.stop()

    def seen_by_others(self, task_id: str) -> JournalEntry | None:
        """What another program reads from the disk."""
        with reading_store(self.store.path, [JOURNAL_SCHEMA]) as connection:
            return queries.task(connection, task_id)

    def hold(self) -> threading.Event:
        """Keep the disk busy until the event is set."""
        gate = threading.Event()
        self.store.post(lambda _connection: gate.wait(10))
        return gate

    async def limit_pages(self, more: int) -> None:
        """A disk that has room for so many pages more."""

        def work(connection: Connection) -> None:
            count = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {count + more}").fetchall()

        await self.store.submit(work)


def result_of(
    payload: ActionPayload, state: ActionState = ActionState.COMPLETED, **more: Any
) -> ActionResult:
    return ActionResult(
        payload.task_id, payload.action, state, payload.device_id, payload.source, 1.5, **more
    )


def payload_of(**more: Any) -> ActionPayload:
    return replace(
        make_payload("digital_write", {"pin": 7, "value": 1}, source="manual", device_id="a"), **more
    )


async def fill(world: World) -> list[str]:
    """Eight tasks of several kinds; returns their ids, oldest first."""
    ids = []
    for number in range(8):
        device = "ab"[number % 2]
        action = ("digital_read", "digital_write")[number // 4]
        params: dict[str, Any] = {"pin": 7} if number < 4 else {"pin": 7 if number < 6 else 99, "value": 1}
        source = "agent" if number == 3 else "manual"
        result = await world.door.do(action, params, device_id=device, source=source)
        ids.append(result.task_id)
    return ids


async def crash(folder: Path, *payloads: ActionPayload, began: bool = True) -> None:
    """A run of the program that ends in the middle of tasks."""
    world = await World(folder).start()
    for payload in payloads:
        if began:
            await world.journal.before(payload, world.door.executor.prepare(payload))
        else:
            world.journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    await world.journal.close()
    await world.store.stop()
