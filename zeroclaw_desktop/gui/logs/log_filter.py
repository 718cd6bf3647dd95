"""Which log records are shown, and how one reads as a line of text. Qt-free."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from zeroclaw_desktop.bridge.views import LogRecordView

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_RANKS = {level: rank for rank, level in enumerate(LEVELS)}


@dataclass(frozen=True)
class LogFilter:
    """A person's choice.

    Attributes:
        least_level: records below this level are hidden.
        subsystem: only this one and what lies below it (``hardware`` holds ``hardware.session``); '' for all.
        text: must stand in the message or in the subsystem, in any case of letters; '' for all.
    """

    least_level: str = "DEBUG"
    subsystem: str = ""
    text: str = ""

    def accepts(self, record: LogRecordView) -> bool:
        """Return whether a record is shown."""
        if rank(record.level) < rank(self.least_level):
            return False
        if self.subsystem and not f"{record.subsystem}.".startswith(f"{self.subsystem}."):
            return False
        pattern = self._pattern
        return pattern is None or bool(pattern.search(record.message) or pattern.search(record.subsystem))

    def hits(self, text: str) -> list[tuple[int, int]]:
        """Return (start, length) of each place in ``text`` that the search found."""
        if self._pattern is None:
            return []
        return [(hit.start(), hit.end() - hit.start()) for hit in self._pattern.finditer(text)]

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return re.compile(re.escape(self.text), re.IGNORECASE) if self.text else None


def rank(level: str) -> int:
    """Return how grave a level is, 0 to 4; a name that is not known counts as ``INFO``."""
    return _RANKS.get(level, 1)


def time_text(epoch_s: float) -> str:
    """Return the local time of day with milliseconds: ``14:03:25.123``."""
    milliseconds = round(epoch_s * 1000)
    clock = time.strftime("%H:%M:%S", time.localtime(milliseconds // 1000))
    return f"{clock}.{milliseconds % 1000:03d}"


def line_of(record: LogRecordView) -> str:
    """Return a record as text for the clipboard and for files, with its date."""
    day = time.strftime("%Y-%m-%d", time.localtime(round(record.time * 1000) // 1000))
    head = f"{day} {time_text(record.time)} {record.level:<8} {record.subsystem}"
    return f"{head}  {record.message}"


def text_of(records: Iterable[LogRecordView]) -> str:
    """Return records as lines, each ended by a newline."""
    return "".join(line_of(record) + "\n" for record in records)
