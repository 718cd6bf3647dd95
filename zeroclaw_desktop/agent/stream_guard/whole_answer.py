"""An answer that begins with a bracket: held back only as long as all of it may be one bare call."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zeroclaw_desktop.agent.stream_guard.json_span import JsonSpan
from zeroclaw_desktop.agent.stream_guard.tags import beginning_at, tag_at
from zeroclaw_desktop.agent.toolcalls.forms import TAG_PREFIXES, TAGS, WHOLE_FORM
from zeroclaw_desktop.agent.toolcalls.limits import MAX_WHOLE_CHARS
from zeroclaw_desktop.agent.toolcalls.reading import Block

_HEAD_CHARS = 80
_QUOTE = "[\"'“‘”’]"
_KEY = re.compile(
    rf"(?:[\[［]\s*)?[{{｛]\s*{_QUOTE}?(name|arguments|parameters|function|tool_calls|tool|tool_name|id|type"
    rf"|content|role){_QUOTE}?\s*[:：]"
)
_PYTHON = re.compile(r"\[\s*[A-Za-z_][\w.]{0,60}\s*\(")
_BEGINNING = re.compile(
    rf"[\[［]?\s*(?:[{{｛]\s*(?:{_QUOTE}?[a-z_]{{0,20}}{_QUOTE}?\s*)?|[A-Za-z_][\w.]{{0,60}}\s*)?\Z"
)
_BETWEEN = re.compile(r"[\s;,；，]*")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Released:
    """It is text after all.

    Attributes:
        raw: that was held back.
        resume: place in the buffer to go on from.
        span: set when the JSON goes on there.
        fence_closed: the fence around it has ended.
    """

    raw: str
    resume: int
    span: JsonSpan | None = None
    fence_closed: bool = False


class WholeAnswer:
    """The state between two pieces.

    Args:
        opening: the line of a fence around it, or ''.
        start: where in the buffer it begins, behind the opening.
    """

    def __init__(self, opening: str, start: int) -> None:
        self.opening = opening
        self._held: list[str] = []
        self._held_chars = 0
        self._start = start
        self._span = JsonSpan()
        self._phase = "head"
        self._fence_closed = False

    def keep(self, buffer: str, at: int) -> None:
        """Put what was scanned aside; the buffer begins at ``at`` from now on."""
        if at > self._start:
            self._held.append(buffer[self._start : at])
            self._held_chars += at - self._start
        self._start = 0

    def scan(self, buffer: str, at: int, *, final: bool) -> int | Released | Block:
        """Go on; returns how far it came, or how it ended."""
        while True:
            if self._phase == "head":
                verdict = self._head(buffer[at : at + _HEAD_CHARS], final)
                if verdict is None:
                    return at
                if not verdict:
                    return self._release(buffer, at, None if self.opening else self._span)
                self._phase = "span"
            elif self._phase == "span":
                stop = min(len(buffer), self._start + MAX_WHOLE_CHARS - self._held_chars)
                end = self._span.end_in(buffer, at, stop)
                if end is None and stop < len(buffer):
                    return self._release(buffer, stop, self._span)
                if end is None:
                    return self._over(buffer, "open") if final else stop
                at, self._phase = end, "after"
            else:
                at = self._after(buffer, at)
                if at == len(buffer):
                    done = self._fence_closed or not self.opening
                    return self._over(buffer, "closed" if done else "open") if final else at
                if self._phase == "after":
                    if not final and self._may_go_on(buffer, at):
                        return at
                    return self._release(buffer, at, None)

    def _head(self, text: str, final: bool) -> bool | None:
        start = len(text) - len(text.lstrip())
        if _KEY.match(text, start) or _PYTHON.match(text, start):
            return True
        if not final and len(text) < _HEAD_CHARS and _BEGINNING.match(text, start):
            return None
        return False

    def _after(self, buffer: str, at: int) -> int:
        """Behind a value: another one, the end of the fence, marks and space may follow."""
        between = (_SPACE if self.opening else _BETWEEN).match(buffer, at)
        at = between.end() if between else at
        rest = buffer[at : at + 3]
        if self.opening and not self._fence_closed:
            if rest == self.opening[0] * 3:
                self._fence_closed = True
                return self._after(buffer, at + 3)
        elif rest[:1] in ("{", "[", "｛", "［") and not self.opening:
            self._span, self._phase = JsonSpan(), "span"
        elif rest[:1] == "<":
            tag = tag_at(buffer, at)
            if tag is not None and tag.name in TAGS and TAGS[tag.name].role == "mark":
                return self._after(buffer, tag.end)
        return at

    def _may_go_on(self, buffer: str, at: int) -> bool:
        """Whether the text ends within something that may follow."""
        rest = buffer[at : at + 3]
        if self.opening and not self._fence_closed:
            return (self.opening[0] * 3).startswith(rest)
        begun = beginning_at(buffer, at)
        return begun is not None and (begun[0] in TAGS if begun[1] else begun[0] in TAG_PREFIXES)

    def _raw(self, buffer: str, end: int) -> str:
        return "".join((self.opening, *self._held, buffer[self._start : end]))

    def _release(self, buffer: str, at: int, span: JsonSpan | None) -> Released:
        return Released(self._raw(buffer, at), at, span, self._fence_closed)

    def _over(self, buffer: str, ending: str) -> Block:
        raw = self._raw(buffer, len(buffer))
        return Block(WHOLE_FORM, self.opening, raw, raw, "closed" if ending == "closed" else "open")
