"""The upstream text bridge of the Arduino Uno Q, as its sources have it: one command a connection.

``gpio_write PIN VALUE`` -> ``ok``, ``gpio_read PIN`` -> level, else ``error: ...``; then it hangs up.
"""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType


class UnoQBridge:
    """Serves while its ``async with`` block runs; ``levels`` are its pins."""

    def __init__(self) -> None:
        self.levels = dict.fromkeys(range(22), 0)
        self.asked: list[str] = []
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """What a person enters."""
        assert self._server is not None
        return f"unoq://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> UnoQBridge:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            line = (await reader.readline()).decode()
            if line:
                self.asked.append(line.strip())
                writer.write(self._answer(line.split()).encode() + b"\n")
                await writer.drain()
        writer.close()

    def _answer(self, words: list[str]) -> str:
        try:
            if words[0] == "gpio_write":
                self.levels[int(words[1])] = int(words[2])
                return "ok"
            if words[0] == "gpio_read":
                return str(self.levels[int(words[1])])
        except (IndexError, KeyError, ValueError):
            return "error: bad arguments"
        return "error: unknown command"
