"""The board's own clock mapped to host time, keeping the board's spacing.

Reads from a serial line come in bursts, so host times jitter by milliseconds; the board's clock does not,
but it starts anywhere and a ceramic resonator is off by up to 0.5 % (ATmega328P data sheet). So the offset
between both is held still while they agree within ``TOLERANCE``, and otherwise moved by at most one percent
of the time passed.
"""

from __future__ import annotations

TOLERANCE = 0.05
SLEW = 0.01
STEP = 2.0
BACKWARDS_MS = 100.0


class DeviceClock:
    """Clock of one board.

    Attributes:
        segments: how often a time base began: the first sample, a reset (time went backwards), or a jump.
    """

    def __init__(self) -> None:
        self.segments = 0
        self._offset: float | None = None
        self._last_ms = 0.0

    def restart(self) -> None:
        """Begin a new segment with the next sample: the board booted or the port was opened again."""
        self._offset = None

    def to_host(self, device_ms: float, host_time: float) -> float:
        """Return the host time in seconds of a sample.

        Args:
            device_ms: the board's time in milliseconds.
            host_time: when its line arrived, in seconds.
        """
        device_time = device_ms / 1000.0
        offset = self._offset
        error = 0.0 if offset is None else host_time - device_time - offset
        if offset is None or device_ms < self._last_ms - BACKWARDS_MS or abs(error) > STEP:
            offset = host_time - device_time
            self.segments += 1
        elif abs(error) > TOLERANCE:
            excess = error - TOLERANCE if error > 0 else error + TOLERANCE
            limit = SLEW * max(0.0, device_ms - self._last_ms) / 1000.0
            offset += max(-limit, min(limit, excess))
        self._offset = offset
        self._last_ms = device_ms
        return offset + device_time
