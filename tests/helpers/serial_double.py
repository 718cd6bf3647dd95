"""Devices that a test plays on a pseudo terminal: boot loaders for the real programs that write firmware."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import tty
from types import TracebackType

_RATES = {
    getattr(termios, name): int(name[1:]) for name in vars(termios) if name[0] == "B" and name[1:].isdigit()
}


class SerialDouble:
    """A device at the far end of a line; a thread of its own answers, so it may be used from anywhere.

    Attributes:
        path: the port that a program opens.
        rates: baud rates that the host has set, without repetitions in a row.
    """

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self.rates: list[int] = []
        self._ending = False
        self._thread = threading.Thread(target=self._serve, name=type(self).__name__)
        self._thread.start()

    def __enter__(self) -> SerialDouble:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def take(self, data: bytes) -> None:
        """Bytes have come from the host."""
        raise NotImplementedError

    def idle(self) -> None:
        """Nothing has come for 50 ms."""

    def say(self, data: bytes) -> None:
        """Send to the host."""
        with contextlib.suppress(OSError):
            os.write(self._master, data)

    def rate(self) -> int:
        """The baud rate that the host has set."""
        return _RATES.get(termios.tcgetattr(self._master)[4], 0)

    def close(self) -> None:
        """Unplug."""
        if self._ending:
            return
        self._ending = True
        if threading.current_thread() is not self._thread:
            self._thread.join()
        os.close(self._slave)
        os.close(self._master)

    def _serve(self) -> None:
        while not self._ending:
            ready, _, _ = select.select([self._master], [], [], 0.05)
            rate = self.rate()
            if not self.rates or self.rates[-1] != rate:
                self.rates.append(rate)
            if not ready:
                self.idle()
                continue
            try:
                data = os.read(self._master, 4096)
            except OSError:
                return
            self.take(data)
