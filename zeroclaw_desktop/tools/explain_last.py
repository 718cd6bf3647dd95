"""The tool behind 'why did it fail?': tells the last result that was not a success."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall, ToolSpec
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.tools.command_tools import outcome_row, tool_message


class ExplainLastTool:
    """Implements contracts.chat.Tool.

    Args:
        last_fault: the last result that did not complete, None when there is none.
    """

    def __init__(
        self, last_fault: Callable[[], ActionResult | None], language: Callable[[], Language]
    ) -> None:
        self._last_fault = last_fault
        self._language = language

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return ToolSpec(
            "explain_last",
            "Say why the last command did not succeed.",
            {"type": "object", "properties": {}, "additionalProperties": False},
        )

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Answer from what was reported; nothing is done to any board."""
        result = self._last_fault()
        if result is None:
            return tool_message(call, {"status": "ok", "result": {"found": False, "text": ""}})
        row = outcome_row(result, self._language())
        return tool_message(
            call,
            {
                "status": "ok",
                "result": {
                    "found": True,
                    "text": f"{row.get('error', '')} {row.get('hint', '')}".strip(),
                    "action": result.action,
                    "state": result.state.value,
                    "error_code": result.error_code,
                    "error": row.get("error", ""),
                    "hint": row.get("hint", ""),
                },
            },
        )
