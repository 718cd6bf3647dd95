"""One answer of a provider while it comes: what to say, which calls to carry out, which cannot be read."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.agent.stream_guard.guard import GuardEvent, StreamGuard, TextShown
from zeroclaw_desktop.agent.toolcalls.model import MalformedCall, ParsedCall
from zeroclaw_desktop.agent.toolcalls.native_calls import DIALECT, is_good_json, read_native
from zeroclaw_desktop.agent.toolcalls.tool_table import ToolTable
from zeroclaw_desktop.contracts.chat import (
    ProviderEvent,
    StreamEnded,
    TextDelta,
    ToolCall,
    ToolCallBroken,
    ToolCallRequested,
)
from zeroclaw_desktop.foundation.log import logger

CUT_OFF = "length"
"""Reason of StreamEnded: the answer had no room to end."""
_log = logger("agent")


class Listener:
    """Hears one answer.

    Args:
        tools: those that were offered.
        calls_in_text: the model may write calls into its text (AG-4, AG-5).
        native_tools: returns, once there is text, whether it has an interface for tools as well: then only
            marked calls count, never a bare one.
        id_prefix: for calls without an id, unique in the conversation.

    Attributes:
        calls: to carry out, in order.
        malformed: calls that cannot be read; the model is told why.
    """

    def __init__(
        self,
        tools: ToolTable,
        *,
        calls_in_text: bool,
        id_prefix: str,
        native_tools: Callable[[], bool] = lambda: False,
    ) -> None:
        self.calls: list[ToolCall] = []
        self.malformed: list[MalformedCall] = []
        self._tools = tools
        self._calls_in_text = calls_in_text
        self._native_tools = native_tools
        self._id_prefix = id_prefix
        self._guard: StreamGuard | None = None

    def hear(self, event: ProviderEvent) -> str:
        """Take an event; returns what of it may be said."""
        if isinstance(event, ToolCallRequested):
            self.calls.append(self._mended(event.call))
        elif isinstance(event, ToolCallBroken):
            self._read_broken(event)
        elif isinstance(event, TextDelta):
            return self._sort(self._guarded().feed(event.text)) if self._calls_in_text else event.text
        elif isinstance(event, StreamEnded):
            return self.end(cut_off=event.reason == CUT_OFF)
        return ""

    def _guarded(self) -> StreamGuard:
        if self._guard is None:
            self._guard = StreamGuard(
                self._tools, native_tools=self._native_tools(), id_prefix=self._id_prefix
            )
        return self._guard

    def end(self, *, cut_off: bool) -> str:
        """Nothing more comes; returns what is left to say."""
        guard, self._guard = self._guard, None
        return self._sort(guard.close(cut_off=cut_off)) if guard else ""

    def _sort(self, events: list[GuardEvent]) -> str:
        for event in events:
            if isinstance(event, ParsedCall):
                self.calls.append(event.call)
            elif isinstance(event, MalformedCall):
                _log.warning("%s", event.log_line)
                self.malformed.append(event)
        return "".join(event.text for event in events if isinstance(event, TextShown))

    def _read_broken(self, event: ToolCallBroken) -> None:
        """A native call whose arguments are no JSON: repaired where that cannot be wrong, else told.

        One whose JSON is good was given up for another reason (the answer was cut there), so it stays so.
        """
        found = read_native(event.call_id, event.name, event.arguments, self._tools)
        if isinstance(found, ParsedCall) and is_good_json(event.arguments):
            length = len(event.arguments)
            found = MalformedCall("truncated", f"{event.reason}.", DIALECT, found.call.name, length=length)
        if isinstance(found, ParsedCall):
            self.calls.append(found.call)
        else:
            _log.warning("%s", found.log_line)
            self.malformed.append(found)

    def _mended(self, call: ToolCall) -> ToolCall:
        """A native call in the form its tool takes; one that does not fit goes on, its tool says why."""
        found = read_native(call.call_id, call.name, call.arguments, self._tools)
        return found.call if isinstance(found, ParsedCall) else call
