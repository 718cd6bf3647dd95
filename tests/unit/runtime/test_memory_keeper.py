"""Executions enter memory by themselves (AG-13), and the settings are followed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.config.schema import SETTINGS
from zeroclaw_desktop.contracts.events import MemoryChanged
from zeroclaw_desktop.contracts.memory import EXECUTION, MemoryDraft, MemoryEntry, MemoryQuestion
from zeroclaw_desktop.execution.reporters import BusReporter
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.memory.errors import MemoryOffError
from zeroclaw_desktop.memory.rows import MEMORY_SCHEMA
from zeroclaw_desktop.runtime.chat_service import ChatService
from zeroclaw_desktop.runtime.memory_keeper import MemoryKeeper
from zeroclaw_desktop.runtime.selftest import SilentObserver
from zeroclaw_desktop.store.thread import StoreThread
from zeroclaw_desktop.tools.memory_tools import memory_tools


class Kept:
    """A door whose results go into a memory."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {setting.key: setting.default for setting in SETTINGS}
        self.door = Door("uno")
        self.door.executor.reporters.append(BusReporter(self.door.bus))
        self.keeper = MemoryKeeper(self.door.bus, SystemClock(), lambda: self.values)

    async def executions(self) -> list[MemoryEntry]:
        """What is remembered of executions, newest first."""
        await self.keeper.last_failure()
        return await self.keeper.opened().newest(EXECUTION)


@contextlib.asynccontextmanager
async def kept(folder: Path) -> AsyncIterator[Kept]:
    store = StoreThread(folder / "memory.db", [MEMORY_SCHEMA])
    await store.start()
    made = Kept()
    await made.keeper.open(store)
    try:
        yield made
    finally:
        await made.keeper.close()
        await store.stop()


async def test_an_execution_is_remembered_with_input_result_and_exit_code(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        result = await made.door.do("digital_write", {"pin": 7, "value": 1})
        assert result.ok
        (entry,) = await made.executions()
    assert (entry.category, entry.source, entry.board) == (EXECUTION, "execution", "uno")
    assert entry.details["action"] == "digital_write"
    assert entry.details["input"] == "pin=7 value=1"
    assert entry.details["exit_code"] == 0
    assert entry.details["task_id"] == result.task_id
    assert "digital_write pin=7 value=1 on uno: completed, exit code 0" in entry.text


async def test_a_failure_is_found_and_named(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        failed = await made.door.do("digital_write", {"pin": 999, "value": 1})
        await made.door.do("digital_write", {"pin": 7, "value": 1})
        entry = await made.keeper.last_failure()
        assert entry is not None
        assert entry.details["exit_code"] == failed.error_code != 0
        assert entry.details["task_id"] == failed.task_id
        hits = await made.keeper.recall(MemoryQuestion("digital_write 999", 1))
        assert [hit.entry.number for hit in hits] == [entry.number]
        assert failed.faults[0].symbol in entry.text


async def test_the_same_again_is_one_entry_that_counts_and_a_trial_is_none(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        for _ in range(5):
            await made.door.do("digital_write", {"pin": 7, "value": 1})
        await made.door.do("digital_write", {"pin": 6, "value": 1}, dry_run=True)
        (entry,) = await made.executions()
    assert entry.count == 5


async def test_what_was_gathered_at_the_end_is_kept(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        await made.door.do("digital_write", {"pin": 7, "value": 1})
    async with kept(tmp_path) as again:
        assert len(await again.executions()) == 1


async def test_switched_off_nothing_is_remembered_or_recalled(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        await made.keeper.remember(MemoryDraft("the fan is on pin 7"))
        made.values["memory.enabled"] = False
        await made.door.do("digital_write", {"pin": 7, "value": 1})
        assert await made.keeper.context("fan") == ""
        with pytest.raises(MemoryOffError):
            await made.keeper.remember(MemoryDraft("the pump"))
        made.values["memory.enabled"] = True
        assert await made.executions() == []
        assert "the fan is on pin 7" in await made.keeper.context("fan")


async def test_settings_are_followed_and_changes_are_told(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        told: list[MemoryChanged] = []
        made.door.bus.subscribe(MemoryChanged, told.append)
        for number in range(4):
            await made.keeper.remember(MemoryDraft(f"fan of room{number}"))
        made.values["memory.top_k"] = 2
        made.keeper.follow("memory.top_k", 2)
        assert len(await made.keeper.recall(MemoryQuestion("fan"))) == 2
        assert len(told) == 4


async def test_without_a_store_the_program_works_and_says_so(tmp_path: Path) -> None:
    made = Kept()
    assert await made.keeper.open(None) is None
    assert await made.keeper.context("fan") == ""
    assert await made.keeper.last_failure() is None
    with pytest.raises(MemoryOffError):
        await made.keeper.recall(MemoryQuestion("fan"))
    await made.keeper.close()


@pytest.mark.parametrize(
    ("say", "ask", "forget", "known"),
    [
        ("remember that the key is under the mat", "what do you remember about the key?",
         "forget that the key is under the mat", "the key is under the mat"),
        ("记住钥匙在门垫下面", "你记得钥匙吗？", "忘记钥匙在门垫下面", "钥匙在门垫下面"),
    ],
)  # fmt: skip
async def test_the_offline_assistant_remembers_recalls_and_forgets(
    tmp_path: Path, say: str, ask: str, forget: str, known: str
) -> None:
    async with kept(tmp_path) as made:
        chat = ChatService(
            made.door.executor,
            made.door.stop,
            list,
            memory_tools(made.keeper),
            remembered_failure=made.keeper.last_failure,
        )
        await chat.send(say, SilentObserver())
        assert known in (await chat.send(ask, SilentObserver())).text
        await chat.send(forget, SilentObserver())
        assert (await made.keeper.opened().statistics()).by_category.get("core", 0) == 0
        assert known not in (await chat.send(ask, SilentObserver())).text


async def test_recalls_do_not_hold_the_loop(tmp_path: Path) -> None:
    async with kept(tmp_path) as made:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.ensure_future(count())
        memory = made.keeper.opened()
        await memory.take_in([MemoryDraft(f"fan{n} of room{n}", "notes") for n in range(2_000)])
        turns = 0
        await made.keeper.recall(MemoryQuestion("fan7"))
        counting.cancel()
    # The loop turned while words were looked up, the question embedded, entries ranked and read.
    assert turns > 4
