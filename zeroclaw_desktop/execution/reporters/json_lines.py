"""A JSON-lines file as a destination: one line for each finished action, private, rotated by size.

Each line is one appending write, so a process that dies leaves at most its last line unfinished, and the next
writer begins on a new line. Readers skip a line that is not JSON. Several processes may share the file.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from zeroclaw_desktop.execution.reporters.background import QUEUE_LIMIT, BackgroundReporter

FILE_BYTES = 5_000_000
FILE_COUNT = 3
PRIVATE = 0o600
#: Windows needs to be told that bytes are bytes.
OPEN_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)


class JsonLinesFile:
    """An appendable file; ``name``, then ``name.1`` (newest) to ``name.N`` (oldest).

    Args:
        path: the file; its folder is made (0700) when it is missing.
        max_bytes: a line that would go beyond starts a new file.
        keep: how many older files stay.
    """

    def __init__(self, path: Path, *, max_bytes: int = FILE_BYTES, keep: int = FILE_COUNT) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._keep = keep
        self._number = -1
        self._unfinished = False

    def write(self, line: bytes) -> None:
        """Append one line; raises OSError, after which the file is opened anew."""
        try:
            self._append(line)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """See LineDestination."""
        if self._number >= 0:
            number, self._number = self._number, -1
            os.close(number)

    def _append(self, line: bytes) -> None:
        self._follow()
        size = os.fstat(self._number).st_size
        if size and size + len(line) + 1 > self._max_bytes:
            self._rotate()
        data = (b"\n" if self._unfinished else b"") + line + b"\n"
        written = os.write(self._number, data)
        self._unfinished = written < len(data)
        if self._unfinished:
            raise OSError(f"only {written} of {len(data)} bytes could be written to {self._path}")

    def _follow(self) -> None:
        """Open the file, again when another process has rotated or removed it."""
        if self._number >= 0:
            try:
                there = os.stat(self._path)
            except FileNotFoundError:
                there = None
            if there is not None and os.path.samestat(there, os.fstat(self._number)):
                return
            self.close()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._number = os.open(self._path, OPEN_FLAGS, PRIVATE)
        if hasattr(os, "fchmod"):
            os.fchmod(self._number, PRIVATE)
        self._unfinished = self._ends_unfinished()

    def _ends_unfinished(self) -> bool:
        if not os.fstat(self._number).st_size:
            return False
        os.lseek(self._number, -1, os.SEEK_END)
        return os.read(self._number, 1) != b"\n"

    def _rotate(self) -> None:
        self.close()
        older = [self._path.with_name(f"{self._path.name}.{number}") for number in range(1, self._keep + 1)]
        names = [self._path, *older]
        if self._keep == 0:
            self._path.unlink(missing_ok=True)
        for source, target in reversed(list(itertools.pairwise(names))):
            if source.exists():
                os.replace(source, target)
        self._follow()


class JsonLinesReporter(BackgroundReporter):
    """Writes the end of each action to a JSON-lines file.

    Args:
        path: the file.
        max_bytes, keep: see JsonLinesFile.
        limit: how many reports wait at most for a slow disk.
    """

    def __init__(
        self,
        path: Path,
        *,
        max_bytes: int = FILE_BYTES,
        keep: int = FILE_COUNT,
        limit: int = QUEUE_LIMIT,
    ) -> None:
        super().__init__(JsonLinesFile(path, max_bytes=max_bytes, keep=keep), "jsonl", limit=limit)
