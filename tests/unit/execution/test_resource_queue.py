"""EX-11: sets taken whole, in order; disjoint ones in parallel; readers share; no deadlock, no starvation."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroclaw_desktop.execution.resource_queue import (
    QueueFullError,
    ResourceQuarantinedError,
    ResourceQueue,
)

Uses = list[tuple[str, str]]


async def hold(queue: ResourceQueue, name: str, uses: Uses, log: list[str], release: asyncio.Event) -> None:
    async with queue.take(name, uses):
        log.append(f"+{name}")
        await release.wait()
    log.append(f"-{name}")


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def run_scene(scene: list[tuple[str, Uses]]) -> list[str]:
    """Start holders in order and return who got in at once."""
    queue, log, release = ResourceQueue(), [], asyncio.Event()
    tasks = []
    for name, uses in scene:
        tasks.append(asyncio.create_task(hold(queue, name, uses, log, release)))
        await settle()
    inside = [entry for entry in log if entry.startswith("+")]
    release.set()
    await asyncio.gather(*tasks)
    return inside


async def test_disjoint_sets_run_side_by_side() -> None:
    assert await run_scene([("a", [("gpio:1", "write")]), ("b", [("gpio:2", "write")])]) == ["+a", "+b"]


async def test_intersecting_sets_run_in_order() -> None:
    scene: list[tuple[str, Uses]] = [
        ("a", [("gpio:1", "write"), ("gpio:2", "write")]),
        ("b", [("gpio:2", "write")]),
    ]
    assert await run_scene(scene) == ["+a"]


async def test_readers_share_and_a_writer_waits_for_them() -> None:
    scene: list[tuple[str, Uses]] = [
        ("r1", [("gpio:1", "read")]),
        ("r2", [("gpio:1", "read")]),
        ("w", [("gpio:1", "write")]),
    ]
    assert await run_scene(scene) == ["+r1", "+r2"]


async def test_a_read_and_a_write_of_one_pin_conflict() -> None:
    assert await run_scene([("pwm", [("gpio:9", "write")]), ("read", [("gpio:9", "read")])]) == ["+pwm"]


async def test_nobody_overtakes_whom_he_conflicts_with() -> None:
    """A reader that comes after a waiting writer waits too, so the writer does not starve."""
    scene: list[tuple[str, Uses]] = [
        ("r1", [("gpio:1", "read")]),
        ("w", [("gpio:1", "write")]),
        ("r2", [("gpio:1", "read")]),
    ]
    assert await run_scene(scene) == ["+r1"]


async def test_a_name_given_twice_counts_with_the_stronger_mode() -> None:
    scene: list[tuple[str, Uses]] = [
        ("a", [("x", "read"), ("x", "write")]),
        ("b", [("x", "read")]),
    ]
    assert await run_scene(scene) == ["+a"]


async def test_a_cancelled_waiter_leaves_no_trace() -> None:
    queue, log, release = ResourceQueue(), [], asyncio.Event()
    first = asyncio.create_task(hold(queue, "a", [("x", "write")], log, release))
    await settle()
    second = asyncio.create_task(hold(queue, "b", [("x", "write")], log, release))
    third = asyncio.create_task(hold(queue, "c", [("x", "write")], log, release))
    await settle()
    second.cancel()
    release.set()
    await asyncio.gather(first, third)
    with pytest.raises(asyncio.CancelledError):
        await second
    assert "+b" not in log
    assert queue.entries() == []


async def test_the_queue_can_be_looked_at() -> None:
    queue, log, release = ResourceQueue(), [], asyncio.Event()
    tasks = [asyncio.create_task(hold(queue, name, [("x", "write")], log, release)) for name in "ab"]
    await settle()
    assert [(entry.holder, entry.running) for entry in queue.entries()] == [("a", True), ("b", False)]
    release.set()
    await asyncio.gather(*tasks)


async def test_a_quarantined_resource_is_refused_until_its_device_is_reset() -> None:
    queue = ResourceQueue()
    queue.quarantine(["uno/gpio:9"], "task-1")
    with pytest.raises(ResourceQuarantinedError):
        async with queue.take("b", [("uno/gpio:9", "write")]):
            pass
    queue.release_quarantine("other")
    with pytest.raises(ResourceQuarantinedError):
        async with queue.take("b", [("uno/gpio:9", "write")]):
            pass
    queue.release_quarantine("uno")
    async with queue.take("b", [("uno/gpio:9", "write")]):
        assert [entry.holder for entry in queue.entries()] == ["b"]


async def test_the_queue_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroclaw_desktop.execution.resource_queue.MAX_WAITING", 2)
    queue, log, release = ResourceQueue(), [], asyncio.Event()
    tasks = [asyncio.create_task(hold(queue, name, [("x", "write")], log, release)) for name in "abc"]
    await settle()
    with pytest.raises(QueueFullError):
        async with queue.take("d", [("x", "write")]):
            pass
    release.set()
    await asyncio.gather(*tasks)


class _Referee:
    """Watches who holds what and fails on any conflict."""

    def __init__(self) -> None:
        self.writers: dict[str, str] = {}
        self.readers: dict[str, set[str]] = {}

    def enter(self, name: str, uses: Uses) -> None:
        for resource, mode in uses:
            assert resource not in self.writers, f"{name} entered {resource} while it is written"
            if mode == "write":
                assert not self.readers.get(resource), f"{name} writes {resource} while it is read"
        for resource, mode in uses:
            if mode == "write":
                self.writers[resource] = name
            else:
                self.readers.setdefault(resource, set()).add(name)

    def leave(self, name: str, uses: Uses) -> None:
        for resource, mode in uses:
            if mode == "write":
                del self.writers[resource]
            else:
                self.readers[resource].discard(name)


use_sets = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(["read", "write"])),
    min_size=1,
    max_size=4,
    unique_by=lambda use: use[0],
)


@settings(max_examples=150)
@given(st.lists(use_sets, min_size=1, max_size=25), st.integers(0, 2**32))
def test_random_workloads_with_cancellations_all_end_without_conflict(
    workload: list[Uses], seed: int
) -> None:
    async def scene() -> int:
        queue, referee, chance = ResourceQueue(), _Referee(), random.Random(seed)

        async def job(name: str, uses: Uses) -> None:
            async with queue.take(name, uses):
                referee.enter(name, uses)
                try:
                    for _ in range(chance.randrange(4)):
                        await asyncio.sleep(0)
                finally:
                    referee.leave(name, uses)

        tasks = [asyncio.create_task(job(str(index), uses)) for index, uses in enumerate(workload)]
        for task in tasks:
            if chance.random() < 0.2:
                await asyncio.sleep(0)
                task.cancel()
        async with asyncio.timeout(10):
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in tasks:
            assert task.cancelled() or task.exception() is None
        return len(queue.entries())

    assert asyncio.run(scene()) == 0
