"""Waiting longer after each failure in a row, with some chance in it, up to a limit."""

from __future__ import annotations

import random
from collections.abc import Callable

SPREAD = 0.25


class Backoff:
    """Seconds to wait after failures: doubled each time.

    Args:
        first: seconds after the first failure.
        longest: no wait is planned longer than this, in seconds.
        chance: gives 0..1; several programs that lost the same broker must not come back in step.
    """

    def __init__(
        self, first: float = 0.5, longest: float = 30.0, chance: Callable[[], float] = random.random
    ) -> None:
        self._first = first
        self._longest = longest
        self._chance = chance
        self.failures = 0

    def failed(self) -> float:
        """Count one more failure in a row; returns the seconds to wait, within a quarter of the plan."""
        # The exponent is bounded: 2.0 ** 1100 would overflow after a very long outage.
        planned = min(self._longest, self._first * 2.0 ** min(self.failures, 32))
        self.failures += 1
        return planned * (1.0 - SPREAD + 2.0 * SPREAD * self._chance())

    def succeeded(self) -> None:
        """Begin again with the first wait."""
        self.failures = 0
