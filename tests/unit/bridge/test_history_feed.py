"""The past for the Activity page (EX-14): pages, news, overtaken questions, a disk that refuses. No Qt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.execution import Door
from tests.unit.execution.journal.journal_world import World
from zeroclaw_desktop.bridge import history_feed
from zeroclaw_desktop.bridge.activity_views import HistoryPage, HistoryQuery, TaskView
from zeroclaw_desktop.bridge.history_feed import HistoryFeed
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.foundation.errors import ZeroClawError


class Keeper:
    """The part of the runtime that has the journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal: Journal | None = journal
        self.fault: ZeroClawError | None = None


class Core:
    """What the feed sees of the core."""

    def __init__(self, journal: Journal, door: Door) -> None:
        self.language = "en"
        self.journal_keeper = Keeper(journal)
        self.roster = door.boards
        self.registry = door.registry
        self.tasks: list[asyncio.Task[Any]] = []

    def start(self, work: Coroutine[Any, Any, Any], _name: str) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    async def quiet(self) -> None:
        """Wait until nothing is under way any more."""
        while self.tasks:
            await self.tasks.pop()


class Feed:
    """A feed on a journal that another program writes as well."""

    def __init__(self, window: World, command: World) -> None:
        self.window, self.command = window, command
        self.core = Core(window.journal, window.door)
        self.told: list[HistoryPage] = []
        self.memory: list[TaskView] = []
        self.feed = HistoryFeed(self.core, self.told.append, lambda: self.memory)  # type: ignore[arg-type]
        self.feed.attach(self.core)  # type: ignore[arg-type]

    async def after(self, ask: Callable[[], None]) -> list[HistoryPage]:
        """Ask, and return all answers."""
        self.told.clear()
        ask()
        await self.core.quiet()
        return list(self.told)

    async def do(self, world: World, count: int = 1) -> list[str]:
        ids = []
        for _ in range(count):
            result = await world.door.do("digital_read", {"pin": 7}, device_id="a")
            ids.append(result.task_id)
            if world is self.window:
                entry = await world.journal.task(result.task_id)
                assert entry is not None
                self.feed.note_ended(entry.number)
        return ids


@pytest.fixture
async def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Feed]:
    monkeypatch.setattr(history_feed, "PAGE", 4)
    monkeypatch.setattr(history_feed, "NEWEST", 2)
    monkeypatch.setattr(history_feed, "MOST_NEWS", 5)
    worlds = [await World(tmp_path).start() for _ in range(2)]
    yield Feed(*worlds)
    for world in worlds:
        await world.stop()


def ids_of(page: HistoryPage) -> list[str]:
    return [task.task_id for task in page.tasks]


async def test_pages_follow_one_another_and_say_when_there_are_no_more(feed: Feed) -> None:
    ids = (await feed.do(feed.window, 6))[::-1]
    (first,) = await feed.after(lambda: feed.feed.ask(HistoryQuery()))
    assert (first.kind, ids_of(first), first.more, first.fault) == ("first", ids[:4], True, None)
    (more,) = await feed.after(feed.feed.ask_more)
    assert (more.kind, ids_of(more), more.more) == ("more", ids[4:], False)
    assert await feed.after(feed.feed.ask_more) == []


async def test_a_page_is_asked_for_once_however_often_the_list_wants_it(feed: Feed) -> None:
    await feed.do(feed.window, 6)
    await feed.after(lambda: feed.feed.ask(HistoryQuery()))

    def three_times() -> None:
        for _ in range(3):
            feed.feed.ask_more()

    assert len(await feed.after(three_times)) == 1


async def test_an_answer_that_a_newer_question_has_overtaken_is_dropped(feed: Feed) -> None:
    await feed.do(feed.window, 3)

    def twice() -> None:
        feed.feed.ask(HistoryQuery())
        feed.feed.ask(HistoryQuery(text="nothing of this"))

    assert [ids_of(page) for page in await feed.after(twice)] == [[]]


async def test_news_are_those_that_ended_here_and_elsewhere(feed: Feed) -> None:
    await feed.do(feed.window, 3)
    await feed.after(lambda: feed.feed.ask(HistoryQuery()))
    own, other = await feed.do(feed.window, 2), await feed.do(feed.command, 1)
    (news,) = await feed.after(feed.feed.ask_news)
    assert news.kind == "news"
    assert ids_of(news)[:3] == [*other, *own[::-1]]


async def test_more_news_than_can_be_joined_begin_the_list_anew(feed: Feed) -> None:
    """Else tasks between the news and what is shown would be missing."""
    await feed.do(feed.window, 3)
    await feed.after(lambda: feed.feed.ask(HistoryQuery()))
    await feed.do(feed.command, 7)
    assert [page.kind for page in await feed.after(feed.feed.ask_news)] == ["first"]
    await feed.do(feed.window, 9)
    assert [page.kind for page in await feed.after(feed.feed.ask_news)] == ["first"]


async def test_another_program_is_noticed_without_being_told(feed: Feed) -> None:
    await feed.do(feed.window, 1)
    await feed.after(lambda: feed.feed.ask(HistoryQuery()))
    assert await feed.after(feed.feed.ask_foreign_news) == []
    assert await feed.after(feed.feed.ask_foreign_news) == []
    (task_id,) = await feed.do(feed.command, 1)
    (news,) = await feed.after(feed.feed.ask_foreign_news)
    assert ids_of(news)[0] == task_id


async def test_a_disk_that_refuses_leaves_what_is_in_memory_until_it_works_again(feed: Feed) -> None:
    """EX-14: the page says so, and comes back by itself."""
    await feed.do(feed.window, 2)
    await feed.after(lambda: feed.feed.ask(HistoryQuery()))
    feed.memory = [TaskView("mine", "led_set", "Switch the LED on", "manual", "a", "completed", 1.0)]
    journal = feed.core.journal_keeper.journal
    assert journal is not None
    await feed.window.store.submit(
        lambda connection: connection.execute("ALTER TABLE journal_before RENAME TO x")
    )
    (page,) = await feed.after(feed.feed.ask_news)
    assert (page.kind, ids_of(page)) == ("all", ["mine"])
    assert page.fault is not None
    await feed.window.store.submit(
        lambda connection: connection.execute("ALTER TABLE x RENAME TO journal_before")
    )
    (page,) = await feed.after(feed.feed.ask_news)
    assert (page.kind, len(page.tasks), page.fault) == ("first", 2, None)


async def test_without_a_journal_memory_is_narrowed_like_the_journal(feed: Feed) -> None:
    feed.core.journal_keeper.journal = None
    feed.core.journal_keeper.fault = ZeroClawError("The disk is full.", hint="Free some space.")
    feed.memory = [
        TaskView("one", "led_set", "Switch the LED on", "manual", "Uno", "completed", 10.0, board_id="a"),
        TaskView("two", "servo_move", "Turn the servo to 90°", "agent", "Uno", "failed", 20.0, board_id="b"),
    ]
    for query, wanted in (
        (HistoryQuery(), ["one", "two"]),
        (HistoryQuery(state="failed"), ["two"]),
        (HistoryQuery(source="manual"), ["one"]),
        (HistoryQuery(board_id="b"), ["two"]),
        (HistoryQuery(since=15.0), ["two"]),
        (HistoryQuery(text="SERVO to"), ["two"]),
    ):
        (page,) = await feed.after(lambda query=query: feed.feed.ask(query))  # type: ignore[misc]
        assert ids_of(page) == wanted
        assert page.fault is not None
        assert page.fault.title == "The disk is full."


async def test_one_task_comes_with_its_steps_and_can_be_tried_again(feed: Feed) -> None:
    (task_id,) = await feed.do(feed.command, 1)
    record = await feed.feed.record(task_id, 0)
    assert record is not None
    assert [step.state for step in record.steps] == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]
    payload = await feed.feed.payload(task_id, record.task.number)
    assert payload is not None
    assert (payload.action, payload.device_id) == ("digital_read", "a")
    assert payload.task_id != task_id
    assert await feed.feed.record("nobody", 0) is None
    assert await feed.feed.boards() == [("a", "Board a (a)")]
