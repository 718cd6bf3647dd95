"""Reading files of a person: regular files only, never more than was asked for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from zeroclaw_desktop.hardware.flashing.formats.content import FormatError

MEBIBYTE = 1 << 20


def read_bounded(path: Path, limit: int) -> bytes:
    """The content of a regular file; a pipe or a device would never end.

    Args:
        limit: bytes.

    Raises:
        FormatError: it is no regular file, larger than the limit, or cannot be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                raise FormatError("it is no regular file")
            # A sparse file of many gigabytes is not read at all, one that grows meanwhile not for ever.
            content = file.read(limit + 1) if facts.st_size <= limit else None
    except OSError as error:
        raise FormatError(f"it cannot be read: {error.strerror}") from error
    if content is None or len(content) > limit:
        raise FormatError(f"it is larger than {limit // MEBIBYTE} MB")
    return content
