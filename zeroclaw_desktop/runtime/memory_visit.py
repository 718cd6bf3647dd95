"""The memory for the time of one command, beside a window that may have it open."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.paths import config_file, database_file
from zeroclaw_desktop.memory.memory import Memory
from zeroclaw_desktop.memory.rows import MEMORY_SCHEMA
from zeroclaw_desktop.runtime.memory_keeper import memory_options
from zeroclaw_desktop.store.thread import StoreThread


@contextlib.asynccontextmanager
async def visited_memory() -> AsyncIterator[Memory]:
    """The opened memory of the home folder.

    Raises:
        StoreError, HomeFolderError: it cannot be used.
    """
    store = StoreThread(database_file(), [JOURNAL_SCHEMA, MEMORY_SCHEMA], guest=True)
    await store.start()
    try:
        memory = Memory(store, SystemClock(), memory_options(ConfigStore(config_file()).values))
        try:
            await memory.open(care=False)
            yield memory
        finally:
            await memory.close()
    finally:
        await store.stop()
