"""The emergency stop (EX-16): cancels everything, tells every board, latches until a person releases it."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.events import BoardsChanged, EmergencyStopChanged
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

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
        self._releases = 0
        self._live = self._live_boards()
        self._tasks = TaskSupervisor("stop")
        bus.subscribe(BoardsChanged, self._boards_changed)
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
        releases = self._releases
        self._live = self._live_boards()
        self.last = EmergencyStopChanged(True, source)
        try:
            stopping = self._boards.stop_all(pressed)
        finally:
            cancelled = self._cancel_all()
        outcomes = tuple(await stopping)
        report = EmergencyStopChanged(True, source, cancelled, outcomes)
        for outcome in outcomes:
            took = "not sent" if outcome.wire_ms is None else f"{outcome.wire_ms:.1f} ms to the wire"
            state = "confirmed" if outcome.confirmed else "NOT confirmed"
            _log.warning("Emergency stop of %s: %s, %s %s", outcome.name, took, state, outcome.note)
        _log.warning("Emergency stop by %s; %d actions cancelled", source, cancelled)
        if releases == self._releases:
            # A release while the boards were answering counts: the report must not latch again.
            self.last = report
            self._bus.publish(report)
        return report

    def release(self, person: str) -> None:
        """Let commands run again; only a person's own action may call this.

        Args:
            person: who released it, for the log.
        """
        if not self.last.latched:
            return
        _log.warning("Emergency stop released by %s", person)
        self._releases += 1
        self.last = EmergencyStopChanged(False, person)
        self._bus.publish(self.last)

    async def shut_down(self) -> None:
        """End what runs in the background."""
        await self._tasks.stop()

    # -- boards that were out of reach ----------------------------------------------------------------
    def _live_boards(self) -> set[str]:
        return {board.board_id for board in self._boards.boards() if board.state == "live"}

    def _boards_changed(self, _event: BoardsChanged) -> None:
        """A board that comes back while everything is stopped has not heard of it: tell it."""
        before, self._live = self._live, self._live_boards()
        if self.latched and self._live - before:
            self._tasks.start(self._tell_late_boards(), "late boards")

    async def _tell_late_boards(self) -> None:
        releases, stopped = self._releases, self.last
        outcomes = tuple(await self._boards.stop_all(self._clock.monotonic()))
        for outcome in outcomes:
            _log.warning("%s was told of the emergency stop: %s", outcome.name, outcome.note or "confirmed")
        if releases == self._releases:
            self.last = EmergencyStopChanged(True, stopped.source, stopped.cancelled, outcomes)
            self._bus.publish(self.last)
