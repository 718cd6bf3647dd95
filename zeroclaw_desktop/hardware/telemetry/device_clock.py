"""The board's own clock mapped to host time, keeping the board's spacing.

Reads from a serial line come in bursts, so host times jitter by milliseconds; the board's clock does not,
but it starts anywhere and a ceramic resonator is off by up to 0.5 % (ATmega328P data sheet). So the offset
between both is held still while they agree within ``TOLERANCE``, and otherwise moved by at most one percent
of the time passed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TimeArray = NDArray[np.float64]

TOLERANCE = 0.05
SLEW = 0.01
STEP = 2.0
BACKWARDS_MS = 100.0


class DeviceClock:
    """Clock of one board.

    Attributes:
        segments: how often a time base began: the first sample, a reset (time went backwards), or a jump.
        restarts: host times at which one began after the first; whoever reads them takes them out.
    """

    def __init__(self) -> None:
        self.segments = 0
        self.restarts: list[float] = []
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
        return self._one_by_one([device_ms], [host_time])[0]

    def to_host_block(self, device_ms: TimeArray, host_times: TimeArray) -> TimeArray:
        """Return the host times of many samples, as ``to_host`` gives them one after the other.

        Args:
            device_ms: the board's times in milliseconds, shape (n,).
            host_times: when their lines arrived, in seconds.
        """
        if self._offset is not None and len(device_ms):
            device_times = device_ms / 1000.0
            forwards = (
                device_ms[0] >= self._last_ms - BACKWARDS_MS
                and not (device_ms[1:] < device_ms[:-1] - BACKWARDS_MS).any()
            )
            if forwards and not (np.abs(host_times - device_times - self._offset) > TOLERANCE).any():
                self._last_ms = float(device_ms[-1])
                return self._offset + device_times
        return np.array(self._one_by_one(device_ms.tolist(), host_times.tolist()), dtype=np.float64)

    def _one_by_one(self, device_ms: list[float], host_times: list[float]) -> list[float]:
        offset, last_ms = self._offset, self._last_ms
        mapped: list[float] = []
        for sample_ms, host_time in zip(device_ms, host_times, strict=True):
            device_time = sample_ms / 1000.0
            error = 0.0 if offset is None else host_time - device_time - offset
            if offset is None or sample_ms < last_ms - BACKWARDS_MS or error > STEP or error < -STEP:
                offset = host_time - device_time
                self.segments += 1
                if self.segments > 1:
                    self.restarts.append(host_time)
            elif error > TOLERANCE or error < -TOLERANCE:
                excess = error - TOLERANCE if error > 0 else error + TOLERANCE
                limit = SLEW * (sample_ms - last_ms) / 1000.0 if sample_ms > last_ms else 0.0
                # Not by min and max: a flood of such samples comes through here one by one.
                if excess > limit:
                    excess = limit
                elif excess < -limit:
                    excess = -limit
                offset += excess
            last_ms = sample_ms
            mapped.append(offset + device_time)
        self._offset, self._last_ms = offset, last_ms
        return mapped
