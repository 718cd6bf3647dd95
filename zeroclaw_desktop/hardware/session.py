"""One conversation with one board (HW-3): requests by id, events, handshake, the urgent stop.

All methods on the loop's thread; the port itself belongs to the SerialWorker's thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile, PinState
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.errors import (
    BoardRefusedError,
    LinkError,
    NoHandshakeError,
    NoReplyError,
    PortGoneError,
)
from zeroclaw_desktop.hardware.peripherals.contract import OwnLine
from zeroclaw_desktop.hardware.protocol import (
    MAX_REQUEST_BYTES,
    BoardEvent,
    Reply,
    changed_pin,
    decode_capabilities,
    decode_line,
    decode_state,
    encode_request,
)
from zeroclaw_desktop.hardware.request_window import REQUEST_BYTES, RequestWindow
from zeroclaw_desktop.hardware.serial_worker import SerialWorker
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings, open_port

PING_SECONDS = 0.4
STOP_CONFIRM_SECONDS = 1.0
OPEN_SECONDS = 5.0
MAX_WINDOW = 8
UPSTREAM_COMMANDS = frozenset({"ping", "capabilities", "gpio_read", "gpio_write"})
MAX_BACKLOG = 4_000
"""Lines on their way from the port's thread to the loop; a board that floods must not fill the memory."""
_log = logger("serial")


@dataclass
class SessionCounters:
    """What came over the line and could not be used.

    Attributes:
        dropped: lines that came faster than they could be read; replies are kept longest.
    """

    replies: int = 0
    stale_replies: int = 0
    events: int = 0
    unreadable: int = 0
    dropped: int = 0


@dataclass(frozen=True)
class SessionEvents:
    """Whom the session tells; all called on the loop's thread.

    Attributes:
        lost: the port closed by itself, with the reason.
        happened: the board sent an event.
        observed: pin states changed.
    """

    lost: Callable[[ZeroClawError], None]
    happened: Callable[[BoardEvent], None]
    observed: Callable[[], None]


@dataclass(frozen=True)
class StopSent:
    """The stop command on its way: when the system took the bytes, and whether the board answered."""

    wire_time: float | None
    confirmed: bool
    note: str = ""


@dataclass
class _Pending:
    command: str
    reply: asyncio.Future[Reply] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class BoardSession:
    """Talks to the board on one port.

    Args:
        port: path or URL.
        ingest: takes the raw bytes first: telemetry and console lines.
        events: whom to tell.
        line: how the port is opened where it is no serial one.
    """

    def __init__(
        self,
        port: str,
        profile: BoardProfile,
        ingest: TelemetryIngest,
        events: SessionEvents,
        line: OwnLine | None = None,
    ) -> None:
        self.port = port
        self.profile = profile
        self.capabilities: dict[str, Any] = {}
        self.pins: dict[int, PinState] = {}
        self.counters = SessionCounters()
        self.heard_at: float | None = None
        """Monotonic time of the board's last reply or event, seconds."""
        self.line = line
        self._ingest = ingest
        self._events = events
        self._numbers = itertools.count(1)
        shared = line is not None and line.networked
        self._id_prefix = f"{secrets.token_hex(2)}-" if shared else ""
        """Others may be talking to a board on the network, and everybody hears all replies."""
        self._pending: dict[str, _Pending] = {}
        self._window = RequestWindow()
        self._loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._closed: asyncio.Future[None] = self._loop.create_future()
        self._closing = False
        self._greeted = False
        self._lines_before = ingest.counters.lines
        self._worker: SerialWorker | None = None
        self._backlog = 0
        self._backlog_guard = threading.Lock()

    # -- life -----------------------------------------------------------------------------------------
    async def open(self, settings: PortSettings) -> None:
        """Open the port and greet the board.

        Raises:
            PortError: the port cannot be opened.
            NoHandshakeError: nothing on it speaks our protocol.
        """
        line = self.line
        self._worker = SerialWorker(
            self.port,
            lambda: open_port(self.port, settings) if line is None else line.open(settings),
            on_opened=lambda: self._hop(self._set_opened),
            on_bytes=self._bytes_came,
            on_closed=lambda error: self._hop(self._set_closed, error),
        )
        self._ingest.reopened()
        self._worker.start()
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await asyncio.shield(self._opened)
            await self._handshake()
            self._greeted = True
        except TimeoutError as error:
            await self.close()
            raise NoHandshakeError(f"The port {self.port} did not open in time.") from error
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Let go of the port; returns when it is closed. Never raises."""
        self._closing = True
        if self._worker is not None:
            self._worker.stop()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(3.0):
                    await asyncio.shield(self._closed)
        self._fail_pending(PortGoneError(f"The port {self.port} was closed.", details={"port": self.port}))

    def _hop(self, function: Callable[..., None], *args: Any) -> None:
        """From the port's thread to the loop; nothing to do once the loop is gone."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *args)

    def _set_opened(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _set_closed(self, error: ZeroClawError | None) -> None:
        if not self._closed.done():
            self._closed.set_result(None)
        if not self._opened.done():
            self._opened.set_exception(error or LinkError("The port was closed while opening."))
            self._opened.exception()
            return
        if error is not None:
            self._fail_pending(error)
            if self._greeted and not self._closing:
                self._events.lost(error)

    async def _handshake(self) -> None:
        """Ping until an answer comes: after a reset the board needs its time.

        A line end goes first, so that what an earlier program left unfinished ends there (SPEC.md, Line).
        """
        loop = asyncio.get_running_loop()
        self.send_raw(b"\n")
        deadline = loop.time() + self.profile.serial.settle_seconds + 1.0
        while True:
            try:
                await self.request("ping", {}, PING_SECONDS)
                break
            except (NoReplyError, BoardRefusedError) as error:
                if isinstance(error, BoardRefusedError):
                    break
                if loop.time() > deadline:
                    raise self._no_handshake() from error
        try:
            self.capabilities = decode_capabilities(await self.request("capabilities", {}, 2.0))
        except BoardRefusedError:
            self.capabilities = {}
        requests = min(MAX_WINDOW, self._capability("window", 1))
        self._window = RequestWindow(requests, self._capability("window_bytes", requests * REQUEST_BYTES))
        await self.observe()

    def _capability(self, name: str, default: int) -> int:
        """A positive whole number that the board reported, else the default."""
        value = self.capabilities.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else default

    def _no_handshake(self) -> NoHandshakeError:
        seen = self._ingest.counters.lines - self._lines_before
        heard = "It sends something else." if seen else "It sends nothing."
        if self.line is not None and self.line.networked:
            return NoHandshakeError(
                f"The board at {self.port} does not answer. {heard}",
                hint="Check that its program runs and speaks the ZeroClaw protocol.",
                code="protocol_missing",
                details={"port": self.port, "lines": seen},
            )
        return NoHandshakeError(
            f"The board on {self.port} does not answer. {heard}",
            hint="Flash the ZeroClaw firmware to it, or close another program that uses the port. With "
            "MicroPython on it, add it by its address.",
            details={"port": self.port, "lines": seen},
        )

    # -- requests -------------------------------------------------------------------------------------
    async def request(
        self,
        command: str,
        args: Mapping[str, Any],
        timeout: float = 5.0,
        check: Callable[[], object] = lambda: None,
    ) -> Any:
        """Send a request and wait for its reply; no more are under way than the board can hold.

        ``timeout`` begins when the request is sent; ``check`` is called right before and may raise.

        Raises:
            NoReplyError, BoardRefusedError, PortGoneError: see errors.py.
        """
        request_id = f"{self._id_prefix}{next(self._numbers)}"
        line = encode_request(request_id, command, args)
        limit = self._capability("line_max", MAX_REQUEST_BYTES)
        if len(line) - 1 > limit:
            reason = f"the request has {len(line) - 1} bytes, the board takes {limit}"
            raise BoardRefusedError(
                f"'{command}' cannot be sent: {reason}.", details={"command": command, "reason": reason}
            )
        async with self._window.place(len(line)):
            check()
            return await self._exchange(request_id, line, command, timeout)

    async def _exchange(self, request_id: str, line: bytes, command: str, timeout: float) -> Any:
        if self._worker is None or self._closed.done():
            raise PortGoneError(f"The port {self.port} is closed.", details={"port": self.port})
        pending = self._pending[request_id] = _Pending(command)
        try:
            self._worker.submit(line)
            # Not wait_for: up to Python 3.11 it swallows a cancel that comes together with the reply.
            async with asyncio.timeout(timeout):
                reply = await pending.reply
        except TimeoutError as error:
            raise NoReplyError(
                f"The board did not answer '{command}' within {timeout:g} s.",
                retryable=True,
                details={"command": command, "seconds": f"{timeout:g}"},
            ) from error
        finally:
            self._pending.pop(request_id, None)
        if not reply.ok:
            raise BoardRefusedError(
                f"The board refused '{command}': {reply.error}",
                details={"command": command, "reason": reply.error, "board_code": reply.code},
            )
        return reply.result

    def commands(self) -> frozenset[str]:
        """What the board carries out; upstream firmware, which does not say, has the four of SPEC.md."""
        listed = self.capabilities.get("commands")
        if not isinstance(listed, (list, tuple)):
            return UPSTREAM_COMMANDS
        return frozenset(name for name in listed if isinstance(name, str))

    async def observe(self) -> Mapping[int, PinState]:
        """Read all pins back; firmware without ``state`` leaves what was known."""
        try:
            result = await self.request("state", {}, 2.0)
        except BoardRefusedError:
            return dict(self.pins)
        fresh = decode_state(result, self.profile)
        for number, state in fresh.items():
            old = self.pins.get(number)
            if old is not None and old.volts is not None:
                fresh[number] = replace(state, volts=old.volts)
        self.pins = fresh
        self._events.observed()
        return dict(self.pins)

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are (the console); nothing waits for an answer."""
        if self._worker is not None:
            self._worker.submit(data)

    def stop_now(self) -> Awaitable[StopSent]:
        """Send the stop command ahead of everything; the bytes are handed over before this returns.

        A line end goes first, so that a half-sent request does not swallow the stop.
        """
        written: asyncio.Future[float] = self._loop.create_future()
        self._fail_pending(LinkError("Stopped by the emergency stop.", code="grant_expired"), but="stop_all")
        request_id = f"{self._id_prefix}stop{next(self._numbers)}"
        pending = self._pending[request_id] = _Pending("stop_all")

        def set_written(when: float) -> None:
            if not written.done():
                written.set_result(when)

        def note_written(when: float) -> None:
            self._hop(set_written, when)

        if self._worker is not None and not self._closed.done():
            line = b"\n" + encode_request(request_id, "stop_all", {})
            self._worker.submit(line, urgent=True, on_written=note_written)
        return self._await_stop(request_id, pending, written)

    async def _await_stop(
        self, request_id: str, pending: _Pending, written: asyncio.Future[float]
    ) -> StopSent:
        try:
            async with asyncio.timeout(STOP_CONFIRM_SECONDS):
                wire_time = await written
                reply = await pending.reply
            return StopSent(wire_time, reply.ok, reply.error)
        except TimeoutError:
            wire = written.result() if written.done() and not written.cancelled() else None
            return StopSent(wire, False, "no answer from the board")
        except ZeroClawError as error:
            return StopSent(None, False, error.message)
        finally:
            self._pending.pop(request_id, None)

    def _fail_pending(self, error: ZeroClawError, but: str = "") -> None:
        """End what waits for a reply, except the command ``but``: an earlier stop is still one."""
        for pending in self._pending.values():
            if not pending.reply.done() and pending.command != but:
                pending.reply.set_exception(error)
                pending.reply.exception()

    # -- what comes in --------------------------------------------------------------------------------
    def _bytes_came(self, data: bytes, when: float) -> None:
        """On the port's thread."""
        lines = self._ingest.feed(data, when)
        if lines:
            self._hop(self._lines_came, self._within_backlog(lines))

    def _within_backlog(self, lines: list[bytes]) -> list[bytes]:
        """The lines that the loop can still take; beyond half of the room only what may be a reply."""
        with self._backlog_guard:
            room = MAX_BACKLOG - self._backlog
            kept = lines
            if len(lines) > room - MAX_BACKLOG // 2:
                replies = [line for line in lines if b'"ok"' in line]
                kept = replies[: max(0, room)]
                self.counters.dropped += len(lines) - len(kept)
            self._backlog += len(kept)
        return kept

    def _lines_came(self, lines: list[bytes]) -> None:
        with self._backlog_guard:
            self._backlog -= len(lines)
        for line in lines:
            message = decode_line(line)
            if isinstance(message, Reply | BoardEvent):
                self.heard_at = time.monotonic()
            if isinstance(message, Reply):
                self._reply_came(message)
            elif isinstance(message, BoardEvent):
                self.counters.events += 1
                self._event_came(message)
            else:
                self.counters.unreadable += 1

    def _reply_came(self, reply: Reply) -> None:
        pending = self._pending.get(reply.request_id)
        if pending is None or pending.reply.done():
            self.counters.stale_replies += 1
            return
        self.counters.replies += 1
        pending.reply.set_result(reply)

    def _event_came(self, event: BoardEvent) -> None:
        if event.name == "change":
            changed = changed_pin(event, self.profile)
            if changed is not None:
                number, level = changed
                self.pins[number] = replace(self.pins.get(number, PinState(number)), level=level)
                self._events.observed()
        self._events.happened(event)
