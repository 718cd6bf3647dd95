"""What the journal costs, and what it does on a disk at fault (EX-14)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.execution import Door
from tests.unit.execution.journal.journal_world import World, payload_of, result_of
from zeroclaw_desktop.contracts.actions import (
    ActionState,
    ActionTransition,
)
from zeroclaw_desktop.execution import journal as journal_module
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.errors import StoreClosedError, StoreFullError
from zeroclaw_desktop.store.thread import StoreThread


async def test_commands_that_come_together_share_commits(world: World) -> None:
    """EX-14: group commit."""
    before = world.store.commits
    pins = [pin for pin in range(2, 13)] * 5
    await asyncio.gather(*(world.door.do("digital_read", {"pin": pin}, device_id="b") for pin in pins))
    assert world.store.commits - before < len(pins)
    counts = await world.journal.counts()
    assert (counts.tasks, counts.by_state) == (len(pins), {"COMPLETED": len(pins)})
    assert counts.steps == 4 * len(pins)


@pytest.mark.parametrize(
    ("action", "params"),
    [
        ("motor_emergency_stop", {}),
        ("motor_stop", {"pwm_pin": 5}),
        ("output_release", {"pin": 5}),
        ("board_safe", {}),
    ],
)
async def test_a_stop_never_waits_for_the_disk(world: World, action: str, params: dict[str, int]) -> None:
    """EX-16: while the disk hangs what stops or makes safe runs all the same."""
    gate = world.hold()
    payload = make_payload(action, params, source="manual", device_id="a")
    prepared = world.door.executor.prepare(payload)
    await asyncio.wait_for(world.journal.before(payload, prepared), 5)
    gate.set()
    entry = await world.journal.task(payload.task_id)
    assert entry is not None
    assert entry.began is not None


async def test_a_stop_reaches_the_board_on_a_full_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """EX-16: what moves a pin is refused without its row, what stops it is not."""
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.05)
    assert (await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")).ok
    await world.limit_pages(0)
    await world.door.do("digital_write", {"pin": 7, "value": 1, "text": "x" * 50_000}, device_id="a")
    await world.door.do("output_release", {"pin": 7}, device_id="a")
    assert world.door.boards.level(7, "a") == 0
    await world.limit_pages(1_000)


async def test_without_room_nothing_moves_what_only_looks_goes_on_and_no_row_is_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EX-14: no movement without its row before; the rows follow when there is room again."""
    monkeypatch.setattr(journal_module, "RETRY_SECONDS", 0.05)
    await world.door.do("digital_read", {"pin": 7}, device_id="a")
    await world.limit_pages(0)
    big = {"pin": 7, "value": 1, "text": "x" * 50_000}
    await world.door.do("digital_write", big, device_id="a")  # refused, but its row needs pages
    moved = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    looked = await world.door.do("digital_read", {"pin": 7}, device_id="a")
    assert moved.state is ActionState.FAILED
    assert world.door.boards.level(7, "a") == 0
    assert looked.ok
    assert world.journal.lost_rows == 0
    await world.limit_pages(1_000)
    async with asyncio.timeout(10):
        while (await world.journal.counts()).tasks < 4 or (await world.journal.counts()).unfinished:
            await asyncio.sleep(0.02)
    entry = await world.journal.task(moved.task_id)
    assert entry is not None
    assert entry.state == "FAILED"
    assert (await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")).ok


async def test_before_and_after_say_what_a_full_disk_did(world: World) -> None:
    """EX-14."""
    await world.journal.history()
    await world.limit_pages(0)
    payload = payload_of(params={"pin": 7, "value": 1, "text": "x" * 50_000})
    prepared = replace(world.door.executor.prepare(payload_of()), payload=payload)
    with pytest.raises(StoreFullError):
        await world.journal.before(payload, prepared)
    assert not await world.journal.after(payload, result_of(payload))
    await world.limit_pages(1_000)


async def test_without_an_open_store_a_movement_is_refused_and_steps_are_not_noted(tmp_path: Path) -> None:
    """EX-14."""
    store = StoreThread(tmp_path / "store.db", [JOURNAL_SCHEMA])
    journal = Journal(store, SystemClock())
    payload = payload_of()
    journal.report(ActionTransition(payload, ActionState.PENDING, 1.0, 2.0))
    with pytest.raises(StoreClosedError):
        await journal.before(payload, Door("a").executor.prepare(payload))
    stop = make_payload("output_release", {"pin": 7}, source="manual", device_id="a")
    await journal.before(stop, Door("a").executor.prepare(stop))
    assert not list(tmp_path.iterdir())


async def test_a_store_that_stopped_does_not_disturb_the_door(world: World) -> None:
    """EX-12: a reporter that fails never stops an action's report."""
    await world.door.do("digital_read", {"pin": 7}, device_id="a")
    await world.store.stop()
    looked = await world.door.do("digital_read", {"pin": 7}, device_id="a")
    moved = await world.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    assert looked.ok
    assert moved.state is ActionState.FAILED
    assert world.journal.lost_rows > 0
