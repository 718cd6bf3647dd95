"""Opens the memory on the store of the journal, follows its settings, and notes what was executed (AG-13)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.contracts.events import MemoryChanged
from zeroclaw_desktop.contracts.memory import MemoryDraft, MemoryEntry, MemoryHit, MemoryQuestion, Remembered
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.memory.errors import MemoryOffError
from zeroclaw_desktop.memory.execution_notes import execution_draft
from zeroclaw_desktop.memory.finder import RecallOptions
from zeroclaw_desktop.memory.index import Weights
from zeroclaw_desktop.memory.memory import Memory, MemoryOptions
from zeroclaw_desktop.memory.recall_block import recalled
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.store.thread import StoreThread

GATHER_SECONDS = 0.05
"""Results of so long go into the memory together."""
MOST_TOGETHER = 100
MOST_GATHERED = 5_000
SECTION = "memory."
_log = logger("runtime")


def memory_options(values: Mapping[str, Any]) -> MemoryOptions:
    """What the settings of the section ``memory`` say."""
    return MemoryOptions(
        RecallOptions(
            Weights(float(values["memory.vector_weight"]), float(values["memory.half_life_days"])),
            int(values["memory.top_k"]),
            float(values["memory.least_relevance"]),
        ),
        int(values["memory.most_entries"]),
        float(values["memory.keep_days"]),
    )


class MemoryKeeper:
    """The memory of the program; implements contracts.memory.Recollection.

    Args:
        settings: gives all settings by key, as they are now.

    Attributes:
        memory: None before it is opened, after it is closed, and when it could not be opened.
        missed: results that came faster than they could be noted.
    """

    def __init__(self, bus: EventBus, clock: Clock, settings: Callable[[], Mapping[str, Any]]) -> None:
        self.memory: Memory | None = None
        self.missed = 0
        self._bus = bus
        self._clock = clock
        self._settings = settings
        self._tasks = TaskSupervisor("memory-keeper")
        self._gathered: list[ActionTransition] = []
        self._noting: asyncio.Task[None] | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    async def open(self, store: StoreThread | None, *, care: bool = True) -> Memory | None:
        """Open the memory on a started store; without one the program works and remembers nothing.

        Args:
            care: whether to look after bounds and missing vectors in the background.
        """
        if store is None:
            return None
        memory = Memory(store, self._clock, memory_options(self._settings()), changed=self._changed)
        try:
            await memory.open(care=care)
        except StoreError as error:
            _log.error("There is no memory in this run: %s %s", error.message, error.hint)
            await memory.close()
            return None
        self.memory = memory
        # Under Qt an action may end while asyncio's loop does not turn; what it leaves is noted once it does.
        self._tasks = TaskSupervisor("memory-keeper", asyncio.get_running_loop())
        self._unsubscribe = self._bus.subscribe(ActionTransition, self._heard)
        return memory

    async def close(self) -> None:
        """Note what has been gathered and close the memory."""
        self._unsubscribe()
        await self._tasks.stop()
        memory, self.memory = self.memory, None
        if memory is not None:
            while self._gathered:
                await self._note(memory)
            await memory.close()

    def follow(self, key: str, _value: object) -> None:
        """Follow a changed setting; fits ``ConfigStore.on_change``."""
        if key.startswith(SECTION) and self.memory is not None:
            self.memory.options = memory_options(self._settings())

    @property
    def enabled(self) -> bool:
        """Whether the person wants it."""
        return bool(self._settings()["memory.enabled"])

    def _changed(self) -> None:
        self._bus.publish(MemoryChanged())

    # -- executions -----------------------------------------------------------------------------------
    def _heard(self, transition: ActionTransition) -> None:
        if transition.result is None or not self.enabled:
            return
        if len(self._gathered) >= MOST_GATHERED:
            self.missed += 1
            return
        self._gathered.append(transition)
        if self._noting is None or self._noting.done():
            self._noting = self._tasks.start(self._note_soon(), "executions")

    async def _note_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        while self._gathered and self.memory is not None:
            await self._note(self.memory)

    async def _note(self, memory: Memory) -> None:
        piece = self._gathered[:MOST_TOGETHER]
        del self._gathered[:MOST_TOGETHER]
        drafts = await memory.on_worker(lambda: [execution_draft(transition) for transition in piece])
        try:
            memory.note([draft for draft in drafts if draft is not None])
        except ZeroClawError as error:
            self.missed += len(piece)
            _log.warning("Results are not remembered: %s", error.message)

    # -- Recollection ---------------------------------------------------------------------------------
    def opened(self) -> Memory:
        """The memory.

        Raises:
            MemoryOffError: it is switched off, or there is none in this run.
        """
        if not self.enabled:
            raise MemoryOffError("The memory is switched off.", hint="Switch it on in Settings, Memory.")
        if self.memory is None:
            raise MemoryOffError("There is no memory in this run.", hint="The log tells why.")
        return self.memory

    async def remember(self, draft: MemoryDraft) -> Remembered:
        """See Recollection; raises MemoryOffError as well."""
        return await self.opened().remember(draft)

    async def recall(self, question: MemoryQuestion) -> list[MemoryHit]:
        """See Recollection; raises MemoryOffError as well."""
        return await self.opened().recall(question)

    async def forget(self, numbers: tuple[int, ...]) -> int:
        """See Recollection; raises MemoryOffError as well."""
        return await self.opened().forget(numbers)

    async def context(self, text: str, *, autonomous: bool = False, private: bool = False) -> str:
        """The recall step of a turn: a block to stand before the message; '' where there is nothing.

        Args:
            autonomous: for a run that nobody watches.
            private: whether the model may see private entries, as one on this computer may.
        """
        if not self.enabled or self.memory is None:
            return ""
        try:
            return await recalled(self.memory, text, autonomous=autonomous, private=private)
        except StoreError as error:
            _log.warning("Nothing could be recalled: %s", error.message)
            return ""

    async def last_failure(self) -> MemoryEntry | None:
        """The newest execution that did not succeed, of this run or an earlier one; None for none."""
        if not self.enabled or self.memory is None:
            return None
        try:
            while self._gathered:
                await self._note(self.memory)
            return await self.memory.last_failure()
        except StoreError as error:
            _log.warning("The last failure could not be looked up: %s", error.message)
            return None
