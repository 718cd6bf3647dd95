"""The provider process as the program sees it: started when first needed, kept warm, given up when idle.

Many requests share it. When it crashes, hangs or speaks another protocol, each of them ends with
ProcessGoneError, and the next request starts a new one, after a growing pause when that happens again.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.processes import ChildHandle, ChildRunner
from zeroclaw_desktop.foundation.clock import Clock, Timer
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger, mask_secrets
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.providers.errors import ProcessGoneError
from zeroclaw_desktop.providers.wire import VERSION, pack, unpack

MAIN = Path(__file__).parent / "model_process" / "main.py"
RING_LINES = 200
LINE_CHARACTERS = 500
#: What the process is given of our environment; keys of other programs stay away from it.
PASSED_ON = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "USERPROFILE",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
_log = logger("provider")


@dataclass(frozen=True)
class ProcessLimits:
    """Times in seconds.

    Attributes:
        hello: for the start of the interpreter.
        silence: without a sign of life; it beats every wire.BEAT_SECONDS.
        idle: without a request, after which it is ended.
        first_pause, longest_pause: before a start after one crash, and after many.
        healthy: run time after which earlier crashes are forgotten.
    """

    hello: float = 60.0
    silence: float = 20.0
    idle: float = 600.0
    first_pause: float = 0.5
    longest_pause: float = 30.0
    healthy: float = 60.0


class Channel:
    """One request: its frames in order. Closing it early cancels the request."""

    def __init__(self, number: int, ended: Callable[[Channel], None]) -> None:
        self.number = number
        self.done = False
        self._frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._ended = ended

    def deliver(self, frame: dict[str, Any]) -> None:
        """Take a frame of the process."""
        self._frames.put_nowait(frame)

    async def frame(self) -> dict[str, Any]:
        """The next frame.

        Raises:
            ProcessGoneError: the process ended first.
        """
        frame = await self._frames.get()
        if "gone" in frame:
            self.done = True
            raise ProcessGoneError(
                f"The process that talks to the models ended: {frame['gone']}.",
                hint="Ask again; it is started anew.",
                retryable=True,
                details={"reason": frame["gone"]},
            )
        self.done = self.done or any(name in frame for name in ("done", "error", "result"))
        return frame

    def close(self) -> None:
        """No more frames are wanted."""
        self._ended(self)


class ProviderProcess:
    """The one process; several loops must not share an object.

    Args:
        children: starts it.
        python: the interpreter of the models' environment, asked for with each start; may raise
            ModelsMissingError.
        clock: for the idle time and the pauses.
    """

    def __init__(
        self,
        children: ChildRunner,
        python: Callable[[], str],
        clock: Clock,
        limits: ProcessLimits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.limits = limits or ProcessLimits()
        self._children = children
        self._python = python
        self._clock = clock
        self._environment = os.environ if environment is None else environment
        self._numbers = itertools.count(1)
        self._channels: dict[int, Channel] = {}
        self._tasks = TaskSupervisor("provider process")
        self._starting = asyncio.Lock()
        self._child: ChildHandle | None = None
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()
        self._idle_timer: Timer | None = None
        self._secrets: set[str] = set()
        self._said: deque[str] = deque(maxlen=RING_LINES)
        self._unfinished_line = b""
        self._crashes = 0
        self._started_at = self._not_before = clock.monotonic()
        self.starts = 0

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return self._child.pid if self._child is not None else None

    def recent_errors(self) -> list[str]:
        """Last lines of its standard error, without keys."""
        return list(self._said)

    async def warm(self) -> None:
        """Start the process ahead of the first request; raises as ``open`` does."""
        self._stop_idle_timer()
        await self._running()
        self._watch_idleness()

    async def open(self, do: str, request: Mapping[str, Any]) -> Channel:
        """Send a request, starting the process if there is none.

        Args:
            do: see wire.
            request: what goes with it; its ``key`` is kept out of everything that the process writes.

        Raises:
            ProcessGoneError: it does not start.
            ModelsMissingError: the library is not installed.
        """
        self._stop_idle_timer()
        await self._running()
        key = str(request.get("key") or "")
        if key:
            self._secrets.add(key)
        channel = Channel(next(self._numbers), self._channel_ended)
        self._channels[channel.number] = channel
        self._outgoing.put_nowait(pack({"id": channel.number, "do": do, "request": dict(request)}))
        return channel

    async def stop(self) -> None:
        """End the process; running requests end with ProcessGoneError."""
        self._stop_idle_timer()
        child, self._child = self._child, None
        if child is not None:
            await child.end()
        await self._tasks.stop()
        self._tell_gone("it was ended")
        self._stop_idle_timer()

    def _channel_ended(self, channel: Channel) -> None:
        if self._channels.pop(channel.number, None) is not None and not channel.done:
            channel.done = True
            self._outgoing.put_nowait(pack({"id": channel.number, "do": "cancel"}))
        self._watch_idleness()

    def _watch_idleness(self) -> None:
        if not self._channels and self._child is not None and self._idle_timer is None:
            self._idle_timer = self._clock.call_later(self.limits.idle, self._give_up)

    def _stop_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _give_up(self) -> None:
        self._idle_timer = None
        if not self._channels and self._child is not None:
            child, self._child = self._child, None
            _log.info("The provider process was not needed for %g s and is ended", self.limits.idle)
            self._tasks.start(child.end(), "ending an idle process")

    async def _running(self) -> None:
        async with self._starting:
            if self._child is not None:
                return
            python = self._python()
            await self._clock.sleep(self._not_before - self._clock.monotonic())
            child = await self._start([python, "-E", "-s", "-B", "-X", "utf8", str(MAIN)])
            self._child, self._outgoing = child, asyncio.Queue()
            self._started_at = self._clock.monotonic()
            self.starts += 1
            _log.info("The provider process %d was started", child.pid)
            self._tasks.start(self._read(child), "reading")
            self._tasks.start(self._write(child, self._outgoing), "writing")

    async def _start(self, argv: Sequence[str]) -> ChildHandle:
        environment = {name: self._environment[name] for name in PASSED_ON if name in self._environment}
        try:
            child = await self._children.spawn(
                argv, environment=environment, inherit=False, on_error_output=self._heard
            )
        except ZeroClawError as error:
            self._note_crash()
            raise _not_started(error.message) from error
        greeted = False
        try:
            async with asyncio.timeout(self.limits.hello):
                greeted = unpack(await child.read_line() or b"{}").get("hello") == VERSION
        except (TimeoutError, ValueError):
            greeted = False
        finally:
            if not greeted:
                await asyncio.shield(child.end())
        if not greeted:
            self._note_crash()
            raise _not_started(f"it does not greet with version {VERSION}")
        return child

    async def _write(self, child: ChildHandle, outgoing: asyncio.Queue[bytes]) -> None:
        while True:
            line = await outgoing.get()
            try:
                await child.write(line)
            except ConnectionError:  # the reader hears of the end and tells it
                return

    async def _read(self, child: ChildHandle) -> None:
        reason = await self._read_until_gone(child)
        exit_status = await child.end()
        if self._child is child:
            self._child = None
            self._note_crash()
            reason = f"{reason} (exit status {exit_status.returncode})"
            _log.error("The provider process is gone: %s", reason)
            self._tell_gone(reason)

    async def _read_until_gone(self, child: ChildHandle) -> str:
        while True:
            try:
                async with asyncio.timeout(self.limits.silence):
                    line = await child.read_line()
                if not line:
                    return "it crashed or was killed"
                frame = unpack(line)
            except TimeoutError:
                return f"it gave no sign of life for {self.limits.silence:g} s"
            except ValueError:
                return "it sent what is no frame"
            number = frame.get("id")
            channel = self._channels.get(number) if isinstance(number, int) else None
            if channel is not None:
                channel.deliver(frame)
                # Lines that lie in the buffer are read without waiting: let others run in between.
                await asyncio.sleep(0)

    def _tell_gone(self, reason: str) -> None:
        channels, self._channels = list(self._channels.values()), {}
        for channel in channels:
            channel.deliver({"gone": reason})

    def _note_crash(self) -> None:
        now = self._clock.monotonic()
        self._crashes = 1 if now - self._started_at > self.limits.healthy else self._crashes + 1
        if self._crashes > 1:
            pause = self.limits.first_pause * 2.0 ** (self._crashes - 2)
            self._not_before = now + min(self.limits.longest_pause, pause)

    def _heard(self, piece: bytes) -> None:
        """Keep whole lines of standard error, so that no key is cut in two and slips through."""
        *lines, self._unfinished_line = (self._unfinished_line + piece).split(b"\n")
        self._unfinished_line = self._unfinished_line[-64 * 1024 :]
        for line in lines:
            text = line.decode("utf-8", "replace")
            for secret in self._secrets:
                text = text.replace(secret, "***")
            text = visible(mask_secrets(text.rstrip()), LINE_CHARACTERS)
            self._said.append(text)
            _log.debug("process: %s", text)


def _not_started(reason: str) -> ProcessGoneError:
    return ProcessGoneError(
        f"The process that talks to the models does not start: {reason.rstrip('.')}.",
        hint="Install the model library again: zeroclaw models install",
        retryable=True,
        details={"reason": reason},
    )
