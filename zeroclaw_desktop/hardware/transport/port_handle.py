"""An open port as one thread uses it: read with a wait that can be interrupted, write, close."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import time
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import serial

from zeroclaw_desktop.hardware.errors import PortError, PortGoneError
from zeroclaw_desktop.hardware.transport.open_errors import explain_open_failure
from zeroclaw_desktop.hardware.transport.wake_pair import WakePair

READ_BYTES = 65_536
WRITE_PIECE_BYTES = 256
WRITE_PIECE_SECONDS = 5.0
"""For one piece; at 1200 baud it takes 2.1 s, so longer means that the other side takes nothing."""
FLOOD_BYTES = 2048
"""A read of this size means that more is on its way; smaller ones are handed on at once."""
GATHER_SECONDS = 0.004
GATHER_WAIT_SECONDS = 0.0005
POLL_SECONDS = 0.002
"""Poll interval where a port cannot be waited for together with a wake-up (Windows)."""

serial.protocol_handler_packages.append("zeroclaw_desktop.hardware.transport")

if sys.platform != "win32":
    import termios

    from zeroclaw_desktop.hardware.transport.modem_lines import TogetherSerial

    PORT_FAULTS: tuple[type[BaseException], ...] = (serial.SerialException, OSError, termios.error)
else:
    PORT_FAULTS = (serial.SerialException, OSError)

OPEN_FAULTS: tuple[type[BaseException], ...] = (*PORT_FAULTS, ValueError)


@dataclass(frozen=True)
class PortSettings:
    """How to open a port.

    Attributes:
        baud: bits a second; the frame is always 8N1.
        assert_dtr: whether DTR is raised on opening; on most Arduinos that resets the board.
    """

    baud: int = 115_200
    assert_dtr: bool = False
    assert_rts: bool = False


class PortHandle(Protocol):
    """An open port. ``wake`` may be called from any thread, the rest from the owner's only."""

    def read(self, seconds: float) -> bytes:
        """Wait up to ``seconds`` for bytes; b'' when time is over or ``wake`` was called."""

    def write(self, data: bytes) -> None:
        """Write everything."""

    def wake(self) -> None:
        """Interrupt a waiting ``read``."""

    def close(self) -> None:
        """Let go of the port; never raises."""


@runtime_checkable
class InterruptibleHandle(Protocol):
    """A port whose writing may take long, because something is carried out meanwhile."""

    def interrupt(self) -> None:
        """Break off what is under way, so that urgent bytes can follow; any thread."""


def gone(port: str, error: BaseException) -> PortGoneError:
    """The error for a port that vanished while it was open."""
    return PortGoneError(
        f"The port {port} vanished.",
        hint="Check the cable; the app reconnects by itself when the board is back.",
        retryable=True,
        details={"port": port, "reason": str(error)},
    )


class _SerialHandle:
    """Shared parts: the pyserial object and its faults."""

    def __init__(self, port: str, device: serial.SerialBase) -> None:
        self._port = port
        self._device = device

    def write(self, data: bytes) -> None:
        try:
            for start in range(0, len(data), WRITE_PIECE_BYTES):
                self._device.write(data[start : start + WRITE_PIECE_BYTES])
        except PORT_FAULTS as error:
            raise gone(self._port, error) from error

    def _read_now(self, size: int) -> bytes:
        try:
            return bytes(self._device.read(size))
        except PORT_FAULTS as error:
            raise gone(self._port, error) from error

    def close(self) -> None:
        with contextlib.suppress(*PORT_FAULTS):
            self._device.close()


class SelectHandle(_SerialHandle):
    """Waits with select for the port and a wake-up pair; Linux, macOS and simulated boards everywhere."""

    def __init__(self, port: str, device: serial.SerialBase) -> None:
        super().__init__(port, device)
        device.timeout = 0
        self._number = device.fileno()
        self._waker = WakePair()

    def read(self, seconds: float) -> bytes:
        try:
            ready = self._waker.wait_for(self._number, seconds)
        except (OSError, ValueError) as error:
            raise gone(self._port, error) from error
        if not ready:
            return b""
        data = self._read_now(READ_BYTES)
        if not data and not getattr(self._device, "reads_may_be_empty", False):
            raise gone(self._port, OSError(errno.EIO, "the device reports no data"))
        return data if len(data) < FLOOD_BYTES else self._gather(data)

    def _gather(self, data: bytes) -> bytes:
        """Add what comes right behind a large read: one large block costs far less than many small ones."""
        pieces, size = [data], len(data)
        deadline = time.monotonic() + GATHER_SECONDS
        while size < READ_BYTES and time.monotonic() < deadline:
            try:
                if not self._waker.more_comes(self._number, GATHER_WAIT_SECONDS):
                    break
                piece = self._read_now(READ_BYTES - size)
            except (PortError, OSError, ValueError):
                break
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)

    def wake(self) -> None:
        self._waker.wake()

    def close(self) -> None:
        super().close()
        self._waker.close()


class PollingHandle(_SerialHandle):
    """For ports that select cannot wait for: looks every POLL_SECONDS."""

    def __init__(self, port: str, device: serial.SerialBase) -> None:
        super().__init__(port, device)
        device.timeout = 0
        self._woken = threading.Event()

    def read(self, seconds: float) -> bytes:
        waited = 0.0
        while True:
            data = self._read_now(READ_BYTES)
            if data or waited >= seconds or self._woken.is_set():
                self._woken.clear()
                return data
            self._woken.wait(POLL_SECONDS)
            waited += POLL_SECONDS

    def wake(self) -> None:
        self._woken.set()


def _new_device(port: str) -> serial.SerialBase:
    """What will open the port; nothing is opened yet."""
    if "://" in port or sys.platform == "win32":
        return serial.serial_for_url(port, do_not_open=True, exclusive=None)
    device = TogetherSerial()
    device.port = port
    return device


def open_device(port: str, settings: PortSettings) -> serial.SerialBase:
    """Open a port by path, COM name or URL (``sim://``, ``socket://``) as pyserial's object.

    Raises:
        PortError: a kind that says why; with the holder's name when it is busy and the system tells.
    """
    try:
        device = _new_device(port)
        device.baudrate = settings.baud
        device.dtr = settings.assert_dtr
        device.rts = settings.assert_rts
        device.write_timeout = WRITE_PIECE_SECONDS
        if "://" not in port and sys.platform != "win32":
            device.exclusive = True
        device.open()
    except PortError:
        raise
    except OPEN_FAULTS as error:
        raise explain_open_failure(port, error) from error
    return device


def open_port(port: str, settings: PortSettings) -> PortHandle:
    """Open a port for its thread; see ``open_device``, also for what it raises."""
    device = open_device(port, settings)
    if sys.platform == "win32" and "://" not in port:
        return PollingHandle(port, device)
    return SelectHandle(port, device)


def resolve_path(port: str) -> str:
    """The real device behind a symbolic link; URLs and COM names as they are."""
    return port if "://" in port or sys.platform == "win32" else os.path.realpath(port)
