"""A tool that is no command, with a receipt of each call (SC-12); commands have theirs from the journal."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from zeroclaw_desktop.contracts.chat import ChatMessage, Tool, ToolCall, ToolSpec
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.receipts import args_hash, text_hash

Record = Callable[[ReceiptDraft], None]


class ReceiptedTool:
    """Implements contracts.chat.Tool.

    Args:
        tool: does the work.
        record: takes the receipt.
    """

    def __init__(self, tool: Tool, record: Record) -> None:
        self._tool = tool
        self._record = record

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return self._tool.spec

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Do it; a call that failed or was cancelled has its receipt as well."""
        outcome, answer = "failed", ""
        try:
            message = await self._tool.call(call, turn_id)
            outcome, answer = str(message.data.get("status", "ok")), message.text
            return message
        finally:
            params = json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True, default=repr)
            self._record(
                ReceiptDraft(
                    *("tool", f"{turn_id}.{call.call_id}", call.name, "agent", outcome),
                    *(args_hash(call.name, "agent", params), text_hash(answer), time.time()),
                )
            )
