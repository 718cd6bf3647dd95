"""The views that were seen before, so that a zoom can be taken back. Qt-free."""

from __future__ import annotations

import copy
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

from zeroclaw_desktop.gui.plots.time_view import TimeView
from zeroclaw_desktop.gui.plots.value_range import ValueRange

MOST = 50
TOGETHER_S = 0.7
"""Changes that follow each other faster are one: the notches of a wheel, the steps of a drag."""
Ranges = Mapping[tuple[str, ...], ValueRange]


class _View(NamedTuple):
    time: TimeView
    ranges: dict[tuple[str, ...], tuple[float, float, bool]]


class ViewHistory:
    """Keeps what was visible before each change.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._views: deque[_View] = deque(maxlen=MOST)
        self._last = ("", -TOGETHER_S)

    def before_change(self, kind: str, view: TimeView, ranges: Ranges) -> None:
        """Note what is visible now, unless it belongs to a change that is going on.

        Args:
            kind: of the change; changes of two kinds are never one.
            view: the stretch of time.
            ranges: the value axis of each panel by the panel's key.
        """
        now = self._clock()
        if kind != self._last[0] or now - self._last[1] >= TOGETHER_S:
            kept = {key: (one.low, one.high, one.automatic) for key, one in ranges.items()}
            self._views.append(_View(copy.copy(view), kept))
        self._last = (kind, now)

    def back(self, ranges: Ranges) -> TimeView | None:
        """Return the stretch of time before the last change and put the value axes back.

        Args:
            ranges: the value axes of the panels that there are now; they are changed.
        """
        self._last = ("", self._clock())
        if not self._views:
            return None
        before = self._views.pop()
        for key, value_range in ranges.items():
            low, high, automatic = before.ranges.get(key, (0.0, 0.0, True))
            if automatic:
                value_range.set_automatic()
            else:
                value_range.set_manual(low, high)
        return before.time
