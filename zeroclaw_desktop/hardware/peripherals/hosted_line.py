"""The line of a board that this program answers for: a PortHandle without a port."""

from __future__ import annotations

import contextlib
import threading
import time

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.peripherals.driver import Driver
from zeroclaw_desktop.hardware.peripherals.hosted_board import HostedBoard
from zeroclaw_desktop.hardware.simulator.pure_line import LineReader

IDLE_SECONDS = 0.1
ALIVE_SECONDS = 1.0
"""How often the hardware is asked whether it is still there while nothing else is asked of it."""


class HostedLine:
    """Implements PortHandle: requests are carried out as they are written, replies are read.

    Args:
        driver: belongs to this line from now on and is closed with it.
    """

    def __init__(self, board: HostedBoard, driver: Driver) -> None:
        self._board = board
        self._driver = driver
        self._reader = LineReader()
        self._answers = bytearray()
        self._woken = threading.Event()
        self._asked = time.monotonic()

    def read(self, seconds: float) -> bytes:
        """See PortHandle; events are made while it waits."""
        end = time.monotonic() + seconds
        while True:
            self._answers += self._board.poll()
            now = time.monotonic()
            if self._answers or self._woken.is_set() or now >= end:
                break
            if now - self._asked >= ALIVE_SECONDS:
                self._asked = now
                self._driver.alive()
            pause = self._driver.pace if self._board.busy else IDLE_SECONDS
            self._woken.wait(min(pause, end - now))
        self._woken.clear()
        data = bytes(self._answers)
        self._answers.clear()
        return data

    def write(self, data: bytes) -> None:
        """See PortHandle; returns when what was asked for is done."""
        for line in self._reader.feed(data):
            self._answers += self._board.answer(line)
            self._asked = time.monotonic()

    def wake(self) -> None:
        """See PortHandle."""
        self._woken.set()

    def interrupt(self) -> None:
        """See InterruptibleHandle."""
        self._driver.interrupt()

    def close(self) -> None:
        """Put the outputs into the safe state and let go of the hardware."""
        with contextlib.suppress(ZeroClawError):
            self._board.make_safe()
        self._driver.close()
