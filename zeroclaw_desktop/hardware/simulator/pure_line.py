"""The serial line as the simplified board sees it: bytes become lines, and what it sends takes its time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE_BYTES = 255
"""Longest line from the host, without its ending (SPEC.md, Line)."""
TRANSMIT_BYTES = 255
"""What the Uno's transmit buffer holds (SPEC.md, Events)."""
BYTE_NS = 10 * 1_000_000_000 / 115_200
"""Nanoseconds for one byte: start bit, 8 data bits, stop bit."""
_PIECES = re.compile(rb"[\r\n]|[^\r\n]+")


@dataclass(frozen=True)
class ReceivedLine:
    """A line, or what became of it.

    Attributes:
        content: its bytes without the ending; empty when there is a fault.
        fault: '', ``line_damaged`` or ``line_too_long``.
    """

    content: bytes
    fault: str = ""


class LineReader:
    """Cuts the host's bytes into lines; a NUL stands for bytes that were lost."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._damaged = False
        self._discarding = False

    def clear(self) -> None:
        """Forget the line that has begun."""
        self._line.clear()
        self._damaged = self._discarding = False

    def feed(self, data: bytes) -> Iterator[ReceivedLine]:
        """Take bytes; yields each line as it ends, one that is too long at once, and no blank ones."""
        for piece in _PIECES.findall(data):
            line = self._end() if piece in b"\r\n" else self._extend(piece)
            if line is not None:
                yield line

    def _extend(self, piece: bytes) -> ReceivedLine | None:
        if self._discarding:
            return None
        self._damaged = self._damaged or b"\0" in piece
        self._line += piece.replace(b"\0", b"")
        if len(self._line) <= LINE_BYTES:
            return None
        self._discarding = True
        return ReceivedLine(b"", "line_too_long")

    def _end(self) -> ReceivedLine | None:
        content, damaged, discarding = bytes(self._line), self._damaged, self._discarding
        self.clear()
        if discarding:
            return None
        if damaged:
            return ReceivedLine(b"", "line_damaged")
        return ReceivedLine(content) if content.strip(b" \t") else None


class TransmitBuffer:
    """What the board sends.

    A line can be read as soon as it was written, so that a caller need not wait for the reply to what it just
    sent. The pace is kept by the room: the buffer empties at the speed of the line, and an event is written
    only when it has room. A reply always fits: the board waits while it writes one, and that time is not
    modelled.
    """

    def __init__(self) -> None:
        self._ready = bytearray()
        self._occupied = 0.0

    @property
    def room(self) -> int:
        """Free bytes."""
        return TRANSMIT_BYTES - int(-(-self._occupied // 1))

    def put(self, data: bytes) -> None:
        """Send bytes."""
        self._ready += data
        self._occupied = min(TRANSMIT_BYTES, self._occupied + len(data))

    def drain(self, nanoseconds: int) -> None:
        """Let the line work for so long."""
        self._occupied = max(0.0, self._occupied - nanoseconds / BYTE_NS)

    def take(self) -> bytes:
        """Bytes that were sent since the last call."""
        data = bytes(self._ready)
        self._ready.clear()
        return data
