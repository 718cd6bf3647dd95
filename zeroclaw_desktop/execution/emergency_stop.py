"""The emergency stop (EX-16): cancels everything, tells every board, latches until a person releases it."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger

_log = logger("execution")


class EmergencyStop:
    """The latch and the way to the boards.

    Args:
        boards: told to stop, ahead of everything queued.
        cancel_all: ends all running and waiting actions; returns how many there were.
    """

    def __init__(
        self, boards: BoardAccess, bus: EventBus, clock: Clock, cancel_all: Callable[[], int]
    ) -> None:
        self._boards = boards
        self._bus = bus
        self._clock = clock
        self._cancel_all = cancel_all
        self.last = EmergencyStopChanged(False, "")

    @property
    def latched(self) -> bool:
        """Whether commands are refused."""
        return self.last.latched

    async def trigger(self, source: str) -> EmergencyStopChanged:
        """Stop everything now; may be called again while latched (the boards are told again).

        Args:
            source: where it came from, for the report (``button``, ``F12``, ``command line``).
        """
        pressed = self._clock.monotonic()
        self.last = EmergencyStopChanged(True, source)
        stopping = self._boards.stop_all(pressed)
        cancelled = self._cancel_all()
        outcomes = tuple(await stopping)
        self.last = EmergencyStopChanged(True, source, cancelled, outcomes)
        for outcome in outcomes:
            took = "not sent" if outcome.wire_ms is None else f"{outcome.wire_ms:.1f} ms to the wire"
            state = "confirmed" if outcome.confirmed else "NOT confirmed"
            _log.warning("Emergency stop of %s: %s, %s %s", outcome.name, took, state, outcome.note)
        _log.warning("Emergency stop by %s; %d actions cancelled", source, cancelled)
        self._bus.publish(self.last)
        return self.last

    def release(self, person: str) -> None:
        """Let commands run again; only a person's own action may call this.

        Args:
            person: who released it, for the log.
        """
        if not self.last.latched:
            return
        _log.warning("Emergency stop released by %s", person)
        self.last = EmergencyStopChanged(False, person)
        self._bus.publish(self.last)
