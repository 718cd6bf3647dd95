"""Asks a port whether anything there speaks our protocol, and which board it says it is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.protocol import (
    Reply,
    decode_capabilities,
    decode_line,
    encode_request,
    firmware_name,
)
from zeroclaw_desktop.hardware.serial_worker import SerialWorker
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings, open_port

GREET_SECONDS = 4.0
"""An Uno that was reset by the opening answers after 1.5 s."""
ASK_AGAIN_SECONDS = 0.5
CLOSE_SECONDS = 3.0
MOST_LINE = 4_096


@dataclass(frozen=True)
class Greeting:
    """What was heard.

    Attributes:
        board: key of the board as its firmware names it; '' when nobody spoke our protocol.
        firmware: its name and version.
        lines: how many other lines came, which a sketch of somebody else prints.
    """

    board: str = ""
    firmware: str = ""
    lines: int = 0


class _Ear:
    """Splits what comes into lines and waits for the one that answers."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.answer: asyncio.Future[dict[str, Any]] = loop.create_future()
        self.lines = 0
        self._line = bytearray()

    def bytes_came(self, data: bytes) -> None:
        for byte in data:
            if byte not in b"\r\n":
                if len(self._line) < MOST_LINE:
                    self._line.append(byte)
                continue
            line, self._line = bytes(self._line), bytearray()
            message = decode_line(line) if line else None
            if isinstance(message, Reply) and message.ok and not self.answer.done():
                self.answer.set_result(decode_capabilities(message.result))
            elif line:
                self.lines += 1

    def ended(self, error: ZeroClawError | None) -> None:
        for future in (self.opened, self.answer):
            if error is not None and not future.done():
                future.set_exception(error)
                future.exception()
        if not self.closed.done():
            self.closed.set_result(None)


async def greet(port: str, baud: int = 115_200) -> Greeting:
    """Open a port, ask for the capabilities until an answer comes or time is over, close it.

    Raises:
        PortError: the port cannot be opened or vanished.
    """
    loop = asyncio.get_running_loop()
    ear = _Ear(loop)

    def opened() -> None:
        if not ear.opened.done():
            ear.opened.set_result(None)

    def hop(function: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is gone
            loop.call_soon_threadsafe(function, *arguments)

    worker = SerialWorker(
        port,
        lambda: open_port(port, PortSettings(baud)),
        on_opened=lambda: hop(opened),
        on_bytes=lambda data, _when: hop(ear.bytes_came, data),
        on_closed=lambda error: hop(ear.ended, error),
    )
    worker.start()
    try:
        await ear.opened
        capabilities = await _ask(worker, ear)
    finally:
        worker.stop()
        await asyncio.wait({ear.closed}, timeout=CLOSE_SECONDS)
    board = capabilities.get("board", "")
    return Greeting(str(board)[:40] if board else "", firmware_name(capabilities), ear.lines)


async def _ask(worker: SerialWorker, ear: _Ear) -> dict[str, Any]:
    question = b"\n" + encode_request("who", "capabilities", {})
    try:
        async with asyncio.timeout(GREET_SECONDS):
            while True:
                worker.submit(question)
                await asyncio.wait({ear.answer}, timeout=ASK_AGAIN_SECONDS)
                if ear.answer.done():
                    return ear.answer.result()
    except TimeoutError:
        return {}
