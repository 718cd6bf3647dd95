"""When to ask again and when to leave a server alone: pure decisions over faults and times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from zeroclaw_desktop.providers.errors import (
    ProcessGoneError,
    ProviderError,
    RateLimitError,
    ServerFaultError,
    TimedOutError,
    UnreachableError,
)

#: Faults of a server, not of a request: they count for its circuit breaker.
SERVER_FAULTS = (UnreachableError, ServerFaultError, TimedOutError, RateLimitError)


@dataclass(frozen=True)
class RetryPolicy:
    """Retries before the first piece of an answer.

    Attributes:
        attempts: requests to one model in all.
        base: seconds before the second request; doubled each time
            ('full jitter', AWS Architecture Blog, 2015).
        longest: no wait is longer.
        longest_asked: a server that asks for more patience than this is not waited for.
    """

    attempts: int = 3
    base: float = 0.5
    longest: float = 8.0
    longest_asked: float = 30.0

    def wait(self, fault: ProviderError, attempt: int, random: Callable[[], float]) -> float | None:
        """Seconds to wait before asking the same model again; None when that is of no use.

        Args:
            attempt: which request has failed, from 1.
            random: gives numbers from 0 to 1.
        """
        if attempt >= self.attempts or not fault.retryable:
            return None
        if isinstance(fault, ProcessGoneError):
            return 0.0  # the process has pauses of its own
        if isinstance(fault, RateLimitError) and fault.retry_after is not None:
            return fault.retry_after if fault.retry_after <= self.longest_asked else None
        return float(min(self.longest, self.base * 2.0 ** (attempt - 1)) * random())


class CircuitBreaker:
    """Leaves a server alone after several faults in a row, then lets one request try.

    After M. Nygard, 'Release It!'.

    Args:
        now: monotonic seconds.
        faults: in a row, that open it.
        pause: seconds that it stays open at first; doubled with each trial that fails.
        longest: seconds that it stays open at most.
    """

    def __init__(
        self, now: Callable[[], float], *, faults: int = 5, pause: float = 15.0, longest: float = 300.0
    ) -> None:
        self._now = now
        self._limit = faults
        self._first_pause = self._pause = pause
        self._longest = longest
        self._faults = 0
        self._open_until: float | None = None
        self._trying = False

    @property
    def state(self) -> Literal["closed", "open", "half_open"]:
        """Whether requests pass (closed), none does (open), or one may try (half_open)."""
        if self._open_until is None:
            return "closed"
        return "open" if self._now() < self._open_until else "half_open"

    @property
    def seconds_left(self) -> float:
        """How long it stays open."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - self._now())

    def enter(self) -> bool:
        """Whether a request may go; it must be followed by ``succeeded``, ``failed`` or ``left``."""
        state = self.state
        if state == "closed":
            return True
        if state == "open" or self._trying:
            return False
        self._trying = True
        return True

    def left(self) -> None:
        """The request ended without telling anything of the server (cancelled, or refused as it should)."""
        self._trying = False

    def succeeded(self) -> None:
        """The server answered."""
        self._faults, self._pause, self._open_until, self._trying = 0, self._first_pause, None, False

    def failed(self) -> None:
        """The server had a fault."""
        self._faults += 1
        if self._trying:
            self._trying = False
            self._pause = min(self._longest, self._pause * 2)
            self._open_until = self._now() + self._pause
        elif self._open_until is None and self._faults >= self._limit:
            self._open_until = self._now() + self._pause
