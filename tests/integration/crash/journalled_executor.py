"""An executor that keeps the journal, for tests and benchmarks of the journal itself.

The row before is written once the resources are held, the row after before whoever asked is told.
"""

from __future__ import annotations

from zeroclaw_desktop.contracts.actions import ActionPayload, ActionResult, ActionState
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.preparation import Prepared
from zeroclaw_desktop.execution.registry import Outcome
from zeroclaw_desktop.execution.state_machine import ActionLife


class JournalledExecutor(Executor):
    """The door with a journal."""

    journal: Journal

    async def _run_queued(self, prepared: Prepared, life: ActionLife) -> Outcome:
        async with self._queue.take(prepared.payload.task_id, prepared.resources):
            self._refuse_when_stopped(prepared)
            await self.journal.before(prepared.payload, prepared)
            self._refuse_when_stopped(prepared)
            self._refuse_by_time(prepared)
            life.move(ActionState.RUNNING)
            return await self._run_counted(prepared)

    async def submit(self, payload: ActionPayload) -> ActionResult:
        result = await super().submit(payload)
        await self.journal.after(payload, result)
        return result
