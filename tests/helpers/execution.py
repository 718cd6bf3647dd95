"""An execution layer on boards in memory, with a clock that tests move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.helpers.loopback_board import LoopbackBoards
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionResult, ActionTransition, Constraints
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.handlers.builtin import register_builtin
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.clock import Clock, SystemClock


class RecordingReporter:
    """Keeps every transition."""

    def __init__(self) -> None:
        self.transitions: list[ActionTransition] = []

    def report(self, transition: ActionTransition) -> None:
        self.transitions.append(transition)

    def states(self, task_id: str | None = None) -> list[str]:
        return [
            transition.state.value
            for transition in self.transitions
            if task_id is None or transition.payload.task_id == task_id
        ]


class Door:
    """Executor, registry, stop and boards wired together."""

    def __init__(
        self, *board_ids: str, clock: Clock | None = None, boards: LoopbackBoards | None = None
    ) -> None:
        self.boards = boards or LoopbackBoards(*board_ids)
        self.bus = EventBus()
        self.reporter = RecordingReporter()
        self.registry = CommandRegistry()
        self.executor = Executor(
            self.registry, self.boards, clock or SystemClock(), [self.reporter], lambda: self.stop.latched
        )
        self.stop = EmergencyStop(self.boards, self.bus, clock or SystemClock(), self.executor.cancel_all)
        self.flashed: list[tuple[str, str]] = []
        register_builtin(self.registry, self.boards, self._flash, self.stop.trigger)

    async def _flash(self, board_id: str, request: FlashRequest) -> Mapping[str, Any]:
        self.flashed.append((board_id, request.firmware))
        return {"firmware": request.firmware}

    async def do(
        self,
        action: str,
        params: Mapping[str, Any] | None = None,
        *,
        source: Any = "manual",
        device_id: str = "",
        **constraints: Any,
    ) -> ActionResult:
        """Submit one action."""
        payload = make_payload(
            action, params, source=source, device_id=device_id, constraints=Constraints(**constraints)
        )
        return await self.executor.submit(payload)
