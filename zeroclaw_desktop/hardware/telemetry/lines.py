"""Bytes from a serial line, in any pieces, become lines.

CR, LF and CRLF in any mixture end a line; empty lines are left out, so all three give the same lines. How
the bytes are cut into reads makes no difference to the lines or to the final counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError

DEFAULT_MAX_LENGTH = 4096
UNFINISHED_BYTES = 200
"""Bytes of the end of an over-long line that are remembered for showing."""
MIN_BLOCK = 512
"""Bytes from which on it pays to look at a read as a whole."""
_LINE_FEED = 10


@dataclass(slots=True)
class LineCounters:
    """What came over one port since it was opened first. Every byte and every line is counted once.

    ``bytes = line_end_bytes + line_bytes + discarded_bytes + pending bytes`` and
    ``lines = telemetry_lines + protocol_lines + text_lines``.

    Attributes:
        bytes: bytes received.
        line_bytes: bytes in delivered lines.
        line_end_bytes: carriage returns and line feeds.
        discarded_bytes: bytes of the dropped first part, and of over-long lines beyond the limit.
        lines: lines delivered.
        overlong: lines cut at the limit.
        partial_dropped: first lines after an opening that began somewhere in the middle.
        non_utf8: lines that are not valid text of the chosen encoding (UTF-8 unless the person chose
        another).
        telemetry_lines: lines that gave samples and are no protocol message.
        protocol_lines: replies and events handed to the session.
        text_lines: lines that are only shown.
        samples: samples handed to the store.
    """

    bytes: int = 0
    line_bytes: int = 0
    line_end_bytes: int = 0
    discarded_bytes: int = 0
    lines: int = 0
    overlong: int = 0
    partial_dropped: int = 0
    non_utf8: int = 0
    telemetry_lines: int = 0
    protocol_lines: int = 0
    text_lines: int = 0
    samples: int = 0


class LineBatch(NamedTuple):
    """Lines that one read completed.

    Attributes:
        lines: the lines without their ends.
        cut: positions in ``lines`` of lines that were cut at the limit and must not be read as data.
        partial: the dropped first part after an opening, for showing only; empty when there was none.
    """

    lines: list[bytes]
    cut: frozenset[int]
    partial: bytes


class LineBlock(Sequence[bytes]):
    """Whole lines in one piece; cut into lines only when somebody looks at them.

    Args:
        data: lines that are not empty, each ended by one line feed.
        count: how many.
    """

    __slots__ = ("_count", "_lines", "data")

    def __init__(self, data: bytes, count: int) -> None:
        self.data = data
        self._count = count
        self._lines: list[bytes] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...

    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...

    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if self._lines is None:
            self._lines = self.data[:-1].split(b"\n")
        return self._lines[index]


@dataclass(slots=True)
class _Output:
    lines: list[bytes] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    partial: bytes = b""


class LineSplitter:
    """Incremental splitter for one port.

    Args:
        max_length: longest line in bytes that is kept whole; the rest of a longer one is discarded up to its
            end.
        drop_partial: leave out the first line after an opening, which may have begun before it. A first line
            that is a whole JSON object (a board's boot event) is kept.
        counters: where to count; a new one when None.

    Raises:
        TelemetrySettingError: ``max_length`` is not positive.
    """

    def __init__(
        self,
        max_length: int = DEFAULT_MAX_LENGTH,
        *,
        drop_partial: bool = True,
        counters: LineCounters | None = None,
    ) -> None:
        if max_length < 1:
            raise TelemetrySettingError(
                f"The longest line must be at least one byte, not {max_length}.",
                details={"value": max_length},
            )
        self.max_length = max_length
        self.counters = counters if counters is not None else LineCounters()
        self._drop_partial = drop_partial
        self._tail = b""
        self._discarding = False
        self._beyond: tuple[bytes, int] = (b"", 0)
        self._synchronised = not drop_partial

    @property
    def unfinished(self) -> tuple[bytes, int]:
        """The last bytes of the line whose end has not come yet, and its length so far; any thread."""
        if self._discarding:
            return self._beyond
        tail = self._tail
        return tail[-UNFINISHED_BYTES:], len(tail)

    @property
    def pending(self) -> bytes:
        """The beginning of a line whose end has not come yet (a prompt, for example)."""
        return self._tail

    @property
    def synchronised(self) -> bool:
        """Whether the beginning of the present line is known."""
        return self._synchronised

    def resume(self, pending: bytes, *, synchronised: bool) -> None:
        """Go on where another splitter stood, with its unfinished line."""
        self._synchronised = synchronised
        self.counters.bytes += len(pending)
        self._tail = pending

    def reset(self) -> None:
        """Start anew after the port was opened again; the unfinished line is counted as discarded."""
        self.counters.discarded_bytes += len(self._tail)
        self._tail = b""
        self._discarding = False
        self._synchronised = not self._drop_partial

    def feed_block(self, data: bytes) -> LineBlock | None:
        """Take the bytes of one read when they complete lines that need no treatment one by one.

        Returns:
            The same lines that ``feed`` would return; None, and nothing is taken, where the lines are few, or
            one is dropped or over-long, or line ends are mixed.
        """
        if len(data) < MIN_BLOCK or self._discarding or not self._synchronised:
            return None
        stop = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        whole = self._tail + data[:stop]
        tail = data[stop:]
        if not stop or len(tail) > self.max_length:
            return None
        ends = 0
        if b"\r" in whole:
            ends = whole.count(b"\r\n")
            whole = whole.replace(b"\r\n", b"\n")
            if b"\r" in whole:
                return None
        if whole[0] == _LINE_FEED:
            whole = whole[1:]
            ends += 1
        count = whole.count(b"\n")
        if not count or b"\n\n" in whole or self._has_overlong(whole):
            return None
        self.counters.bytes += len(data)
        self.counters.line_end_bytes += ends + count
        self.counters.lines += count
        self.counters.line_bytes += len(whole) - count
        self._tail = tail
        return LineBlock(whole, count)

    def _has_overlong(self, whole: bytes) -> bool:
        """Tell whether a line is over-long: then a stretch of that length has no line feed."""
        start = 0
        while len(whole) - start > self.max_length + 1:
            end = whole.rfind(b"\n", start, start + self.max_length + 1)
            if end < 0:
                return True
            start = end + 1
        return False

    def feed(self, data: bytes) -> LineBatch:
        """Take the bytes of one read and return the lines that they complete."""
        parts = data.replace(b"\r", b"\n").split(b"\n")
        self.counters.bytes += len(data)
        self.counters.line_end_bytes += len(parts) - 1
        output = _Output()
        self._extend(parts[0], output)
        if len(parts) > 1:
            self._finish(output)
            self._whole_lines(parts[1:-1], output)
            self._extend(parts[-1], output)
        self.counters.lines += len(output.lines)
        self.counters.line_bytes += sum(map(len, output.lines))
        return LineBatch(output.lines, frozenset(output.cut), output.partial)

    def _whole_lines(self, parts: list[bytes], output: _Output) -> None:
        if max(map(len, parts), default=0) <= self.max_length:
            output.lines.extend(filter(None, parts))
            return
        for part in parts:
            self._extend(part, output)
            self._finish(output)

    def _extend(self, part: bytes, output: _Output) -> None:
        if self._discarding:
            self.counters.discarded_bytes += len(part)
            self._pass_by(part, self._beyond[1])
            return
        self._tail += part
        if len(self._tail) <= self.max_length:
            return
        line, self._tail = self._tail, b""
        self._pass_by(line, 0)
        self._discarding = True
        self.counters.overlong += 1
        self.counters.discarded_bytes += len(line) - self.max_length
        line = line[: self.max_length]
        if self._synchronised:
            output.cut.append(len(output.lines))
            output.lines.append(line)
        else:
            self._drop(line, output)

    def _pass_by(self, part: bytes, before: int) -> None:
        earlier = self._beyond[0] if before else b""
        self._beyond = ((earlier + part[-UNFINISHED_BYTES:])[-UNFINISHED_BYTES:], before + len(part))

    def _finish(self, output: _Output) -> None:
        line, self._tail = self._tail, b""
        self._discarding = False
        if line and not self._synchronised and not _is_whole_object(line):
            self._drop(line, output)
        elif line:
            output.lines.append(line)
        self._synchronised = True

    def _drop(self, line: bytes, output: _Output) -> None:
        output.partial = line
        self.counters.partial_dropped += 1
        self.counters.discarded_bytes += len(line)


def _is_whole_object(line: bytes) -> bool:
    stripped = line.strip()
    return stripped.startswith(b"{") and stripped.endswith(b"}")
