"""Orders of ``zeroclaw approvals`` to the running program, through the control socket (SC-11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import ApprovalOutcome
from zeroclaw_desktop.contracts.approvals import ApprovalScope
from zeroclaw_desktop.runtime.approval_rules import ApprovalRule
from zeroclaw_desktop.runtime.approval_words import covered, params_line
from zeroclaw_desktop.runtime.approvals import COMMAND_LINE, ApprovalDesk, OpenQuestion

Answer = dict[str, Any]
SCOPES: Mapping[str, ApprovalOutcome] = {
    "once": ApprovalOutcome.ONCE,
    "hour": ApprovalOutcome.HOUR,
    "session": ApprovalOutcome.SESSION,
}


class ApprovalOrders:
    """Obeys them; whoever may speak to the control socket is the person's own user."""

    def __init__(self, desk: ApprovalDesk) -> None:
        self._desk = desk
        self._orders: Mapping[str, Callable[[Mapping[str, Any]], Answer]] = {
            "approvals": self._list,
            "approval_allow": self._allow,
            "approval_deny": self._deny,
            "approval_rules": self._rules,
            "approval_revoke": self._revoke,
        }

    def obey(self, order: Mapping[str, Any]) -> Answer | None:
        """The answer to an order; None when it is none of ours."""
        found = self._orders.get(str(order.get("cmd", "")))
        return found(order) if found is not None else None

    def _list(self, _order: Mapping[str, Any]) -> Answer:
        return {"ok": True, "approvals": [self._question_row(row) for row in self._desk.questions()]}

    def _allow(self, order: Mapping[str, Any]) -> Answer:
        outcome = SCOPES.get(str(order.get("scope", "once")))
        if outcome is None:
            return {"ok": False, "reason": "scope"}
        wanted = str(order.get("id", ""))
        question = next((one for one in self._desk.questions() if one.request.approval_id == wanted), None)
        if question is None:
            return {"ok": False, "reason": "unknown"}
        if outcome.remembers and not question.request.rememberable:
            return {"ok": False, "reason": "not_rememberable"}
        taken = self._desk.answer(wanted, outcome, COMMAND_LINE)
        return {"ok": taken, "reason": "" if taken else "answered"}

    def _deny(self, order: Mapping[str, Any]) -> Answer:
        taken = self._desk.answer(str(order.get("id", "")), ApprovalOutcome.DENIED, COMMAND_LINE)
        return {"ok": taken, "reason": "" if taken else "unknown"}

    def _rules(self, _order: Mapping[str, Any]) -> Answer:
        return {"ok": True, "rules": [self._rule_row(rule) for rule in self._desk.rules()]}

    def _revoke(self, order: Mapping[str, Any]) -> Answer:
        taken = self._desk.revoke(str(order.get("id", "")), COMMAND_LINE)
        return {"ok": taken, "reason": "" if taken else "unknown_rule"}

    def _question_row(self, question: OpenQuestion) -> Answer:
        request = question.request
        return {
            "id": request.approval_id,
            "task_id": request.payload.task_id,
            "action": request.payload.action,
            "params": params_line(request.scope, "en") if request.scope is not None else "",
            "source": request.payload.source,
            "board": request.device_id,
            "needs": request.permission.label,
            "ceiling": request.ceiling.label,
            "risk": request.risk.value,
            "changes": [[change.pin, change.before, change.after, change.mode] for change in request.changes],
            "again": request.again,
            "scopes": list(SCOPES) if request.rememberable else ["once"],
            "covers": self._covers(request.scope, request.device_id) if request.rememberable else "",
            "asked_at": question.asked_at,
            "seconds_left": round(self._desk.seconds_left(question), 1),
        }

    def _rule_row(self, rule: ApprovalRule) -> Answer:
        return {
            "id": rule.rule_id,
            "covers": self._covers(rule.scope, rule.device_id),
            "length": rule.length.value,
            "made_by": rule.made_by,
            "made_at": rule.made_at,
            "seconds_left": self._desk.rule_seconds_left(rule),
            "uses": rule.uses,
        }

    def _covers(self, scope: ApprovalScope | None, device_id: str) -> str:
        return "" if scope is None else covered(scope, self._desk.board_name(device_id), "en")
