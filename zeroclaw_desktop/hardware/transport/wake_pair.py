"""A pair of sockets by which another thread ends a wait in ``select``."""

from __future__ import annotations

import contextlib
import select
import socket
from typing import Any


class WakePair:
    """Belongs to the thread that waits; only ``wake`` may be called from others."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    def wait_for(self, readable: Any, seconds: float) -> bool:
        """Wait for a file number or socket; False when time is over or somebody woke the thread.

        Raises:
            OSError, ValueError: it cannot be waited for any more.
        """
        ready, _, _ = select.select([readable, self._reader], [], [], seconds)
        if self._reader in ready:
            with contextlib.suppress(BlockingIOError):
                self._reader.recv(4096)
        return readable in ready

    def more_comes(self, readable: Any, seconds: float) -> bool:
        """Wait for a file number or socket while nobody wakes the thread; who did is heard by ``wait_for``.

        Raises:
            OSError, ValueError: it cannot be waited for any more.
        """
        ready, _, _ = select.select([readable, self._reader], [], [], seconds)
        return readable in ready and self._reader not in ready

    def wake(self) -> None:
        """End the wait; any thread."""
        with contextlib.suppress(OSError):
            self._writer.send(b"w")

    def close(self) -> None:
        """Let go of both."""
        self._reader.close()
        self._writer.close()
