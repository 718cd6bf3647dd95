"""How much memory all series together may hold."""

from __future__ import annotations

import threading

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError

DEFAULT_LIMIT = 1024 * 1024 * 1024


class MemoryBudget:
    """A bound that series ask before they take more; any thread.

    Args:
        limit: bytes.

    Attributes:
        limit: bytes.
        refusals: how often something did not fit.

    Raises:
        TelemetrySettingError: the limit is not positive.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        if limit < 1:
            raise TelemetrySettingError(f"Series need some memory, not {limit} bytes.")
        self.limit = limit
        self.refusals = 0
        self._used = 0
        self._guard = threading.Lock()

    @property
    def used(self) -> int:
        """Bytes that are taken."""
        with self._guard:
            return self._used

    def take(self, size: int) -> bool:
        """Take ``size`` bytes; False, and nothing is taken, when they do not fit."""
        with self._guard:
            if self._used + size > self.limit:
                self.refusals += 1
                return False
            self._used += size
            return True

    def give(self, size: int) -> None:
        """Give ``size`` bytes back."""
        with self._guard:
            self._used -= size
