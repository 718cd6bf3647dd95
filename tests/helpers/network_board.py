"""A board on the network: the product's plain Python board behind a TCP port that several programs can open.

Each program hears the replies to its own requests, as from a board with WiFi; events go to all.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from types import TracebackType

from zeroclaw_desktop.hardware.simulator.pure_board import PureBoard

STEP_SECONDS = 0.005


class NetworkBoard:
    """Serves while its ``async with`` block runs."""

    def __init__(self) -> None:
        self.machine = PureBoard()
        self._clients: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._life: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """What programs open."""
        assert self._server is not None
        return f"socket://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def level(self, pin: int) -> int:
        """Electrical level of a pin."""
        return self.machine.snapshot().levels[pin]

    async def __aenter__(self) -> NetworkBoard:
        self.machine.advance(1.0)
        self.machine.transmitted()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._life = asyncio.get_running_loop().create_task(self._live())
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        assert self._life is not None
        self._life.cancel()
        await asyncio.wait({self._life})
        self._server.close()
        for client in self._clients:
            client.close()
        await self._server.wait_closed()

    async def _live(self) -> None:
        lived_until = time.monotonic()
        while True:
            await asyncio.sleep(STEP_SECONDS)
            now = time.monotonic()
            self.machine.advance(now - lived_until)
            lived_until = now
            said = self.machine.transmitted()
            for client in self._clients if said else ():
                client.write(said)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        with contextlib.suppress(OSError):
            while data := await reader.readline():
                self.machine.receive(data)
                writer.write(self.machine.transmitted())
        self._clients.discard(writer)
        writer.close()
