"""The simulator's end of a pseudo terminal, so that other programs (avrdude, a terminal) can open the board.

Opening resets the board, as DTR does on a real Uno. That somebody has it open is seen by polling for POLLHUP;
that somebody opened it by inotify on Linux (a close and open within one poll would be missed otherwise), by
the end of POLLHUP elsewhere. Openings are not counted: inotify merges equal events that follow each other.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import struct
import sys

IN_OPEN = 0x20
IN_OVERFLOW = 0x4000
_EVENT = struct.Struct("iIII")
READ_BYTES = 65_536


class _OpenWatch:
    """Sees openings of a file by inotify (inotify(7))."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self.number = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.number < 0 or library.inotify_add_watch(self.number, path.encode(), IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify is not available")

    def opened(self) -> bool:
        """Whether it was opened since the last call."""
        try:
            data = os.read(self.number, 4096)
        except BlockingIOError:
            return False
        opened, offset = False, 0
        while offset + _EVENT.size <= len(data):
            _, mask, _, length = _EVENT.unpack_from(data, offset)
            opened = opened or bool(mask & (IN_OPEN | IN_OVERFLOW))
            offset += _EVENT.size + length
        return opened

    def close(self) -> None:
        os.close(self.number)


class LinePty:
    """A pseudo terminal for the board; POSIX only."""

    def __init__(self) -> None:
        import tty

        self._master, slave = os.openpty()
        self.path = os.ttyname(slave)
        tty.setraw(slave)  # before anybody sees it: an echo would garble the protocol
        os.close(slave)
        os.set_blocking(self._master, False)
        self._in_use = False
        self._watch: _OpenWatch | None = None
        if sys.platform.startswith("linux"):
            self._watch = _OpenWatch(self.path)
        self._poller = select.poll()
        self._poller.register(self._master, select.POLLIN)

    @property
    def in_use(self) -> bool:
        """Whether another program has it open."""
        return self._in_use

    def waitables(self) -> list[int]:
        """What select must watch; the master only while somebody is there, else it is always ready."""
        numbers = [self._watch.number] if self._watch is not None else []
        return numbers + ([self._master] if self.in_use else [])

    def poll_opened(self) -> bool:
        """Look for openings and closings; True when somebody opened it since the last look."""
        opened = self._watch is not None and self._watch.opened()
        hung_up = any(mask & select.POLLHUP for _, mask in self._poller.poll(0))
        before, self._in_use = self._in_use, not hung_up
        return opened or (self._watch is None and self._in_use and not before)

    def receive(self) -> bytes:
        """Bytes that came from the other program."""
        try:
            return os.read(self._master, READ_BYTES)
        except OSError:
            return b""

    def send(self, data: bytes) -> None:
        """Send the board's bytes; what does not fit into the system's buffer is lost, as on a real line."""
        with contextlib.suppress(OSError):
            os.write(self._master, data)

    def close(self) -> None:
        """Take the port away; whoever has it open sees the line hang up."""
        if self._watch is not None:
            self._watch.close()
        os.close(self._master)
