"""The thread that owns an open port (HW-4): a queue goes in, callbacks come out.

Callbacks run on this thread; whoever gets them hops to the loop by ``call_soon_threadsafe``. Urgent bytes
(the stop command) overtake everything that is queued.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.transport.port_handle import InterruptibleHandle, PortHandle

READ_WAIT_SECONDS = 0.5
PIECE_BYTES = 256
"""Longer data is written in pieces of this size, between which urgent bytes pass and the port is read."""
_log = logger("serial")


@dataclass
class WorkerCounters:
    """Bytes through the port since it was opened."""

    bytes_read: int = 0
    bytes_written: int = 0


class SerialWorker:
    """Opens a port, reads and writes it until told to stop or until it vanishes.

    Args:
        open_handle: opens the port; runs on the thread, may raise ZeroClawError.
        on_opened: the port is open.
        on_bytes: bytes came, with their monotonic arrival time in seconds.
        on_closed: the thread ends; with the error, or None when it was told to.
    """

    def __init__(
        self,
        name: str,
        open_handle: Callable[[], PortHandle],
        *,
        on_opened: Callable[[], None],
        on_bytes: Callable[[bytes, float], None],
        on_closed: Callable[[ZeroClawError | None], None],
    ) -> None:
        self.counters = WorkerCounters()
        self._open_handle = open_handle
        self._on_opened = on_opened
        self._on_bytes = on_bytes
        self._on_closed = on_closed
        self._guard = threading.Lock()
        self._urgent: deque[tuple[bytes, Callable[[float], None] | None]] = deque()
        self._queue: deque[tuple[bytes, Callable[[float], None] | None]] = deque()
        self._handle: PortHandle | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._main, name=f"serial:{name}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def submit(
        self, data: bytes, *, urgent: bool = False, on_written: Callable[[float], None] | None = None
    ) -> None:
        """Queue bytes for writing; any thread.

        Args:
            urgent: overtake everything that is queued, which is dropped.
            on_written: called on this thread with the monotonic time when the system took the bytes.
        """
        with self._guard:
            if urgent:
                self._queue.clear()
                # Before the bytes can be seen, so that it is never they that are broken off.
                if isinstance(self._handle, InterruptibleHandle):
                    self._handle.interrupt()
                self._urgent.append((data, on_written))
            else:
                last = max(0, len(data) - 1) // PIECE_BYTES * PIECE_BYTES
                pieces = range(0, last, PIECE_BYTES)
                self._queue.extend((data[start : start + PIECE_BYTES], None) for start in pieces)
                self._queue.append((data[last:], on_written))
            handle = self._handle
        if handle is not None:
            handle.wake()

    def stop(self) -> None:
        """Ask the thread to close the port and end; any thread."""
        self._stopping = True
        with self._guard:
            handle = self._handle
        if handle is not None:
            handle.wake()

    def join(self, seconds: float = 2.0) -> bool:
        """Wait for the end; returns whether it came. Not from the thread itself."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _main(self) -> None:
        fault: ZeroClawError | None = None
        try:
            handle = self._open_handle()
        except ZeroClawError as error:
            self._on_closed(error)
            return
        with self._guard:
            self._handle = handle
        try:
            self._on_opened()
            while not self._stopping:
                self._turn(handle)
        except ZeroClawError as error:
            fault = error
        except Exception as error:  # noqa: BLE001 - the thread's own loop: a fault ends the port, not the app
            _log.exception("The thread of %s failed", self._thread.name)
            fault = ZeroClawError(f"The reader of the port failed: {error}", code="port_gone")
        finally:
            with self._guard:
                self._handle = None
            handle.close()
            self._on_closed(fault)

    def _turn(self, handle: PortHandle) -> None:
        entry = self._next()
        if entry is not None:
            data, on_written = entry
            handle.write(data)
            self.counters.bytes_written += len(data)
            if on_written is not None:
                on_written(time.monotonic())
        data = handle.read(READ_WAIT_SECONDS if entry is None else 0.0)
        if data:
            self.counters.bytes_read += len(data)
            self._on_bytes(data, time.monotonic())

    def _next(self) -> tuple[bytes, Callable[[float], None] | None] | None:
        with self._guard:
            if self._urgent:
                return self._urgent.popleft()
            return self._queue.popleft() if self._queue else None
