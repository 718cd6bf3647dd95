"""Answers that hold for longer than once: in memory only, bound to what was shown, counted, revocable."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.contracts.approvals import ApprovalScope, BoardBinding
from zeroclaw_desktop.execution.approval_scope import covers
from zeroclaw_desktop.foundation.clock import Clock

HOUR_SECONDS = 3600.0
MOST_RULES = 200
"""Beyond that the oldest goes: a person who cannot read the list cannot watch over it."""


@dataclass
class ApprovalRule:
    """A remembered answer.

    Attributes:
        rule_id: ``rule-1`` ...
        length: ``HOUR`` or ``SESSION``, the run of the program.
        board_name: as shown to the person.
        made_by: who answered (``window``, ``command line``).
        made_at: epoch seconds.
        ends: monotonic seconds; None at the end of the program.
        uses: how many actions it has allowed.
    """

    rule_id: str
    scope: ApprovalScope
    length: ApprovalOutcome
    device_id: str
    made_by: str
    made_at: float
    ends: float | None
    uses: int = 0


class ApprovalRules:
    """The rules of this run of the program.

    Args:
        clock: decides when an hour is over.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rules: dict[str, ApprovalRule] = {}
        self._made = 0

    def rules(self) -> list[ApprovalRule]:
        """Those that hold now, oldest first."""
        self.take_over()
        return list(self._rules.values())

    def add(self, request: ApprovalRequest, length: ApprovalOutcome, by: str) -> ApprovalRule | None:
        """Make a rule of an answer; None when that question may not be remembered."""
        if request.scope is None or not request.rememberable or not length.remembers:
            return None
        if len(self._rules) >= MOST_RULES:
            del self._rules[next(iter(self._rules))]
        self._made += 1
        ends = self._clock.monotonic() + HOUR_SECONDS if length is ApprovalOutcome.HOUR else None
        rule = ApprovalRule(
            f"rule-{self._made}", request.scope, length, request.device_id, by, self._clock.wall(), ends
        )
        self._rules[rule.rule_id] = rule
        return rule

    def covering(self, scope: ApprovalScope | None) -> ApprovalRule | None:
        """The rule that allows what is asked; None when there is none."""
        if scope is None:
            return None
        return next((rule for rule in self.rules() if covers(rule.scope, scope)), None)

    def revoke(self, rule_id: str) -> ApprovalRule | None:
        """End a rule; None when there was none."""
        return self._rules.pop(rule_id, None)

    def clear(self) -> list[ApprovalRule]:
        """End all of them; returns which."""
        gone = list(self._rules.values())
        self._rules.clear()
        return gone

    def take_over(self) -> list[ApprovalRule]:
        """End those whose time is over; returns which."""
        now = self._clock.monotonic()
        return self._end(
            [rule for rule in self._rules.values() if rule.ends is not None and now >= rule.ends]
        )

    def keep_only(self, present: Collection[BoardBinding]) -> list[ApprovalRule]:
        """End those whose board is not there as it was; returns which."""
        return self._end([rule for rule in self._rules.values() if rule.scope.board not in present])

    def _end(self, ended: list[ApprovalRule]) -> list[ApprovalRule]:
        for rule in ended:
            del self._rules[rule.rule_id]
        return ended
