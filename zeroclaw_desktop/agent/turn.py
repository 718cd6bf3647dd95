"""One turn of a conversation (AG-1 in its first form): stream, collect calls, execute, go on, answer."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from zeroclaw_desktop.contracts.chat import (
    ChatMessage,
    Provider,
    StreamEnded,
    TextDelta,
    Tool,
    ToolCall,
    ToolCallRequested,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger

MAX_TOOL_ITERATIONS = 10
PARAGRAPH = "\n\n"
"""Put between what was said before and after tool calls."""
TurnState = Literal["idle", "thinking", "streaming", "executing"]
Outcome = Literal["done", "stopped", "failed"]
_log = logger("agent")


class TurnObserver(Protocol):
    """Told how a turn goes on; must not block."""

    def state_changed(self, turn_id: str, state: TurnState) -> None:
        """The turn entered a state."""

    def text_came(self, turn_id: str, text: str) -> None:
        """A piece of the answer."""

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        """A tool call begins."""

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        """A tool call has its result."""


@dataclass
class Conversation:
    """History of one session; always valid: each call has its answer."""

    messages: list[ChatMessage] = field(default_factory=list)


@dataclass(frozen=True)
class TurnResult:
    """How a turn ended; ``text`` is all that was said."""

    turn_id: str
    outcome: Outcome
    text: str
    calls: tuple[tuple[ToolCall, ChatMessage], ...]
    fault: ZeroClawError | None = None


class AgentTurn:
    """Runs one turn; made anew for each message."""

    def __init__(
        self,
        conversation: Conversation,
        provider: Provider,
        tools: Mapping[str, Tool],
        observer: TurnObserver,
    ) -> None:
        self.turn_id = f"turn-{uuid.uuid4().hex[:10]}"
        self._conversation = conversation
        self._provider = provider
        self._tools = tools
        self._observer = observer
        self._said: list[str] = []
        self._calls: list[tuple[ToolCall, ChatMessage]] = []

    async def run(self, text: str) -> TurnResult:
        """Answer a message. Cancelling ends the provider's stream and the running tool, and returns.

        Args:
            text: what the person wrote.
        """
        self._conversation.messages.append(ChatMessage("user", text))
        fault: ZeroClawError | None = None
        outcome: Outcome = "done"
        try:
            for _ in range(MAX_TOOL_ITERATIONS):
                calls = await self._stream()
                if not calls:
                    break
                await self._execute(calls)
            else:
                _log.warning("%s ended after %d rounds of tools", self.turn_id, MAX_TOOL_ITERATIONS)
        except asyncio.CancelledError:
            outcome = "stopped"
        except ZeroClawError as error:
            outcome, fault = "failed", error
            _log.error("%s failed: %s", self.turn_id, error.message)
        self._observer.state_changed(self.turn_id, "idle")
        return TurnResult(self.turn_id, outcome, "".join(self._said), tuple(self._calls), fault)

    async def _stream(self) -> list[ToolCall]:
        """One answer of the provider; the message is kept even when the stream is cut off."""
        self._observer.state_changed(self.turn_id, "thinking")
        pieces: list[str] = []
        calls: list[ToolCall] = []
        try:
            stream = self._provider.stream(
                self._conversation.messages, [tool.spec for tool in self._tools.values()]
            )
            async for event in stream:
                if isinstance(event, TextDelta):
                    if not pieces:
                        self._observer.state_changed(self.turn_id, "streaming")
                        self._say(PARAGRAPH if self._said else "")
                    pieces.append(event.text)
                    self._say(event.text)
                elif isinstance(event, ToolCallRequested):
                    calls.append(event.call)
                elif isinstance(event, StreamEnded):
                    break
        except (asyncio.CancelledError, ZeroClawError):
            self._remember("".join(pieces), [])
            raise
        self._remember("".join(pieces), calls)
        return calls

    def _say(self, text: str) -> None:
        if text:
            self._said.append(text)
            self._observer.text_came(self.turn_id, text)

    def _remember(self, text: str, calls: list[ToolCall]) -> None:
        if text or calls:
            self._conversation.messages.append(ChatMessage("assistant", text, tuple(calls)))

    async def _execute(self, calls: list[ToolCall]) -> None:
        """Run calls in order; a call that is not reached gets an answer that says so."""
        self._observer.state_changed(self.turn_id, "executing")
        remaining = list(calls)
        try:
            while remaining:
                call = remaining[0]
                self._observer.call_started(self.turn_id, call)
                answer = await self._answer(call)
                remaining.pop(0)
                self._conversation.messages.append(answer)
                self._calls.append((call, answer))
                self._observer.call_ended(self.turn_id, call, answer)
                if answer.data.get("status") != "ok":
                    self._skip(remaining)
                    remaining = []
        except BaseException:
            self._skip(remaining, "cancelled")
            raise

    def _skip(self, calls: list[ToolCall], status: str = "skipped") -> None:
        for call in calls:
            answer = ChatMessage(
                "tool", f'{{"status": "{status}"}}', tool_call_id=call.call_id, data={"status": status}
            )
            self._conversation.messages.append(answer)
            self._calls.append((call, answer))
            self._observer.call_ended(self.turn_id, call, answer)

    async def _answer(self, call: ToolCall) -> ChatMessage:
        tool = self._tools.get(call.name)
        if tool is None:
            return _failure(call, f"There is no tool called '{call.name}'.")
        try:
            return await tool.call(call, self.turn_id)
        except ZeroClawError as error:
            return _failure(call, error.message, error.hint)


def _failure(call: ToolCall, reason: str, hint: str = "") -> ChatMessage:
    """The answer to a call that no tool could answer."""
    row = {"status": "failed", "error": reason, "hint": hint}
    return ChatMessage("tool", json.dumps(row, ensure_ascii=False), tool_call_id=call.call_id, data=row)
