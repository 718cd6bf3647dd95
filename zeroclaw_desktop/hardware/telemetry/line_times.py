"""When the lines of a read were printed, as well as the chosen time base tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError

# Lines of one read without a device time are spread over the time since the last read, but not further than
# this: a longer pause was silence, not slow arrival.
MAX_SPREAD = 0.05


@dataclass(frozen=True, slots=True)
class TimeBase:
    """Where the times of a source come from.

    Attributes:
        kind: ``device`` (the board's clock where a line has one, else as ``host``), ``host`` (when the line
            arrived) or ``index`` (lines at equal distances, whenever they arrived).
        rate: lines per second; for ``index`` only.

    Raises:
        TelemetrySettingError: no such kind, or the rate is not positive.
    """

    kind: Literal["device", "host", "index"] = "device"
    rate: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in ("device", "host", "index"):
            raise TelemetrySettingError(f"There is no time base '{self.kind}'.")
        if not 0 < self.rate < float("inf"):
            raise TelemetrySettingError(
                f"A line rate of {self.rate} per second cannot be.", details={"value": self.rate}
            )


class LineTimes:
    """Times of the lines of one source."""

    def __init__(self, base: TimeBase) -> None:
        self.base = base
        self._last_read: float | None = None
        self._first = 0.0
        self._index = 0

    def restart(self) -> None:
        """Begin anew: the port was opened again."""
        self._last_read = None
        self._index = 0

    def of_read(self, count: int, now: float) -> NDArray[np.float64]:
        """Return the times of the ``count`` lines that a read at ``now`` (seconds) completed."""
        if self.base.kind == "index":
            if not self._index:
                self._first = now
            numbers = np.arange(self._index, self._index + count, dtype=np.float64)
            self._index += count
            return self._first + numbers / self.base.rate
        passed = 0.0 if self._last_read is None else now - self._last_read
        self._last_read = now
        step = max(0.0, min(passed, MAX_SPREAD)) / max(1, count)
        return now - step * np.arange(count - 1, -1, -1, dtype=np.float64)
