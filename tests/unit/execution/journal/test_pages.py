"""The journal in pages for people: in the order of time, searched in pieces, kept up to date (EX-14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.execution.journal.journal_world import World, crash, fill, payload_of
from zeroclaw_desktop.execution import journal_pages
from zeroclaw_desktop.execution.journal_pages import JournalPage, JournalPages
from zeroclaw_desktop.execution.journal_queries import INTERRUPTED, JournalFilter
from zeroclaw_desktop.store.thread import Connection


def ids_of(page: JournalPage) -> list[str]:
    return [entry.task_id for entry in page.entries]


async def everything(pages: JournalPages, wanted: JournalFilter) -> list[str]:
    """All pages one after another."""
    page = await pages.page(wanted)
    found = ids_of(page)
    while page.below is not None:
        page = await pages.page(wanted, page.below)
        found += ids_of(page)
    return found


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("scan", [1, 2, 1_000])
@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (JournalFilter(), [7, 6, 5, 4, 3, 2, 1, 0]),
        (JournalFilter(states=("FAILED",)), [7, 6]),
        (JournalFilter(source="agent"), [3]),
        (JournalFilter(action="nothing"), []),
    ],
)
async def test_pages_bring_every_wanted_entry_once(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    scan: int,
    wanted: JournalFilter,
    numbers: list[int],
) -> None:
    """However many entries one question looks at."""
    monkeypatch.setattr(journal_pages, "SCAN", scan)
    ids = await fill(world)
    pages = JournalPages(world.journal, size)
    assert await everything(pages, wanted) == [ids[number] for number in numbers]
    first = await pages.page(wanted)
    assert len(first.entries) == min(size, len(numbers))


async def test_the_order_is_that_of_time_also_between_programs(tmp_path: Path) -> None:
    """A window that runs on writes later entries than a command line that started after it."""
    window, command = await World(tmp_path).start(), await World(tmp_path).start()
    ids = []
    for world in (window, command, window, command):
        ids.append((await world.door.do("digital_read", {"pin": 7}, device_id="a")).task_id)
    pages = JournalPages(window.journal, 100)
    assert ids_of(await pages.page(JournalFilter())) == ids[::-1]
    assert [entry.task_id for entry in await window.journal.history()] == ids[::-1]
    await window.stop()
    await command.stop()


async def test_words_are_looked_for_in_what_people_see(world: World) -> None:
    ids = await fill(world)

    def words(task_id: str, action: str, params: str, device_id: str, source: str) -> str:
        return f"{action} on board {device_id} by {source} {params}"

    pages = JournalPages(world.journal, 100)
    found = await pages.page(JournalFilter(text="digital_write on board b", words=words))
    assert ids_of(found) == [ids[7], ids[5]]
    assert ids_of(await pages.page(JournalFilter(text="by agent", words=words))) == [ids[3]]


async def test_what_this_program_is_at_is_not_past_what_others_are_at_is(tmp_path: Path) -> None:
    window, command = await World(tmp_path).start(), await World(tmp_path).start()
    own, other = payload_of(), payload_of()
    await window.journal.before(own, window.door.executor.prepare(own))
    await command.journal.before(other, command.door.executor.prepare(other))
    pages = JournalPages(window.journal, 100)
    page = await pages.page(JournalFilter())
    assert ids_of(page) == [other.task_id]
    assert page.entries[0].state_now(page.alive) == "RUNNING"
    assert ids_of(await pages.page(JournalFilter(states=(INTERRUPTED,)))) == []
    await command.stop()
    page = await pages.page(JournalFilter(states=(INTERRUPTED,)))
    assert ids_of(page) == [other.task_id]
    assert page.entries[0].state_now(page.alive) == INTERRUPTED
    await window.stop()


async def test_news_are_the_newest_and_those_that_are_asked_for(world: World) -> None:
    ids = await fill(world)
    numbers = [entry.number for entry in await world.journal.history()][::-1]
    pages = JournalPages(world.journal, 100)
    news = await pages.news(JournalFilter(), [numbers[0], numbers[7]], 2)
    assert ids_of(news) == [ids[7], ids[6], ids[5], ids[4], ids[0]]
    failed = await pages.news(JournalFilter(states=("FAILED",)), [numbers[0]], 100)
    assert ids_of(failed) == [ids[7], ids[6]]


async def test_a_write_of_another_program_is_noticed(tmp_path: Path) -> None:
    window, command = await World(tmp_path).start(), await World(tmp_path).start()
    pages = JournalPages(window.journal, 100)
    before = await pages.version()
    await window.door.do("digital_read", {"pin": 7}, device_id="a")
    assert await pages.version() == before
    await command.door.do("digital_read", {"pin": 7}, device_id="a")
    assert await pages.version() != before
    await window.stop()
    await command.stop()


async def test_one_entry_comes_with_its_steps_by_number_or_id(world: World) -> None:
    first = (await world.door.do("digital_read", {"pin": 2}, device_id="a")).task_id
    pages = JournalPages(world.journal, 100)
    by_id, alive = await pages.entry(first)
    assert by_id is not None
    assert alive
    assert [step.state for step in by_id.steps] == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]
    assert (await pages.entry("", by_id.number))[0] == by_id
    assert await pages.entry("nobody") == (None, False)
    assert await pages.devices() == ["a"]


# -- answers ----------------------------------------------------------------------------------------------
async def unanswered(world: World) -> list[str]:
    return [entry.task_id for entry in await world.journal.unanswered()]


async def test_an_interrupted_task_is_unanswered_until_a_person_has_decided(tmp_path: Path) -> None:
    """EX-14: whether it was closed or not, over any number of starts."""
    left = [payload_of(), payload_of()]
    await crash(tmp_path, *left)
    for number in range(3):
        world = await World(tmp_path).start()
        assert await unanswered(world) == [payload.task_id for payload in left]
        if number == 1:
            await world.journal.close_interrupted(await world.journal.unfinished(), "interrupted")
        await world.stop()
    world = await World(tmp_path).start()
    entries = await world.journal.unanswered()
    await world.journal.answer([entries[0].number], "dismissed")
    assert await unanswered(world) == [left[1].task_id]
    closed = await world.journal.task(left[0].task_id)
    assert closed is not None
    assert closed.answer == "dismissed"
    await world.stop()


async def test_a_dismissed_task_still_owes_its_board_the_safe_state(tmp_path: Path) -> None:
    """EX-14: a decision about a task closes nothing."""
    await crash(tmp_path, left := payload_of())
    world = await World(tmp_path).start()
    (entry,) = await world.journal.unanswered()
    await world.journal.answer([entry.number], "dismissed")
    assert await unanswered(world) == []
    assert [open_one.task_id for open_one in await world.journal.unfinished()] == [left.task_id]
    await world.stop()


async def test_done_again_counts_only_once_it_began(tmp_path: Path) -> None:
    """EX-14: what was refused, or crashed before its first row, leaves the first task to be decided about."""
    await crash(tmp_path, left := payload_of())
    world = await World(tmp_path).start()
    (entry,) = await world.journal.unanswered()
    await world.journal.answer([entry.number], "again", "never-seen")
    assert await unanswered(world) == [left.task_id]
    refused = payload_of(task_id="refused", params={"pin": 99, "value": 1})
    await world.journal.answer([entry.number], "again", refused.task_id)
    await world.door.executor.submit(refused)
    assert await unanswered(world) == [left.task_id]
    good = payload_of(task_id="good")
    await world.journal.answer([entry.number], "again", good.task_id)
    assert (await world.door.executor.submit(good)).ok
    assert await unanswered(world) == []
    done = await world.journal.task(left.task_id)
    assert done is not None
    assert (done.answer, done.again_id) == ("again", "good")
    await world.stop()


@pytest.mark.parametrize("began", [True, False])
async def test_a_second_crash_leaves_one_offer_and_not_two(tmp_path: Path, began: bool) -> None:
    """EX-14: the task that was to do it again stands for the first one."""
    await crash(tmp_path, payload_of())
    world = await World(tmp_path).start()
    (entry,) = await world.journal.unanswered()
    again = payload_of()
    await world.journal.answer([entry.number], "again", again.task_id)
    await world.stop()
    await crash(tmp_path, again, began=began)
    world = await World(tmp_path).start()
    assert await unanswered(world) == [again.task_id]
    await world.journal.close_interrupted(await world.journal.unfinished(), "interrupted")
    assert await unanswered(world) == [again.task_id]
    await world.stop()


async def test_what_was_interrupted_before_there_were_answers_is_not_offered(tmp_path: Path) -> None:
    """Migration: older versions named it in the log, and that was all."""
    await crash(tmp_path, payload_of(), payload_of())
    world = await World(tmp_path).start()
    entries = await world.journal.unfinished()
    await world.journal.close_interrupted(entries[:1], "interrupted")

    def as_it_was(connection: Connection) -> None:
        connection.execute("DROP TABLE journal_answers")
        for index in ("journal_interrupted", "journal_device", "journal_time"):
            connection.execute(f"DROP INDEX {index}")
        connection.execute("ALTER TABLE journal_after DROP COLUMN steps")
        connection.execute("CREATE INDEX journal_before_task ON journal_before (task_id)")
        connection.execute("UPDATE store_versions SET version = 1 WHERE schema = 'journal'")

    await world.store.submit(as_it_was)
    await world.store.stop()
    world = await World(tmp_path).start()
    assert await unanswered(world) == [entries[1].task_id]
    await world.stop()
