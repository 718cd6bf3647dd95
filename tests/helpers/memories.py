"""A memory on a database of its own, with a clock that tests move."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from zeroclaw_desktop.contracts.memory import MemoryDraft, MemoryQuestion
from zeroclaw_desktop.foundation.clock import Clock, ManualClock
from zeroclaw_desktop.memory.embedding import EmbeddingEngine
from zeroclaw_desktop.memory.memory import Memory, MemoryOptions
from zeroclaw_desktop.memory.rows import MEMORY_SCHEMA
from zeroclaw_desktop.store.thread import StoreThread

DAY = 86_400.0
NOW = 1_790_000_000.0


@contextlib.asynccontextmanager
async def opened_memory(
    folder: Path,
    *,
    clock: Clock | None = None,
    options: MemoryOptions | None = None,
    engine: EmbeddingEngine | None = None,
) -> AsyncIterator[Memory]:
    """A memory in ``folder``; opened a second time it is the same one."""
    store = StoreThread(folder / "memory.db", [MEMORY_SCHEMA])
    await store.start()
    try:
        memory = Memory(store, clock or ManualClock(NOW), options, engine=engine)
        try:
            await memory.open(care=False)
            yield memory
        finally:
            await memory.close()
    finally:
        await store.stop()


async def texts(memory: Memory, question: str, **how: object) -> list[str]:
    """The texts that fit a question, best first."""
    return [hit.entry.text for hit in await memory.recall(MemoryQuestion(question, **how))]  # type: ignore[arg-type]


async def told(memory: Memory, *sentences: str, category: str = "core") -> None:
    """Remember sentences."""
    for sentence in sentences:
        await memory.remember(MemoryDraft(sentence, category))
