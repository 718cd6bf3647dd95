"""Lines of JSON written by a thread of their own, so that a slow disk or port never holds up the executor."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Protocol

from zeroclaw_desktop.contracts.actions import ActionResult, ActionTransition
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.isolation import attempt
from zeroclaw_desktop.execution.reporters.newest_queue import NewestQueue
from zeroclaw_desktop.execution.reporters.status import status_line
from zeroclaw_desktop.foundation.log import logger

QUEUE_LIMIT = 1_000
_log = logger("execution")


class LineDestination(Protocol):
    """Where lines go; used by one thread only."""

    def write(self, line: bytes) -> None:
        """Write one line without its end; may block, may raise."""

    def close(self) -> None:
        """Let go of what is held."""


class BackgroundReporter:
    """Writes the end of each action as one line. A failing destination is logged once and tried again later
    and later; meanwhile the newest reports are kept.

    Args:
        destination: where the lines go; owned from now on.
        name: what it is called in the log.
        limit: how many reports wait at most.
    """

    def __init__(
        self,
        destination: LineDestination,
        name: str,
        *,
        limit: int = QUEUE_LIMIT,
        backoff: Backoff | None = None,
    ) -> None:
        self.name = name
        self._destination = destination
        self._backoff = backoff or Backoff()
        self._queue = NewestQueue(limit)
        self._changed = threading.Condition()
        self._give_up_at = float("inf")
        self._stopping = False
        # A write to a dead port may never return; it must not keep the process alive.
        self._thread = threading.Thread(target=self._run, name=f"reporter-{name}", daemon=True)

    @property
    def dropped(self) -> int:
        """Reports that were given up because newer ones came or the destination failed."""
        with self._changed:
            return self._queue.dropped

    @property
    def failures(self) -> int:
        """Failed writes in a row; 0 while all is well."""
        return self._backoff.failures

    def start(self) -> None:
        """See RunningReporter."""
        self._thread.start()

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        if transition.result is None:
            return
        with self._changed:
            self._queue.put(transition.result)
            self._changed.notify()

    async def stop(self, timeout: float = 2.0) -> None:
        """See RunningReporter."""
        with self._changed:
            self._stopping = True
            self._give_up_at = time.monotonic() + timeout
            self._changed.notify()
        if not self._thread.is_alive():
            return
        await asyncio.to_thread(self._thread.join, timeout + 0.5)
        if self._thread.is_alive():
            _log.error("The reporter %s does not end: its destination blocks", self.name)

    def _run(self) -> None:
        while True:
            result = self._next()
            if result is None:
                break
            line = self._line(result)
            if line is not None:
                self._write(result, line)
        error = attempt(self._destination.close)
        if error is not None:
            _log.warning("Closing the destination of the reporter %s failed: %s", self.name, error)

    def _next(self) -> ActionResult | None:
        with self._changed:
            while True:
                if self._stopping and time.monotonic() >= self._give_up_at:
                    self._queue.clear()
                result = self._queue.take()
                if result is not None or self._stopping:
                    return result
                self._changed.wait()

    def _line(self, result: ActionResult) -> bytes | None:
        """The line of a report; a report that has none is dropped, since no later try would make one."""
        lines: list[bytes] = []
        error = attempt(lambda: lines.append(status_line(result)))
        if error is None:
            return lines[0]
        _log.error("The reporter %s cannot write down %s: %s", self.name, result.task_id, error)
        with self._changed:
            self._queue.dropped += 1
        return None

    def _write(self, result: ActionResult, line: bytes) -> None:
        error = attempt(self._destination.write, line)
        if error is None:
            if self._backoff.failures:
                _log.info("The reporter %s works again; %d reports were lost", self.name, self.dropped)
                self._backoff.succeeded()
            return
        if not self._backoff.failures:
            _log.error("The reporter %s failed and is tried again later: %s", self.name, error)
        delay = self._backoff.failed()
        until = time.monotonic() + delay
        with self._changed:
            self._queue.put_back(result)
            while (left := min(until, self._give_up_at) - time.monotonic()) > 0:
                self._changed.wait(left)
