"""The event bus: subscribers name a class and get its instances, on the loop's thread, in order.

A subscriber that fails is logged and the others still hear of the event. ``publish_threadsafe`` is the only
entry for other threads.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

from zeroclaw_desktop.foundation.log import logger

Event = TypeVar("Event")
_log = logger("bus")


class EventBus:
    """Delivers events synchronously to whoever subscribed to their class."""

    def __init__(self) -> None:
        self._subscribers: dict[type[Any], dict[object, Callable[[Any], None]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.failures = 0

    def bind_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Name the loop on whose thread events are delivered."""
        self._loop = loop

    def subscribe(self, kind: type[Event], receiver: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``receiver`` for each event of exactly this class.

        Returns:
            A function that ends this subscription at once, also in the middle of a delivery.
        """
        receivers = self._subscribers.setdefault(kind, {})
        ticket = object()
        receivers[ticket] = receiver

        def unsubscribe() -> None:
            receivers.pop(ticket, None)

        return unsubscribe

    def publish(self, event: object) -> None:
        """Deliver an event; must be called on the loop's thread."""
        receivers = self._subscribers.get(type(event), {})
        for ticket, receiver in tuple(receivers.items()):
            if ticket not in receivers:
                continue
            try:
                receiver(event)
            except Exception:  # noqa: BLE001 - one bad receiver must not silence the others
                self.failures += 1
                _log.exception("A receiver of %s failed", type(event).__name__)

    def publish_threadsafe(self, event: object) -> None:
        """Deliver an event from another thread; dropped silently once the loop is closed."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.publish, event)
