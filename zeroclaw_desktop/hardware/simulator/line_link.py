"""The simulator's end of ``sim://``: a loopback socket with frames (see transport/protocol_sim.py)."""

from __future__ import annotations

import secrets
import socket

from zeroclaw_desktop.hardware.transport.protocol_sim import FrameReader, frame

MAX_GREETING = 256
"""Bytes that somebody may send without having shown the token."""


class LineLink:
    """Listens on 127.0.0.1 and serves one client that knows the token; nobody else can take its place."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self._client: socket.socket | None = None
        self._frames = FrameReader()
        self._newcomer: socket.socket | None = None
        self._newcomer_frames = FrameReader()
        self._dtr = False

    @property
    def port(self) -> int:
        """TCP port."""
        return int(self._listener.getsockname()[1])

    @property
    def connected(self) -> bool:
        """Whether the app has the line."""
        return self._client is not None

    def waitables(self) -> list[socket.socket]:
        """What select must watch."""
        return [self._listener, *(one for one in (self._client, self._newcomer) if one is not None)]

    def accept(self) -> None:
        """Let somebody in who has yet to show the token; who waited with it until now has lost the chance."""
        try:
            newcomer, _ = self._listener.accept()
        except OSError:
            return
        if self._newcomer is not None:
            self._newcomer.close()
        newcomer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        newcomer.setblocking(False)
        self._newcomer, self._newcomer_frames = newcomer, FrameReader()

    def receive(self, busy: bool) -> tuple[bytes, bool]:
        """Read what came.

        Args:
            busy: whether another program has the line; a client is then turned away.

        Returns:
            Data for the board, and whether DTR rose (which resets the board).
        """
        first, rose_first = self._act(self._admit(busy))
        if self._client is None:
            return first, rose_first
        data = _read(self._client)
        if data == b"":
            self.hang_up()
            return first, rose_first
        second, rose = self._act(self._frames.feed(data or b""))
        return first + second, rose or rose_first

    def _act(self, frames: list[tuple[bytes, bytes]]) -> tuple[bytes, bool]:
        payload, rose = bytearray(), False
        for kind, content in frames:
            if kind == b"D":
                payload += content
            elif kind == b"L" and content:
                dtr = bool(content[0] & 1)
                rose = rose or (dtr and not self._dtr)
                self._dtr = dtr
        return bytes(payload), rose

    def _admit(self, busy: bool) -> list[tuple[bytes, bytes]]:
        """Look at the newcomer's token; returns what it sent behind it."""
        newcomer = self._newcomer
        data = _read(newcomer) if newcomer is not None else None
        if newcomer is None or data is None:
            return []
        frames = self._newcomer_frames.feed(data)
        if data and not frames and self._newcomer_frames.pending <= MAX_GREETING:
            return []
        self._newcomer = None
        kind, content = frames[0] if frames else (b"", b"")
        if kind != b"T" or not secrets.compare_digest(content, self.token.encode()):
            newcomer.close()
            return []
        # The app has hung up before it connects again, even where its end has not been seen yet.
        self.hang_up()
        self._client, self._frames, self._dtr = newcomer, self._newcomer_frames, False
        self._write(frame(b"B" if busy else b"O"))
        if busy:
            self.hang_up()
            return []
        return frames[1:]

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
        self._client = None

    def turn_away(self) -> None:
        """Drop who waits to be let in as well."""
        self.hang_up()
        if self._newcomer is not None:
            self._newcomer.close()
        self._newcomer = None


def _read(connection: socket.socket) -> bytes | None:
    """What came; None when there is nothing yet, b'' at the end."""
    try:
        return connection.recv(65_536)
    except BlockingIOError:
        return None
    except OSError:
        return b""
