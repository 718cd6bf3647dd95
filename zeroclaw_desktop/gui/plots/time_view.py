"""Which stretch of time the plots show, and whether it follows the present. Qt-free.

A held view keeps its two ends while samples go on arriving behind it, so that pausing loses nothing.
"""

from __future__ import annotations

SHORTEST_WINDOW_S = 0.005
LONGEST_WINDOW_S = 3600.0
DEFAULT_WINDOW_S = 30.0


class TimeView:
    """The visible stretch.

    Args:
        window_s: its length in seconds.

    Attributes:
        window_s: length in seconds.
        following: whether its right end is the present.
    """

    def __init__(self, window_s: float = DEFAULT_WINDOW_S) -> None:
        self.window_s = _bounded(window_s)
        self.following = True
        self._end = 0.0

    def span(self, now: float) -> tuple[float, float]:
        """Return (start, end) in seconds of the telemetry clock; ``now`` is that clock's reading."""
        end = now if self.following else self._end
        return end - self.window_s, end

    def hold(self, now: float) -> None:
        """Stop following; the stretch that is visible now stays."""
        if self.following:
            self._end = now
            self.following = False

    def follow(self) -> None:
        """Follow the present again, with the same length."""
        self.following = True

    def set_window(self, window_s: float) -> None:
        """Change the length, keeping the right end (seconds; kept between 5 ms and one hour)."""
        self.window_s = _bounded(window_s)

    def zoom(self, factor: float, anchor_s: float) -> None:
        """Change the length by a factor.

        Args:
            factor: below 1 shows less time, above 1 more.
            anchor_s: time that stays where it is; while following, the right end stays instead.
        """
        before = self.window_s
        self.window_s = _bounded(before * factor)
        if not self.following:
            fraction = (self._end - anchor_s) / before
            self._end = anchor_s + fraction * self.window_s

    def pan(self, seconds: float, now: float) -> None:
        """Move the stretch (positive is towards the future) and stop following; never wholly past ``now``."""
        self.hold(now)
        self._end = min(self._end + seconds, now + 0.9 * self.window_s)

    def show(self, start: float, end: float) -> None:
        """Hold exactly this stretch (seconds), widened when it is shorter than the shortest window."""
        self.following = False
        self.window_s = _bounded(end - start)
        self._end = (start + end) / 2 + self.window_s / 2


def _bounded(window_s: float) -> float:
    return min(LONGEST_WINDOW_S, max(SHORTEST_WINDOW_S, window_s))
