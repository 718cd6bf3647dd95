"""The executor: receive, prepare, ask, queue, run under a deadline, report (EX-1, EX-7 to EX-12)."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from zeroclaw_desktop.contracts.actions import (
    ActionFault,
    ActionPayload,
    ActionResult,
    ActionState,
    ActionTransition,
)
from zeroclaw_desktop.contracts.boards import BoardAccess
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.asking import Allowed, Approver, Asking, OutdatedAnswerError
from zeroclaw_desktop.execution.budget import RunBudget
from zeroclaw_desktop.execution.device_locks import DeviceLocks
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.fault_mapping import faults_of
from zeroclaw_desktop.execution.handler_runner import HandlerRunner
from zeroclaw_desktop.execution.leases import OutputLeases, session_of
from zeroclaw_desktop.execution.payloads import malformed
from zeroclaw_desktop.execution.permissions import DEFAULT_CEILINGS
from zeroclaw_desktop.execution.pin_governor import PinGovernor
from zeroclaw_desktop.execution.preparation import Prepared, prepare
from zeroclaw_desktop.execution.registry import CommandRegistry, Outcome, Superseder
from zeroclaw_desktop.execution.reporters import Reporter
from zeroclaw_desktop.execution.resource_queue import QueueEntry, ResourceQueue
from zeroclaw_desktop.execution.shared_state.in_process import InProcessState
from zeroclaw_desktop.execution.state_machine import ActionLife
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import followed
from zeroclaw_desktop.foundation.text import QUOTED, visible

_log = logger("execution")


class ActionJournal(Protocol):
    """Keeps a row before and one after each execution (EX-14)."""

    async def before(self, payload: ActionPayload, prepared: Prepared) -> None:
        """Commit the row before; raises when the action must not run without it."""

    async def after(
        self,
        payload: ActionPayload,
        result: ActionResult,
        note: str = "",
        at: tuple[float, float] | None = None,
    ) -> bool:
        """Commit the row after, before anybody is told of the result.

        Args:
            at: monotonic and epoch seconds of the end, None for now.
        """


class DeviceGuard(Protocol):
    """Keeps other programs away from the devices that actions of this one drive (EX-19)."""

    def use(
        self, device: str, owner: str, end: Callable[[], bool]
    ) -> contextlib.AbstractAsyncContextManager[None]:
        """See DeviceLocks.use."""


@dataclass
class _Running:
    task: asyncio.Task[ActionResult]
    exempt: bool
    """Not cancelled by cancel_all: the stop itself."""
    stopped_by: str = ""
    superseder: Superseder | None = None
    prepared: Prepared | None = None
    result: ActionResult | None = None

    def end(self, by: str) -> bool:
        """Cancel the action; a second cancel would cut short the clean-up that makes its outputs safe."""
        if self.stopped_by:
            return False
        self.stopped_by = by
        self.task.cancel()
        return True

    def give_way(self, later: Prepared) -> None:
        """Cancel the action because a later command stops an output that it drives."""
        if not self.stopped_by:
            self.superseder = Superseder(later.payload.action, later.params)
            self.end(later.payload.action)


class Executor:
    """The only way to hardware.

    Args:
        reporters: told of every transition; may be changed at run time.
        approver: asks a person; None when nobody is there, which counts as no.
        stopped: whether the emergency stop is latched.
    """

    def __init__(
        self,
        registry: CommandRegistry,
        boards: BoardAccess,
        clock: Clock,
        reporters: Sequence[Reporter],
        stopped: Callable[[], bool],
    ) -> None:
        self.registry = registry
        self.reporters = list(reporters)
        self.approver: Approver | None = None
        self.ceilings = dict(DEFAULT_CEILINGS)
        """Highest level of each source that runs without asking (EX-6)."""
        self.dry_run = os.environ.get("ZEROCLAW_DRY_RUN", "") == "1"
        self._boards = boards
        self._clock = clock
        self._stopped = stopped
        self._queue = ResourceQueue()
        self._handlers = HandlerRunner(
            boards, clock, self._queue, self._refuse_when_stopped, stopped, self._superseder
        )
        self._asking = Asking(self.prepare, boards.pin_states)
        self._running: dict[str, _Running] = {}
        self._sequence: dict[str, int] = {}
        self.journal: ActionJournal | None = None
        self.governor = PinGovernor()
        self.leases = OutputLeases()
        self.budget = RunBudget()
        self.locks: DeviceGuard = DeviceLocks(InProcessState(clock))

    # -- what others ask ------------------------------------------------------------------------------
    def prepare(self, payload: ActionPayload) -> Prepared:
        """Check a payload without doing anything; raises FaultError."""
        boards = self._boards.boards()
        return prepare(payload, self.registry, boards, self._boards.pin_states, self.ceilings)

    def queue_entries(self) -> list[QueueEntry]:
        """Who holds and who waits for resources."""
        return self._queue.entries()

    def release_quarantine(self, device_id: str) -> None:
        """Unlock a device's resources after it was reset."""
        self._queue.release_quarantine(device_id)

    def cancel(self, task_id: str, by: str = "person") -> bool:
        """Stop one action; returns whether it was there."""
        running = self._running.get(task_id)
        if running is None or running.task.done():
            return False
        running.end(by)
        return True

    def cancel_all(self, by: str = "emergency stop") -> int:
        """Stop everything except the actions that may run while stopped; returns how many.

        Whoever calls this puts all boards into the safe state as well, so no output is held any more.
        """
        now = self._clock.monotonic()
        for board in self._boards.boards():
            self.governor.note_safe(board.board_id, now)
            self.leases.note_safe(board.board_id)
        ids = [task_id for task_id, running in self._running.items() if not running.exempt]
        return sum(self.cancel(task_id, by) for task_id in ids)

    def _may_run_stopped(self, action: str) -> bool:
        command = self.registry.find(action)
        return command is not None and command.when_stopped

    # -- the path -------------------------------------------------------------------------------------
    async def submit(self, payload: ActionPayload) -> ActionResult:
        """Take an action through the whole path; never raises for what the action did wrong.

        Returns:
            The report, which the journal has already; its ``faults`` say why the action did not complete.
            When the awaiting task is cancelled the action is cancelled first and its outputs are safe before
            CancelledError goes on.
        """
        if payload.task_id in self._running:
            return self._taken(payload)
        task, ended = followed(self._live(payload), f"action:{payload.task_id}")
        running = _Running(task, self._may_run_stopped(payload.action))
        self._running[payload.task_id] = running
        try:
            await ended
            return task.result()
        except asyncio.CancelledError:
            if not task.done():
                running.end("caller")
                await asyncio.wait([task])
            caller = asyncio.current_task()
            if caller is not None and caller.cancelling():
                raise
            result = running.result or self._never_began(payload)
            if self.journal is not None:
                # The cancel may have cut short the wait for the row after.
                await self.journal.after(payload, result, running.stopped_by)
            return result
        finally:
            self._running.pop(payload.task_id, None)

    def _taken(self, payload: ActionPayload) -> ActionResult:
        """The report of an action whose task id belongs to a running one (EX-1: unique).

        It is not announced: whoever follows the running action by its id would take it for that one's end.
        """
        task_id = visible(payload.task_id, QUOTED)
        reason = Words(
            f"the task id '{task_id}' belongs to an action that is running.",
            f"任务编号“{task_id}”属于正在执行的操作。",
        )
        _log.warning("%s was refused: %s", payload.action, reason.en)
        taken = malformed(reason, "task_id")
        return self._result(payload, None, ActionState.FAILED, self._clock.monotonic(), Outcome(), [taken])

    def _never_began(self, payload: ActionPayload) -> ActionResult:
        """The report of an action that was stopped before its first step."""
        life = ActionLife(payload, self._clock, self._announce)
        life.move(ActionState.PENDING)
        stopped = self._end_fault(payload)
        result = self._result(
            payload, None, ActionState.CANCELLED, self._clock.monotonic(), Outcome(), [stopped]
        )
        life.move(ActionState.CANCELLED, self._stopper(payload), result)
        return result

    async def _live(self, payload: ActionPayload) -> ActionResult:
        started = self._clock.monotonic()
        life = ActionLife(payload, self._clock, self._announce)
        prepared: Prepared | None = None
        outcome, state, note = Outcome(), ActionState.FAILED, ""
        faults: tuple[ActionFault, ...] = ()
        life.move(ActionState.PENDING)
        try:
            prepared = self._running[payload.task_id].prepared = self.prepare(payload)
            self.budget.check(session_of(payload.task_id))
            self._refuse_when_stopped(prepared)
            done = await self._run_allowed(prepared, life)
            prepared = self._running[payload.task_id].prepared
            outcome, note = (Outcome(), "dry run") if done is None else (done, "")
            state = ActionState.COMPLETED
        except asyncio.CancelledError:
            state, note = ActionState.CANCELLED, self._stopper(payload)
            faults = (self._end_fault(payload),)
        except Exception as error:  # noqa: BLE001 - a handler's fault must become a report, whatever it is
            faults = tuple(faults_of(error, payload.action))
        result = self._result(payload, prepared, state, started, outcome, faults)
        running = self._running.get(payload.task_id)
        if running is not None:
            # A cancel that comes at the very last step still leaves a report behind.
            running.result = result
        at = self._clock.monotonic(), self._clock.wall()
        try:
            if self.journal is not None:
                await self.journal.after(payload, result, note, at)
        finally:
            life.move(state, note, result, at)
        return result

    def continue_sequences(self, last: Mapping[str, int]) -> None:
        """Count the results of each device on from its last one in the journal (EX-13)."""
        for device, number in last.items():
            self._sequence[device] = max(number, self._sequence.get(device, 0))

    def _is_dry(self, payload: ActionPayload) -> bool:
        return payload.constraints.dry_run or self.dry_run

    def _stopper(self, payload: ActionPayload) -> str:
        running = self._running.get(payload.task_id)
        return (running.stopped_by if running else "") or "caller"

    def _superseder(self, task_id: str) -> Superseder | None:
        running = self._running.get(task_id)
        return running.superseder if running is not None else None

    def _end_fault(self, payload: ActionPayload) -> ActionFault:
        """Why a cancelled action ended."""
        by = self._stopper(payload)
        if self._superseder(payload.task_id) is None:
            return fault(Code.CANCELLED, f"Stopped by {by}.", by=by)
        message = f"'{payload.action}' was given up: a later '{by}' stops the same output."
        return fault(Code.SUPERSEDED, message, action=payload.action, by=by)

    def _supersede_earlier(self, prepared: Prepared) -> None:
        """End what was submitted before a command that stops the same output."""
        if not prepared.supersedes:
            return
        for task_id, running in list(self._running.items()):
            if task_id == prepared.payload.task_id:
                return
            if running.prepared is not None and running.prepared.is_superseded_by(prepared):
                running.give_way(prepared)

    def _refuse_when_stopped(self, prepared: Prepared) -> None:
        if self._stopped() and not prepared.command.when_stopped:
            raise FaultError([fault(Code.EMERGENCY_STOPPED, "The emergency stop is on.")])

    async def _run_allowed(self, prepared: Prepared, life: ActionLife) -> Outcome | None:
        """Ask where that is due, then run; asks anew when what was shown changed while the action waited.

        Returns:
            None for a dry run.
        """
        questions, note = 0, ""
        while True:
            allowed = await self._asking.allowed(prepared, self.approver, questions)
            prepared, questions = allowed.prepared, allowed.questions
            self._running[prepared.payload.task_id].prepared = prepared
            self._refuse_when_stopped(prepared)
            if life.state is ActionState.PENDING:
                life.move(ActionState.VALIDATED, allowed.note)
            elif allowed.note != note:
                _log.info("%s was asked about again: %s", prepared.payload.task_id, allowed.note)
            note = allowed.note
            if self._is_dry(prepared.payload):
                return None
            try:
                return await self._run_queued(allowed, life)
            except OutdatedAnswerError:
                prepared = self.prepare(prepared.payload)

    async def _run_queued(self, allowed: Allowed, life: ActionLife) -> Outcome:
        prepared = allowed.prepared
        self._supersede_earlier(prepared)
        task_id, safe = prepared.payload.task_id, prepared.command.only_makes_safe
        async with self._queue.take(task_id, prepared.resources, unrefused=safe):
            self._refuse_when_stopped(prepared)
            self._asking.check(allowed)
            if not prepared.drives:
                return await self._run_journalled(prepared, life)
            owner = f"{prepared.command.name} {visible(task_id, QUOTED)}"
            async with self.locks.use(prepared.device, owner, lambda: self._end_by_loss(task_id)):
                self._refuse_when_stopped(prepared)
                self._asking.check(allowed)
                return await self._run_journalled(prepared, life)

    def _end_by_loss(self, task_id: str) -> bool:
        """End an action whose device another program may drive from now on."""
        running = self._running.get(task_id)
        return running is not None and not running.task.done() and running.end("lost lock")

    async def _run_journalled(self, prepared: Prepared, life: ActionLife) -> Outcome:
        if self.journal is not None:
            await self.journal.before(prepared.payload, prepared)
            self._refuse_when_stopped(prepared)
        self._refuse_by_time(prepared)
        life.move(ActionState.RUNNING)
        return await self._run_counted(prepared)

    def _refuse_by_time(self, prepared: Prepared) -> None:
        """Rates and rests of the pins, judged at the moment when the action would begin."""
        board = prepared.board
        if board is None or prepared.command.only_makes_safe:
            return
        faults = self.governor.faults(
            board.board_id, board.profile, prepared.timeline, self._clock.monotonic()
        )
        if faults:
            raise FaultError(faults)

    async def _run_counted(self, prepared: Prepared) -> Outcome:
        """Run the handler; note what the pins were left at and charge the session's budget."""
        board, payload, timeline = prepared.board, prepared.payload, prepared.timeline
        started = self._clock.monotonic()
        left = tuple(replace(change, after=0, mode="output") for change in prepared.changes)
        done = False
        if board is not None:
            self.governor.begin(board.board_id, board.profile, timeline, started)
        try:
            outcome = await self._handlers.run(prepared)
            left, done = prepared.changes, True
            return outcome
        finally:
            now = self._clock.monotonic()
            self.budget.charge(session_of(payload.task_id), now - started)
            if board is not None and left:
                changed = timeline.completed(started, now) if done else timeline.broken_off(started, now)
                self.governor.note(board.board_id, board.profile, changed)
                self.leases.note(board.board_id, left, payload.task_id, payload.source, now)

    # -- reports --------------------------------------------------------------------------------------
    def _result(
        self,
        payload: ActionPayload,
        prepared: Prepared | None,
        state: ActionState,
        started: float,
        outcome: Outcome,
        faults: Sequence[ActionFault],
    ) -> ActionResult:
        device = prepared.board.board_id if prepared and prepared.board else payload.device_id
        return ActionResult(
            payload.task_id,
            payload.action,
            state,
            device,
            payload.source,
            (self._clock.monotonic() - started) * 1000.0,
            tuple(faults),
            outcome.value,
            outcome.hardware_states,
            prepared.changes if prepared else (),
            prepared is not None and self._is_dry(payload),
            self._next_number(device),
        )

    def _next_number(self, device: str) -> int:
        """The number of a result in its device's order (EX-13); 0 for a device that nobody has ever seen.

        Whoever invents names of devices must not make the program remember them.
        """
        known = not device or device in self._sequence
        if not known and all(board.board_id != device for board in self._boards.boards()):
            return 0
        self._sequence[device] = self._sequence.get(device, 0) + 1
        return self._sequence[device]

    def _announce(self, transition: ActionTransition) -> None:
        for reporter in self.reporters:
            try:
                reporter.report(transition)
            except OSError:
                continue  # a full disk or a closed port is no reason to stop the action


def transition_row(transition: ActionTransition) -> Mapping[str, Any]:
    """A transition as a plain row, for files and the debug command line."""
    return {
        "task_id": transition.payload.task_id,
        "action": transition.payload.action,
        "state": transition.state.value,
        "monotonic": round(transition.monotonic, 6),
        "wall": round(transition.wall, 6),
        "params": dict(transition.payload.params),
        "note": transition.note,
    }
