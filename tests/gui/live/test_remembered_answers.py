"""SC-11, SC-12 through the bridge and the real core: answered for longer, used, revoked, with receipts."""

from __future__ import annotations

from tests.gui.live.conftest import Live
from zeroclaw_desktop.bridge.views import ApprovalView, ToolCallView


def test_an_answer_for_longer_is_used_and_revoked(live: Live) -> None:
    live.start_board()
    questions: list[ApprovalView] = []
    calls: list[ToolCallView] = []
    live.bridge.chat.approval_requested.connect(questions.append)
    live.bridge.chat.tool_call_changed.connect(calls.append)

    def completed() -> int:
        return len({call.call_id for call in calls if call.state == "completed"})

    live.bridge.chat.send("set pin 7 high")
    live.until(lambda: bool(questions), "the question")
    assert "digital_write(pin=7, value=1)" in questions[0].scope_remembered
    live.bridge.chat.answer_approval(questions[0].approval_id, "session")
    live.until(lambda: completed() == 1, "the first write")
    live.bridge.chat.send("set pin 7 high")
    live.until(lambda: completed() == 2, "the second write")
    assert len(questions) == 1
    (rule,) = live.bridge.approvals.rules()
    assert rule.uses == 2
    assert calls[-1].receipt > 0
    live.bridge.approvals.revoke(rule.rule_id)
    assert live.bridge.approvals.rules() == []
    live.bridge.chat.send("set pin 7 high")
    live.until(lambda: len(questions) == 2, "the question after the end of the answer")
    states: list[str] = []
    live.bridge.chat.turn_state_changed.connect(states.append)
    live.bridge.chat.answer_approval(questions[1].approval_id, "deny")
    live.until(lambda: "idle" in states, "the end of the turn")
