"""The last lines of a port for its console: filled by the port's thread, pulled at frame rate."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Sequence

MAX_LINES = 5_000
MAX_SHOWN_BYTES = 2_000
"""A longer line is cut for display; the telemetry parser and the counters saw all of it."""
MAX_HEX_BYTES = 256
GARBAGE_SHARE = 4
"""A line of which more than one character in so many could not be decoded is noise: what of it is not ASCII
is not looked for in all fonts of the system."""
_NOT_ASCII = re.compile(r"[^\x00-\x7e]")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]")
"""Control characters but for the tabulator and the escape character."""
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
        self._pieces: deque[tuple[float, Sequence[bytes]]] = deque()
        self._held = 0
        self._total = 0
        self._guard = threading.Lock()

    def append(self, lines: Sequence[bytes]) -> None:
        """Add raw lines; bytes that are not text show as replacement characters."""
        if not lines:
            return
        with self._guard:
            self._pieces.append((time.time(), lines))
            self._held += len(lines)
            self._total += len(lines)
            while self._held - len(self._pieces[0][1]) >= self._capacity:
                self._held -= len(self._pieces.popleft()[1])

    def unfinished_text(self, last: bytes, length: int) -> str:
        """How the end of a line that goes on is shown; '' for an empty one."""
        if not length:
            return ""
        text = self._shown(last, False)
        return text if length <= len(last) else f"… {text} ({length:,} bytes)"

    def _shown(self, line: bytes, colours: bool) -> str:
        if self.hexadecimal:
            return hexadecimal(line)
        text = line[:MAX_SHOWN_BYTES].decode(self.encoding, errors="replace")
        if len(line) > MAX_SHOWN_BYTES:
            text += f" … ({len(line)} bytes)"
        if text.isprintable() and "\ufffd" not in text:
            return text
        if text.count("\ufffd") * GARBAGE_SHARE > len(text):
            text = _NOT_ASCII.sub("·", text)
        if not colours:
            text = _SEQUENCE.sub("", text).replace("\x1b", "·")
        text = _CONTROL.sub("·", text)
        if text.replace("\t", "").replace("\x1b", "").isprintable():
            return text
        return "".join(c if c.isprintable() or c in "\t\x1b" else "·" for c in text)

    @property
    def total(self) -> int:
        """Number of lines that ever came."""
        with self._guard:
            return self._total

    def since(self, total: int, *, colours: bool = False, most: int = MAX_LINES) -> tuple[int, list[str]]:
        """Lines that came after the first ``total``.

        Args:
            colours: whether the escape sequences that colour text stay in it.
            most: return only the last so many.

        Returns:
            The new total and the lines, oldest first; lines that fell out of the buffer are missing.
        """
        now, pieces = self._last_pieces(total, most)
        return now, [self._shown(line, colours) for _, piece in pieces for line in piece]

    def kept(self) -> tuple[int, list[tuple[float, str]]]:
        """All lines that are held, with their colours, and when each came (seconds since 1970)."""
        now, pieces = self._last_pieces(0, self._capacity)
        return now, [(came, self._shown(line, True)) for came, piece in pieces for line in piece]

    def _last_pieces(self, total: int, most: int) -> tuple[int, list[tuple[float, Sequence[bytes]]]]:
        pieces: list[tuple[float, Sequence[bytes]]] = []
        with self._guard:
            now = self._total
            missing = min(now - total, self._held, self._capacity, most)
            for came, piece in reversed(self._pieces):
                if missing <= 0:
                    break
                pieces.append((came, piece if missing >= len(piece) else piece[len(piece) - missing :]))
                missing -= len(piece)
        return now, pieces[::-1]
