"""One action's work: handler under a deadline, retries after bus faults, clean-up (EX-8, EX-10)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from zeroclaw_desktop.contracts.boards import BoardAccess, BoardInfo, BoardLink
from zeroclaw_desktop.execution.deadlines import Deadlines
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.fault_mapping import faults_of
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.execution.preparation import Prepared
from zeroclaw_desktop.execution.registry import Outcome, Superseder
from zeroclaw_desktop.execution.resource_queue import ResourceQueue
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import followed

CLEAN_UP_SECONDS = 1.0
RETRY_SECONDS = 0.2
BUS_CODES = range(0x40, 0x50)
NOTHING_DONE = frozenset({Code.DEVICE_REFUSED, Code.TOOL_MISSING, Code.DEVICE_NOT_CONNECTED})
_log = logger("execution")


class _Context:
    """What a handler sees; implements registry.HandlerContext."""

    def __init__(
        self,
        board: BoardInfo | None,
        link: BoardLink | None,
        clock: Clock,
        superseder: Callable[[], Superseder | None],
    ) -> None:
        self._board = board
        self._link = link
        self._clock = clock
        self._superseder = superseder
        self.cancelled = False

    @property
    def board(self) -> BoardInfo:
        if self._board is None:
            raise FaultError([fault(Code.DEVICE_NOT_CONNECTED, "This command has no board.", device="")])
        return self._board

    @property
    def link(self) -> BoardLink:
        if self._link is None:
            raise FaultError([fault(Code.DEVICE_NOT_CONNECTED, "This command has no board.", device="")])
        return self._link

    def is_cancelled(self) -> bool:
        return self.cancelled

    @property
    def superseded_by(self) -> Superseder | None:
        return self._superseder()

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)


class HandlerRunner:
    """Runs handlers for the executor.

    Args:
        queue: locks the resources of a handler that does not end.
        refuse_when_stopped: raises FaultError while the emergency stop is latched.
        stopped: whether it is latched.
        superseder: (task id) -> the later command that ended that action, if one did.
    """

    def __init__(
        self,
        boards: BoardAccess,
        clock: Clock,
        queue: ResourceQueue,
        refuse_when_stopped: Callable[[Prepared], None],
        stopped: Callable[[], bool],
        superseder: Callable[[str], Superseder | None],
    ) -> None:
        self._boards = boards
        self._clock = clock
        self._queue = queue
        self._refuse_when_stopped = refuse_when_stopped
        self._stopped = stopped
        self._superseder = superseder
        self._deadlines = Deadlines(clock)

    async def run(self, prepared: Prepared) -> Outcome:
        """One attempt, or several for an idempotent command after a bus fault."""
        attempts = 1 + (prepared.payload.constraints.retries if prepared.command.idempotent else 0)
        while True:
            self._refuse_when_stopped(prepared)
            try:
                return await self._attempt(prepared)
            except ZeroClawError as error:
                attempts -= 1
                faults = faults_of(error, prepared.payload.action)
                if attempts <= 0 or not all(code in BUS_CODES for code in (f.code for f in faults)):
                    raise
                await self._clock.sleep(RETRY_SECONDS)

    async def _attempt(self, prepared: Prepared) -> Outcome:
        exempt = prepared.command.when_stopped
        grant = Grant(prepared.payload.task_id, lambda: self._stopped() and not exempt)
        talks = prepared.board is not None and prepared.command.needs_live
        link = self._boards.link(prepared.board.board_id, grant) if prepared.board and talks else None
        context = _Context(
            prepared.board, link, self._clock, lambda: self._superseder(prepared.payload.task_id)
        )
        seconds = prepared.payload.constraints.timeout or prepared.command.default_timeout
        try:
            return await self._until_deadline(seconds, context, prepared)
        finally:
            grant.revoke()

    async def _until_deadline(self, seconds: float, context: _Context, prepared: Prepared) -> Outcome:
        work, ended = followed(prepared.command.handler(context, prepared.params))
        deadline = self._deadlines.set(seconds, lambda: None if ended.done() else ended.set_result(None))
        try:
            await ended
            if work.done():
                if not work.cancelled() and (error := work.exception()) is not None:
                    await self._after_failure(error, context, prepared)
                return work.result()
            await self._end_handler(work, context, prepared)
            raise FaultError(
                [
                    fault(
                        Code.TIMEOUT,
                        f"'{prepared.payload.action}' did not finish within {seconds:g} s.",
                        seconds=f"{seconds:g}",
                    )
                ]
            )
        except asyncio.CancelledError:
            await self._end_handler(work, context, prepared)
            raise
        finally:
            deadline.cancel()

    async def _end_handler(self, work: asyncio.Task[Outcome], context: _Context, prepared: Prepared) -> None:
        """Cancel the handler, then put its outputs into the safe state; both bounded."""
        context.cancelled = True
        work.cancel()
        _, stuck = await asyncio.wait({work}, timeout=prepared.command.end_grace)
        if not work.cancelled() and work.done():
            work.exception()
        await self._make_safe(context, prepared)
        if stuck:
            names = [name for name, mode in prepared.resources if mode == "write"]
            self._queue.quarantine(names, prepared.payload.task_id)
            resource = ", ".join(names)
            raise FaultError(
                [
                    fault(
                        Code.IGNORED_CANCEL,
                        f"'{prepared.payload.action}' did not end when it was told to; {resource} is locked.",
                        action=prepared.payload.action,
                        resource=resource,
                    )
                ]
            )

    async def _after_failure(self, error: BaseException, context: _Context, prepared: Prepared) -> None:
        """Put the outputs into the safe state unless the board itself said that it did nothing.

        A board that did not answer may have done it all the same, and a handler that failed half-way leaves
        what it had begun.
        """
        refused = isinstance(error, Exception) and any(
            found.code in NOTHING_DONE for found in faults_of(error, prepared.payload.action)
        )
        if not refused:
            await self._make_safe(context, prepared)

    async def _make_safe(self, context: _Context, prepared: Prepared) -> None:
        """Run the command's own clean-up; while stopped the boards were told already."""
        cancel = prepared.command.cancel
        if cancel is None or self._stopped():
            return
        # The first fault is what gets reported; whatever goes wrong here is logged.
        cleaning = asyncio.get_running_loop().create_task(cancel(context, prepared.params))
        _, late = await asyncio.wait({cleaning}, timeout=CLEAN_UP_SECONDS)
        if late:
            cleaning.cancel()
            await asyncio.wait({cleaning}, timeout=CLEAN_UP_SECONDS)
        if cleaning.cancelled() or not cleaning.done():
            _log.error("The clean-up of %s did not end in time", prepared.payload.action)
        elif (error := cleaning.exception()) is not None:
            _log.error("The clean-up of %s failed: %s", prepared.payload.action, error)
