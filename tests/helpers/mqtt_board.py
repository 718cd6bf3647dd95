"""A board behind a broker: the product's plain Python board, speaking MQTT by another library's rules.

The MQTT of this side is written out here (3.1.1, QoS 0, with a last will), so that product and test share no
code of the transport.
"""

from __future__ import annotations

import asyncio
import ssl
import struct
import time
from types import TracebackType

from zeroclaw_desktop.hardware.simulator.pure_board import PureBoard

STEP_SECONDS = 0.005
KEEPALIVE = 30


def _text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack(">H", len(raw)) + raw


def _packet(first: int, body: bytes) -> bytes:
    length, size = len(body), bytearray()
    while True:
        length, digit = divmod(length, 128)
        size.append(digit | (0x80 if length else 0))
        if not length:
            return bytes([first]) + bytes(size) + body


class MqttBoard:
    """Connected while its ``async with`` block runs."""

    def __init__(
        self, port: int, base: str, user: str = "", password: str = "", tls: ssl.SSLContext | None = None
    ) -> None:
        self.machine = PureBoard()
        self.base = base
        self.hosts: list[bytes] = []
        """What ``<base>/host`` said."""
        self._port, self._user, self._password, self._tls = port, user, password, tls
        self._tasks: list[asyncio.Task[None]] = []
        self._writer: asyncio.StreamWriter | None = None

    def level(self, pin: int) -> int:
        """Electrical level of a pin."""
        return self.machine.snapshot().levels[pin]

    async def __aenter__(self) -> MqttBoard:
        self.machine.advance(1.0)
        self.machine.transmitted()
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, ssl=self._tls)
        flags = 0x02 | 0x04 | 0x20 | (0xC0 if self._user else 0)  # clean session, will, will retained
        body = _text("MQTT") + bytes([4, flags]) + struct.pack(">H", KEEPALIVE) + _text(f"board-{self.base}")
        body += _text(f"{self.base}/online") + _text("offline")
        body += _text(self._user) + _text(self._password) if self._user else b""
        self._writer.write(_packet(0x10, body))
        kind, answer = await self._read_packet(reader)
        assert (kind, answer[1]) == (0x20, 0), "the broker refuses the board"
        subscriptions = _text(f"{self.base}/cmd") + b"\0" + _text(f"{self.base}/host") + b"\0"
        self._writer.write(_packet(0x82, b"\0\1" + subscriptions))
        while (await self._read_packet(reader))[0] != 0x90:
            pass
        self.publish("online", b"online", retain=True)
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._serve(reader)), loop.create_task(self._live())]
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.vanish()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def vanish(self) -> None:
        """Lose the connection without a goodbye, so that the broker speaks the last will."""
        assert self._writer is not None
        self._writer.transport.abort()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Say something below the base."""
        assert self._writer is not None
        self._writer.write(_packet(0x31 if retain else 0x30, _text(f"{self.base}/{topic}") + payload))

    async def _read_packet(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        first = (await reader.readexactly(1))[0]
        length, factor = 0, 1
        while True:
            digit = (await reader.readexactly(1))[0]
            length += (digit & 0x7F) * factor
            factor *= 128
            if not digit & 0x80:
                return first & 0xF0, await reader.readexactly(length)

    async def _serve(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                kind, body = await self._read_packet(reader)
                if kind != 0x30:
                    continue
                size = struct.unpack(">H", body[:2])[0]
                topic, payload = body[2 : 2 + size].decode(), body[2 + size :]
                if topic.endswith("/host"):
                    self.hosts.append(payload)
                else:
                    self.machine.receive(payload + b"\n")
                    self._tell()
        except (asyncio.IncompleteReadError, ConnectionError):
            return

    async def _live(self) -> None:
        lived_until = time.monotonic()
        while True:
            await asyncio.sleep(STEP_SECONDS)
            now = time.monotonic()
            self.machine.advance(now - lived_until)
            lived_until = now
            self._tell()

    def _tell(self) -> None:
        for line in self.machine.transmitted().splitlines():
            self.publish("evt" if line.startswith(b'{"evt"') else "reply", line)
