"""The simulator's line for other programs where the system has no pseudo terminals: a raw TCP port.

avrdude opens it as ``net:127.0.0.1:PORT``, pyserial as ``socket://127.0.0.1:PORT``. Connecting resets the
board, as DTR does on a real Uno.
"""

from __future__ import annotations

import contextlib
import socket

READ_BYTES = 65_536


class LineTcp:
    """Serves one program at a time on the loopback address."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self._client: socket.socket | None = None
        self._received = bytearray()
        self.path = f"net:127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def in_use(self) -> bool:
        """Whether another program has the line."""
        return self._client is not None

    def waitables(self) -> list[socket.socket]:
        """What select must watch."""
        return [self._listener] + ([self._client] if self._client is not None else [])

    def poll_opened(self) -> bool:
        """Take a waiting program; True when one came since the last look. A second one is turned away."""
        try:
            client, _ = self._listener.accept()
        except OSError:
            return False
        self._pull()  # the last bytes of the program before, then that it has gone
        self._pull()
        if self._client is not None:
            client.close()
            return False
        self._received.clear()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        self._client = client
        return True

    def receive(self) -> bytes:
        """Bytes that came from the other program."""
        self._pull()
        data = bytes(self._received)
        self._received.clear()
        return data

    def _pull(self) -> None:
        """Read what is there once; the end of the stream is a hang-up."""
        if self._client is None:
            return
        try:
            data = self._client.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._received += data
        if not data:
            self._hang_up()

    def send(self, data: bytes) -> None:
        """Send the board's bytes; what the other side does not take in time is lost, as on a real line."""
        if self._client is not None:
            with contextlib.suppress(OSError):
                self._client.send(data)

    def _hang_up(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def close(self) -> None:
        """Take the port away."""
        self._hang_up()
        self._listener.close()
