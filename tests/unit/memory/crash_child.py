"""A program that takes memories while its database cannot keep up, tells so, and waits to be killed."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

from zeroclaw_desktop.contracts.memory import MemoryDraft
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.memory.memory import Memory
from zeroclaw_desktop.memory.rows import MEMORY_SCHEMA
from zeroclaw_desktop.store.thread import StoreThread


async def main(folder: Path) -> None:
    """Commit one memory, then take others behind work that never ends."""
    store = StoreThread(folder / "memory.db", [MEMORY_SCHEMA])
    await store.start()
    memory = Memory(store, SystemClock())
    await memory.open(care=False)
    await memory.remember(MemoryDraft("committed: the fan is on pin 7"))
    store.post(lambda _connection: threading.Event().wait())
    memory.note([MemoryDraft("taken: the pump is on pin 3", "notes", board="uno")])
    memory.note([MemoryDraft("taken: 水泵接在引脚3"), MemoryDraft("taken: password=hunter2", pinned=True)])
    print("taken", flush=True)
    await asyncio.sleep(600)


asyncio.run(main(Path(sys.argv[1])))
