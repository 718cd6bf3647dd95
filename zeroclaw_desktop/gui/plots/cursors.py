"""Two cursors on the time axis. Qt-free.

While the plot follows the present they stand still on the screen, so that a signal can be watched between
them; once it is held they stand still in time.
"""

from __future__ import annotations

from zeroclaw_desktop.gui.plots.frame import TimeAxis

A, B = 0, 1
_FIRST_PLACES = (0.33, 0.67)


class CursorPair:
    """Where the cursors are.

    Attributes:
        shown: whether they are on the plot.
    """

    def __init__(self) -> None:
        self.shown = False
        self._anchor = 0.0
        self._before_anchor = [0.0, 0.0]

    def show_in(self, axis: TimeAxis) -> None:
        """Put both into the visible stretch."""
        self.shown = True
        self.times(axis)
        for which, place in enumerate(_FIRST_PLACES):
            self.put(which, axis.start + place * (axis.end - axis.start))

    def times(self, axis: TimeAxis) -> tuple[float, float]:
        """Return the times of A and B in seconds of the telemetry clock.

        Args:
            axis: what is visible now; a live one takes the cursors along.
        """
        if axis.live:
            self._anchor = axis.end
        first, second = self._before_anchor
        return self._anchor - first, self._anchor - second

    def put(self, which: int, moment: float) -> None:
        """Move a cursor (``A`` or ``B``) to a time in seconds, as of the axis that was visible last."""
        self._before_anchor[which] = self._anchor - moment
