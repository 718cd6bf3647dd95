"""When a model is asked again, when it is left alone, and who is asked next (AG-8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from zeroclaw_desktop.contracts.chat import (
    AttemptFailed,
    ChatMessage,
    ProviderEvent,
    StreamEnded,
    TextDelta,
    ToolSpec,
)
from zeroclaw_desktop.foundation.clock import ManualClock
from zeroclaw_desktop.providers.errors import (
    AuthError,
    CircuitOpenError,
    ContextTooLongError,
    CutOffError,
    ProviderError,
    RateLimitError,
    ServerFaultError,
    UnreachableError,
)
from zeroclaw_desktop.providers.fallback_chain import FallbackChain
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.resilience import CircuitBreaker, RetryPolicy

FIRST = ModelEntry("first", "compatible", "m", "http://one/v1")
SECOND = ModelEntry("second", "compatible", "m", "http://two/v1")
ANSWER = [TextDelta("hi"), StreamEnded("stop")]
Script = list[ProviderError | list[ProviderEvent]]


class Scripted:
    """Models that answer or fail as they are told; remembers who was asked."""

    def __init__(self, **scripts: Script) -> None:
        self.scripts = scripts
        self.asked: list[str] = []

    async def ask(
        self, entry: ModelEntry, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncIterator[ProviderEvent]:
        """See fallback_chain.Ask."""
        self.asked.append(entry.alias)
        step = self.scripts[entry.alias].pop(0)
        if isinstance(step, ProviderError):
            raise step
        for event in step:
            yield event


class FastClock(ManualClock):
    """Sleeps pass at once and are remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """See Clock."""
        self.slept.append(seconds)
        await self.advance(seconds)


def unreachable() -> UnreachableError:
    return UnreachableError("no connection", retryable=True)


def limited(seconds: float | None) -> RateLimitError:
    return RateLimitError("slow down", retryable=True, details={"retry_after": seconds})


async def run(models: Scripted, clock: FastClock, *chain: ModelEntry) -> list[ProviderEvent]:
    provider = FallbackChain(chain, models.ask, {}, clock, jitter=lambda: 1.0)
    return [event async for event in provider.stream([], [])]


async def test_a_model_is_asked_again_before_its_first_piece() -> None:
    models, clock = Scripted(first=[unreachable(), unreachable(), list(ANSWER)]), FastClock()
    events = await run(models, clock, FIRST)
    assert events[-2:] == ANSWER
    assert clock.slept == [0.5, 1.0]
    assert [event.wait_seconds for event in events if isinstance(event, AttemptFailed)] == [0.5, 1.0]


async def test_the_next_model_is_asked_after_the_last_attempt_and_every_hop_is_told() -> None:
    models = Scripted(first=[ServerFaultError("broke", retryable=True)] * 3, second=[list(ANSWER)])
    events = await run(models, FastClock(), FIRST, SECOND)
    hops = [(event.model, event.next_model) for event in events if isinstance(event, AttemptFailed)]
    assert hops == [("first", "first"), ("first", "first"), ("first", "second")]
    assert models.asked == ["first"] * 3 + ["second"]


@pytest.mark.parametrize("fault", [AuthError("key"), ContextTooLongError("long"), limited(31.0)])
async def test_what_no_waiting_helps_goes_to_the_next_model_at_once(fault: ProviderError) -> None:
    clock = FastClock()
    models = Scripted(first=[fault], second=[list(ANSWER)])
    await run(models, clock, FIRST, SECOND)
    assert models.asked == ["first", "second"]
    assert clock.slept == []


async def test_retry_after_is_honoured() -> None:
    clock = FastClock()
    await run(Scripted(first=[limited(7.0), list(ANSWER)]), clock, FIRST)
    assert clock.slept == [7.0]


async def test_the_last_fault_is_raised() -> None:
    models = Scripted(first=[AuthError("one")], second=[AuthError("two")])
    with pytest.raises(AuthError, match="two"):
        await run(models, FastClock(), FIRST, SECOND)


async def test_an_answer_that_breaks_off_is_not_begun_anew() -> None:
    class Breaking(Scripted):
        async def ask(self, entry, messages, tools):  # type: ignore[no-untyped-def]
            self.asked.append(entry.alias)
            yield TextDelta("half")
            raise CutOffError("broke off", retryable=True)

    models = Breaking()
    with pytest.raises(CutOffError):
        await run(models, FastClock(), FIRST, SECOND)
    assert models.asked == ["first"]


async def test_a_server_that_always_fails_is_left_alone_for_all_chains() -> None:
    clock, breakers = FastClock(), dict[str, CircuitBreaker]()
    models = Scripted(first=[unreachable() for _ in range(6)])
    for _ in range(2):
        provider = FallbackChain([FIRST], models.ask, breakers, clock, jitter=lambda: 0.0)
        with pytest.raises(ProviderError):
            _ = [event async for event in provider.stream([], [])]
    assert len(models.asked) == 5
    with pytest.raises(CircuitOpenError):
        _ = [event async for event in provider.stream([], [])]
    assert len(models.asked) == 5


def test_a_breaker_lets_one_request_try_after_its_pause() -> None:
    now = [0.0]
    breaker = CircuitBreaker(lambda: now[0], faults=2, pause=10.0, longest=30.0)
    for _ in range(2):
        assert breaker.enter()
        breaker.failed()
    assert (breaker.state, breaker.enter()) == ("open", False)
    now[0] = 10.0
    assert breaker.state == "half_open"
    assert breaker.enter()
    assert not breaker.enter(), "only one may try"
    breaker.failed()
    assert breaker.seconds_left == 20.0
    now[0] = 30.0
    assert breaker.enter()
    breaker.failed()
    assert breaker.seconds_left == 30.0, "bounded"
    now[0] = 60.0
    assert breaker.enter()
    breaker.left()
    assert breaker.enter(), "a cancelled trial frees the place"
    breaker.succeeded()
    assert breaker.state == "closed"


def test_waits_grow_to_their_bound_and_end_with_the_attempts() -> None:
    policy = RetryPolicy(attempts=8, base=1.0, longest=5.0)
    assert [policy.wait(unreachable(), n, lambda: 1.0) for n in range(1, 9)] == [1, 2, 4, 5, 5, 5, 5, None]
    assert policy.wait(unreachable(), 3, lambda: 0.25) == 1.0


async def test_a_cancelled_wait_ends_the_chain() -> None:
    clock = ManualClock()
    models = Scripted(first=[unreachable(), list(ANSWER)])
    provider = FallbackChain([FIRST], models.ask, {}, clock, jitter=lambda: 1.0)

    async def collect() -> list[ProviderEvent]:
        return [event async for event in provider.stream([], [])]

    task = asyncio.ensure_future(collect())
    for _ in range(10):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert models.asked == ["first"]
