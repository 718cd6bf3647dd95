"""Barriers, the same in this process and in a Redis (EX-13)."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.integration.shared_state.conftest import Connect
from zeroclaw_desktop.execution.shared_state import SharedState
from zeroclaw_desktop.execution.shared_state.errors import (
    BarrierMismatchError,
    BarrierTimeoutError,
    SharedStateUnavailableError,
)

PATIENCE = 10.0


def come(state: SharedState, name: str, parties: int, timeout: float = PATIENCE) -> asyncio.Task[float]:
    """A participant in a task of its own."""
    return asyncio.get_running_loop().create_task(state.barrier(name, parties, timeout))


async def settle() -> None:
    """Let participants arrive."""
    await asyncio.sleep(0.15)


async def test_nobody_goes_before_the_last_has_come(connect: Connect) -> None:
    """EX-13: all participants are released together."""
    waiting = [come(connect(), "wave", 4) for _ in range(3)]
    await settle()
    assert not any(task.done() for task in waiting)
    last = await connect().barrier("wave", 4, PATIENCE)
    waited = await asyncio.gather(*waiting)
    assert all(seconds > last for seconds in waited)


async def test_one_party_waits_for_nobody(state: SharedState) -> None:
    """EX-13: the smallest barrier."""
    assert await state.barrier("alone", 1, PATIENCE) < PATIENCE


async def test_barriers_of_other_names_are_others(connect: Connect) -> None:
    """EX-13: names divide barriers."""
    first, second = come(connect(), "a", 2, 0.3), come(connect(), "b", 2, 0.3)
    for task in (first, second):
        with pytest.raises(BarrierTimeoutError):
            await task


async def test_who_does_not_come_is_waited_for_only_so_long(connect: Connect) -> None:
    """EX-13: on expiry nobody is released, the fault says how many came, and the next round is whole."""
    early = [come(connect(), "wave", 3, 0.3) for _ in range(2)]
    outcomes = await asyncio.gather(*early, return_exceptions=True)
    for outcome in outcomes:
        assert isinstance(outcome, BarrierTimeoutError)
        assert outcome.retryable
        assert outcome.details["parties"] == 3
    assert sorted(str(outcome)[:11] for outcome in outcomes) in (
        ["Only 1 of 3", "Only 2 of 3"],
        ["Only 2 of 3", "Only 2 of 3"],
    )
    # The two that left do not count any longer.
    late = [come(connect(), "wave", 3) for _ in range(2)]
    await settle()
    assert not any(task.done() for task in late)
    await connect().barrier("wave", 3, PATIENCE)
    await asyncio.gather(*late)


async def test_a_participant_that_dies_does_not_count(connect: Connect) -> None:
    """EX-13: a cancelled participant is withdrawn: its ghost must not let the others go."""
    living, dying = come(connect(), "wave", 3), come(connect(), "wave", 3)
    await settle()
    dying.cancel()
    await asyncio.wait({dying})
    second = come(connect(), "wave", 3)
    await settle()
    assert not living.done()
    assert not second.done()
    await connect().barrier("wave", 3, PATIENCE)
    await asyncio.gather(living, second)


async def test_one_too_many_waits_for_a_round_of_its_own(connect: Connect) -> None:
    """EX-13: more than expected: exactly the expected number goes, the rest is not carried along."""
    tasks = [come(connect(), "wave", 2, 0.5) for _ in range(5)]
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    released = [outcome for outcome in outcomes if isinstance(outcome, float)]
    left = [outcome for outcome in outcomes if isinstance(outcome, BarrierTimeoutError)]
    assert (len(released), len(left)) == (4, 1)
    assert left[0].details["present"] == 1


async def test_a_name_is_used_again_and_again(connect: Connect) -> None:
    """EX-13: rounds do not mix: nobody is ever a round ahead of another."""
    passed = [0, 0, 0]

    async def walk(number: int) -> None:
        state = connect()
        for _ in range(15):
            await state.barrier("step", 3, PATIENCE)
            passed[number] += 1
            # Each has passed the barrier of this round or still stands in it.
            assert max(passed) - min(passed) <= 1

    await asyncio.gather(*(walk(number) for number in range(3)))
    assert passed == [15, 15, 15]


async def test_a_name_may_have_another_number_later(connect: Connect) -> None:
    """EX-13: the number belongs to the round, not to the name."""
    await asyncio.gather(connect().barrier("wave", 2, PATIENCE), connect().barrier("wave", 2, PATIENCE))
    await asyncio.gather(*(connect().barrier("wave", 3, PATIENCE) for _ in range(3)))


async def test_different_numbers_are_a_fault_of_the_one_who_comes(connect: Connect) -> None:
    """EX-13: two programs that disagree are told so at once; who waits goes on waiting."""
    waiting = come(connect(), "wave", 2)
    await settle()
    with pytest.raises(BarrierMismatchError, match="waits for 2 participants"):
        await connect().barrier("wave", 3, PATIENCE)
    assert not waiting.done()
    await connect().barrier("wave", 2, PATIENCE)
    await waiting


async def test_all_or_none_however_close(connect: Connect) -> None:
    """EX-13: the last comes when the first gives up: either all of a round are released or none is."""
    chance = random.Random(3)
    clients = [connect() for _ in range(3)]
    outcomes_seen = set()
    for number in range(40):
        name = f"close-{number}"

        async def late(name: str, pause: float) -> float:
            await asyncio.sleep(pause)
            return await clients[2].barrier(name, 3, 0.06)

        outcomes = await asyncio.gather(
            clients[0].barrier(name, 3, 0.05),
            clients[1].barrier(name, 3, 0.05 + chance.uniform(0.0, 0.004)),
            late(name, 0.05 + chance.uniform(-0.008, 0.004)),
            return_exceptions=True,
        )
        released = sum(isinstance(outcome, float) for outcome in outcomes)
        assert released in (0, 3), outcomes
        outcomes_seen.add(released)
        assert all(isinstance(outcome, float | BarrierTimeoutError) for outcome in outcomes)
    assert outcomes_seen


async def test_many_at_once(connect: Connect) -> None:
    """EX-13: thirty participants on a few clients."""
    clients = [connect() for _ in range(3)]
    waited = await asyncio.gather(*(clients[n % 3].barrier("crowd", 30, PATIENCE) for n in range(30)))
    assert len(waited) == 30


@pytest.mark.parametrize(
    ("name", "parties", "timeout"), [("", 2, 1.0), ("a", 0, 1.0), ("a", 2, 0.0), ("a", 2, -1.0)]
)
async def test_a_barrier_that_cannot_be_is_refused(
    state: SharedState, name: str, parties: int, timeout: float
) -> None:
    """EX-13: wrong arguments are told before anybody waits."""
    with pytest.raises(ValueError, match="barrier"):
        await state.barrier(name, parties, timeout)


async def test_closing_ends_the_waiting(state: SharedState) -> None:
    """EX-13: a program that ends leaves no participant hanging, and says what was not done."""
    waiting = come(state, "wave", 2)
    await settle()
    await state.close()
    with pytest.raises(SharedStateUnavailableError, match="barrier 'wave'"):
        await waiting
