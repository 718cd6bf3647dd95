"""After a crash: boards first into the safe state, then the interrupted tasks are offered (EX-14).

What nobody has decided about when the program ends is offered at the next start again. A decision does not
touch what is owed to a board: it is made safe when it comes, whatever was said to its tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import (
    ActionFault,
    ActionPayload,
    ActionResult,
    ActionState,
    ActionTransition,
)
from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.events import BoardsChanged, InterruptedTasksChanged, TaskInterrupted
from zeroclaw_desktop.execution.errors import CommandNotFoundError, FaultError
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.recovery import (
    Policy,
    RecoveryPlan,
    boards_to_make_safe,
    plan_of,
    reconcile,
    settle,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

SIMULATED_PREFIX = "sim-"
"""A simulated board ends with the program, so its outputs are safe already."""
Safety = Literal["untouched", "safe", "waiting", "failed"]
_log = logger("runtime")


@dataclass(frozen=True)
class InterruptedTask:
    """One interrupted task that waits for a person's decision.

    Attributes:
        safety: of its board: ``untouched``: the task cannot have left an output on; ``safe``: it was made
            safe; ``waiting``: it is not there yet; ``failed``: it did not confirm.
        fault: why it did not.
        board_id: the board that would do it again; '' when none is there or none is needed.
        ready: whether it can be done again now.
        again_id: the task that is about to do it again; '' when there is none.
    """

    plan: RecoveryPlan
    safety: Safety
    fault: ActionFault | None
    board_id: str
    ready: bool
    again_id: str


class CrashRecovery:
    """Looks through the journal at the start, sees each affected board into its safe state, keeps the offers.

    Args:
        bus: told of every interrupted task, and of each change of the offers.
        boards: which boards are there.
        executor: makes a board safe, and does tasks again, through the door.
        policies: by command, instead of the command's own; see recovery.reconcile.
    """

    def __init__(
        self,
        bus: EventBus,
        boards: BoardAccess,
        executor: Executor,
        policies: Mapping[str, Policy] | None = None,
    ) -> None:
        self._bus = bus
        self._boards = boards
        self._executor = executor
        self._policies = policies or {}
        self._offers: dict[int, RecoveryPlan] = {}
        self._owed: list[RecoveryPlan] = []
        """Those whose board is not safe yet."""
        self._again: dict[int, str] = {}
        self._faults: dict[str, ActionFault] = {}
        self._tried: set[int] = set()
        """What was done again by itself, or could not be."""
        self._journal: Journal | None = None
        self._tasks = TaskSupervisor("recovery")
        self._busy: set[str] = set()
        bus.subscribe(BoardsChanged, lambda _event: self._look())
        bus.subscribe(ActionTransition, self._moved)

    async def start(self, journal: Journal) -> list[RecoveryPlan]:
        """Find what a dead run left; close what is safe already; returns what it left.

        Raises:
            StoreError: the journal cannot be read or written.
        """
        self._journal = journal
        found = await reconcile(journal, self._executor.registry, self._policies)
        open_ones = [
            plan_of(entry, self._executor.registry, self._policies) for entry in await journal.unanswered()
        ]
        self._offers = {plan.entry.number: plan for plan in open_ones if plan.policy != "none"}
        for plan in found:
            self._tell(plan)
        gone = [board for board in boards_to_make_safe(found) if board.startswith(SIMULATED_PREFIX)]
        self._owed = await settle(journal, found, gone)
        self._look()
        return found

    def _tell(self, plan: RecoveryPlan) -> None:
        entry = plan.entry
        _log.warning(
            "%s on %s was unfinished when the program ended last time. %s",
            entry.action,
            entry.device_id or "no board",
            plan.reason,
        )
        self._bus.publish(
            TaskInterrupted(
                entry.task_id,
                entry.action,
                dict(entry.params),
                entry.device_id,
                entry.source,
                plan.policy,
                plan.reason_key,
            )
        )

    # -- what a person is asked -----------------------------------------------------------------------
    def offers(self) -> list[InterruptedTask]:
        """What waits for a decision, oldest first."""
        return [self._offer(number, plan) for number, plan in self._offers.items()]

    def payload(self, task_id: str) -> ActionPayload | None:
        """The request of an interrupted task, to be done again by a person's wish; None when it cannot be."""
        return next((plan.payload for plan in self._offers.values() if plan.entry.task_id == task_id), None)

    async def do_again(
        self, number: int, announce: Callable[[str], None] = lambda _task_id: None
    ) -> ActionResult | None:
        """Do an interrupted task again through the whole door: permission, approval, dry run, the stop.

        Once it runs it is no longer offered; if it was refused before that, it is.

        Args:
            number: of its entry in the journal.
            announce: told the id of the new task before it is submitted.

        Returns:
            The report; None when the task is not offered or cannot be done now.

        Raises:
            StoreError: the decision could not be written; nothing was done.
        """
        plan, payload = self._offers.get(number), self._again_payload(number)
        if plan is None or payload is None or self._journal is None:
            return None
        self._again[number] = payload.task_id
        self._changed()
        try:
            await self._journal.answer([number], "again", payload.task_id)
            announce(payload.task_id)
            return await self._executor.submit(payload)
        finally:
            self._again.pop(number, None)
            self._changed()

    async def dismiss(self, numbers: Collection[int]) -> None:
        """Offer these tasks no more, now and at later starts.

        Raises:
            StoreError: it could not be written; they are still offered.
        """
        chosen = [number for number in numbers if number in self._offers and number not in self._again]
        if self._journal is None or not chosen:
            return
        await self._journal.answer(chosen, "dismissed")
        for number in chosen:
            self._offers.pop(number, None)
        self._changed()

    def _offer(self, number: int, plan: RecoveryPlan) -> InterruptedTask:
        board_id = self._live(plan.entry.device_id)
        return InterruptedTask(
            plan,
            self._safety(plan),
            self._faults.get(plan.make_safe),
            board_id,
            self._again_payload(number) is not None,
            self._again.get(number, ""),
        )

    def _safety(self, plan: RecoveryPlan) -> Safety:
        if not plan.make_safe:
            return "untouched"
        if all(owed.entry.number != plan.entry.number for owed in self._owed):
            return "safe"
        return "failed" if plan.make_safe in self._faults else "waiting"

    def _again_payload(self, number: int) -> ActionPayload | None:
        """The request with a new id for the board that is there; None when it cannot be done now."""
        plan = self._offers.get(number)
        if plan is None or plan.payload is None or number in self._again:
            return None
        asked = plan.payload
        board_id = self._live(asked.device_id)
        if self._safety(plan) not in ("untouched", "safe") or (self._needs_board(asked) and not board_id):
            return None
        return make_payload(
            asked.action,
            asked.params,
            source=asked.source,
            device_id=board_id if asked.device_id else "",
            constraints=asked.constraints,
        )

    def _needs_board(self, payload: ActionPayload) -> bool:
        try:
            return self._executor.registry.recall(payload.action).needs_board
        except CommandNotFoundError:
            return True

    def _live(self, name: str) -> str:
        """Id of the live board that the journal calls by its id or, from a command line, by its port."""
        live = [board for board in self._boards.boards() if board.state == "live"]
        if not name:
            return live[0].board_id if live else ""
        found = [board.board_id for board in live if name in (board.board_id, board.port)]
        return found[0] if found else ""

    def _moved(self, transition: ActionTransition) -> None:
        """What is done again is no longer offered as soon as it runs."""
        if transition.state is not ActionState.RUNNING or not self._again:
            return
        for number, task_id in self._again.items():
            if task_id == transition.payload.task_id and self._offers.pop(number, None) is not None:
                self._changed()

    def _changed(self) -> None:
        self._bus.publish(InterruptedTasksChanged())

    # -- boards ---------------------------------------------------------------------------------------
    def _look(self) -> None:
        """A board came or went: make safe what is owed, then do again what needs no person."""
        for name in boards_to_make_safe(self._owed):
            board_id = self._live(name)
            if board_id and board_id not in self._busy:
                self._busy.add(board_id)
                self._tasks.start(self._make_safe(board_id), board_id)
        for number, plan in self._offers.items():
            if plan.by_itself and number not in self._tried and self._may_run_unasked(number):
                self._tried.add(number)
                self._tasks.start(self._do_by_itself(number), f"again {number}")
        if self._offers:
            self._changed()

    def _may_run_unasked(self, number: int) -> bool:
        payload = self._again_payload(number)
        if payload is None:
            return False
        try:
            return self._executor.prepare(payload).verdict == "run"
        except FaultError:
            return False

    async def _do_by_itself(self, number: int) -> None:
        try:
            result = await self.do_again(number)
        except ZeroClawError as error:
            _log.error("An interrupted task could not be done again: %s", error.message)
            return
        if result is not None:
            _log.warning("%s was interrupted and has been done again: %s", result.action, result.state.value)

    async def _make_safe(self, board_id: str) -> None:
        names = [name for name in boards_to_make_safe(self._owed) if self._live(name) == board_id]
        result = await self._executor.submit(make_payload("board_safe", source="manual", device_id=board_id))
        self._busy.discard(board_id)
        if not result.ok or self._journal is None:
            _log.error("%s could not be made safe after the crash: %s", board_id, result.faults)
            self._faults.update(dict.fromkeys(names, result.faults[0]) if result.faults else {})
            self._changed()
            return
        _log.warning("%s was made safe: tasks were unfinished when the program ended last time", board_id)
        for name in names:
            self._faults.pop(name, None)
        try:
            self._owed = await settle(self._journal, self._owed, names)
        except ZeroClawError as error:
            _log.error("The journal could not be brought up to date: %s", error.message)
            return
        self._look()

    async def stop(self) -> None:
        """End what is under way."""
        await self._tasks.stop()
