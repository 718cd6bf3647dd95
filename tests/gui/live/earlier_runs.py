"""A journal as earlier runs of the program leave it, for tests of the window on the real core."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionResult, ActionState, ActionTransition, PinChange
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.thread import StoreThread


def leave_tasks(home: Path, count: int, *, unfinished: int = 0) -> None:
    """Write so many tasks, ``old-0`` the first, one each minute; then unfinished ones, ``cut-0`` ..."""
    home.mkdir(exist_ok=True)

    async def write(journal: Journal) -> None:
        begin = time.time() - (count + 1) * 60
        for number in range(count):
            payload = make_payload(
                "led_blink", {"count": number}, source="manual", device_id="sim-uno", task_id=f"old-{number}"
            )
            at = begin + number * 60
            state = ActionState.FAILED if number % 100 == 0 else ActionState.COMPLETED
            result = ActionResult(
                payload.task_id,
                "led_blink",
                state,
                "sim-uno",
                "manual",
                12.5,
                commanded=(PinChange(13, 0, 0),),
            )
            journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, at))
            journal.report(ActionTransition(payload, state, 1.0125, at + 0.0125, "", result))
        for number in range(unfinished):
            payload = make_payload(
                "led_blink", {"count": 2}, source="manual", device_id="sim-uno", task_id=f"cut-{number}"
            )
            await journal.before(payload, Door("sim-uno").executor.prepare(payload))

    _in_a_run(home, write)


def _in_a_run(home: Path, work: Callable[[Journal], object]) -> None:
    async def run() -> None:
        store = StoreThread(home / "zeroclaw.db", [JOURNAL_SCHEMA])
        await store.start()
        journal = Journal(store, SystemClock())
        await work(journal)  # type: ignore[misc]
        await journal.close()
        await store.stop()

    asyncio.run(run())
