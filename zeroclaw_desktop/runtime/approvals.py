"""Questions to a person: opened, answered, timed out. Who shows them listens to the bus."""

from __future__ import annotations

import asyncio

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.contracts.events import ApprovalClosed, ApprovalOpened


class ApprovalDesk:
    """Asks by events; ``ask`` is the executor's approver."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus
        self._open: dict[str, asyncio.Future[ApprovalOutcome]] = {}

    async def ask(self, request: ApprovalRequest) -> ApprovalOutcome:
        """Put the question and wait for the answer; no answer in time counts as no."""
        answer = self._open[request.approval_id] = asyncio.get_running_loop().create_future()
        self._bus.publish(ApprovalOpened(request))
        outcome = ApprovalOutcome.DENIED
        try:
            # Not wait_for: up to Python 3.11 it swallows a cancel that comes together with the answer.
            async with asyncio.timeout(request.timeout):
                outcome = await answer
        except TimeoutError:
            outcome = ApprovalOutcome.TIMED_OUT
        finally:
            self._open.pop(request.approval_id, None)
            self._bus.publish(ApprovalClosed(request.approval_id, outcome))
        return outcome

    def answer(self, approval_id: str, outcome: ApprovalOutcome) -> bool:
        """Give a person's answer; returns whether the question was still open."""
        future = self._open.get(approval_id)
        if future is None or future.done():
            return False
        future.set_result(outcome)
        return True
