"""Deadlines of many actions on one timer (EX-8).

Nearly every action ends long before its deadline, so a timer for each would be made for nothing. Here one
timer runs to the earliest deadline; those that were taken back by then cost nothing.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

from zeroclaw_desktop.foundation.clock import Clock, Timer


class Deadline:
    """A time by which something must have happened."""

    __slots__ = ("_line", "expire", "when")

    def __init__(self, when: float, expire: Callable[[], None], line: dict[Deadline, None]) -> None:
        self.when = when
        self.expire = expire
        self._line = line

    def cancel(self) -> None:
        """Take it back; may be called again and after it has passed."""
        self._line.pop(self, None)


class Deadlines:
    """Calls what has not been taken back in time; all calls on the loop's thread.

    Deadlines of the same length stand in a line in the order in which they pass, so that setting one and
    taking it back cost the same however many there are.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lines: dict[float, dict[Deadline, None]] = {}
        self._timer: Timer | None = None
        self._timer_at = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None

    def set(self, seconds: float, expire: Callable[[], None]) -> Deadline:
        """Call ``expire`` in so many seconds unless the deadline is cancelled before."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # what belonged to another loop ended with it
            self._loop, self._timer = loop, None
            self._lines.clear()
        when = self._clock.monotonic() + seconds
        line = self._lines.get(seconds)
        if line is None:
            line = self._lines[seconds] = {}
        deadline = Deadline(when, expire, line)
        line[deadline] = None
        self._watch(when)
        return deadline

    def _watch(self, when: float) -> None:
        if self._timer is not None:
            if self._timer_at <= when:
                return
            self._timer.cancel()
        self._timer_at = when
        self._timer = self._clock.call_later(when - self._clock.monotonic(), self._look)

    def _look(self) -> None:
        self._timer = None
        now = self._clock.monotonic()
        for seconds, line in list(self._lines.items()):
            for deadline in list(itertools.takewhile(lambda deadline: deadline.when <= now, line)):
                deadline.cancel()
                deadline.expire()
            if not line:
                del self._lines[seconds]
        if self._lines:
            self._watch(min(next(iter(line)).when for line in self._lines.values()))
