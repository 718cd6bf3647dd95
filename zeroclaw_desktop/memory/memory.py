"""The memory: remember, recall, edit, pin, forget, list; opened on the store of the program."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TypeVar

from zeroclaw_desktop.contracts.memory import (
    CONVERSATION,
    DAILY,
    EXECUTION,
    SOP,
    MemoryDraft,
    MemoryEntry,
    MemoryHit,
    MemoryQuestion,
    Remembered,
)
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.memory import looking, writing
from zeroclaw_desktop.memory.append_log import AppendLog, read_log, take_over
from zeroclaw_desktop.memory.cleaning import checked_category, clean
from zeroclaw_desktop.memory.embedding import EmbeddingEngine, HashedNgramEngine
from zeroclaw_desktop.memory.errors import MemoryRefusedError, UnknownMemoryError
from zeroclaw_desktop.memory.finder import MemoryFinder, RecallOptions
from zeroclaw_desktop.memory.index import Weights
from zeroclaw_desktop.memory.keeping import MemoryWriter, prepare
from zeroclaw_desktop.memory.vector_matrix import pack
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.store.thread import StoreThread

HYGIENE_EVERY = 500
"""Drafts after which bounds are looked at; it is also done at the start."""
HYGIENE_PIECE = 200
EMBED_PIECE = 100
CLOSE_SECONDS = 3.0
AGEING = (CONVERSATION, DAILY, EXECUTION, SOP)
"""Categories whose entries are forgotten after the days of the settings; core and custom ones stay."""
_DAY = 86_400.0
Given = TypeVar("Given")
_log = logger("memory")


@dataclass
class MemoryOptions:
    """The settings; may be changed at any time.

    Attributes:
        most_entries: of each category, pinned ones not counted; those told longest ago go first.
        keep_days: what ages and was neither told nor recalled for so long is forgotten; 0: never.
    """

    recall: RecallOptions = field(default_factory=lambda: RecallOptions(Weights()))
    most_entries: int = 20_000
    keep_days: float = 90.0


@dataclass(frozen=True)
class MemoryStatistics:
    """Counts.

    Attributes:
        by_category: entries.
        without_vector: entries that wait for one of this engine.
        tombstones: places of the index that are given up at the next compaction.
        failed_log_writes: of the log that is read after a crash.
        given_up: drafts that were not taken because too many waited.
    """

    entries: int
    pinned: int
    by_category: dict[str, int]
    engine: str
    without_vector: int
    tombstones: int
    failed_log_writes: int
    given_up: int


class Memory:
    """See the module; belongs to the loop's thread.

    Args:
        store: started, with MEMORY_SCHEMA among its schemas.
        engine: None for the built-in one.
        changed: told after entries came, changed or went.
    """

    def __init__(
        self,
        store: StoreThread,
        clock: Clock,
        options: MemoryOptions | None = None,
        *,
        engine: EmbeddingEngine | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.options = options or MemoryOptions()
        self._store = store
        self._clock = clock
        self._changed = changed
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="memory")
        self._finder = MemoryFinder(store, self._worker, engine or HashedNgramEngine())
        self._log = AppendLog(store.path, store.token)
        self._writer = MemoryWriter(store, self._finder, self._log, clock, self._committed)
        self._tasks = TaskSupervisor("memory-care")
        self._since_hygiene = 0

    async def open(self, *, care: bool = True) -> int:
        """Take over what a dead program left; returns how many drafts that were.

        Args:
            care: whether to forget what is beyond the bounds and to embed what has no vector, in the
                background.
        """
        paths = await asyncio.to_thread(take_over, self._store.path, self._store.token)
        replayed = 0
        for path in paths:
            drafts, bad = await asyncio.to_thread(read_log, path)
            for draft in drafts:
                with contextlib.suppress(MemoryRefusedError):  # an older version was less strict
                    self._writer.take([draft], logged=False)
            await self._writer.settled()
            replayed += len(drafts)
            path.unlink(missing_ok=True)
            _log.info(
                "%d memories of a program that ended early were taken over, %d were torn", len(drafts), bad
            )
        if care:
            self._tasks.start(self.care(), "care")
        return replayed

    async def close(self) -> None:
        """Commit what waits and end the thread."""
        whole = await self._writer.close(CLOSE_SECONDS)
        await self._tasks.stop()
        await asyncio.to_thread(self._worker.shutdown, cancel_futures=True)
        self._log.close(remove=whole)

    # -- in --------------------------------------------------------------------------------------------
    async def remember(self, draft: MemoryDraft) -> Remembered:
        """Keep something; returns when it is committed.

        Raises:
            MemoryRefusedError, MemoryOffError, StoreError: it is not kept.
        """
        return await self._writer.take([draft], awaited=True)[0]

    def note(self, drafts: Sequence[MemoryDraft]) -> None:
        """Keep something without waiting: when this returns it survives the end of the process.

        Raises:
            MemoryRefusedError, MemoryOffError: nothing of it is kept.
        """
        self._writer.take(drafts)

    async def take_in(self, drafts: Sequence[MemoryDraft]) -> list[Remembered]:
        """Keep many at once as they are, merging only the same words; for imports."""
        return list(await asyncio.gather(*self._writer.take(drafts, exact=True, logged=False, awaited=True)))

    async def settled(self) -> None:
        """Wait until everything that was noted is committed."""
        await self._writer.settled()

    async def on_worker(self, work: Callable[[], Given]) -> Given:
        """Run something that takes its time on the memory's thread."""
        return await self._finder.on_worker(work)

    # -- out -------------------------------------------------------------------------------------------
    async def recall(self, question: MemoryQuestion) -> list[MemoryHit]:
        """What fits a question, best first, and note that it was used.

        Raises:
            StoreError: the database cannot be read.
        """
        now = self._clock.wall()
        hits = await self._finder.recall(question, self.options.recall, now)
        if hits:
            numbers = [hit.entry.number for hit in hits]
            with contextlib.suppress(StoreError):  # a full queue: what was found is found all the same
                self._store.post(lambda connection: writing.note_used(connection, numbers, now))
        return hits

    async def entry(self, number: int) -> MemoryEntry:
        """One entry.

        Raises:
            UnknownMemoryError: there is none.
        """
        found = await self._store.read(lambda connection: looking.entries(connection, [number]))
        if number not in found:
            raise _unknown(number)
        return found[number]

    async def newest(self, category: str = "", most: int = 20, skip: int = 0) -> list[MemoryEntry]:
        """The newest entries, pinned ones first."""
        return await self._store.read(lambda connection: looking.newest(connection, category, most, skip))

    async def after(self, number: int, most: int, category: str = "") -> list[MemoryEntry]:
        """Entries with a greater number, in that order; for going through all of them."""
        return await self._store.read(
            lambda connection: looking.after_number(connection, number, most, category)
        )

    async def last_failure(self) -> MemoryEntry | None:
        """The newest execution that did not succeed (AG-13)."""
        await self.settled()
        return await self._store.read(looking.last_failure)

    async def statistics(self) -> MemoryStatistics:
        """Counts."""
        name = self._finder.engine.name
        counts, pinned, bare = await self._store.read(
            lambda connection: (
                looking.counts(connection),
                looking.pinned_count(connection),
                looking.without_vector_count(connection, name),
            )
        )
        return MemoryStatistics(
            sum(counts.values()),
            pinned,
            counts,
            name,
            bare,
            self._finder.index.tombstones,
            self._log.failures,
            self._writer.given_up,
        )

    # -- changes ---------------------------------------------------------------------------------------
    async def edit(self, number: int, text: str, *, category: str = "") -> MemoryEntry:
        """Give an entry another text, and another category unless ''.

        Raises:
            UnknownMemoryError, MemoryRefusedError, StoreError: nothing is changed.
        """
        old = await self.entry(number)
        draft = MemoryDraft(
            text,
            category or old.category,
            agent=old.agent,
            board=old.board,
            sensitivity=old.sensitivity,
            created=old.created,
        )
        cleaned = clean(draft).draft
        prepared = await self._finder.on_worker(lambda: prepare(cleaned))
        wish = (await self._finder.wishes([prepared], exact=[True]))[0]
        if not await self._store.submit(lambda connection: writing.edit(connection, number, wish.prepared)):
            raise _unknown(number)
        self._changed()
        return await self.entry(number)

    async def pin(self, number: int, *, pinned: bool) -> None:
        """Pin or unpin an entry: a pinned one neither ages nor is forgotten by itself.

        Raises:
            UnknownMemoryError: there is none.
        """
        if not await self._store.submit(lambda connection: writing.pin(connection, number, pinned=pinned)):
            raise _unknown(number)
        self._changed()

    async def forget(self, numbers: tuple[int, ...]) -> int:
        """Remove entries; returns how many there were."""
        await self.settled()
        gone = await self._store.submit(lambda connection: writing.forget(connection, numbers), durable=True)
        self._changed()
        return gone

    async def forget_all(self, category: str = "") -> int:
        """Remove every entry of a category, '' for all; returns how many there were."""
        wanted = checked_category(category) if category else ""
        await self.settled()
        gone = await self._store.submit(
            lambda connection: writing.forget_all(connection, wanted), durable=True
        )
        self._changed()
        return gone

    # -- care ------------------------------------------------------------------------------------------
    def _committed(self, count: int) -> None:
        self._since_hygiene += count
        if self._since_hygiene >= HYGIENE_EVERY:
            self._since_hygiene = 0
            self._tasks.start(self.hygiene(), "hygiene")
        self._changed()

    async def care(self) -> None:
        """What the start owes: bounds, missing vectors, an index that is ready."""
        try:
            await self.hygiene()
            await self.embed_missing()
            await self._finder.catch_up()
        except StoreError as error:
            _log.warning("The memory was not looked after: %s %s", error.message, error.hint)

    async def hygiene(self) -> int:
        """Forget what is beyond the bounds, in small pieces; returns how many."""
        gone = 0
        options = replace(self.options)
        if options.keep_days > 0:
            before = self._clock.wall() - options.keep_days * _DAY
            while piece := await self._store.read(
                lambda connection: looking.too_old(connection, AGEING, before, HYGIENE_PIECE)
            ):
                gone += await self._store.submit(lambda connection: writing.forget(connection, piece))
        for category in await self._store.read(looking.counts):
            while piece := await self._store.read(
                lambda connection: looking.too_many(connection, category, options.most_entries, HYGIENE_PIECE)  # noqa: B023
            ):
                gone += await self._store.submit(lambda connection: writing.forget(connection, piece))
        await self._store.submit(writing.tidy)
        if gone:
            _log.info("%d memories beyond the bounds were forgotten", gone)
            self._changed()
        return gone

    async def embed_missing(self) -> int:
        """Give vectors to entries that have none of this engine; returns how many were given."""
        engine = self._finder.engine.name
        given = 0
        while rows := await self._store.read(
            lambda connection: looking.without_vector(connection, engine, EMBED_PIECE)
        ):
            vectors = await self._finder.on_worker(lambda: self._finder.embed([row[2] for row in rows]))
            if vectors is None:
                break
            packed = [
                (number, digest, pack(vector))
                for (number, digest, _), vector in zip(rows, vectors, strict=True)
            ]
            given += await self._store.submit(
                lambda connection: writing.give_vectors(connection, packed, engine)  # noqa: B023
            )
        return given


def _unknown(number: int) -> UnknownMemoryError:
    return UnknownMemoryError(
        f"There is no memory {number}.",
        hint="zeroclaw memory list shows them with their numbers.",
        details={"number": number},
    )
