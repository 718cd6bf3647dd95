"""The past for the Activity page: pages of the journal, or what is in memory when there is none. No Qt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.bridge.activity_views import HistoryPage, HistoryQuery, TaskRecord, TaskView
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.task_views import (
    TaskWords,
    journal_filter,
    journal_steps,
    journal_view,
    matches,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.actions import ActionPayload
    from zeroclaw_desktop.execution.journal_pages import JournalPage, JournalPages
    from zeroclaw_desktop.execution.journal_queries import JournalEntry, JournalFilter, Place
    from zeroclaw_desktop.runtime.runtime import Runtime

PAGE = 100
NEWEST = 20
"""Tasks of other programs that may come between two looks before the list begins anew."""
MOST_NEWS = 400
"""More changed tasks than this are not asked for one by one: the list begins anew."""


class HistoryFeed:
    """One list of past tasks: asked for a query, continued, kept up to date.

    Args:
        tell: gets each answer; one that a newer question has overtaken is dropped.
        in_memory: ended tasks of this run, latest first.
    """

    def __init__(
        self,
        core: CoreAccess,
        tell: Callable[[HistoryPage], None],
        in_memory: Callable[[], Sequence[TaskView]],
    ) -> None:
        self._core = core
        self._tell = tell
        self._in_memory = in_memory
        self._runtime: Runtime | None = None
        self._query = HistoryQuery()
        self._below: Place | None = None
        self._question = 0
        self._loading = False
        self._from_journal = False
        self._newest: Place = (0.0, 0)
        self._ended: dict[int, None] = {}
        self._version: int | None = None

    def attach(self, runtime: Runtime) -> None:
        """The core has started."""
        self._runtime = runtime

    def note_ended(self, number: int) -> None:
        """A task of this run has ended; ``number`` of its entry in the journal."""
        if len(self._ended) <= MOST_NEWS:  # nobody may ask for long
            self._ended[number] = None

    # -- questions ------------------------------------------------------------------------------------
    def ask(self, query: HistoryQuery) -> None:
        """Begin at the newest task."""
        self._query = query
        self._question += 1
        pages = self._pages()
        if pages is None:
            self._tell_memory()
        else:
            self._ended.clear()
            self._loading = True
            self._start(self._first(pages, self._question))

    def ask_more(self) -> None:
        """Go on where the last page ended; nothing happens while that is under way."""
        pages = self._pages()
        if pages is not None and self._below is not None and not self._loading:
            self._loading = True
            self._start(self._more(pages, self._question))

    def ask_news(self) -> None:
        """Tell what is new or has changed since the last answer."""
        pages = self._pages()
        if pages is None:
            self._tell_memory()
        elif not self._from_journal or len(self._ended) > MOST_NEWS:
            self.ask(self._query)
        else:
            numbers = tuple(self._ended)
            self._ended.clear()
            self._start(self._news(pages, numbers, self._question))

    def ask_foreign_news(self) -> None:
        """The same, if another program has written to the journal since."""
        pages = self._pages()
        if pages is not None and self._from_journal:
            self._start(self._foreign_news(pages))

    async def record(self, task_id: str, number: int) -> TaskRecord | None:
        """One task with its steps from the journal; None when it is not there or cannot be read."""
        entry, at_work = await self._entry(task_id, number)
        if entry is None:
            return None
        view = journal_view(entry, self._words(), at_work=at_work)
        return TaskRecord(view, tuple(journal_steps(entry, at_work=at_work)))

    async def payload(self, task_id: str, number: int) -> ActionPayload | None:
        """The request of a task of the journal under a new id; None when the journal has not all of it."""
        from zeroclaw_desktop.execution.recovery import repeated

        entry, _ = await self._entry(task_id, number)
        return repeated(entry) if entry is not None else None

    async def boards(self) -> list[tuple[str, str]]:
        """(id, name) of every board that the journal knows."""
        pages, words = self._pages(), self._words()
        try:
            found = await pages.devices() if pages is not None else []
        except ZeroClawError:
            found = []
        return [(board_id, words.board(board_id)) for board_id in found if board_id]

    # -- answers --------------------------------------------------------------------------------------
    async def _first(self, pages: JournalPages, question: int) -> None:
        page = await self._answer(pages.page(self._wanted()), question)
        if page is not None:
            self._from_journal = True
            self._newest = _place(page.entries[0]) if page.entries else (0.0, 0)
            self._below = page.below
            self._tell(HistoryPage("first", self._views(page), page.below is not None))

    async def _more(self, pages: JournalPages, question: int) -> None:
        page = await self._answer(pages.page(self._wanted(), self._below), question)
        if page is not None:
            self._below = page.below
            self._tell(HistoryPage("more", self._views(page), page.below is not None))

    async def _news(self, pages: JournalPages, numbers: Sequence[int], question: int) -> None:
        page = await self._answer(pages.news(self._wanted(), numbers, NEWEST), question)
        if page is None:
            return
        most = NEWEST + len(numbers)
        if len(page.entries) >= most and _place(page.entries[most - 1]) > self._newest:
            self.ask(self._query)  # so many are new that there may be more: there would be a gap
        elif page.entries:
            self._newest = max(self._newest, _place(page.entries[0]))
            self._tell(HistoryPage("news", self._views(page)))

    async def _foreign_news(self, pages: JournalPages) -> None:
        try:
            version = await pages.version()
        except ZeroClawError:
            return
        before, self._version = self._version, version
        if before not in (None, version):
            self.ask_news()

    async def _answer(self, asking: Awaitable[JournalPage], question: int) -> JournalPage | None:
        """The page; None when a newer question was asked meanwhile, or when it cannot be read."""
        try:
            page = await asking
        except ZeroClawError as error:
            if question == self._question:
                self._loading = False
                self._tell_memory(error)
            return None
        if question != self._question:
            return None
        self._loading = False
        return page

    def _tell_memory(self, error: ZeroClawError | None = None) -> None:
        self._from_journal, self._below = False, None
        if self._runtime is None:
            return  # nothing is known yet, not even that there is nothing
        error = error or self._runtime.journal_keeper.fault
        fault = error_view_of(error, self._core.language) if error is not None else None
        found = tuple(task for task in self._in_memory() if matches(task, self._query))
        self._tell(HistoryPage("all", found, False, fault))

    async def _entry(self, task_id: str, number: int) -> tuple[JournalEntry | None, bool]:
        pages = self._pages()
        try:
            return await pages.entry(task_id, number) if pages is not None else (None, False)
        except ZeroClawError:
            return None, False

    def _pages(self) -> JournalPages | None:
        """Where to ask; None while there is no journal."""
        if self._runtime is None or self._runtime.journal_keeper.journal is None:
            return None
        from zeroclaw_desktop.execution.journal_pages import JournalPages

        return JournalPages(self._runtime.journal_keeper.journal, PAGE)

    def _wanted(self) -> JournalFilter:
        return journal_filter(self._query, self._words())

    def _words(self) -> TaskWords:
        return TaskWords(self._runtime, self._core.language)

    def _views(self, page: JournalPage) -> tuple[TaskView, ...]:
        words = self._words()
        return tuple(
            journal_view(entry, words, at_work=entry.session in page.alive) for entry in page.entries
        )

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._core.start(work, "history")


def _place(entry: JournalEntry) -> Place:
    return entry.seen, entry.number
