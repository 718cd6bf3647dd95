"""The tool behind 'why did it fail?': tells the last result that was not a success."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall, ToolSpec
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.contracts.memory import MemoryEntry
from zeroclaw_desktop.execution.error_table import explain_error, next_step
from zeroclaw_desktop.memory.execution_notes import NO_CODE
from zeroclaw_desktop.tools.command_tools import outcome_row, tool_message


class ExplainLastTool:
    """Implements contracts.chat.Tool.

    Args:
        last_fault: the last result that did not complete, None when there is none.
        remembered: the last failure that the memory knows (AG-13), for when this run had none.
    """

    def __init__(
        self,
        last_fault: Callable[[], ActionResult | None],
        language: Callable[[], Language],
        remembered: Callable[[], Awaitable[MemoryEntry | None]] | None = None,
    ) -> None:
        self._last_fault = last_fault
        self._language = language
        self._remembered = remembered

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
            entry = await self._remembered() if self._remembered is not None else None
            return tool_message(call, {"status": "ok", "result": self._from_memory(entry)})
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

    def _from_memory(self, entry: MemoryEntry | None) -> dict[str, Any]:
        if entry is None:
            return {"found": False, "text": ""}
        details = entry.details
        code = details.get("exit_code", 0)
        language = self._language()
        fault = details.get("fault")
        values = fault if isinstance(fault, dict) else {}
        known = isinstance(code, int) and code > NO_CODE
        error = explain_error(code, language, values) if known else str(details.get("result", ""))
        hint = next_step(code, language, values) if known else ""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.created))
        return {
            "found": True,
            "text": f"{details.get('action', '')} ({when}): {error} {hint}".strip(),
            "action": details.get("action", ""),
            "state": details.get("state", ""),
            "error_code": code,
            "error": error,
            "hint": hint,
            "when": when,
            "remembered": entry.text,
        }
