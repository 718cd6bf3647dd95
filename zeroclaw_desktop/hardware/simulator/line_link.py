"""The simulator's end of ``sim://``: a loopback socket with frames (see transport/protocol_sim.py)."""

from __future__ import annotations

import secrets
import socket

from zeroclaw_desktop.hardware.transport.protocol_sim import FrameReader, frame


class LineLink:
    """Listens on 127.0.0.1 and serves one client that knows the token."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self._client: socket.socket | None = None
        self._frames = FrameReader()
        self._admitted = False
        self._dtr = False

    @property
    def port(self) -> int:
        """TCP port."""
        return int(self._listener.getsockname()[1])

    @property
    def connected(self) -> bool:
        """Whether the app has the line."""
        return self._client is not None and self._admitted

    def waitables(self) -> list[socket.socket]:
        """What select must watch."""
        return [self._listener] + ([self._client] if self._client is not None else [])

    def accept(self) -> None:
        """Take a new client; the last one loses, as the app has hung up before it connects again."""
        try:
            client, _ = self._listener.accept()
        except OSError:
            return
        if self._client is not None:
            self._client.close()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        self._client, self._frames, self._admitted, self._dtr = client, FrameReader(), False, False

    def receive(self, busy: bool) -> tuple[bytes, bool]:
        """Read what came.

        Args:
            busy: whether another program has the line; a client is then turned away.

        Returns:
            Data for the board, and whether DTR rose (which resets the board).
        """
        if self._client is None:
            return b"", False
        try:
            data = self._client.recv(65_536)
        except BlockingIOError:
            return b"", False
        except OSError:
            data = b""
        if not data:
            self.hang_up()
            return b"", False
        payload, rose = bytearray(), False
        for kind, content in self._frames.feed(data):
            if not self._admitted:
                if not self._admit(kind, content, busy):
                    return b"", False
            elif kind == b"D":
                payload += content
            elif kind == b"L":
                dtr = bool(content[0] & 1)
                rose = rose or (dtr and not self._dtr)
                self._dtr = dtr
        return bytes(payload), rose

    def _admit(self, kind: bytes, content: bytes, busy: bool) -> bool:
        if kind != b"T" or not secrets.compare_digest(content, self.token.encode()):
            self.hang_up()
            return False
        self._write(frame(b"B" if busy else b"O"))
        if busy:
            self.hang_up()
            return False
        self._admitted = True
        return True

    def send(self, data: bytes) -> None:
        """Send the board's bytes to the client."""
        for start in range(0, len(data), 60_000):
            self._write(frame(b"D", data[start : start + 60_000]))

    def _write(self, data: bytes) -> None:
        if self._client is None:
            return
        try:
            self._client.setblocking(True)
            self._client.settimeout(1.0)
            self._client.sendall(data)
            self._client.setblocking(False)
        except OSError:
            self.hang_up()

    def hang_up(self) -> None:
        """Drop the client, as unplugging does."""
        if self._client is not None:
            self._client.close()
        self._client, self._admitted = None, False
