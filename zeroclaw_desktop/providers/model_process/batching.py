"""Collects the pieces of a stream, so that the window is woken some dozens of times a second at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from zeroclaw_desktop.providers.wire import CALL, PIECE_CHARACTERS

BATCH_SECONDS = 0.02
"""The first piece goes out at once; then those of this time together."""
MOST_EVENTS = 1_000
"""In one line, whatever the time; together with wire.PIECE_CHARACTERS it bounds wire.LINE_BYTES."""


class Batch:
    """Events of one stream; neighbours of one kind are joined.

    Args:
        send: given a list of events (see wire).
    """

    def __init__(self, send: Callable[[list[list[Any]]], None]) -> None:
        self._send = send
        self._events: list[list[Any]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._size = 0
        self.began = False

    def add(self, event: list[Any]) -> None:
        """Take a piece; text longer than a line may be is cut."""
        piece = event[-1]
        for at in range(0, max(1, len(piece)), PIECE_CHARACTERS):
            self._add([*event[:-1], piece[at : at + PIECE_CHARACTERS]])

    def _add(self, event: list[Any]) -> None:
        self._size += len(event[-1])
        if self._size > PIECE_CHARACTERS or len(self._events) >= MOST_EVENTS:
            self.flush()
            self._size = len(event[-1])
        last = self._events[-1] if self._events else None
        if last is not None and _goes_on(last, event):
            last[-1] += event[-1]
        else:
            self._events.append(event)
        if not self.began:
            self.began = True
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BATCH_SECONDS, self.flush)

    def drop(self) -> None:
        """Forget what was collected: nobody wants it any more."""
        self._events = []
        self.flush()

    def flush(self) -> None:
        """Send what was collected."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._size = 0
        if self._events:
            events, self._events = self._events, []
            self._send(events)


def _goes_on(last: list[Any], event: list[Any]) -> bool:
    """Whether a piece continues the last one: words of the same kind, or arguments of the same call."""
    if event[0] != CALL:
        return bool(last[:-1] == event[:-1])
    return bool(last[0] == CALL and last[1] == event[1] and not event[2] and not event[3])
