"""A board at ``tcp://host:port``: our JSON lines over a TCP connection, as WiFi boards and bridges speak."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys

from zeroclaw_desktop.hardware.errors import PortError, PortGoneError, PortMissingError
from zeroclaw_desktop.hardware.transport.wake_pair import WakePair

CONNECT_SECONDS = 3.0
SEND_SECONDS = 2.0
READ_BYTES = 65_536
PROBE_AFTER_SECONDS = 5
PROBE_EVERY_SECONDS = 2
PROBES = 3
"""The system asks a silent peer whether it is there; the board's heartbeat finds out sooner where it can."""


class TcpLine:
    """Implements PortHandle over a connected socket.

    Args:
        shown: the address for messages.
    """

    def __init__(self, connection: socket.socket, shown: str) -> None:
        self._connection = connection
        self._shown = shown
        self._waker = WakePair()

    def read(self, seconds: float) -> bytes:
        """See PortHandle."""
        try:
            if not self._waker.wait_for(self._connection, seconds):
                return b""
            data = self._connection.recv(READ_BYTES)
        except BlockingIOError:
            return b""
        except (OSError, ValueError) as error:
            raise self._lost(str(error)) from error
        if not data:
            raise self._lost("the other side hung up")
        return data

    def write(self, data: bytes) -> None:
        """See PortHandle."""
        try:
            self._connection.settimeout(SEND_SECONDS)
            self._connection.sendall(data)
            self._connection.settimeout(0.0)
        except OSError as error:
            raise self._lost(str(error)) from error

    def wake(self) -> None:
        """See PortHandle."""
        self._waker.wake()

    def close(self) -> None:
        """See PortHandle."""
        with contextlib.suppress(OSError):
            self._connection.close()
        self._waker.close()

    def _lost(self, reason: str) -> PortGoneError:
        return PortGoneError(
            f"The connection to {self._shown} is lost: {reason}.",
            hint="The app connects again by itself when the board is back.",
            code="network_lost",
            retryable=True,
            details={"port": self._shown, "reason": reason},
        )


def open_tcp(host: str, port: int, shown: str, timeout: float = CONNECT_SECONDS) -> TcpLine:
    """Connect to a board.

    Raises:
        PortError: says whether the name, the computer or the program is missing.
    """
    connection = connect_tcp(host, port, shown, timeout)
    connection.settimeout(0.0)
    return TcpLine(connection, shown)


def connect_tcp(host: str, port: int, shown: str, timeout: float = CONNECT_SECONDS) -> socket.socket:
    """A connected socket whose small messages leave at once; see ``open_tcp``."""
    try:
        connection = socket.create_connection((host, port), timeout)
    except (OSError, UnicodeError) as error:
        raise explain_network_failure(error, shown) from error
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if sys.platform == "linux":
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, PROBE_AFTER_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, PROBE_EVERY_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES)
    return connection


def explain_network_failure(error: Exception, shown: str) -> PortError:
    """Turn a failed connecting into an error that says what to do."""
    details = {"port": shown, "reason": str(error)}
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return PortMissingError(
            f"The name in {shown} leads to no computer.",
            hint="Check how it is written, or write the IP address.",
            code="host_unknown",
            retryable=True,
            details=details,
        )
    if isinstance(error, ConnectionRefusedError):
        return PortMissingError(
            f"The computer at {shown} is there, but nothing takes the connection.",
            hint="Start the board's bridge program, and check the port number.",
            code="connection_refused",
            retryable=True,
            details=details,
        )
    unreachable = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT)
    if isinstance(error, TimeoutError) or getattr(error, "errno", None) in unreachable:
        return PortMissingError(
            f"Nothing answers at {shown}.",
            hint="Check that the board is on and in the same network, and that no firewall is in the way.",
            code="host_silent",
            retryable=True,
            details=details,
        )
    return PortError(
        f"There is no connection to {shown}: {error}.", code="network_failed", retryable=True, details=details
    )
