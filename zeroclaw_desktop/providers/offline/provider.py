"""The offline assistant as a provider: the same stream of text and tool calls that a model would send."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.chat import (
    ChatMessage,
    ProviderEvent,
    StreamEnded,
    TextDelta,
    ToolCall,
    ToolCallRequested,
    ToolSpec,
)
from zeroclaw_desktop.providers.offline.answers import summarize
from zeroclaw_desktop.providers.offline.model import (
    BoardFacts,
    CallOutcome,
    DialogueState,
    Understanding,
)
from zeroclaw_desktop.providers.offline.understanding import understand

PIECE_CHARACTERS = 12
PIECE_SECONDS = 0.008
"""Pace of the stream: fast enough not to wait for, slow enough to be read as it comes."""


class OfflineProvider:
    """One conversation's assistant; implements contracts.chat.Provider.

    Args:
        boards: the connected boards, asked for with each message.
    """

    name = "offline"

    def __init__(self, boards: Callable[[], Sequence[BoardFacts]]) -> None:
        self._boards = boards
        self._state: DialogueState | None = None
        self._understood: Understanding | None = None
        self._numbers = itertools.count(1)

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        """Answer the last message, or sum up the results of the calls that it led to."""
        if messages and messages[-1].role == "tool" and self._understood is not None:
            text = summarize(self._understood, _outcomes(messages), self._understood.language)
            async for event in _pieces(text):
                yield event
            yield StreamEnded("stop")
            return
        sentence = next((message.text for message in reversed(messages) if message.role == "user"), "")
        understood = understand(sentence, boards=self._boards(), state=self._state)
        self._state, self._understood = understood.state, understood
        said = [part for part in (understood.say, understood.question) if part]
        async for event in _pieces(" ".join(dict.fromkeys(said))):
            yield event
        offered = {tool.name for tool in tools}
        for planned in understood.calls:
            if planned.name in offered:
                call_id = f"call{next(self._numbers)}"
                yield ToolCallRequested(ToolCall(call_id, planned.name, planned.arguments))
        yield StreamEnded("tool_calls" if understood.calls else "stop")


async def _pieces(text: str) -> AsyncGenerator[ProviderEvent, None]:
    for start in range(0, len(text), PIECE_CHARACTERS):
        yield TextDelta(text[start : start + PIECE_CHARACTERS])
        await asyncio.sleep(PIECE_SECONDS)


def _outcomes(messages: Sequence[ChatMessage]) -> list[CallOutcome]:
    """Results of the calls in the last assistant message, in order."""
    asked: list[ToolCall] = []
    answers: dict[str, ChatMessage] = {}
    for message in reversed(messages):
        if message.role == "tool":
            answers[message.tool_call_id] = message
        else:
            asked = list(message.tool_calls)
            break
    outcomes = []
    for call in asked:
        answer = answers.get(call.call_id)
        data: Mapping[str, Any] = answer.data if answer is not None else {"status": "skipped"}
        outcomes.append(
            CallOutcome(
                call.name,
                call.arguments,
                str(data.get("status", "failed")),
                data.get("result"),
                data.get("error_code"),
                str(data.get("error", "")),
                str(data.get("hint", "")),
                bool(data.get("dry_run")),
            )
        )
    return outcomes
