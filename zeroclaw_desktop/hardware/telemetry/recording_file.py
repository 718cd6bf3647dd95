"""The file of a recording: blocks that are only ever added, each with its checksum.

Layout: ``MAGIC``, then blocks. A block is ``_BLOCK`` (mark, length, CRC-32 of all that follows it in the
block, times of its first and last entry), then entries. An entry is ``_ENTRY`` (kind, source number, time in
seconds, length) and its content. A program that is killed while it writes leaves at most one unfinished block
at the end, which a reader leaves out; it goes on behind a damaged block.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zeroclaw_desktop.hardware.telemetry.errors import RecordingError

MAGIC = b"ZCREC\x00\x01\n"
MARK = b"ZCB\xb1"
MAX_BLOCK_BYTES = 64 * 1024 * 1024
START, SOURCE, DATA, REOPENED, MARKER, END = range(1, 7)
_BLOCK = struct.Struct("<4sII")
_SPAN = struct.Struct("<dd")
_ENTRY = struct.Struct("<BHdI")


class Entry(NamedTuple):
    """One thing that was recorded.

    Attributes:
        kind: ``START``, ``SOURCE``, ``DATA``, ``REOPENED``, ``MARKER`` or ``END``.
        source: number of the source, 0 where there is none.
        time: seconds on the axis of the store that was recorded.
        content: bytes of a read, or JSON.
    """

    kind: int
    source: int
    time: float
    content: bytes

    def row(self) -> dict[str, Any]:
        """Return the JSON object of an entry that is no ``DATA``.

        Raises:
            RecordingError: it is none.
        """
        with contextlib.suppress(ValueError):
            row = json.loads(self.content)
            if isinstance(row, dict):
                return row
        raise RecordingError("An entry of the recording is not readable.")


def pack_entry(entry: Entry) -> bytes:
    """Return the bytes of an entry."""
    return _ENTRY.pack(entry.kind, entry.source, entry.time, len(entry.content)) + entry.content


def pack_row(kind: int, source: int, time: float, row: dict[str, Any]) -> bytes:
    """Return the bytes of an entry that holds a JSON object."""
    return pack_entry(Entry(kind, source, time, json.dumps(row, ensure_ascii=False).encode()))


class RecordingWriter:
    """Adds blocks to a new file.

    Args:
        path: must not exist yet.

    Raises:
        RecordingError: it exists, or cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes_written = 0
        try:
            self._file = path.open("xb", buffering=0)
            self._write(MAGIC)
        except FileExistsError as error:
            raise RecordingError(
                f"The file {path} exists already.",
                hint="A recording never overwrites; choose another name.",
                code="recording_exists",
                details={"path": str(path)},
            ) from error
        except OSError as error:
            raise _refused(path, error) from error

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            written = self._file.write(view) or 0
            self.bytes_written += written
            view = view[written:]

    def write_block(self, entries: bytes, first: float, last: float) -> None:
        """Add a block; ``first`` and ``last`` are the times of its entries.

        Raises:
            RecordingError: the disk refuses it.
        """
        body = _SPAN.pack(first, last) + entries
        try:
            self._write(_BLOCK.pack(MARK, len(body), zlib.crc32(body)) + body)
        except OSError as error:
            raise _refused(self.path, error) from error

    def to_disk(self) -> None:
        """Wait until the disk has all blocks, so that a power cut cannot take them."""
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(OSError):
            self._file.close()


def _refused(path: Path, error: OSError) -> RecordingError:
    return RecordingError(
        f"The recording {path} could not be written: {error.strerror or error}.",
        hint="Choose another folder or free some space.",
        retryable=True,
        details={"path": str(path), "reason": error.strerror or str(error)},
    )


class RecordingReader:
    """Reads a recording, also one that is still being written or whose writer was killed.

    Args:
        path: the file.

    Attributes:
        damaged_bytes: bytes that belong to no whole block, as far as ``entries`` went through the file.

    Raises:
        RecordingError: it cannot be read or is no recording.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged_bytes = 0
        try:
            with path.open("rb") as file:
                head = file.read(len(MAGIC))
        except OSError as error:
            raise RecordingError(
                f"{path} cannot be read: {error.strerror or error}.",
                code="recording_unreadable",
                details={"path": str(path), "reason": error.strerror or str(error)},
            ) from error
        if head != MAGIC:
            raise RecordingError(
                f"{path} is no recording of this program.",
                hint="Choose a file that was recorded here; their names end in .zcrec.",
                code="no_recording",
                details={"path": str(path)},
            )

    def span(self) -> tuple[float, float]:
        """Return the times of the first and last entry in seconds; reads only the heads of blocks."""
        first, last = 0.0, 0.0
        begun = False
        with self.path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            position = len(MAGIC)
            while position + _BLOCK.size + _SPAN.size <= size:
                file.seek(position)
                mark, length, _ = _BLOCK.unpack(file.read(_BLOCK.size))
                if mark != MARK or position + _BLOCK.size + length > size:
                    break
                start, stop = _SPAN.unpack(file.read(_SPAN.size))
                first = start if not begun else min(first, start)
                last = stop if not begun else max(last, stop)
                begun = True
                position += _BLOCK.size + length
        return first, last

    def entries(self) -> Iterator[Entry]:
        """Yield all entries of whole blocks in order."""
        self.damaged_bytes = 0
        with self.path.open("rb") as file:
            position = len(MAGIC)
            while True:
                body = _body(file, position)
                if body is not None:
                    position += _BLOCK.size + len(body)
                    yield from _unpack(body)
                    continue
                following = _next_mark(file, position + 1)
                if following is None:
                    file.seek(0, os.SEEK_END)
                    self.damaged_bytes += max(0, file.tell() - position)
                    return
                self.damaged_bytes += following - position
                position = following


def _body(file: Any, position: int) -> bytes | None:
    file.seek(position)
    head = file.read(_BLOCK.size)
    if len(head) < _BLOCK.size:
        return None
    mark, length, checksum = _BLOCK.unpack(head)
    if mark != MARK or not _SPAN.size <= length <= MAX_BLOCK_BYTES:
        return None
    body = file.read(length)
    return body if len(body) == length and zlib.crc32(body) == checksum else None


def _next_mark(file: Any, position: int) -> int | None:
    overlap = b""
    file.seek(position)
    while piece := file.read(1 << 20):
        found = (overlap + piece).find(MARK)
        if found >= 0:
            return int(position - len(overlap) + found)
        position += len(piece)
        overlap = (overlap + piece)[-len(MARK) + 1 :]
    return None


def _unpack(body: bytes) -> Iterator[Entry]:
    position = _SPAN.size
    while position + _ENTRY.size <= len(body):
        kind, source, time, length = _ENTRY.unpack_from(body, position)
        position += _ENTRY.size
        yield Entry(kind, source, time, body[position : position + length])
        position += length
