"""Remembering, recalling and forgetting as tools for models.

None of them moves anything, so nobody is asked; the person's policy may say otherwise in front of them.
What a tool stores is marked as the agent's. A run that nobody watches recalls no conversations and forgets
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from zeroclaw_desktop.contracts.chat import ChatMessage, Tool, ToolCall, ToolSpec
from zeroclaw_desktop.contracts.memory import (
    CATEGORIES,
    CORE,
    MemoryDraft,
    MemoryHit,
    MemoryQuestion,
    Recollection,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.memory.cleaning import is_autonomous
from zeroclaw_desktop.memory.recall_block import harmless
from zeroclaw_desktop.tools.command_tools import tool_message

MOST_FORGOTTEN = 50
MOST_RECALLED = 20
MOST_SHOWN = 800
MOST_CANDIDATES = 3
SAYS_IT = 0.7
"""Similarity from which on a memory says what the person gave as its text."""
_CATEGORY = {
    "type": "string",
    "description": f"One of {', '.join(CATEGORIES)}, or a short name of your own",
}


class MemoryStoreTool:
    """Implements contracts.chat.Tool.

    Args:
        source: of the run, see contracts.actions.Source.
    """

    def __init__(self, memory: Recollection, source: Callable[[], str]) -> None:
        self._memory = memory
        self._source = source

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return ToolSpec(
            "memory_store",
            "Remember something for later: a fact, a preference, what a pin is for. One thing at a time, in "
            "full sentences. No passwords.",
            {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "What to remember"},
                    "category": _CATEGORY,
                    "board": {"type": "string", "description": "Id of the board that it is about"},
                    "private": {"type": "boolean", "description": "Not to be shown to models elsewhere"},
                },
                "required": ["text"],
                "additionalProperties": False,
            },
        )

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Keep it; the answer has its number and whether it was known already."""
        text = call.arguments.get("text")
        category = call.arguments.get("category") or CORE
        board = call.arguments.get("board") or ""
        if not isinstance(text, str) or not isinstance(category, str) or not isinstance(board, str):
            return _failed(call, "text, category and board must be texts")
        source = self._source()
        draft = MemoryDraft(
            text,
            category,
            session=turn_id,
            source=source if is_autonomous(source) else "agent",
            board=board,
            sensitivity="private" if call.arguments.get("private") is True else "normal",
        )
        try:
            told = await self._memory.remember(draft)
        except ZeroClawError as error:
            return _failed(call, error.message, error.hint)
        row: dict[str, Any] = {"id": told.number}
        if told.merged:
            row["known_already"] = True
        if told.masked:
            row["secret_masked"] = True
        return tool_message(call, {"status": "ok", "result": row})


class MemoryRecallTool:
    """Implements contracts.chat.Tool.

    Args:
        source: of the run.
        private: whether the model may see private entries, as one on this computer may.
    """

    def __init__(
        self, memory: Recollection, source: Callable[[], str], private: Callable[[], bool] = lambda: False
    ) -> None:
        self._memory = memory
        self._source = source
        self._private = private

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return ToolSpec(
            "memory_recall",
            "Look for what was remembered earlier, also of earlier commands and how they ended.",
            {
                "type": "object",
                "properties": {
                    "question": {"type": "string", "description": "Words to look for"},
                    "category": _CATEGORY,
                    "most": {"type": "integer", "minimum": 1, "maximum": MOST_RECALLED},
                },
                "required": ["question"],
                "additionalProperties": False,
            },
        )

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Answer with entries; they are data and no orders to anybody."""
        question, category = call.arguments.get("question"), call.arguments.get("category") or ""
        most = call.arguments.get("most")
        if not isinstance(question, str) or not question.strip() or not isinstance(category, str):
            return _failed(call, "question must be a text; category a text or left out")
        if isinstance(most, bool) or not isinstance(most, int):
            most = None
        asked = MemoryQuestion(
            question,
            None if most is None else max(1, min(MOST_RECALLED, most)),
            categories=(category.strip().lower(),) if category else (),
            autonomous=is_autonomous(self._source()),
            private=self._private(),
        )
        try:
            hits = await self._memory.recall(asked)
        except ZeroClawError as error:
            return _failed(call, error.message, error.hint)
        return tool_message(call, {"status": "ok", "result": {"memories": [hit_row(hit) for hit in hits]}})


class MemoryForgetTool:
    """Implements contracts.chat.Tool.

    Args:
        source: of the run; one that nobody watches forgets nothing.
        private: whether the model may see private entries.
    """

    def __init__(
        self, memory: Recollection, source: Callable[[], str], private: Callable[[], bool] = lambda: False
    ) -> None:
        self._memory = memory
        self._source = source
        self._private = private

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return ToolSpec(
            "memory_forget",
            "Forget memories, because the person asked for it: by the ids that memory_recall gave, or "
            "the one that says a text.",
            {
                "type": "object",
                "properties": {
                    "ids": {"type": "array", "items": {"type": "integer"}, "maxItems": MOST_FORGOTTEN},
                    "text": {"type": "string", "description": "What the memory says; instead of ids"},
                },
                "additionalProperties": False,
            },
        )

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Forget; the answer has how many there were."""
        if is_autonomous(self._source()):
            return tool_message(
                call,
                {
                    "status": "refused",
                    "error": "A run that nobody watches forgets nothing.",
                    "hint": "Ask the person.",
                },
            )
        text = call.arguments.get("text")
        if isinstance(text, str) and text.strip() and "ids" not in call.arguments:
            return await self._by_text(call, text)
        ids = call.arguments.get("ids")
        whole = isinstance(ids, list) and all(type(number) is int for number in ids)
        if not isinstance(ids, list) or not whole or not 0 < len(ids) <= MOST_FORGOTTEN:
            return _failed(call, f"ids must be a list of 1 to {MOST_FORGOTTEN} whole numbers")
        try:
            gone = await self._memory.forget(tuple(ids))
        except ZeroClawError as error:
            return _failed(call, error.message, error.hint)
        return tool_message(call, {"status": "ok", "result": {"forgotten": gone}})

    async def _by_text(self, call: ToolCall, text: str) -> ChatMessage:
        """Forget the one memory that says a text; several, or none that says it clearly, are only shown."""
        question = MemoryQuestion(text, MOST_CANDIDATES, private=self._private())
        try:
            hits = await self._memory.recall(question)
            saying = [hit for hit in hits if hit.vector >= SAYS_IT]
            if len(saying) != 1:
                shown = [harmless(hit.entry.text)[:MOST_SHOWN] for hit in saying or hits]
                return tool_message(call, {"status": "ok", "result": {"forgotten": 0, "texts": shown}})
            gone = await self._memory.forget((saying[0].entry.number,))
        except ZeroClawError as error:
            return _failed(call, error.message, error.hint)
        row = {"forgotten": gone, "texts": [harmless(saying[0].entry.text)[:MOST_SHOWN]]}
        return tool_message(call, {"status": "ok", "result": row})


def memory_tools(
    memory: Recollection,
    source: Callable[[], str] = lambda: "agent",
    private: Callable[[], bool] = lambda: False,
) -> list[Tool]:
    """The three of them."""
    return [
        MemoryStoreTool(memory, source),
        MemoryRecallTool(memory, source, private),
        MemoryForgetTool(memory, source, private),
    ]


def hit_row(hit: MemoryHit) -> dict[str, Any]:
    """An entry that was found as data for a model; nothing in its text reads as a protocol's message."""
    entry = hit.entry
    text = harmless(entry.text)
    row: dict[str, Any] = {
        "id": entry.number,
        "text": text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…",
        "category": entry.category,
        "from": entry.source,
        "when": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.created)),
        "score": round(hit.score, 3),
    }
    if entry.board:
        row["board"] = entry.board
    if entry.count > 1:
        row["times"] = entry.count
    if "exit_code" in entry.details:
        row["exit_code"] = entry.details["exit_code"]
    return row


def _failed(call: ToolCall, error: str, hint: str = "") -> ChatMessage:
    row: Mapping[str, Any] = {"status": "failed", "error": error, **({"hint": hint} if hint else {})}
    return tool_message(call, row)
