"""The values that a panel shows: follows the data on round numbers and does not twitch. Qt-free."""

from __future__ import annotations

import math

from zeroclaw_desktop.gui.plots.ticks import round_step

_SHRINK_BELOW = 0.5
"""The range shrinks only when the data fills less of it than this, so that noise does not move the axis."""
_STEPS = 5
_MOST = 1e300
"""Neither end goes further, and no range is narrower than its inverse: sums and quotients stay finite."""


class ValueRange:
    """Vertical range of one panel.

    Attributes:
        low, high: what is shown; ``low < high`` always.
        automatic: whether it follows the data.
    """

    def __init__(self) -> None:
        self.low, self.high = 0.0, 1.0
        self.automatic = True
        self._fresh = True

    def adapt(self, low: float, high: float) -> bool:
        """Follow the smallest and largest visible value; returns whether the range changed.

        NaN or infinite bounds (nothing visible) leave it as it is, and so does a manual range.
        """
        if not self.automatic or not (math.isfinite(low) and math.isfinite(high)):
            return False
        low, high = max(low, -_MOST), min(high, _MOST)
        outside = low < self.low or high > self.high
        roomy = (high - low) < _SHRINK_BELOW * (self.high - self.low)
        if not (self._fresh or outside or roomy):
            return False
        wanted = _round_range(low, high)
        if not (self._fresh or outside) and (wanted[1] - wanted[0]) > 0.7 * (self.high - self.low):
            return False
        self._fresh = False
        changed = wanted != (self.low, self.high)
        self.low, self.high = wanted
        return changed

    def set_manual(self, low: float, high: float) -> None:
        """Show exactly this range until ``set_automatic``; an empty range is ignored."""
        if not (math.isfinite(low) and math.isfinite(high)):
            return
        low, high = max(low, -_MOST), min(high, _MOST)
        if high - low > max(1 / _MOST, 1e-12 * max(abs(low), abs(high))):
            self.low, self.high = low, high
            self.automatic = False

    def zoom(self, factor: float, anchor: float) -> None:
        """Make the range ``factor`` times as high; the value ``anchor`` stays where it is."""
        self.set_manual(anchor - (anchor - self.low) * factor, anchor + (self.high - anchor) * factor)

    def pan(self, amount: float) -> None:
        """Move the range by ``amount``."""
        self.set_manual(self.low + amount, self.high + amount)

    def set_automatic(self) -> None:
        """Follow the data again."""
        self.automatic = True
        self._fresh = True


def _round_range(low: float, high: float) -> tuple[float, float]:
    """Return a range with round ends that holds both values with a little air."""
    span = high - low
    if span <= max(1 / _MOST, 1e-12 * max(abs(low), abs(high))):
        span = max(abs(high) * 0.2, 1e-9 if high else 1.0)
        low, high = low - span / 2, high + span / 2
    air = 0.04 * span
    step = round_step(span, _STEPS) / 2
    bottom = math.floor((low - air) / step) * step
    top = math.ceil((high + air) / step) * step
    # Values that never go below zero get no negative axis for the sake of air.
    if low >= 0 > bottom:
        bottom = 0.0
    if high <= 0 < top:
        top = 0.0
    return bottom, top
