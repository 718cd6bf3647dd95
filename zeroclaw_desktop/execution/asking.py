"""Asks a person about an action, and uses the answer only while what was shown still holds (EX-6, SC-11)."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping

from zeroclaw_desktop.contracts.actions import ActionPayload, ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.contracts.approvals import ApprovalScope
from zeroclaw_desktop.contracts.boards import PinState
from zeroclaw_desktop.execution.approval_scope import rememberable, scope_of
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.preparation import Prepared

Approver = Callable[[ApprovalRequest], Awaitable[ApprovalOutcome]]
APPROVAL_SECONDS = 120.0
MOST_QUESTIONS = 4
"""How often one action may ask because the board kept changing."""


class OutdatedAnswerError(Exception):
    """What was shown does not hold any more, so the answer must not be used. Never leaves the executor."""


class Allowed:
    """An action with the answer that allows it.

    Attributes:
        prepared: the action as it was shown.
        shown: what the answer is about; None for an action that need not ask.
        note: how it was allowed, for the journal.
        questions: how often was asked so far.
    """

    __slots__ = ("note", "prepared", "questions", "shown")

    def __init__(
        self, prepared: Prepared, shown: ApprovalScope | None = None, note: str = "", questions: int = 0
    ) -> None:
        self.prepared = prepared
        self.shown = shown
        self.note = note
        self.questions = questions


class Asking:
    """Puts questions for the executor.

    Args:
        prepare: checks a payload anew.
        pins_of: last observed pins of a board.
    """

    def __init__(
        self, prepare: Callable[[ActionPayload], Prepared], pins_of: Callable[[str], Mapping[int, PinState]]
    ) -> None:
        self._prepare = prepare
        self._pins_of = pins_of

    async def allowed(self, prepared: Prepared, approver: Approver | None, questions: int = 0) -> Allowed:
        """Ask until an answer fits the state that it is about.

        Args:
            approver: None when nobody is there.
            questions: how often this action has asked already.

        Raises:
            FaultError: it may not run.
        """
        while prepared.verdict == "ask":
            if questions >= MOST_QUESTIONS:
                message = f"The state that '{prepared.payload.action}' was allowed for kept changing."
                raise FaultError([fault(Code.APPROVAL_OUTDATED, message)])
            shown = self._shown(prepared)
            outcome = ApprovalOutcome.NOBODY
            if approver is not None:
                outcome = await approver(_question(prepared, shown, again=questions > 0))
            if not outcome.allows:
                raise _refusal(prepared, outcome)
            questions += 1
            prepared = self._prepare(prepared.payload)
            if self._shown(prepared) == shown:
                return Allowed(prepared, shown, f"allowed: {outcome.value}", questions)
        return Allowed(prepared, questions=questions)

    def check(self, allowed: Allowed) -> None:
        """Look once more at the moment when the action would begin.

        Raises:
            OutdatedAnswerError: the board, its names or a pin changed while the action waited.
            FaultError: it must not run any more at all.
        """
        if (
            allowed.shown is not None
            and self._shown(self._prepare(allowed.prepared.payload)) != allowed.shown
        ):
            raise OutdatedAnswerError

    def _shown(self, prepared: Prepared) -> ApprovalScope:
        board = prepared.board
        return scope_of(prepared, self._pins_of(board.board_id) if board is not None else {})


def _question(prepared: Prepared, shown: ApprovalScope, *, again: bool) -> ApprovalRequest:
    return ApprovalRequest(
        f"ask-{uuid.uuid4().hex[:12]}",
        prepared.payload,
        prepared.needed,
        prepared.ceiling,
        prepared.changes,
        APPROVAL_SECONDS,
        prepared.board.board_id if prepared.board is not None else "",
        shown,
        shown.risk,
        rememberable(shown),
        again,
    )


def _refusal(prepared: Prepared, outcome: ApprovalOutcome) -> FaultError:
    action, source = prepared.payload.action, prepared.payload.source
    if outcome is ApprovalOutcome.DENIED:
        return FaultError([fault(Code.APPROVAL_DENIED, f"'{action}' was not allowed by the person.")])
    if outcome is ApprovalOutcome.TIMED_OUT:
        return FaultError([fault(Code.APPROVAL_TIMED_OUT, f"Nobody answered whether '{action}' may run.")])
    needed, ceiling = prepared.needed.label, prepared.ceiling.label
    return FaultError(
        [
            fault(
                Code.PERMISSION_DENIED,
                f"'{action}' needs '{needed}', but '{source}' may go up to '{ceiling}'.",
                "source",
                action=action,
                source=source,
                needed=needed,
                ceiling=ceiling,
            )
        ]
    )
