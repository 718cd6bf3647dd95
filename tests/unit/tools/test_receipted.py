"""SC-12: what the agent looks up has a receipt as well, also when it fails."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall, ToolSpec
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.receipts import text_hash
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.tools.receipted import ReceiptedTool

CALL = ToolCall("c1", "look_up", {"question": "fan"})


class LookUp:
    """Answers, or fails."""

    spec = ToolSpec("look_up", "", {})

    def __init__(self, *, fails: bool = False) -> None:
        self._fails = fails

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        if self._fails:
            raise ZeroClawError("no")
        return ChatMessage("tool", "12 V", tool_call_id=call.call_id, data={"status": "ok"})


async def test_a_call_leaves_its_receipt() -> None:
    drafts: list[ReceiptDraft] = []
    message = await ReceiptedTool(LookUp(), drafts.append).call(CALL, "turn-1")
    assert message.text == "12 V"
    (draft,) = drafts
    assert (draft.kind, draft.subject, draft.what, draft.outcome) == ("tool", "turn-1.c1", "look_up", "ok")
    assert draft.result_hash == text_hash("12 V")


async def test_a_call_that_fails_leaves_one_too() -> None:
    drafts: list[ReceiptDraft] = []
    with pytest.raises(ZeroClawError):
        await ReceiptedTool(LookUp(fails=True), drafts.append).call(CALL, "turn-1")
    assert [draft.outcome for draft in drafts] == ["failed"]
