"""Measures square waves from level changes, as an oscilloscope at the pins of a simulated board would."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SLOWEST_PERIOD_SECONDS = 0.06
"""Slower changes are levels and no wave: an eye follows them, and a servo's pulses come every 20 ms."""
MISSED_PERIODS = 3
"""A wave whose edges are so many periods late has ended."""
SHORTEST_GRACE_SECONDS = 0.01


@dataclass
class _Probe:
    rise: float | None = None
    fall: float | None = None
    period: float = 0.0
    high: float = 0.0


class WaveMeter:
    """Frequency and duty of each pin that changes fast enough."""

    def __init__(self) -> None:
        self._probes: dict[int, _Probe] = {}

    def feed(self, edges: Iterable[tuple[float, int, int]]) -> None:
        """Take level changes as (board seconds, pin, new level), in order."""
        for seconds, pin, level in edges:
            probe = self._probes.setdefault(pin, _Probe())
            if not level:
                probe.fall = seconds
                continue
            if probe.rise is not None and probe.fall is not None and probe.fall > probe.rise:
                probe.period, probe.high = seconds - probe.rise, probe.fall - probe.rise
            probe.rise = seconds

    def waves(self, now: float) -> dict[int, tuple[float, float]]:
        """Pin -> (frequency in Hz, duty 0..1) of the waves that go on at the board's time ``now``."""
        found = {}
        for pin, probe in self._probes.items():
            if not 0 < probe.period <= SLOWEST_PERIOD_SECONDS or probe.rise is None:
                continue
            grace = max(SHORTEST_GRACE_SECONDS, MISSED_PERIODS * probe.period)
            if now - max(probe.rise, probe.fall or 0.0) <= grace:
                found[pin] = (round(1.0 / probe.period, 3), round(probe.high / probe.period, 5))
        return found
