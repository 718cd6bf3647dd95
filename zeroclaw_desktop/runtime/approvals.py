"""Questions to a person: opened, answered, timed out, remembered. Who shows them listens to the bus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.events import (
    ApprovalClosed,
    ApprovalOpened,
    ApprovalRulesChanged,
    BoardsChanged,
    EmergencyStopChanged,
)
from zeroclaw_desktop.contracts.receipts import ReceiptDraft, ReceiptKind
from zeroclaw_desktop.execution.approval_scope import binding_of, covers
from zeroclaw_desktop.execution.receipts import text_hash
from zeroclaw_desktop.foundation.clock import Clock, SystemClock
from zeroclaw_desktop.runtime.approval_rules import ApprovalRule, ApprovalRules

WINDOW, COMMAND_LINE, NOBODY = "window", "command line", "nobody"


@dataclass
class OpenQuestion:
    """A question that waits.

    Attributes:
        asked_at: epoch seconds.
        ends: monotonic seconds, when no answer counts as no.
        by: who answered.
    """

    request: ApprovalRequest
    answer: asyncio.Future[ApprovalOutcome]
    asked_at: float
    ends: float
    by: str = NOBODY


class ApprovalDesk:
    """Asks by events; ``ask`` is the executor's approver. On the loop's thread only.

    Args:
        boards: the boards that are known now; a rule ends when its board is not among the live ones.

    Attributes:
        record: takes the receipt of each decision.
    """

    def __init__(
        self,
        bus: EventBus,
        clock: Clock | None = None,
        boards: Callable[[], Sequence[BoardInfo]] = tuple,
    ) -> None:
        self._bus = bus
        self._clock = clock or SystemClock()
        self._boards = boards
        self._open: dict[str, OpenQuestion] = {}
        self._rules = ApprovalRules(self._clock)
        self.record: Callable[[ReceiptDraft], None] = lambda _draft: None
        bus.subscribe(EmergencyStopChanged, self._stopped)
        bus.subscribe(BoardsChanged, lambda _event: self.forget_changed_boards())

    # -- questions ------------------------------------------------------------------------------------
    async def ask(self, request: ApprovalRequest) -> ApprovalOutcome:
        """Put the question, unless a rule allows it, and wait; no answer in time counts as no."""
        rule = self._rules.covering(request.scope)
        if rule is not None:
            self._use(rule, request)
            return ApprovalOutcome.RULE
        now = self._clock.monotonic()
        question = OpenQuestion(
            request, asyncio.get_running_loop().create_future(), self._clock.wall(), now + request.timeout
        )
        self._open[request.approval_id] = question
        self._bus.publish(ApprovalOpened(request))
        outcome = ApprovalOutcome.DENIED
        try:
            # Not wait_for: up to Python 3.11 it swallows a cancel that comes together with the answer.
            async with asyncio.timeout(request.timeout):
                outcome = await question.answer
        except TimeoutError:
            outcome = ApprovalOutcome.TIMED_OUT
        finally:
            self._open.pop(request.approval_id, None)
            self._note("approval", request.approval_id, request, question.by, outcome.value)
            self._bus.publish(ApprovalClosed(request.approval_id, outcome))
        return outcome

    def questions(self) -> list[OpenQuestion]:
        """What waits for an answer, oldest first."""
        return list(self._open.values())

    def seconds_left(self, question: OpenQuestion) -> float:
        """Time until no answer counts as no."""
        return max(0.0, question.ends - self._clock.monotonic())

    def answer(self, approval_id: str, outcome: ApprovalOutcome, by: str = WINDOW) -> bool:
        """Give a person's answer; returns whether it was taken.

        It is not taken when the question is closed, nor when it would be remembered and must not be.
        """
        question = self._open.get(approval_id)
        if question is None or question.answer.done():
            return False
        if outcome.remembers:
            rule = self._rules.add(question.request, outcome, by)
            if rule is None:
                return False
            rule.uses += 1
            self._note("rule", rule.rule_id, question.request, by, f"made: {outcome.value}")
            self._settle(question, outcome, by)
            self._answer_others(rule)
            self._bus.publish(ApprovalRulesChanged())
            return True
        self._settle(question, outcome, by)
        return True

    @staticmethod
    def _settle(question: OpenQuestion, outcome: ApprovalOutcome, by: str) -> None:
        question.by = by
        question.answer.set_result(outcome)

    def _answer_others(self, rule: ApprovalRule) -> None:
        """Questions that wait and are about the very same are answered with it."""
        for question in self._open.values():
            scope = question.request.scope
            if not question.answer.done() and scope is not None and covers(rule.scope, scope):
                self._use(rule, question.request)
                self._settle(question, ApprovalOutcome.RULE, rule.rule_id)

    # -- rules ----------------------------------------------------------------------------------------
    def rules(self) -> list[ApprovalRule]:
        """The remembered answers that hold now, oldest first."""
        self._ended(self._rules.take_over(), "its hour is over")
        return self._rules.rules()

    def rule_seconds_left(self, rule: ApprovalRule) -> float | None:
        """Time until a rule ends by itself; None at the end of the program."""
        return None if rule.ends is None else round(max(0.0, rule.ends - self._clock.monotonic()), 1)

    def board_name(self, device_id: str) -> str:
        """What the person calls a board; '' when it is not known."""
        return next((board.name for board in self._boards() if board.board_id == device_id), "")

    def revoke(self, rule_id: str, by: str = WINDOW) -> bool:
        """End a remembered answer; returns whether it was there."""
        rule = self._rules.revoke(rule_id)
        if rule is not None:
            self._ended([rule], f"revoked by {by}")
        return rule is not None

    def forget_changed_boards(self) -> None:
        """End the rules of boards that are gone, or not as they were when the person answered."""
        if self._rules.rules():
            live = {binding_of(board) for board in self._boards() if board.state == "live"}
            self._ended(self._rules.keep_only(live), "the board changed")

    def _stopped(self, event: EmergencyStopChanged) -> None:
        if event.latched:
            self._ended(self._rules.clear(), "emergency stop")

    def _use(self, rule: ApprovalRule, request: ApprovalRequest) -> None:
        rule.uses += 1
        self._note("rule", rule.rule_id, request, request.payload.task_id, "used")
        self._bus.publish(ApprovalRulesChanged())

    def _ended(self, rules: list[ApprovalRule], why: str) -> None:
        for rule in rules:
            scope = repr(rule.scope)
            self.record(
                ReceiptDraft(
                    *("rule", rule.rule_id, rule.scope.action, rule.made_by, f"ended: {why}"),
                    *(text_hash(scope), "", self._clock.wall()),
                )
            )
        if rules:
            self._bus.publish(ApprovalRulesChanged())

    def _note(
        self, kind: ReceiptKind, subject: str, request: ApprovalRequest, who: str, outcome: str
    ) -> None:
        """Put a decision down; what it was about is told by a hash of all that was shown."""
        shown = repr(request.scope or dict(request.payload.params))
        self.record(
            ReceiptDraft(
                kind, subject, request.payload.action, who, outcome, text_hash(shown), "", self._clock.wall()
            )
        )
