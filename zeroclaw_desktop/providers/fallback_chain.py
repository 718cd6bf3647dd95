"""Several models behind one: each is asked again where that helps, then the next one; every step is told.

Only before the first piece of an answer: what has begun is never begun anew behind the person's back.
"""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, MutableMapping, Sequence
from contextlib import aclosing

from zeroclaw_desktop.contracts.chat import AttemptFailed, ChatMessage, ProviderEvent, ToolSpec
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.providers.errors import CircuitOpenError, CutOffError, ProviderError
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.resilience import SERVER_FAULTS, CircuitBreaker, RetryPolicy

Ask = Callable[[ModelEntry, Sequence[ChatMessage], Sequence[ToolSpec]], AsyncIterator[ProviderEvent]]
_log = logger("provider")


class FallbackChain:
    """Implements contracts.chat.Provider.

    Args:
        chain: whom to ask, in order; at least one.
        ask: streams one answer of one model.
        breakers: by address; shared by all chains.
    """

    def __init__(
        self,
        chain: Sequence[ModelEntry],
        ask: Ask,
        breakers: MutableMapping[str, CircuitBreaker],
        clock: Clock,
        policy: RetryPolicy | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.name = chain[0].alias
        self._chain = tuple(chain)
        self._ask = ask
        self._breakers = breakers
        self._clock = clock
        self._policy = policy or RetryPolicy()
        self._jitter = jitter

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        """Answer the conversation; raises the ProviderError of the last model when none does."""
        for position, entry in enumerate(self._chain):
            attempt = 0
            while True:
                attempt += 1
                try:
                    async with aclosing(self._once(entry, messages, tools)) as events:
                        async for event in events:
                            yield event
                    return
                except CutOffError:
                    raise
                except ProviderError as error:
                    fault = error
                wait = self._policy.wait(fault, attempt, self._jitter)
                if wait is None:
                    break
                yield self._told(entry, fault, entry, wait)
                await self._clock.sleep(wait)
            if position + 1 == len(self._chain):
                raise fault
            yield self._told(entry, fault, self._chain[position + 1], 0.0)

    async def _once(
        self, entry: ModelEntry, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        """One request under the breaker of its address."""
        breaker = self._breakers.setdefault(entry.address, CircuitBreaker(self._clock.monotonic))
        if not breaker.enter():
            raise _left_alone(entry, breaker.seconds_left)
        settled = False
        try:
            async for event in self._ask(entry, messages, tools):
                if not settled:
                    settled = True
                    breaker.succeeded()
                yield event
        except ProviderError as error:
            settled = True
            if isinstance(error, SERVER_FAULTS):
                breaker.failed()
            else:
                breaker.left()
            raise
        finally:
            if not settled:
                breaker.left()

    @staticmethod
    def _told(entry: ModelEntry, fault: ProviderError, following: ModelEntry, wait: float) -> AttemptFailed:
        _log.warning("%s failed (%s); next: %s in %.1f s", entry.alias, fault.code, following.alias, wait)
        return AttemptFailed(entry.alias, fault.code, fault.message, following.alias, wait)


def _left_alone(entry: ModelEntry, seconds: float) -> CircuitOpenError:
    return CircuitOpenError(
        f"{entry.alias} failed several times in a row and is left alone for {seconds:.0f} s.",
        hint="Wait a little, or choose another model.",
        details={"name": entry.alias, "seconds": f"{seconds:.0f}", "reason": ""},
    )
