"""What an agent, its tools and its model providers say to each other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
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
class ReasoningDelta:
    """A piece of what the model thinks; never a part of the answer."""

    text: str


@dataclass(frozen=True)
class ToolCallDelta:
    """A piece of a call that is being written; ToolCallRequested or ToolCallBroken follows.

    Attributes:
        index: which call of this answer, from 0.
        arguments: a piece of the JSON of its arguments.
    """

    index: int
    name: str
    arguments: str


@dataclass(frozen=True)
class ToolCallBroken:
    """A call that cannot be carried out: its arguments are cut off or no JSON object. Never guess them.

    Attributes:
        arguments: what came of them.
        reason: what is wrong, for the model.
    """

    call_id: str
    name: str
    arguments: str
    reason: str


@dataclass(frozen=True)
class UsageReported:
    """What an answer used.

    Attributes:
        model: alias of the model that answered.
        input_tokens: of the request, with those that the server had cached.
        cost: in US dollars; None when the prices are not known.
    """

    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True)
class AttemptFailed:
    """A request failed before anything of an answer came, and something is tried next.

    Attributes:
        model: alias of the model that was asked.
        fault_code: what went wrong (``rate_limited``).
        reason: the same in words, English.
        next_model: who is asked next; the same alias for another attempt.
        wait_seconds: before that.
    """

    model: str
    fault_code: str
    reason: str
    next_model: str
    wait_seconds: float = 0.0


@dataclass(frozen=True)
class StreamEnded:
    """The model is done.

    Attributes:
        reason: ``stop``, ``tool_calls``, ``length`` (the answer was cut at its limit) or ``content_filter``.
    """

    reason: str


ProviderEvent = (
    TextDelta
    | ReasoningDelta
    | ToolCallDelta
    | ToolCallRequested
    | ToolCallBroken
    | UsageReported
    | AttemptFailed
    | StreamEnded
)


class Provider(Protocol):
    """A source of answers: a model, or the offline assistant."""

    name: str

    def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        """Answer the conversation; text comes in pieces, tool calls whole."""


class Tool(Protocol):
    """Something that a model can call."""

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Do it (through the execution layer) and return the ``tool`` message."""
