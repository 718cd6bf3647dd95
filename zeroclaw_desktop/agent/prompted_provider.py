"""A model with its system message, and with tools by text where it has no other way."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Protocol

from zeroclaw_desktop.agent.system_prompt import system_prompt
from zeroclaw_desktop.contracts.chat import ChatMessage, ProviderEvent, ToolCall, ToolSpec


class StreamingModel(Protocol):
    """A model behind its provider."""

    name: str

    def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        """Answer the conversation."""


class PromptedProvider:
    """Implements contracts.chat.Provider over a model.

    Args:
        model: answers.
        boards: returns one line of facts for each connected board, asked anew for each answer.
        takes_tools: returns whether the model calls tools by itself; asked before the first answer.
        recall: returns what is remembered about a message of the person, '' for nothing; it is never stored
            in the conversation.

    Attributes:
        native_tools: whether the model calls tools by itself; known once an answer has begun.
    """

    def __init__(
        self,
        model: StreamingModel,
        boards: Callable[[], Sequence[str]],
        takes_tools: Callable[[], Awaitable[bool]],
        recall: Callable[[str], Awaitable[str]],
    ) -> None:
        self.name = model.name
        self.native_tools = False
        self._model = model
        self._boards = boards
        self._takes_tools = takes_tools
        self._recall = recall
        self._recalled: tuple[str, str] = ("", "")

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        """Answer the conversation; the stored one never holds the system message."""
        native = self.native_tools = await self._takes_tools()
        known = await self._known(messages)
        prompt = ChatMessage("system", system_prompt(self._boards(), () if native else tools, known))
        told = list(messages) if native else in_text(messages)
        async with aclosing(self._model.stream([prompt, *told], tools if native else ())) as events:
            async for event in events:
                yield event

    async def _known(self, messages: Sequence[ChatMessage]) -> str:
        """What is remembered about the newest message of the person; looked up once for a turn."""
        text = next((message.text for message in reversed(messages) if message.role == "user"), "")
        if text != self._recalled[0]:
            self._recalled = (text, await self._recall(text))
        return self._recalled[1]


def in_text(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return a conversation for a model without tools: calls and results as text.

    Neighbouring results are one message, because many chat templates refuse two of one role in a row.
    """
    told: list[ChatMessage] = []
    names: dict[str, str] = {}
    for message in messages:
        names |= {call.call_id: call.name for call in message.tool_calls}
        if message.role == "tool":
            name = names.get(message.tool_call_id, "tool")
            _add(told, ChatMessage("user", f"Result of {name}: {message.text}"))
        elif message.tool_calls:
            lines = [message.text, *(_call_text(call) for call in message.tool_calls)]
            told.append(ChatMessage("assistant", "\n".join(line for line in lines if line)))
        else:
            _add(told, message)
    return told


def _add(told: list[ChatMessage], message: ChatMessage) -> None:
    if told and told[-1].role == message.role == "user":
        told[-1] = ChatMessage("user", f"{told[-1].text}\n{message.text}")
    else:
        told.append(message)


def _call_text(call: ToolCall) -> str:
    row = {"name": call.name, "arguments": dict(call.arguments)}
    return f"<tool_call>{json.dumps(row, ensure_ascii=False)}</tool_call>"
