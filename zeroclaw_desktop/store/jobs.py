"""Work for the store's thread, and how its answer gets back to whoever gave it."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import Any

Done = Callable[[Any, BaseException | None], None]
"""Told the answer or the fault, on the loop's thread."""


class Meeting:
    """Two threads agree who brings an answer: the one that waits takes it along, or it is sent after it.

    To wake a thread that waits costs some microseconds; to send something to a loop costs it two turns.
    """

    __slots__ = ("_claim", "_left", "_ready")

    def __init__(self) -> None:
        self._claim: list[None] = [None]
        """Whoever takes the one thing out has the say; a list gives it to one thread only."""
        self._left = False
        self._ready = threading.Lock()
        self._ready.acquire()

    def wait(self, seconds: float) -> bool:
        """Wait for the answer; False when it did not come in time and will be sent."""
        return self._ready.acquire(timeout=seconds) or (not self.leave() and self._ready.acquire())

    def leave(self) -> bool:
        """Wait no longer; returns whether the answer will be sent, False when it is there already."""
        if not self._left:
            try:
                self._claim.pop()
            except IndexError:
                return False
            self._left = True
        return True

    def bring(self) -> bool:
        """Say that the answer is there; returns False when nobody waits any more and it must be sent."""
        try:
            self._claim.pop()
        except IndexError:
            return False
        self._ready.release()
        return True


class Job:
    """One piece of work and who wants to know."""

    __slots__ = (
        "answer", "awaited", "done", "durable", "error", "loop", "meeting", "reading", "whole", "work",
    )  # fmt: skip

    def __init__(
        self,
        work: Callable[[sqlite3.Connection], Any],
        loop: asyncio.AbstractEventLoop | None,
        done: Done | None,
        *,
        awaited: bool = True,
        reading: bool = False,
        durable: bool = False,
        whole: bool = False,
    ) -> None:
        self.work = work
        self.loop = loop
        self.done = done
        self.awaited = awaited
        self.reading = reading
        self.durable = durable
        self.whole = whole
        """One statement, which is a transaction by itself."""
        self.meeting: Meeting | None = None
        """Set when somebody may be waiting for it with the loop standing still."""
        self.answer: Any = None
        self.error: BaseException | None = None

    def tell(self) -> None:
        """Tell the answer or the fault; on the loop's thread."""
        if self.done is not None:
            self.done(self.answer, self.error)

    def tell_within(self, seconds: float) -> None:
        """Wait for the answer and tell it; one that does not come in time will be told on the loop."""
        if self.meeting is None:
            return
        here = False
        try:
            here = self.meeting.wait(seconds)
        except BaseException:  # a signal's handler may raise out of the wait; the answer must not get lost
            here = not self.meeting.leave()
            raise
        finally:
            if here:
                self.tell()


def answer(jobs: Sequence[Job]) -> None:
    """Bring the answers to whoever waits for them; each loop is told once about all of its jobs."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Job]] = {}
    for job in jobs:
        if job.loop is not None and (job.meeting is None or not job.meeting.bring()):
            by_loop.setdefault(job.loop, []).append(job)
    for loop, told in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_deliver, told)


def _deliver(jobs: Sequence[Job]) -> None:
    for job in jobs:
        job.tell()
