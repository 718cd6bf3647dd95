"""One turn of a conversation (AG-1 in its first form): stream, collect calls, execute, go on, answer."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, Protocol

from zeroclaw_desktop.agent.errors import UnreadableCallsError
from zeroclaw_desktop.agent.listening import Listener
from zeroclaw_desktop.agent.toolcalls.model import MalformedCall
from zeroclaw_desktop.agent.toolcalls.retry_message import MAX_RETRIES, retry_message
from zeroclaw_desktop.agent.toolcalls.tool_table import ToolTable
from zeroclaw_desktop.contracts.chat import ChatMessage, Provider, StreamEnded, Tool, ToolCall
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
    """Runs one turn; made anew for each message.

    Args:
        calls_in_text: the model may write calls into its text, which goes through the stream guard.
        native_tools: returns, once an answer has begun, whether the model has an interface for tools as well.
    """

    def __init__(
        self,
        conversation: Conversation,
        provider: Provider,
        tools: Mapping[str, Tool],
        observer: TurnObserver,
        *,
        calls_in_text: bool = False,
        native_tools: Callable[[], bool] = lambda: False,
    ) -> None:
        self.turn_id = f"turn-{uuid.uuid4().hex[:10]}"
        self._conversation = conversation
        self._provider = provider
        self._tools = tools
        self._observer = observer
        self._calls_in_text = calls_in_text
        self._native_tools = native_tools
        self._malformed_in_a_row = 0
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
                heard = await self._stream()
                if heard.calls:
                    await self._execute(heard.calls)
                if heard.malformed:
                    self._explain(heard.malformed)
                elif not heard.calls:
                    break
                else:
                    self._malformed_in_a_row = 0
            else:
                _log.warning("%s ended after %d rounds of tools", self.turn_id, MAX_TOOL_ITERATIONS)
        except asyncio.CancelledError:
            outcome = "stopped"
        except ZeroClawError as error:
            outcome, fault = "failed", error
            _log.error("%s failed: %s", self.turn_id, error.message)
        self._observer.state_changed(self.turn_id, "idle")
        return TurnResult(self.turn_id, outcome, "".join(self._said), tuple(self._calls), fault)

    async def _stream(self) -> Listener:
        """One answer of the provider; the message is kept even when the stream is cut off."""
        self._observer.state_changed(self.turn_id, "thinking")
        tools = [tool.spec for tool in self._tools.values()]
        prefix = f"call_{uuid.uuid4().hex[:8]}_"
        heard = Listener(
            ToolTable.of(tools),
            calls_in_text=self._calls_in_text,
            id_prefix=prefix,
            native_tools=self._native_tools,
        )
        pieces: list[str] = []
        try:
            async with aclosing(self._provider.stream(self._conversation.messages, tools)) as events:
                async for event in events:
                    self._answer_came(heard.hear(event), pieces)
                    if isinstance(event, StreamEnded):
                        break
            self._answer_came(heard.end(cut_off=True), pieces)
        except (asyncio.CancelledError, ZeroClawError):
            self._answer_came(heard.end(cut_off=True), pieces)
            self._remember("".join(pieces), [])
            raise
        self._remember("".join(pieces), heard.calls)
        return heard

    def _answer_came(self, text: str, pieces: list[str]) -> None:
        if text and not pieces:
            self._observer.state_changed(self.turn_id, "streaming")
            self._say(PARAGRAPH if self._said else "")
        if text:
            pieces.append(text)
            self._say(text)

    def _explain(self, faults: list[MalformedCall]) -> None:
        """Tell the model why its calls were not carried out (AG-5), MAX_RETRIES times in a row."""
        self._malformed_in_a_row += 1
        if self._malformed_in_a_row > MAX_RETRIES:
            raise UnreadableCallsError(
                "The model wrote tool calls that cannot be carried out, again and again.",
                hint="Say it in other words, or choose another model. Nothing of those calls was done.",
            )
        told = retry_message(faults, self._malformed_in_a_row, native=not self._calls_in_text)
        self._conversation.messages.append(ChatMessage("user", told))

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
