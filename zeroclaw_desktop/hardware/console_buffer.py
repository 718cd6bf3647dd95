"""The last lines of a port for its console: filled by the port's thread, pulled at frame rate."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

MAX_LINES = 5_000
MAX_SHOWN_BYTES = 2_000
"""A longer line is cut for display; the telemetry parser and the counters saw all of it."""


class ConsoleBuffer:
    """A bounded list of lines with running numbers; any thread."""

    def __init__(self, capacity: int = MAX_LINES) -> None:
        self._lines: deque[str] = deque(maxlen=capacity)
        self._total = 0
        self._guard = threading.Lock()

    def append(self, lines: Sequence[bytes], encoding: str = "utf-8") -> None:
        """Add raw lines; bytes that are not text show as replacement characters."""
        shown = [self._printable(line, encoding) for line in lines]
        self.append_text(shown)

    def append_text(self, lines: Sequence[str]) -> None:
        """Add lines that are text already."""
        with self._guard:
            self._lines.extend(lines)
            self._total += len(lines)

    @staticmethod
    def _printable(line: bytes, encoding: str) -> str:
        text = line[:MAX_SHOWN_BYTES].decode(encoding, errors="replace")
        if len(line) > MAX_SHOWN_BYTES:
            text += f" … ({len(line)} bytes)"
        return "".join(c if c.isprintable() or c == "\t" else "·" for c in text)

    @property
    def total(self) -> int:
        """Number of lines that ever came."""
        with self._guard:
            return self._total

    def since(self, total: int) -> tuple[int, list[str]]:
        """Lines that came after the first ``total``.

        Returns:
            The new total and the lines, oldest first; lines that fell out of the buffer are missing.
        """
        with self._guard:
            fresh = min(self._total - total, len(self._lines))
            return self._total, list(self._lines)[len(self._lines) - fresh :] if fresh > 0 else []
