"""Programs for boards that run MicroPython: one .py file, or a folder with them."""

from __future__ import annotations

import os
from pathlib import Path

from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.flashing.formats.bounded_files import MEBIBYTE, read_bounded
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError

MAX_FILES = 200
MAX_BYTES = 8 * MEBIBYTE
MAX_SEEN = 5_000
"""Entries of a folder that are looked at: a home folder chosen by mistake must not be walked for minutes."""
TAKEN = frozenset({".py", ".mpy"})
_LEFT_ALONE = frozenset({"__pycache__", "node_modules"})


def read_program(content: bytes, name: str) -> FirmwareContent:
    """A single program.

    Args:
        name: of the file; it stays its name until the way of writing gives it another.

    Raises:
        FormatError: it is no Python source text.
    """
    _check_source(content, name)
    return FirmwareContent("python", files={name: content})


def read_program_folder(folder: Path) -> FirmwareContent:
    """All .py and .mpy files below a folder; hidden ones, links and caches are left alone.

    Raises:
        FormatError: there is none, there are too many, or one is no source text.
    """
    files: dict[str, bytes] = {}
    size = seen = 0
    for place, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _LEFT_ALONE)
        seen += len(names) + len(folders)
        if seen > MAX_SEEN:
            raise FormatError(f"the folder has more than {MAX_SEEN} entries")
        for name in sorted(names):
            path = Path(place, name)
            if name.startswith(".") or path.suffix.lower() not in TAKEN or path.is_symlink():
                continue
            relative = path.relative_to(folder).as_posix()
            try:
                content = read_bounded(path, MAX_BYTES - size)
            except FormatError as error:
                raise FormatError(f"{visible(relative)}: {error.reason}") from error
            _check_source(content, relative)
            files[relative] = content
            size += len(content)
            if len(files) > MAX_FILES:
                raise FormatError(f"the folder has more than {MAX_FILES} programs")
    if not files:
        raise FormatError("the folder has no .py file")
    return FirmwareContent("python", files=files)


def _refuse(error: OSError) -> None:
    raise FormatError(f"the folder cannot be read: {error.strerror}") from error


def _check_source(content: bytes, name: str) -> None:
    """Bytecode (.mpy) is the board's own business; source must be text that the board can read."""
    if name.lower().endswith(".mpy"):
        if content[:1] != b"M":
            raise FormatError(f"{visible(name)} does not begin with the mark of MicroPython bytecode")
        return
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(f"{visible(name)}, line {line}, is not UTF-8 text") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FormatError(f"{visible(name)}, line {line}, has a zero byte in it")
