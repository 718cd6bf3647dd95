"""The stream guard: pieces of an answer go in, what to show and what to do comes out.

What comes out in the end does not depend on how the answer was cut into pieces. Nothing of a call goes to the
person; the call itself comes out when its block has ended and the words behind it do not call it an example.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroclaw_desktop.agent.stream_guard.examples import line_before, names_an_example, words_behind
from zeroclaw_desktop.agent.stream_guard.scanner import Scanner
from zeroclaw_desktop.agent.stream_guard.segments import Segment
from zeroclaw_desktop.agent.toolcalls.limits import MAX_CALLS
from zeroclaw_desktop.agent.toolcalls.model import (
    IgnoredCall,
    MalformedCall,
    ParsedAnswer,
    ParsedCall,
    RawCall,
    RawFault,
)
from zeroclaw_desktop.agent.toolcalls.reading import Block, envelope_content, read_block
from zeroclaw_desktop.agent.toolcalls.settling import malformed, settle
from zeroclaw_desktop.agent.toolcalls.tool_table import ToolTable

_SURROGATE = re.compile("[\ud800-\udfff]")
_KEPT_CHARS = 256
_EXAMPLE_REASON = "The words around it call it an example."


@dataclass(frozen=True)
class TextShown:
    """A piece of the answer for the person."""

    text: str


@dataclass(frozen=True)
class ThinkingHeard:
    """A piece of the model's thinking."""

    text: str


GuardEvent = TextShown | ThinkingHeard | ParsedCall | MalformedCall | IgnoredCall


class StreamGuard:
    """One answer of a model.

    Args:
        tools: those that were offered.
        native_tools: the model has its own interface for tools, so a bare call in its text is none.
        id_prefix: put before the numbers of calls that came without an id; unique in the conversation.
    """

    def __init__(self, tools: ToolTable, *, native_tools: bool = False, id_prefix: str = "call_") -> None:
        self._tools = tools
        self._scanner = Scanner(whole_calls=not native_tools)
        self._id_prefix = id_prefix
        self._ids: set[str] = set()
        self._half = ""
        self._events: list[GuardEvent] = []
        self._shown = ""
        """The end of what was shown."""
        self._shown_any = False
        self._after_hidden = False
        self._waiting: list[Segment] = []
        """Blocks, and what stands between and behind them, until the words behind them are there."""
        self._behind = ""
        self._calls = 0

    def feed(self, text: str) -> list[GuardEvent]:
        """Take a piece of the answer; returns what is decided by now."""
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        for segment in self._scanner.feed(_whole_characters(text)):
            self._take(segment)
        return self._taken()

    def close(self, *, cut_off: bool = False) -> list[GuardEvent]:
        """The answer is over; returns all the rest.

        Args:
            cut_off: the model had to stop (finish reason ``length``) or the line was lost; a call that
                has not ended is then never carried out.
        """
        segments = self._scanner.feed(_whole_characters(self._half))
        self._half = ""
        for segment in [*segments, *self._scanner.close(cut_off=cut_off)]:
            self._take(segment)
        self._decide(final=True)
        return self._taken()

    @property
    def holding(self) -> bool:
        """Whether a call seems to be coming."""
        return self._scanner.holding or bool(self._waiting)

    def _taken(self) -> list[GuardEvent]:
        events, self._events = self._events, []
        return events

    # -- segments ------------------------------------------------------------------------------------------
    def _take(self, segment: Segment) -> None:
        if segment.kind == "block":
            self._take_block(segment)
        elif not self._waiting:
            self._put(segment)
        elif segment.kind == "text":
            self._waiting.append(segment)
            self._behind += segment.raw
            self._decide(final=False)
        elif self._behind.strip():
            self._decide(final=True)
            self._put(segment)
        else:
            self._waiting.append(segment)

    def _take_block(self, segment: Segment) -> None:
        if self._waiting and self._behind.strip():
            self._decide(final=True)
        assert segment.block is not None
        if not self._waiting and names_an_example(line_before(self._shown)):
            self._ignore(segment, segment.block)
            return
        self._waiting.append(segment)
        self._behind = ""

    def _put(self, segment: Segment) -> None:
        """What is no block goes where it belongs."""
        if segment.kind == "text":
            self._show(segment.raw)
        else:
            self._after_hidden = True
            if segment.shown:
                self._events.append(ThinkingHeard(segment.shown))

    def _show(self, text: str) -> None:
        if self._after_hidden:
            # The line breaks around what is not shown would leave a hole.
            text = (
                text.lstrip() if not self._shown_any else text.lstrip("\r\n") if self._ends_line() else text
            )
            self._after_hidden = not text
        if text:
            self._shown_any = True
            self._shown = (self._shown + text)[-_KEPT_CHARS:]
            self._events.append(TextShown(text))

    def _ends_line(self) -> bool:
        return self._shown.endswith("\n")

    # -- blocks --------------------------------------------------------------------------------------------
    def _decide(self, *, final: bool) -> None:
        """Once the words behind the waiting blocks are there, they are calls or examples."""
        if not self._waiting:
            return
        words = words_behind(self._behind, final=final)
        if words is None:
            return
        waiting, self._waiting, self._behind = self._waiting, [], ""
        example = names_an_example(words)
        lonely = not self._shown_any and not words.strip()
        for segment in waiting:
            block = segment.block
            if block is None:
                self._put(segment)
            elif example:
                self._ignore(segment, block)
            elif block.form.dialect == "tools" and not lonely:
                self._ignore(segment, block, "Only a call that is the whole answer may stand in <tools>.")
            else:
                self._read(segment, block)

    def _ignore(self, segment: Segment, block: Block, reason: str = _EXAMPLE_REASON) -> None:
        self._show(segment.raw)
        self._events.append(IgnoredCall(reason, block.form.dialect, len(segment.raw)))

    def _read(self, segment: Segment, block: Block) -> None:
        found, tail = read_block(block)
        content = envelope_content(block) if block.form.whole and block.form.dialect == "json" else None
        if content is None and (not found or (block.form.whole and not self._names_a_tool(found))):
            if block.form.dialect in ("json", "tools"):
                self._show(segment.raw)
                if block.form.dialect == "tools":
                    reason = "It is not exactly one call."
                    self._events.append(IgnoredCall(reason, "tools", len(segment.raw)))
                return
            found = found or [RawFault("syntax", "There is no call in it.", block.form.dialect)]
        self._after_hidden = True
        if content:
            self._show(content)
        for raw in found:
            self._settle(raw, len(segment.raw))
        if tail.strip():
            self._show(tail)

    def _names_a_tool(self, found: Sequence[RawCall | RawFault]) -> bool:
        return any(self._tools.resolve(raw.name)[0] for raw in found)

    def _settle(self, raw: RawCall | RawFault, length: int) -> None:
        self._calls += 1
        if self._calls > MAX_CALLS:
            if self._calls == MAX_CALLS + 1:
                reason = f"More than {MAX_CALLS} calls in one answer; the rest was not done."
                self._events.append(malformed(RawFault("too_many", reason, raw.dialect), length))
            return
        if isinstance(raw, RawFault):
            self._events.append(malformed(raw, length))
            return
        result = settle(raw, self._tools, length)
        if isinstance(result, ParsedCall):
            result = replace(result, call=replace(result.call, call_id=self._new_id(raw.call_id)))
        self._events.append(result)

    def _new_id(self, given: str) -> str:
        """The model's own id, unless it gave none or the same one twice."""
        call_id, number = given, len(self._ids)
        while not call_id or call_id in self._ids:
            number += 1
            call_id = f"{self._id_prefix}{number}"
        self._ids.add(call_id)
        return call_id


def _whole_characters(text: str) -> str:
    """Halves of characters joined; a half alone becomes a replacement character."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def parse_answer(
    text: str,
    tools: ToolTable,
    *,
    native_tools: bool = False,
    cut_off: bool = False,
    id_prefix: str = "call_",
) -> ParsedAnswer:
    """Take a whole answer apart; the arguments are those of StreamGuard."""
    guard = StreamGuard(tools, native_tools=native_tools, id_prefix=id_prefix)
    return gather([*guard.feed(text), *guard.close(cut_off=cut_off)])


def gather(events: Sequence[GuardEvent]) -> ParsedAnswer:
    """The events of one answer put together."""
    return ParsedAnswer(
        "".join(event.text for event in events if isinstance(event, TextShown)),
        "".join(event.text for event in events if isinstance(event, ThinkingHeard)),
        tuple(event for event in events if isinstance(event, ParsedCall)),
        tuple(event for event in events if isinstance(event, MalformedCall)),
        tuple(event for event in events if isinstance(event, IgnoredCall)),
    )
