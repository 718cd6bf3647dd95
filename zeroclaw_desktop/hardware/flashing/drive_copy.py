"""Writes a file to a drive piece by piece, each piece down to the device, so that the percent are true."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PIECE_BYTES = 8_192
CANCEL_SECONDS = 1.5
"""For the piece that is under way when the job is cancelled."""


@dataclass(frozen=True)
class CopyResult:
    """How far a copy got.

    Attributes:
        written: bytes that the system took.
        error: what stopped it; None when all of it went down to the device.
    """

    written: int
    error: OSError | None


async def copy_to_drive(path: Path, content: bytes, on_percent: Callable[[float], None]) -> CopyResult:
    """Write a file; cancelling ends it after the piece that is under way and lets go of the drive.

    Args:
        path: the file; one that is there is replaced.
        content: in order and without gaps, as debug probes need it.
        on_percent: called on the loop after each piece, 0..100.
    """
    loop = asyncio.get_running_loop()
    stop = threading.Event()

    def progressed(percent: float) -> None:
        if not stop.is_set():
            loop.call_soon_threadsafe(on_percent, percent)

    work = asyncio.ensure_future(asyncio.to_thread(_copy, path, content, stop, progressed))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({work}, timeout=CANCEL_SECONDS)
        raise


def _copy(
    path: Path, content: bytes, stop: threading.Event, on_percent: Callable[[float], None]
) -> CopyResult:
    written = 0
    try:
        with contextlib.closing(_File(path)) as file:
            while written < len(content) and not stop.is_set():
                written += file.write(content[written : written + PIECE_BYTES])
                file.sync()
                on_percent(written * 100.0 / len(content))
    except OSError as error:
        return CopyResult(written, error)
    return CopyResult(written, None)


class _File:
    """An unbuffered file; a method raises OSError when the drive has gone."""

    def __init__(self, path: Path) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        self._number = os.open(path, flags, 0o666)

    def write(self, data: bytes) -> int:
        return os.write(self._number, data)

    def sync(self) -> None:
        os.fsync(self._number)

    def close(self) -> None:
        os.close(self._number)
