"""Which lines a board repeats: one layout, or several that take turns."""

from __future__ import annotations

from collections import deque

from zeroclaw_desktop.hardware.telemetry.block_reader import BlockReader
from zeroclaw_desktop.hardware.telemetry.line_layout import LineLayout

MAX_PERIOD = 32
MAX_PAUSE = 64


class LayoutCycle:
    """Finds the repeated sequence of layouts and tells what comes next.

    A sequence counts when it came twice in a row, read by the parser, which was in the same state (a header
    row of CSV) each time. Searching has a price, so after a search in vain some reads are left alone.

    Args:
        max_length: see ``BlockReader``.
    """

    def __init__(self, max_length: int) -> None:
        self._max_length = max_length
        self._recent: deque[LineLayout] = deque(maxlen=2 * MAX_PERIOD)
        self._cycle: tuple[LineLayout, ...] = ()
        self._memory: object = None
        self._phase = -1
        self._readers: dict[int, BlockReader] = {}
        self._tried = 0
        self._pause = 0
        self._paused = 0

    @property
    def ready(self) -> bool:
        """Whether the layout of the next line is known."""
        return self._phase >= 0

    @property
    def wants_lines(self) -> bool:
        """Whether it would be worth sending the next lines through the parser and ``note``."""
        return self._phase < 0 and self._paused <= 0

    def begin_read(self) -> None:
        """Tell that a new read is looked at."""
        self._paused -= 1

    def lines_skipped(self) -> None:
        """Tell that lines were read that ``note`` did not see."""
        self._recent.clear()
        if len(self._cycle) > 1:
            self._phase = -1

    def note(self, layout: LineLayout | None, memory: object) -> None:
        """Take the layout of the line that the parser has just read.

        Args:
            layout: None for a line without one.
            memory: state of the parser after that line.
        """
        if layout is None:
            self._recent.clear()
            self._phase = -1
            return
        self._recent.append(layout)
        expected = self._cycle[self._phase] if self._phase >= 0 else None
        if layout == expected and memory == self._memory:
            self._phase = (self._phase + 1) % len(self._cycle)
        elif self._cycle.count(layout) == 1 and memory == self._memory:
            self._phase = (self._cycle.index(layout) + 1) % len(self._cycle)
        else:
            self._search(memory)

    def _search(self, memory: object) -> None:
        self._phase = -1
        recent = list(self._recent)
        for period in range(1, len(recent) // 2 + 1):
            if recent[-period:] == recent[-2 * period : -period]:
                self._take(tuple(recent[-period:]), memory)
                return
        self._tried += 1
        if self._tried > 4 * MAX_PERIOD:
            self._tried = 0
            self._pause = self._paused = min(MAX_PAUSE, 2 * self._pause + 1)
            self._recent.clear()

    def _take(self, cycle: tuple[LineLayout, ...], memory: object) -> None:
        reader = BlockReader(cycle, self._max_length)
        self._tried = self._pause = 0
        if not reader.usable:
            self._pause = self._paused = MAX_PAUSE
            self._recent.clear()
            return
        self._cycle, self._memory, self._readers, self._phase = cycle, memory, {0: reader}, 0

    def reader(self) -> BlockReader:
        """Return the reader for records that begin with the next line; only while ``ready``."""
        found = self._readers.get(self._phase)
        if found is None:
            found = self._readers[self._phase] = BlockReader(self.layouts(), self._max_length)
        return found

    def layouts(self) -> tuple[LineLayout, ...]:
        """Return the layouts of such a record."""
        return (*self._cycle[self._phase :], *self._cycle[: self._phase])
