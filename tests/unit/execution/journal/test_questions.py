"""Questions to the journal: newest first, narrowed, in pages (EX-14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.execution.journal.journal_world import World, fill
from zeroclaw_desktop.execution.journal_queries import JournalFilter
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.store.thread import Connection


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (JournalFilter(), [7, 6, 5, 4, 3, 2, 1, 0]),
        (JournalFilter(device_id="a"), [6, 4, 2, 0]),
        (JournalFilter(action="digital_write"), [7, 6, 5, 4]),
        (JournalFilter(source="agent"), [3]),
        (JournalFilter(states=("FAILED",)), [7, 6]),
        (JournalFilter(states=("FAILED", "CANCELLED"), device_id="b"), [7]),
        (JournalFilter(states=("",)), []),
        (JournalFilter(faults_only=True), [7, 6]),
        (JournalFilter(text="_write"), [7, 6, 5, 4]),
        (JournalFilter(text="%"), []),
        (JournalFilter(since=1e12), []),
        (JournalFilter(until=0.0), []),
        (JournalFilter(device_id="' OR 1=1 --"), []),
    ],
)
async def test_history_is_newest_first_and_narrowed(
    world: World, wanted: JournalFilter, numbers: list[int]
) -> None:
    """EX-14, for the page of past tasks."""
    ids = await fill(world)
    assert [entry.task_id for entry in await world.journal.history(wanted)] == [ids[n] for n in numbers]


async def test_history_comes_in_pages(world: World) -> None:
    """EX-14."""
    ids = await fill(world)
    first = await world.journal.history(limit=3)
    second = await world.journal.history(JournalFilter(before_number=first[-1].number), limit=3)
    assert [entry.task_id for entry in (*first, *second)] == ids[:1:-1]
    assert await world.journal.history(limit=0) == []
    assert len(await world.journal.history(limit=-5)) == 0


async def test_a_task_id_used_again_means_the_newest(world: World) -> None:
    """EX-1: an id is unique among running tasks; ``--task_id test001`` may be typed twice."""
    for pin in (2, 3):
        payload = make_payload(
            "digital_read", {"pin": pin}, source="manual", device_id="a", task_id="test001"
        )
        await world.door.executor.submit(payload)
    entry = await world.journal.task("test001")
    assert entry is not None
    assert entry.params == {"pin": 3}
    assert len(await world.journal.history(JournalFilter(text="test001"))) == 2
    assert await world.journal.task("nobody") is None


async def test_the_next_run_counts_reports_on(world: World) -> None:
    """EX-13: the number of a device's reports grows over all runs of the program."""
    await fill(world)
    await world.door.do("led_set", {"state": 1}, device_id="invented")
    sequences = await world.journal.last_sequences()
    assert sequences == {"a": 4, "b": 4}


async def test_a_question_that_fails_is_told(world: World) -> None:
    """EX-14."""
    broken: Callable[[Connection], Any] = lambda c: c.execute("SELECT * FROM nowhere")  # noqa: E731
    with pytest.raises(StoreError):
        await world.store.read(broken)
    assert await world.journal.history() == []
