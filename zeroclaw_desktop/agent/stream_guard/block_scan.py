"""Finds the end of a block: an end tag within a text of JSON or within the value of a parameter is data."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from zeroclaw_desktop.agent.stream_guard.tags import Tag, beginning_at, tag_at
from zeroclaw_desktop.agent.toolcalls.forms import TAGS, Form
from zeroclaw_desktop.agent.toolcalls.limits import MAX_BLOCK_CHARS, MAX_LEAD_CHARS
from zeroclaw_desktop.agent.toolcalls.reading import Block, Ending, is_mention

_VALUE_TAGS = {"parameter", "arg_value", "｜dsml｜parameter"}
_STRUCTURE_TAGS = {"function", "invoke", "｜dsml｜invoke", "arg_key"}


class _Mode(enum.Enum):
    """Where in the block the scan is."""

    LEAD = "before anything of a call"
    JSON = "in JSON"
    STRING = "in a text of JSON"
    MARKUP = "in markup"
    VALUE = "in the value of a parameter"


_STOPS = {
    _Mode.LEAD: re.compile(r"[<`{\[｛［/\"]"),
    _Mode.JSON: re.compile(r"[<`\"\[/]"),
    _Mode.STRING: re.compile(r"[<`\"\\\[/]"),
    _Mode.MARKUP: re.compile(r"[<`\[/]"),
    _Mode.VALUE: re.compile(r"[<`\[/]"),
}
_TAGS_ONLY = {
    _Mode.LEAD: re.compile(r"[<{\[｛［]"),
    _Mode.JSON: re.compile(r"[<\"]"),
    _Mode.STRING: re.compile(r"[<\"\\]"),
    _Mode.MARKUP: re.compile("<"),
    _Mode.VALUE: re.compile("<"),
}


@dataclass(frozen=True)
class Ended:
    """The block has ended.

    Attributes:
        resume: place to go on from.
        buffer: set when the buffer had to be put together anew; ``resume`` counts in it.
        astray: its end was taken for data first.
    """

    block: Block
    resume: int
    buffer: str | None = None
    astray: bool = False


@dataclass(frozen=True)
class Mention:
    """The opening was only named; what follows it is text."""

    resume: int
    buffer: str | None = None


@dataclass(frozen=True)
class Nested:
    """Nothing but space, then another opening: the outer one is only a wrapper."""

    space: str
    resume: int


class BlockScan:
    """The state between two pieces.

    Args:
        opening: as written.
        start: where in the buffer the body begins.
        bare: the opening has no attributes, so it may be a mention.
        inline: words stand before it on its line.
        ends_hide: an end within a text or a value is data. Not any more once that led astray in an answer, or
            the same text would be gone through again and again.
    """

    def __init__(
        self,
        form: Form,
        opening: str,
        start: int,
        *,
        bare: bool,
        inline: bool = False,
        ends_hide: bool = True,
    ) -> None:
        self.form = form
        self.opening = opening
        self._held: list[str] = []
        self._held_chars = 0
        self._start = start
        self._mode = _Mode.LEAD
        self._value_end = ""
        self._inner_end: tuple[int, int] | None = None
        self._inline = inline
        self._ends_hide = ends_hide
        self._can_be_mention = form.mention and bare
        self._fence = "`" * (len(opening) - len(opening.lstrip("`"))) if form.fence else ""
        self._stops = _STOPS if form.fence or form.literal_closers else _TAGS_ONLY

    def keep(self, buffer: str, at: int) -> None:
        """Put what was scanned aside; the buffer begins at ``at`` from now on."""
        if at > self._start:
            self._held.append(buffer[self._start : at])
            self._held_chars += at - self._start
        self._start = 0

    def scan(self, buffer: str, at: int, *, final: bool, cut_off: bool) -> int | Ended | Mention | Nested:
        """Go on from a place; returns how far it came, or how it ended."""
        while True:
            found = self._stops[self._mode].search(buffer, at)
            at = found.start() if found else len(buffer)
            offset = self._offset(at)
            if self._mode is _Mode.LEAD and self._can_be_mention and offset > MAX_LEAD_CHARS:
                return self._mention(buffer)
            if offset > MAX_BLOCK_CHARS:
                return self._unended(buffer, at - (offset - MAX_BLOCK_CHARS), "too_large")
            if found is None:
                if not final:
                    return at
                return self._unended(buffer, at, "cut_off" if cut_off else "open")
            step = self._at_stop(buffer, at, final)
            if step is None:
                return at
            if not isinstance(step, int):
                return step
            at = min(step, len(buffer))

    def closed_at(self, buffer: str, start: int, end: int) -> Ended | Mention:
        """End the block by what stands between two places of the buffer."""
        body = self._body(buffer, start)
        raw = f"{self.opening}{body}{buffer[start:end]}"
        block = Block(self.form, self.opening, body, raw, "closed", self._inline)
        return self._mention(buffer) if is_mention(block) else Ended(block, end)

    def _offset(self, at: int) -> int:
        return self._held_chars + at - self._start

    def _body(self, buffer: str, end: int) -> str:
        return "".join((*self._held, buffer[self._start : end]))

    # -- the end ---------------------------------------------------------------------------------------------
    def _unended(self, buffer: str, at: int, ending: Ending) -> Ended | Mention:
        if self._inner_end is not None:
            return self._ended_inside(buffer)
        body = self._body(buffer, at)
        block = Block(self.form, self.opening, body, self.opening + body, ending)
        if self.form.role == "call" and is_mention(block):
            return self._mention(buffer)
        return Ended(block, at)

    def _ended_inside(self, buffer: str) -> Ended:
        """No end came outside of texts, so quotes are missing, and the first end that was seen is the end."""
        assert self._inner_end is not None
        offset, end = self._inner_end
        whole = self._body(buffer, len(buffer))
        block = Block(self.form, self.opening, whole[:offset], self.opening + whole[:end], "closed")
        if not self._held:
            return Ended(block, self._start + end, astray=True)
        return Ended(block, 0, whole[end:], astray=True)

    def _mention(self, buffer: str) -> Mention:
        if not self._held:
            return Mention(self._start)
        return Mention(0, self._body(buffer, len(buffer)))

    # -- one character that may matter -----------------------------------------------------------------------
    def _at_stop(self, buffer: str, at: int, final: bool) -> int | Ended | Mention | Nested | None:
        """The place to go on from; None to wait for more."""
        mark = buffer[at]
        if mark == "\\":
            return None if at + 1 == len(buffer) and not final else at + 2
        if mark == "<":
            return self._tag(buffer, at, final)
        literal = self._literal_end(buffer, at, final)
        if literal is None:
            return None
        if literal > at:
            return self._end(buffer, at, literal)
        if mark == '"' and self._mode is not _Mode.LEAD:
            self._mode = _Mode.JSON if self._mode is _Mode.STRING else _Mode.STRING
        elif self._mode is _Mode.LEAD and mark in "{[｛［":
            self._mode = _Mode.JSON
        return at + 1

    def _literal_end(self, buffer: str, at: int, final: bool) -> int | None:
        """The place behind an end without a tag, the place itself when there is none, None to wait."""
        wanted = self.form.literal_closers
        if self._fence and buffer[at] == "`":
            before = buffer[at - 1] if at > self._start else self._last_held()
            wanted = (self._fence,) if before == "\n" else ()
        for closer in wanted:
            if buffer.startswith(closer, at):
                return at + len(closer)
            if not final and len(buffer) - at < len(closer) and closer.startswith(buffer[at:]):
                return None
        return at

    def _last_held(self) -> str:
        return (self._held[-1] if self._held else self.opening)[-1]

    def _end(self, buffer: str, start: int, end: int) -> int | Ended | Mention:
        if self._ends_hide and self._mode in (_Mode.STRING, _Mode.VALUE):
            if self._inner_end is None:
                self._inner_end = (self._offset(start), self._offset(end))
            return end
        return self.closed_at(buffer, start, end)

    def _tag(self, buffer: str, at: int, final: bool) -> int | Ended | Mention | Nested | None:
        tag = tag_at(buffer, at)
        if tag is None:
            return None if not final and beginning_at(buffer, at) is not None else at + 1
        if tag.name in self.form.closers:
            return self._end(buffer, at, tag.end)
        if self._mode is _Mode.VALUE:
            if tag.name == self._value_end:
                self._mode = _Mode.MARKUP
        elif self._mode is _Mode.LEAD:
            return self._first_tag(buffer, at, tag)
        elif self._mode is _Mode.MARKUP and tag.name in _VALUE_TAGS:
            self._mode, self._value_end = _Mode.VALUE, f"/{tag.name}"
        return tag.end if self._mode is not _Mode.STRING else at + 1

    def _first_tag(self, buffer: str, at: int, tag: Tag) -> int | Mention | Nested:
        lead = self._body(buffer, at) if self._offset(at) <= MAX_LEAD_CHARS else self.opening
        if (
            self._can_be_mention
            and not self.form.whole
            and tag.name not in _STRUCTURE_TAGS
            and tag.name in TAGS
        ):
            if TAGS[tag.name].role == "call" and not lead.strip():
                return Nested(lead, at)
            if TAGS[tag.name].role == "call":
                return self._mention(buffer)
        if tag.name in _VALUE_TAGS:
            self._mode, self._value_end = _Mode.VALUE, f"/{tag.name}"
        elif tag.name in _STRUCTURE_TAGS or not lead.strip():
            self._mode = _Mode.MARKUP
        return tag.end
