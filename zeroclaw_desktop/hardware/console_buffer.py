"""The last lines of a port for its console: filled by the port's thread, pulled at frame rate."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Sequence

MAX_LINES = 5_000
MAX_SHOWN_BYTES = 2_000
"""A longer line is cut for display; the telemetry parser and the counters saw all of it."""
MAX_HEX_BYTES = 256
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""Control sequences of ECMA-48, 5.4."""


def hexadecimal(line: bytes) -> str:
    """The bytes of a line in hexadecimal, and beside them what of them is ASCII."""
    shown = line[:MAX_HEX_BYTES]
    more = f" … ({len(line)} bytes)" if len(line) > len(shown) else ""
    return f"{shown.hex(' ')}{more}  {''.join(chr(b) if 0x20 <= b < 0x7F else '.' for b in shown)}"


class ConsoleBuffer:
    """A bounded list of lines with running numbers; any thread.

    Lines are kept as they came and made into text only when somebody reads them: a board may print a million
    lines while nobody looks.

    Attributes:
        encoding: how the bytes of lines are read, those of earlier lines too.
        hexadecimal: whether the bytes themselves are shown.
    """

    def __init__(self, capacity: int = MAX_LINES) -> None:
        self.encoding = "utf-8"
        self.hexadecimal = False
        self._capacity = capacity
        self._pieces: deque[Sequence[bytes] | Sequence[str]] = deque()
        self._held = 0
        self._total = 0
        self._guard = threading.Lock()

    def append(self, lines: Sequence[bytes]) -> None:
        """Add raw lines; bytes that are not text show as replacement characters."""
        self._add(lines)

    def append_text(self, lines: Sequence[str]) -> None:
        """Add lines that are text already."""
        self._add(lines)

    def _add(self, lines: Sequence[bytes] | Sequence[str]) -> None:
        if not lines:
            return
        with self._guard:
            self._pieces.append(lines)
            self._held += len(lines)
            self._total += len(lines)
            while self._held - len(self._pieces[0]) >= self._capacity:
                self._held -= len(self._pieces.popleft())

    def _shown(self, line: bytes | str, colours: bool) -> str:
        if isinstance(line, str):
            return line
        if self.hexadecimal:
            return hexadecimal(line)
        text = line[:MAX_SHOWN_BYTES].decode(self.encoding, errors="replace")
        if len(line) > MAX_SHOWN_BYTES:
            text += f" … ({len(line)} bytes)"
        if text.isprintable():
            return text
        if not colours:
            text = _SEQUENCE.sub("", text)
        kept = "\t\x1b" if colours else "\t"
        return "".join(c if c.isprintable() or c in kept else "·" for c in text)

    @property
    def total(self) -> int:
        """Number of lines that ever came."""
        with self._guard:
            return self._total

    def since(self, total: int, *, colours: bool = False) -> tuple[int, list[str]]:
        """Lines that came after the first ``total``.

        Args:
            colours: whether the escape sequences that colour text stay in it.

        Returns:
            The new total and the lines, oldest first; lines that fell out of the buffer are missing.
        """
        pieces: list[Sequence[bytes] | Sequence[str]] = []
        with self._guard:
            now = self._total
            wanted = min(now - total, self._held, self._capacity)
            missing = wanted
            for piece in reversed(self._pieces):
                if missing <= 0:
                    break
                pieces.append(piece if missing >= len(piece) else piece[len(piece) - missing :])
                missing -= len(piece)
        return now, [self._shown(line, colours) for piece in reversed(pieces) for line in piece]
