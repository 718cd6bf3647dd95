"""The journal page by page for a list that people scroll and search.

Each question looks at SCAN entries at most, so that the commands of the moment, which wait for the same
thread of the store, wait a few milliseconds however long the journal is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroclaw_desktop.execution import journal_queries as queries
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_queries import JournalEntry, JournalFilter, Place
from zeroclaw_desktop.store.thread import Connection

SCAN = 1_000


@dataclass(frozen=True)
class JournalPage:
    """Some entries, newest first.

    Attributes:
        below: place from which to go on; None when nothing older is left.
        alive: sessions of programs that are running: what of theirs is unfinished is at work.
    """

    entries: tuple[JournalEntry, ...]
    below: Place | None
    alive: frozenset[int]


class JournalPages:
    """Asks the journal; leaves out what this program is at just now.

    Args:
        journal: of this run.
        size: most entries of a page.
    """

    def __init__(self, journal: Journal, size: int) -> None:
        self._journal = journal
        self._size = size

    async def page(self, wanted: JournalFilter, below: Place | None = None) -> JournalPage:
        """The next entries that are wanted; fewer than a page only when there are no more.

        Args:
            below: ``JournalPage.below`` of the page before.

        Raises:
            StoreError: the disk refused.
        """
        entries: list[JournalEntry] = []
        while True:
            piece = await self._piece(wanted, below, self._size - len(entries))
            entries += piece.entries
            below = piece.below
            if below is None or len(entries) >= self._size:
                return JournalPage(tuple(entries), below, piece.alive)

    async def _piece(self, wanted: JournalFilter, below: Place | None, most: int) -> JournalPage:
        def look(connection: Connection) -> JournalPage:
            chosen, alive = self._completed(wanted, connection)
            found, place = queries.piece(connection, chosen, most, below, SCAN)
            return JournalPage(tuple(found), place, alive)

        return await self._journal.read(look)

    async def news(self, wanted: JournalFilter, numbers: Sequence[int], newest: int) -> JournalPage:
        """The newest wanted entries, and the wanted ones among those with these numbers.

        Args:
            newest: at most so many more than are asked for by number; they come first.

        Raises:
            StoreError: the disk refused.
        """

        def look(connection: Connection) -> JournalPage:
            chosen, alive = self._completed(wanted, connection)
            found, below = queries.piece(connection, chosen, newest + len(numbers), None, SCAN)
            known = {entry.number for entry in found}
            asked = [number for number in numbers if number not in known]
            return JournalPage((*found, *queries.entries_of(connection, chosen, asked)), below, alive)

        return await self._journal.read(look)

    async def entry(self, task_id: str, number: int = 0) -> tuple[JournalEntry | None, bool]:
        """One entry with its steps, and whether its program is running.

        Args:
            number: which entry; 0 for the newest with this task id.

        Raises:
            StoreError: the disk refused.
        """

        def look(connection: Connection) -> tuple[JournalEntry | None, bool]:
            entry = queries.numbered(connection, number) if number else queries.task(connection, task_id)
            return entry, entry is not None and entry.session in self._journal.living(connection)

        return await self._journal.read(look)

    async def devices(self) -> list[str]:
        """Every device that a result was reported of.

        Raises:
            StoreError: the disk refused.
        """
        return await self._journal.read(queries.devices)

    async def version(self) -> int:
        """A number that changes when another program has written to the database.

        Raises:
            StoreError: the disk refused.
        """
        return await self._journal.read(
            lambda connection: int(connection.execute("PRAGMA data_version").fetchone()[0])
        )

    def _completed(
        self, wanted: JournalFilter, connection: Connection
    ) -> tuple[JournalFilter, frozenset[int]]:
        alive = self._journal.living(connection)
        return replace(wanted, alive=alive, not_at_work_in=self._journal.session), alive
