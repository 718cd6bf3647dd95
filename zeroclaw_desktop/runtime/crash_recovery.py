"""After a crash: boards first into the safe state, then the unfinished tasks are closed and told (EX-14)."""

from __future__ import annotations

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionPayload
from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.events import BoardsChanged, TaskInterrupted
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.recovery import RecoveryPlan, boards_to_make_safe, reconcile, settle
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

SIMULATED_PREFIX = "sim-"
"""A simulated board ends with the program, so its outputs are safe already."""
_log = logger("runtime")


class CrashRecovery:
    """Looks through the journal at the start and sees each affected board into its safe state.

    Args:
        bus: told of every interrupted task.
        boards: which boards are there.
        executor: makes a board safe through the door.
    """

    def __init__(self, bus: EventBus, boards: BoardAccess, executor: Executor) -> None:
        self._bus = bus
        self._boards = boards
        self._executor = executor
        self._found: tuple[RecoveryPlan, ...] = ()
        self._plans: list[RecoveryPlan] = []
        """Those whose board is not safe yet."""
        self._journal: Journal | None = None
        self._tasks = TaskSupervisor("recovery")
        self._busy: set[str] = set()
        bus.subscribe(BoardsChanged, lambda _event: self._look())

    async def start(self, journal: Journal) -> list[RecoveryPlan]:
        """Find what a dead run left; close what is safe already; returns everything that was found."""
        self._journal = journal
        self._plans = await reconcile(journal, self._executor.registry)
        found = list(self._plans)
        self._found = tuple(found)
        for plan in found:
            _log.warning(
                "%s on %s was unfinished when the program ended last time. %s",
                plan.entry.action,
                plan.entry.device_id or "no board",
                plan.reason,
            )
            self._bus.publish(
                TaskInterrupted(
                    plan.entry.task_id,
                    plan.entry.action,
                    dict(plan.entry.params),
                    plan.entry.device_id,
                    plan.entry.source,
                    plan.policy,
                    plan.reason_key,
                )
            )
        gone = [board for board in boards_to_make_safe(found) if board.startswith(SIMULATED_PREFIX)]
        self._plans = await settle(journal, found, gone)
        self._look()
        return found

    def payload(self, task_id: str) -> ActionPayload | None:
        """The request of an interrupted task, to be done again by a person's wish; None when it cannot be."""
        return next((plan.payload for plan in self._found if plan.entry.task_id == task_id), None)

    def _look(self) -> None:
        waiting = set(boards_to_make_safe(self._plans)) - self._busy
        for board in self._boards.boards() if waiting else ():
            if board.board_id in waiting and board.state == "live":
                self._busy.add(board.board_id)
                self._tasks.start(self._make_safe(board.board_id), board.board_id)

    async def _make_safe(self, board_id: str) -> None:
        result = await self._executor.submit(make_payload("board_safe", source="manual", device_id=board_id))
        self._busy.discard(board_id)
        if not result.ok or self._journal is None:
            _log.error("%s could not be made safe after the crash: %s", board_id, result.faults)
            return
        _log.warning("%s was made safe: tasks were unfinished when the program ended last time", board_id)
        try:
            self._plans = await settle(self._journal, self._plans, [board_id])
        except ZeroClawError as error:
            _log.error("The journal could not be brought up to date: %s", error.message)

    async def stop(self) -> None:
        """End what is under way."""
        await self._tasks.stop()
