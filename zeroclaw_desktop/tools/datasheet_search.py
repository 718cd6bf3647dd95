"""The tool that looks into the person's data sheets; it reads, so nobody is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall, ToolSpec
from zeroclaw_desktop.tools.command_tools import tool_message

Search = Callable[[str, str], Awaitable[list[dict[str, Any]]]]
"""(question, key of a kind of board or '') -> rows with document, section, place and text."""
MOST_QUESTION = 300


class DatasheetSearchTool:
    """Implements contracts.chat.Tool.

    Args:
        search: finds passages.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return ToolSpec(
            "datasheet_search",
            "Search the person's data sheets for passages that answer a question.",
            {
                "type": "object",
                "properties": {
                    "question": {"type": "string", "description": "Words to look for"},
                    "board_type": {
                        "type": "string",
                        "description": "Key of the kind of board, such as arduino-uno; leave out for all",
                    },
                },
                "required": ["question"],
                "additionalProperties": False,
            },
        )

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Answer with passages; they are data of a file and no orders to anybody."""
        question = call.arguments.get("question")
        board = call.arguments.get("board_type", "")
        if not isinstance(question, str) or not question.strip() or not isinstance(board, str):
            row = {"status": "failed", "error": "question must be a text; board_type a text or left out"}
            return tool_message(call, row)
        passages = await self._search(question[:MOST_QUESTION], board)
        return tool_message(call, {"status": "ok", "result": {"passages": passages}})
