"""One request to one model through the provider process: a stream of events, or an error."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.chat import (
    ChatMessage,
    ProviderEvent,
    ReasoningDelta,
    StreamEnded,
    TextDelta,
    ToolCallDelta,
    ToolSpec,
    UsageReported,
)
from zeroclaw_desktop.providers.errors import CutOffError, ProviderError, TimedOutError, fault_of
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.pricing import cost_of
from zeroclaw_desktop.providers.provider_process import Channel, ProviderProcess
from zeroclaw_desktop.providers.tool_call_assembly import CallAssembly
from zeroclaw_desktop.providers.wire import CALL, TEXT

START_SECONDS = 180.0
"""For the import of the model library in a new process, which takes 3 s on an idle machine."""
FINISHES = {"stop", "tool_calls", "length", "content_filter"}


def request_row(
    entry: ModelEntry, key: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
) -> dict[str, Any]:
    """The request as the process takes it (see wire)."""
    return {
        "model": entry.wire_name,
        "base_url": entry.address,
        "key": key,
        "messages": [message_row(message) for message in messages],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in tools
        ],
        "params": dict(entry.parameters),
        "connect_seconds": entry.patience.connect,
        "total_seconds": entry.patience.whole,
    }


def message_row(message: ChatMessage) -> dict[str, Any]:
    """A message in the form of OpenAI's chat completions, which litellm turns into every other form."""
    row: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        row["tool_calls"] = [
            {
                "id": call.call_id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
                },
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        row["tool_call_id"] = message.tool_call_id
    return row


async def ask_model(
    process: ProviderProcess,
    entry: ModelEntry,
    key: str,
    messages: Sequence[ChatMessage],
    tools: Sequence[ToolSpec],
) -> AsyncGenerator[ProviderEvent, None]:
    """Stream one answer. Ending the iteration early closes the connection to the server.

    Args:
        key: the key itself; it goes through the pipe and nowhere else.

    Raises:
        ProviderError: of the kind that says what happened; ``partial`` holds the text that came before.
    """
    if not entry.address:
        raise fault_of("bad_request", name=entry.alias, address="", reason="its entry names no base_url")
    channel = await process.open("stream", request_row(entry, key, messages, tools))
    answer = _Answer(entry)
    try:
        async with contextlib.aclosing(_frames(channel, entry)) as frames:
            async for frame in frames:
                for event in answer.take(frame):
                    yield event
    except ProviderError as error:
        error.partial = answer.text
        raise (
            _as_cut_off(error, entry) if answer.began and not isinstance(error, CutOffError) else error
        ) from None
    finally:
        channel.close()


async def _frames(channel: Channel, entry: ModelEntry) -> AsyncGenerator[Mapping[str, Any], None]:
    """Frames until the last one, within the entry's patience; the start of the process does not count."""
    patience = entry.patience
    begun, limit, deadline = "start", START_SECONDS, math.inf
    while not channel.done:
        now = time.monotonic()
        seconds = max(0.0, min(limit, deadline - now))
        try:
            async with asyncio.timeout(seconds):
                frame = await channel.frame()
        except TimeoutError:
            raise _timed_out(entry, "whole" if time.monotonic() >= deadline else begun) from None
        if "begun" in frame:
            begun, limit, deadline = "first", patience.first, time.monotonic() + patience.whole
        elif "events" in frame:
            begun, limit = "between", patience.between
        yield frame


class _Answer:
    """Turns frames into events."""

    def __init__(self, entry: ModelEntry) -> None:
        self._entry = entry
        self._calls = CallAssembly()
        self._texts: list[str] = []
        self.began = False

    @property
    def text(self) -> str:
        """What has come of the answer's words."""
        return "".join(self._texts)

    def take(self, frame: Mapping[str, Any]) -> Iterator[ProviderEvent]:
        """Events of a frame; raises ProviderError for one that tells a fault."""
        if "error" in frame:
            told = frame["error"]
            raise fault_of(
                str(told.get("kind")),
                name=self._entry.alias,
                address=self._entry.address,
                reason=str(told.get("message", "")),
                status=told.get("status"),
                retry_after=told.get("retry_after"),
            )
        for event in frame.get("events", ()):
            self.began = True
            kind, piece = event[0], event[-1]
            if kind == CALL:
                _, index, call_id, name, arguments = event
                position = self._calls.add(index, call_id, name, arguments)
                yield ToolCallDelta(position, name, arguments)
            elif kind == TEXT:
                self._texts.append(piece)
                yield TextDelta(piece)
            else:
                yield ReasoningDelta(piece)
        if "done" in frame:
            yield from self._end(frame["done"])

    def _end(self, done: Mapping[str, Any]) -> Iterator[ProviderEvent]:
        reason = str(done.get("finish") or "")
        if not reason:
            # A server that closes the stream properly says why it ended; without that it broke off.
            raise fault_of(
                "cut_off", name=self._entry.alias, address=self._entry.address, reason="no reason for its end"
            )
        calls = self._calls.finish(cut=reason == "length")
        yield from calls
        usage = done.get("usage")
        if usage:
            cost = 0.0 if self._entry.preset.local else cost_of(usage, done.get("prices"))
            yield UsageReported(
                self._entry.alias,
                int(usage["input"]),
                int(usage["output"]),
                int(usage.get("cached", 0)),
                int(usage.get("reasoning", 0)),
                cost,
            )
        # Some servers say 'stop' after calls.
        final = "tool_calls" if calls and reason == "stop" else reason
        yield StreamEnded(final if final in FINISHES else "stop")


def _timed_out(entry: ModelEntry, phase: str) -> TimedOutError:
    patience = entry.patience
    limits = {"first": patience.first, "between": patience.between, "whole": patience.whole}
    limit = limits.get(phase, START_SECONDS)
    what = {
        "start": f"the model library was not ready within {limit:g} s",
        "first": f"nothing came within {limit:g} s",
        "between": f"nothing more came for {limit:g} s",
        "whole": f"the answer took longer than {limit:g} s",
    }[phase]
    return TimedOutError(
        f"{entry.alias} did not answer in time: {what}.",
        hint="Try again, or raise the limits of this model.",
        retryable=True,
        details={
            "name": entry.alias,
            "phase": phase,
            "seconds": limit,
            "reason": what,
            "address": entry.address,
        },
    )


def _as_cut_off(error: ProviderError, entry: ModelEntry) -> CutOffError:
    """The same fault in the middle of an answer, which is not asked for again by itself."""
    reason = str(error.details.get("reason") or error.message)
    cut = fault_of("cut_off", name=entry.alias, address=entry.address, reason=reason, cause=error.code)
    assert isinstance(cut, CutOffError)
    cut.partial = error.partial
    return cut
