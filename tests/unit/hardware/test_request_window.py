"""No more is unanswered than the board can hold, and nobody waits forever (SPEC.md, window)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from zeroclaw_desktop.hardware.request_window import RequestWindow


class Board:
    """Holds requests until they are answered."""

    def __init__(self, window: RequestWindow) -> None:
        self.window = window
        self.held: dict[str, asyncio.Event] = {}
        self.order: list[str] = []

    def send(self, name: str, size: int) -> asyncio.Task[None]:
        async def request() -> None:
            async with self.window.place(size):
                self.order.append(name)
                self.held[name] = asyncio.Event()
                try:
                    await self.held[name].wait()
                finally:
                    del self.held[name]

        return asyncio.create_task(request())

    async def answer(self, name: str) -> None:
        self.held[name].set()
        await settle()


async def settle() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


async def test_one_at_a_time_without_a_window() -> None:
    board = Board(RequestWindow())
    tasks = [board.send(name, 50) for name in "abc"]
    for name in "abc":
        await settle()
        assert list(board.held) == [name]
        await board.answer(name)
    await asyncio.gather(*tasks)


async def test_number_of_requests() -> None:
    board = Board(RequestWindow(2, 1000))
    tasks = [board.send(name, 10) for name in "abc"]
    await settle()
    assert list(board.held) == ["a", "b"]
    await board.answer("b")
    assert list(board.held) == ["a", "c"]
    await board.answer("a")
    await board.answer("c")
    await asyncio.gather(*tasks)


async def test_bytes_count_and_a_small_one_does_not_overtake() -> None:
    """Order on the wire is the order of asking: a later small request may depend on an earlier large one."""
    board = Board(RequestWindow(4, 100))
    tasks = [board.send("a", 60), board.send("large", 60), board.send("small", 10)]
    await settle()
    assert list(board.held) == ["a"]
    await board.answer("a")
    assert list(board.held) == ["large", "small"]
    await board.answer("small")
    await board.answer("large")
    await asyncio.gather(*tasks)
    assert board.order == ["a", "large", "small"]


async def test_one_that_is_larger_than_the_window_goes_alone() -> None:
    board = Board(RequestWindow(4, 100))
    tasks = [board.send("a", 10), board.send("huge", 200), board.send("b", 10)]
    await settle()
    assert list(board.held) == ["a"]
    await board.answer("a")
    assert list(board.held) == ["huge"]
    await board.answer("huge")
    assert list(board.held) == ["b"]
    await board.answer("b")
    await asyncio.gather(*tasks)


def waiting(tasks: list[asyncio.Task[None]]) -> asyncio.Task[None]:
    return tasks[1]


def under_way(tasks: list[asyncio.Task[None]]) -> asyncio.Task[None]:
    return tasks[0]


@pytest.mark.parametrize("choose", [waiting, under_way])
async def test_who_is_cancelled_blocks_nobody(
    choose: Callable[[list[asyncio.Task[None]]], asyncio.Task[None]],
) -> None:
    board = Board(RequestWindow())
    tasks = [board.send(name, 50) for name in "abc"]
    await settle()
    choose(tasks).cancel()
    for _ in range(2):
        await settle()
        await board.answer(next(iter(board.held)))
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(result, asyncio.CancelledError) for result in done) == 1
    assert board.order[-1] == "c"


async def test_a_place_given_to_one_who_is_cancelled_in_the_same_moment_goes_on() -> None:
    board = Board(RequestWindow())
    tasks = [board.send(name, 50) for name in "abc"]
    await settle()
    board.held["a"].set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    tasks[1].cancel()
    await settle()
    if "b" in board.held:
        await board.answer("b")
    assert list(board.held) == ["c"]
    await board.answer("c")
    await asyncio.gather(*tasks, return_exceptions=True)
