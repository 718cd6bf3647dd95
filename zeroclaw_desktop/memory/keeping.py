"""Takes drafts and gets them into the database: logged at once, embedded and committed in batches."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from zeroclaw_desktop.contracts.memory import MemoryDraft, Remembered
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.memory.append_log import AppendLog
from zeroclaw_desktop.memory.cleaning import clean
from zeroclaw_desktop.memory.errors import MemoryOffError
from zeroclaw_desktop.memory.finder import MemoryFinder
from zeroclaw_desktop.memory.rows import Prepared, digest_of
from zeroclaw_desktop.memory.words import fold, terms
from zeroclaw_desktop.memory.writing import write_all
from zeroclaw_desktop.store.errors import StoreClosedError, StoreError
from zeroclaw_desktop.store.thread import StoreThread

BATCH = 128
MOST_WAITING = 20_000
RETRY_SECONDS = 1.0
_log = logger("memory")


@dataclass
class _Waiting:
    draft: MemoryDraft
    masked: bool
    exact: bool
    told: asyncio.Future[Remembered] | None


class MemoryWriter:
    """The way in; loop's thread only.

    Args:
        committed: told after each batch how many drafts it had.
    """

    def __init__(
        self,
        store: StoreThread,
        finder: MemoryFinder,
        log: AppendLog,
        clock: Clock,
        committed: Callable[[int], None],
    ) -> None:
        self.given_up = 0
        """Drafts that were not taken because too many waited."""
        self._store = store
        self._finder = finder
        self._log = log
        self._clock = clock
        self._committed = committed
        self._waiting: deque[_Waiting] = deque()
        self._tasks = TaskSupervisor("memory")
        self._pump: asyncio.Task[None] | None = None
        self._open = True
        self._whole = True
        """Whether everything that was taken is committed once nothing waits."""

    def take(
        self,
        drafts: Sequence[MemoryDraft],
        *,
        exact: bool = False,
        logged: bool = True,
        awaited: bool = False,
    ) -> list[asyncio.Future[Remembered]]:
        """Take drafts: when this returns they are in the log.

        Args:
            exact: whether only an entry with the same words is the same.
            logged: False when they can be had again from where they came.
            awaited: whether a future is wanted for each.

        Raises:
            MemoryRefusedError: one of them cannot be kept; then none is taken.
            MemoryOffError: the memory is closed.
        """
        if not self._open:
            raise MemoryOffError("The memory is closed.", hint="Start the program again.")
        if len(self._waiting) + len(drafts) > MOST_WAITING:
            self.given_up += len(drafts)
            raise MemoryOffError(
                "Too much waits to be remembered.", hint="Try again in a moment.", retryable=True
            )
        cleaned = [clean(draft) for draft in drafts]
        now = self._clock.wall()
        futures: list[asyncio.Future[Remembered]] = []
        taken = []
        for one in cleaned:
            draft = replace(
                one.draft,
                key=one.draft.key or uuid.uuid4().hex,
                created=now if one.draft.created is None else one.draft.created,
            )
            told = asyncio.get_running_loop().create_future() if awaited else None
            if told is not None:
                futures.append(told)
            taken.append(_Waiting(draft, one.masked, exact, told))
        if logged and taken:
            self._log.append([waiting.draft for waiting in taken])
        self._waiting.extend(taken)
        if self._waiting and (self._pump is None or self._pump.done()):
            self._pump = self._tasks.start(self._work(), "keeping")
        return futures

    async def settled(self) -> None:
        """Wait until everything that was taken is committed."""
        while self._pump is not None and not self._pump.done():
            await asyncio.wait([self._pump])

    async def close(self, timeout: float) -> bool:
        """Take nothing more and commit what waits; returns whether everything is committed."""
        self._open = False
        try:
            async with asyncio.timeout(timeout):
                await self.settled()
        except TimeoutError:
            self._whole = False
        await self._tasks.stop()
        return self._whole and not self._waiting

    async def _work(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            try:
                await self._keep(batch)
            except StoreClosedError as error:
                self._whole = False  # the log has them for the next start
                _fail(batch, error)
            except StoreError as error:
                if error.retryable and self._open:
                    self._waiting.extendleft(reversed(batch))
                    await self._clock.sleep(RETRY_SECONDS)
                    continue
                self._whole = False
                _log.error("Something could not be remembered: %s %s", error.message, error.hint)
                _fail(batch, error)
            except asyncio.CancelledError:
                self._whole = False
                for waiting in batch:
                    if waiting.told is not None:
                        waiting.told.cancel()
                raise
        if self._whole:
            self._log.clear()

    async def _keep(self, batch: Sequence[_Waiting]) -> None:
        prepared = await self._finder.on_worker(lambda: [prepare(waiting.draft) for waiting in batch])
        wishes = await self._finder.wishes(prepared, exact=[waiting.exact for waiting in batch])
        done = await self._store.submit(lambda connection: write_all(connection, wishes))
        for waiting, told in zip(batch, done, strict=True):
            if waiting.told is not None and not waiting.told.done():
                waiting.told.set_result(replace(told, masked=waiting.masked))
        self._committed(len(batch))


def prepare(draft: MemoryDraft) -> Prepared:
    """Everything that is computed from the text of a cleaned draft, its vector excepted."""
    words = " ".join(terms(fold(draft.text)))
    return Prepared(draft, draft.key or uuid.uuid4().hex, draft.created or 0.0, words, digest_of(draft))


def _fail(batch: Sequence[_Waiting], error: StoreError) -> None:
    for waiting in batch:
        if waiting.told is not None and not waiting.told.done():
            waiting.told.set_exception(error)
