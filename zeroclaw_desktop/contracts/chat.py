"""What an agent, its tools and its model providers say to each other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ToolCall:
    """A call that a model asked for."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class ChatMessage:
    """One entry of a conversation.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``.
        tool_calls: calls made by an assistant message.
        tool_call_id: for ``tool`` messages, the call that is answered.
        data: structured result of a tool beside its text.
    """

    role: str
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolSpec:
    """A tool as offered to a model: name, description and JSON schema of its parameters."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True)
class ToolCallRequested:
    """The model asks for a tool."""

    call: ToolCall


@dataclass(frozen=True)
class StreamEnded:
    """The model is done; ``reason`` is ``stop`` or ``tool_calls``."""

    reason: str


ProviderEvent = TextDelta | ToolCallRequested | StreamEnded


class Provider(Protocol):
    """A source of answers: a model, or the offline assistant."""

    name: str

    def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncIterator[ProviderEvent]:
        """Answer the conversation; text comes in pieces, tool calls whole."""


class Tool(Protocol):
    """Something that a model can call."""

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Do it (through the execution layer) and return the ``tool`` message."""
