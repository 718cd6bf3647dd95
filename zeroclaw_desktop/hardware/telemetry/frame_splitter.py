"""Bytes in any pieces become the contents of binary frames; what is none is counted and skipped."""

from __future__ import annotations

from dataclasses import dataclass

from zeroclaw_desktop.hardware.telemetry.checksums import CHECKSUMS
from zeroclaw_desktop.hardware.telemetry.frame_description import FrameDescription


@dataclass(slots=True)
class FrameCounters:
    """What came. ``bytes = frame_bytes + discarded_bytes + pending bytes``.

    Attributes:
        bytes: bytes received.
        frame_bytes: bytes of good frames, with sync bytes, checksum and COBS overhead.
        discarded_bytes: everything else.
        frames: good frames.
        checksum_errors: frames of the right length with a wrong checksum.
        wrong_length: COBS frames of another length or with an impossible code.
        resynchronised: how often frames went on after something that was none.
        samples: samples handed to the store.
    """

    bytes: int = 0
    frame_bytes: int = 0
    discarded_bytes: int = 0
    frames: int = 0
    checksum_errors: int = 0
    wrong_length: int = 0
    resynchronised: int = 0
    samples: int = 0


class FrameSplitter:
    """Incremental splitter for one port.

    Args:
        description: what the frames look like.
        counters: where to count; a new one when None.
    """

    def __init__(self, description: FrameDescription, counters: FrameCounters | None = None) -> None:
        self.counters = counters if counters is not None else FrameCounters()
        self._description = description
        self._checksum = CHECKSUMS[description.checksum] if description.checksum else None
        self._buffer = b""
        self._lost = False

    @property
    def pending(self) -> bytes:
        """A frame whose rest has not come yet."""
        return self._buffer

    def resume(self, pending: bytes) -> None:
        """Go on where another splitter stood, with its unfinished frame."""
        self.counters.bytes += len(pending)
        self._buffer = pending

    def reset(self) -> None:
        """Start anew after the port was opened again; what is unfinished is counted as discarded."""
        self.counters.discarded_bytes += len(self._buffer)
        self._buffer = b""
        self._lost = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take the bytes of one read; returns the fields' bytes of each frame that they complete."""
        self.counters.bytes += len(data)
        self._buffer += data
        return self._synchronised() if self._description.sync else self._delimited()

    def _good(self, content: bytes) -> bytes | None:
        size = self._description.size
        if self._checksum is None:
            return content
        stated = int.from_bytes(
            content[size:], "little" if self._description.checksum_order == "little" else "big"
        )
        if self._checksum.of(content[:size]) == stated:
            return content[:size]
        self.counters.checksum_errors += 1
        return None

    def _accept(self, fields: bytes, size: int, found: list[bytes]) -> None:
        found.append(fields)
        self.counters.frames += 1
        self.counters.frame_bytes += size
        self.counters.resynchronised += self._lost
        self._lost = False

    def _discard(self, size: int) -> None:
        self.counters.discarded_bytes += size
        self._lost = self._lost or size > 0

    def _synchronised(self) -> list[bytes]:
        sync, buffer = self._description.sync, self._buffer
        size = len(sync) + self._description.content_size
        found: list[bytes] = []
        position = 0
        while True:
            start = buffer.find(sync, position)
            if start < 0:
                # The end may be the beginning of sync bytes.
                start = max(position, len(buffer) - len(sync) + 1)
                self._discard(start - position)
                break
            self._discard(start - position)
            position = start
            if len(buffer) - start < size:
                break
            fields = self._good(buffer[start + len(sync) : start + size])
            if fields is None:
                self._discard(1)
                position = start + 1
            else:
                self._accept(fields, size, found)
                position = start + size
        self._buffer = buffer[start:]
        return found

    def _delimited(self) -> list[bytes]:
        *frames, rest = self._buffer.split(b"\0")
        found: list[bytes] = []
        for frame in frames:
            fields = self._content(frame)
            if fields is not None:
                self._accept(fields, len(frame) + 1, found)
            else:
                self._discard(len(frame) + 1 if frame else 0)
                self.counters.discarded_bytes += not frame
        longest = self._description.content_size * 255 // 254 + 2
        if len(rest) > longest:
            # No frame is as long: only its end is waited for, so that noise without a zero takes no memory.
            self._discard(len(rest) - longest - 1)
            rest = rest[-longest - 1 :]
        self._buffer = rest
        return found

    def _content(self, frame: bytes) -> bytes | None:
        if not frame:
            return None
        content = decode_cobs(frame)
        if content is None or len(content) != self._description.content_size:
            self.counters.wrong_length += 1
            return None
        return self._good(content)


def decode_cobs(frame: bytes) -> bytes | None:
    """Undo consistent overhead byte stuffing (Cheshire and Baker, IEEE/ACM ToN 1999).

    Args:
        frame: without its delimiter; holds no zero.

    Returns:
        The content; None when a code points behind the end.
    """
    pieces: list[bytes] = []
    position, end = 0, len(frame)
    while position < end:
        code = frame[position]
        following = position + code
        if following > end:
            return None
        pieces.append(frame[position + 1 : following])
        if code < 255 and following < end:
            pieces.append(b"\0")
        position = following
    return b"".join(pieces)
