"""After a crash (EX-14): boards safe first, every unfinished task told once, nothing repeated by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.events import BoardsChanged, TaskInterrupted
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.runtime.crash_recovery import CrashRecovery
from zeroclaw_desktop.store.thread import StoreThread


async def leave_unfinished(path: Path, action: str, board: str) -> str:
    """Write the row before of a task in a run that ends without its row after; returns the task id."""
    door = Door(board)
    store = StoreThread(path, [JOURNAL_SCHEMA])
    await store.start()
    journal = Journal(store, SystemClock())
    payload = make_payload(action, {"pin": 7, "value": 1}, source="manual", device_id=board)
    await journal.before(payload, door.executor.prepare(payload))
    await store.stop()
    return payload.task_id


async def begin(path: Path, door: Door) -> tuple[StoreThread, Journal, CrashRecovery, list[TaskInterrupted]]:
    """Start the recovery of the next run."""
    door.bus.bind_loop(asyncio.get_running_loop())
    told: list[TaskInterrupted] = []
    door.bus.subscribe(TaskInterrupted, told.append)
    store = StoreThread(path, [JOURNAL_SCHEMA])
    await store.start()
    journal = Journal(store, SystemClock())
    recovery = CrashRecovery(door.bus, door.boards, door.executor)
    await recovery.start(journal)
    return store, journal, recovery, told


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.01)


async def test_the_board_is_made_safe_and_the_task_is_told_and_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "zeroclaw.db"
    task_id = await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    store, journal, recovery, told = await begin(path, door)
    await until(lambda: "stop_all" in door.boards.commands())
    async with asyncio.timeout(5):
        while await journal.unfinished():
            await asyncio.sleep(0.01)
    await until(lambda: bool(told))

    assert [event.task_id for event in told] == [task_id]
    assert told[0].action == "digital_write"
    assert dict(told[0].params) == {"pin": 7, "value": 1}
    assert "gpio_write" not in door.boards.commands()
    again = recovery.payload(task_id)
    assert again is not None
    assert again.task_id
    assert dict(again.params) == {"pin": 7, "value": 1}
    await recovery.stop()
    await store.stop()


async def test_a_board_that_is_not_there_keeps_its_task_open_until_it_is_safe(tmp_path: Path) -> None:
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    door.boards.states["uno"] = "connecting"
    store, journal, recovery, _told = await begin(path, door)
    assert len(await journal.unfinished()) == 1

    door.boards.states["uno"] = "live"
    door.bus.publish(BoardsChanged("uno"))
    async with asyncio.timeout(5):
        while await journal.unfinished():
            await asyncio.sleep(0.01)
    assert "stop_all" in door.boards.commands()
    await recovery.stop()
    await store.stop()


async def test_the_next_run_finds_nothing_any_more(tmp_path: Path) -> None:
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "sim-uno")
    for unfinished in (1, 0):
        door = Door()
        store, journal, recovery, told = await begin(path, door)
        async with asyncio.timeout(5):
            while len(told) < unfinished:
                await asyncio.sleep(0.01)
        assert len(told) == unfinished
        assert await journal.unfinished() == []
        await recovery.stop()
        await store.stop()
