"""Lets one bootstrap work on a checkout at a time; the lock dies with its processes, so none is left over.

The tools that the bootstrap starts may hold the lock as well (see ``run_logged``): if the bootstrap is
killed, the next one waits until the tools that were left behind have ended.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

POLL_S = 0.2


@contextmanager
def only_one(lock_path: Path, *, on_wait: Callable[[], None]) -> Iterator[int]:
    """Hold the lock file while the body runs; gives its file descriptor.

    Args:
        lock_path: the file; its folder is made.
        on_wait: called once when another process holds it.
    """
    lock_path.parent.mkdir(parents=True, exist_ok=True)
    with lock_path.open("a+") as file:
        told = False
        while not _try_lock(file):
            if not told:
                on_wait()
                told = True
            time.sleep(POLL_S)
        try:
            yield file.fileno()
        finally:
            _unlock(file)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[str]) -> bool:
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: IO[str]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
