"""Cuts an answer that comes in pieces into text, thinking and blocks of tool protocols.

However the answer is cut into pieces, the segments are the same: a place is decided only when everything that
the decision looks at is there, and what it looks at is bounded (``toolcalls/limits.py``). Each character is
looked at a bounded number of times. Code fences, code spans, quoted lines, quoted tags and raw JSON are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from zeroclaw_desktop.agent.stream_guard.block_scan import BlockScan, Ended, Mention, Nested
from zeroclaw_desktop.agent.stream_guard.json_span import JsonSpan
from zeroclaw_desktop.agent.stream_guard.segments import Segment
from zeroclaw_desktop.agent.stream_guard.tags import Tag, beginning_at, tag_at
from zeroclaw_desktop.agent.stream_guard.whole_answer import Released, WholeAnswer
from zeroclaw_desktop.agent.toolcalls.forms import (
    FENCES,
    LINE_FORM,
    LINE_LITERAL,
    LITERAL_PREFIXES,
    LITERALS,
    NAMED_FENCE,
    TAG_PREFIXES,
    TAGS,
    WITH_EQUALS,
    Form,
)
from zeroclaw_desktop.agent.toolcalls.limits import MAX_FENCE_LINE_CHARS

_STOP = re.compile(r"[<`\n\[]")
_INDENT = re.compile(r"[ \t]*")
_NAMED_FENCE = re.compile(r"tool\s+[\w.\-]{1,100}")
_LINE_CALL = re.compile(LINE_LITERAL + r"\s{0,20}\{")
_LINE_CALL_BEGINNING = re.compile(LINE_LITERAL + r"\s{0,20}\Z")
_JSON_FENCES = ("", "json")
_QUOTES = tuple("\"'“‘「『«")
_RUN_CHARS = 160
_LONGEST_LITERAL = max(map(len, LITERALS))


class Scanner:
    """One answer.

    Args:
        whole_calls: a bare call counts when it is the whole answer.
    """

    def __init__(self, *, whole_calls: bool) -> None:
        self._whole_calls = whole_calls
        self._buffer = ""
        self._at = 0
        self._found: list[Segment] = []
        self._state: Callable[[bool], bool] = self._text
        self._fresh = True
        """Nothing but thinking, marks and space was there."""
        self._blank = True
        """Nothing but space stands on this line."""
        self._first = True
        """Nothing but space stands before this place on its line."""
        self._quoted_line = False
        self._code_run = 0
        self._last = ""
        self._named: set[str] = set()
        """End tags of openings that were text; they are text as well."""
        self._fence = ("", 0)
        self._closers: frozenset[str] = frozenset()
        self._span = JsonSpan()
        self._block: BlockScan | None = None
        self._whole: WholeAnswer | None = None
        self._cut_off = False
        self._ends_hide = True

    def feed(self, text: str) -> list[Segment]:
        """Take a piece; returns what is decided by now."""
        self._buffer += text
        while self._state(False):
            pass
        return self._taken()

    def close(self, *, cut_off: bool = False) -> list[Segment]:
        """The answer is over; returns all the rest.

        Args:
            cut_off: it ended because it was too long or the line was lost.
        """
        self._cut_off = cut_off
        while self._state(True):
            pass
        return self._taken()

    @property
    def holding(self) -> bool:
        """Whether a call seems to be coming."""
        return self._block is not None

    def _taken(self) -> list[Segment]:
        if self._block is not None:
            self._block.keep(self._buffer, self._at)
        if self._whole is not None:
            self._whole.keep(self._buffer, self._at)
        self._buffer, self._at = self._buffer[self._at :], 0
        found, self._found = self._found, []
        return found

    def _emit_text(self, start: int, end: int) -> None:
        if end > start:
            raw = self._buffer[start:end]
            self._found.append(Segment("text", raw))
            self._last = raw[-1]

    # -- text ----------------------------------------------------------------------------------------------
    def _text(self, final: bool) -> bool:
        """Ordinary text up to something that may open a block."""
        buffer, start = self._buffer, self._at
        at = start
        while at < len(buffer):
            if self._blank:
                indent = _INDENT.match(buffer, at)
                at = indent.end() if indent else at
                if at == len(buffer):
                    break
                opened = self._line_start(start, at, final)
                if opened is not None:
                    return opened
            stop = _STOP.search(buffer, at)
            if stop is None or stop.start() > at:
                self._fresh = self._first = False
            at = stop.start() if stop else len(buffer)
            if stop is None:
                break
            step = self._stop(start, at, final)
            if isinstance(step, bool):
                return step
            at = step
            self._first = False
        self._emit_text(start, at)
        self._at = at
        return False

    def _leave(self, start: int, at: int, going_on: bool) -> bool:
        """End the text before a place; the state goes on there, now or with the next piece."""
        self._emit_text(start, at)
        self._at = max(at, self._at)
        return going_on

    def _line_start(self, start: int, at: int, final: bool) -> bool | None:
        """What begins with a line; None for nothing special."""
        mark = self._buffer[at]
        if mark == "\n":
            return None
        if mark in "`~":
            opened = self._fence_line(start, at, final)
            if opened is not None:
                return opened
        self._blank, self._first = False, True
        if mark == ">":
            self._quoted_line = True
        elif mark == LINE_LITERAL[0]:
            found = _LINE_CALL.match(self._buffer, at)
            if found is not None:
                end = at + len(LINE_LITERAL)
                return self._open(LINE_FORM, start, at, end)
            rest = self._buffer[at : at + len(LINE_LITERAL)]
            partly = LINE_LITERAL.startswith(rest) and at + len(rest) == len(self._buffer)
            if not final and (partly or _LINE_CALL_BEGINNING.match(self._buffer, at)):
                self._blank = True
                return self._leave(start, at, False)
        elif mark in "{[｛［":
            return self._bracket_line(start, at, final)
        return None

    def _bracket_line(self, start: int, at: int, final: bool) -> bool | None:
        rest = self._buffer[at : at + _LONGEST_LITERAL]
        if any(rest.startswith(literal) for literal in LITERALS):
            return None
        if rest in LITERAL_PREFIXES and at + len(rest) == len(self._buffer) and not final:
            self._blank = True
            return self._leave(start, at, False)
        self._leave(start, at, True)
        if self._fresh and self._whole_calls:
            self._whole = WholeAnswer("", at)
            self._state = self._whole_answer
        else:
            self._span = JsonSpan(stop_at_blank_line=True)
            self._state = self._raw_json
        self._fresh = False
        return True

    def _stop(self, start: int, at: int, final: bool) -> bool | int:
        """One character that may matter; returns the place to go on from, or what the state returns."""
        buffer, mark = self._buffer, self._buffer[at]
        if mark == "\n":
            self._blank, self._quoted_line, self._code_run = True, False, 0
            return at + 1
        if mark == "`":
            return self._code_span(start, at, final)
        before = buffer[at - 1] if at > 0 else self._last
        inert = bool(self._code_run) or self._quoted_line or before in _QUOTES
        if mark == "[":
            rest = buffer[at : at + _LONGEST_LITERAL]
            form = next((form for literal, form in LITERALS.items() if rest.startswith(literal)), None)
            if form is not None and not inert:
                return self._open(form, start, at, at + rest.index("]") + 1)
            if rest in LITERAL_PREFIXES and at + len(rest) == len(buffer) and not final and not inert:
                return self._leave(start, at, False)
        else:
            tag = tag_at(buffer, at)
            if tag is None and not final and _may_open(beginning_at(buffer, at)):
                return self._leave(start, at, False)
            if tag is not None and inert and tag.name in TAGS:
                self._named.add(f"/{tag.name}")
            elif tag is not None and tag.name in self._named:
                self._named.discard(tag.name)
            elif tag is not None and self._opens(tag):
                return self._open(TAGS[tag.name], start, at, tag.end, tag)
        self._fresh = False
        return at + 1

    def _opens(self, tag: Tag) -> bool:
        form = TAGS.get(tag.name)
        if form is None or tag.with_equals != (tag.name == WITH_EQUALS):
            return False
        return not form.whole or (self._fresh and self._whole_calls)

    def _code_span(self, start: int, at: int, final: bool) -> bool | int:
        end = at
        while end < len(self._buffer) and end - at < _RUN_CHARS and self._buffer[end] == "`":
            end += 1
        if end == len(self._buffer) and end - at < _RUN_CHARS and not final:
            return self._leave(start, at, False)
        self._fresh = False
        run = end - at
        self._code_run = run if not self._code_run else 0 if self._code_run == run else self._code_run
        return end

    def _open(self, form: Form, start: int, at: int, end: int, tag: Tag | None = None) -> bool:
        """A block begins; what it is decides who goes on."""
        self._leave(start, at, True)
        opening = self._buffer[at:end]
        self._at = end
        if form.role == "mark":
            self._found.append(Segment("hidden", opening))
            self._blank = self._fresh
        elif form.role == "thinking":
            self._found.append(Segment("thinking", opening))
            self._closers, self._state = form.closers, self._thinking
        elif form.role == "document":
            self._emit_text(at, end)
            self._fresh = False
            self._closers, self._state = form.closers, self._document
        else:
            self._begin_block(form, opening, tag is None or tag.bare)
            if tag is not None and opening.endswith("/>"):
                assert self._block is not None
                self._after_block(self._block.closed_at(self._buffer, end, end))
        return True

    def _begin_block(self, form: Form, opening: str, bare: bool) -> None:
        self._block = BlockScan(
            form, opening, self._at, bare=bare, inline=not self._first, ends_hide=self._ends_hide
        )
        self._state = self._in_block

    # -- fences --------------------------------------------------------------------------------------------
    def _fence_line(self, start: int, at: int, final: bool) -> bool | None:
        """A line that begins with backticks or tildes; None when it opens no fence."""
        mark = self._buffer[at]
        window = self._buffer[at : at + MAX_FENCE_LINE_CHARS]
        run = len(window) - len(window.lstrip(mark))
        line, newline, _ = window.partition("\n")
        undecided = not newline and len(window) < MAX_FENCE_LINE_CHARS and not final
        if run < 3 and run < len(window):
            return None
        if undecided:
            return self._leave(start, at, False)
        info = line[run:].strip().lower()
        if run < 3 or (mark == "`" and "`" in info):
            return None
        end = at + len(line) + len(newline)
        if mark == "`" and (info in FENCES or _NAMED_FENCE.fullmatch(info)):
            return self._open(FENCES.get(info, NAMED_FENCE), start, at, end)
        self._fence = (mark, run)
        self._leave(start, at, True)
        self._blank = bool(newline)
        if self._fresh and self._whole_calls and info in _JSON_FENCES and newline:
            self._whole = WholeAnswer(self._buffer[at:end], end)
            self._state = self._whole_answer
        else:
            self._emit_text(at, end)
            self._state = self._in_fence
        self._at = end
        self._fresh = False
        return True

    def _in_fence(self, final: bool) -> bool:
        """Code up to the fence that ends it; nothing in it is looked at."""
        buffer, start = self._buffer, self._at
        at = start
        mark, opened = self._fence
        while at < len(buffer):
            if self._blank:
                indent = _INDENT.match(buffer, at)
                at = indent.end() if indent else at
                if at == len(buffer):
                    break
                window = buffer[at : at + MAX_FENCE_LINE_CHARS]
                run = len(window) - len(window.lstrip(mark))
                line, newline, _ = window.partition("\n")
                if run and not line[run:].strip():
                    if not newline and len(window) < MAX_FENCE_LINE_CHARS and not final:
                        return self._leave(start, at, False)
                    if run >= opened and (newline or len(window) < MAX_FENCE_LINE_CHARS):
                        self._blank, self._quoted_line, self._code_run = False, False, 0
                        self._state = self._text
                        return self._leave(start, at + len(line), True)
                self._blank = False
            end = buffer.find("\n", at)
            at = len(buffer) if end < 0 else end + 1
            self._blank = end >= 0
        return self._leave(start, at, False)

    # -- what is not searched for calls ----------------------------------------------------------------------
    def _raw_json(self, _final: bool) -> bool:
        """JSON at the beginning of a line: text up to its end."""
        start, stop = self._at, len(self._buffer)
        end = self._span.end_in(self._buffer, start, stop)
        if end is not None:
            self._blank = self._buffer[end - 1] == "\n"
            self._state = self._text
        return self._leave(start, stop if end is None else end, end is not None)

    def _thinking(self, final: bool) -> bool:
        """Thinking goes out as it comes."""
        return self._until_closer(final, thinking=True)

    def _document(self, final: bool) -> bool:
        """Quoted material is text."""
        return self._until_closer(final, thinking=False)

    def _until_closer(self, final: bool, *, thinking: bool) -> bool:
        buffer, start = self._buffer, self._at
        at, closing = start, None
        while True:
            at = buffer.find("<", at)
            if at < 0:
                at = len(buffer)
                break
            tag = tag_at(buffer, at)
            if tag is not None and tag.name in self._closers:
                closing = tag
                break
            begun = beginning_at(buffer, at) if tag is None and not final else None
            if begun is not None and any(name.startswith(begun[0]) for name in self._closers):
                break
            at += 1
        self._at = at if closing is None else closing.end
        if not thinking:
            self._emit_text(start, self._at)
        elif at > start:
            self._found.append(Segment("thinking", buffer[start:at], buffer[start:at]))
        if closing is None:
            return False
        if thinking:
            self._found.append(Segment("thinking", buffer[at : closing.end]))
            self._blank = self._fresh
        self._state = self._text
        return True

    # -- what is held back -----------------------------------------------------------------------------------
    def _in_block(self, final: bool) -> bool:
        """A block, held back until it has ended."""
        assert self._block is not None
        step = self._block.scan(self._buffer, self._at, final=final, cut_off=self._cut_off)
        if isinstance(step, int):
            self._at = step
            return False
        self._after_block(step)
        return True

    def _after_block(self, step: Ended | Mention | Nested) -> None:
        scan = self._block
        assert scan is not None
        self._block = None
        self._state = self._text
        self._blank = False
        if isinstance(step, Nested):
            self._found.append(Segment("hidden", scan.opening + step.space))
            self._at = step.resume
            tag = tag_at(self._buffer, self._at)
            assert tag is not None  # the block saw it at this place
            opening = self._buffer[self._at : tag.end]
            self._at = tag.end
            self._begin_block(TAGS[tag.name], opening, tag.bare)
            return
        if step.buffer is not None:
            self._buffer = step.buffer
        self._at = step.resume
        self._fresh = False
        if isinstance(step, Mention):
            self._first = False
            named = tag_at(scan.opening, 0)
            if named is not None:
                self._named.add(f"/{named.name}")
            self._found.append(Segment("text", scan.opening))
            self._last = scan.opening[-1]
            if scan.form.fence:
                run = len(scan.opening) - len(scan.opening.lstrip("`"))
                self._fence = ("`", run)
                self._state = self._in_fence
                self._blank = scan.opening.endswith("\n")
            return
        self._last = ""
        self._ends_hide = self._ends_hide and not step.astray
        if step.block.form.role == "result":
            self._found.append(Segment("quoted" if step.block.ending == "closed" else "text", step.block.raw))
            if step.block.ending == "too_large":
                self._closers, self._state = step.block.form.closers, self._document
            return
        self._found.append(Segment("block", step.block.raw, block=step.block))
        if step.block.ending == "too_large":
            self._closers, self._state = scan.form.closers, self._discard

    def _discard(self, final: bool) -> bool:
        """The rest of a block that is too long."""
        kept = len(self._found)
        going_on = self._until_closer(final, thinking=True)
        self._found[kept:] = [Segment("hidden", segment.raw) for segment in self._found[kept:]]
        return going_on

    def _whole_answer(self, final: bool) -> bool:
        """Bare JSON, held back as long as it may be all of the answer."""
        assert self._whole is not None
        step = self._whole.scan(self._buffer, self._at, final=final)
        if isinstance(step, int):
            self._at = step
            return False
        fenced = bool(self._whole.opening)
        self._whole = None
        self._state = self._text
        if not isinstance(step, Released):
            self._found.append(Segment("block", step.raw, block=step))
            self._at = len(self._buffer)
            return True
        if step.raw:
            self._found.append(Segment("text", step.raw))
        self._last = step.raw[-1:]
        self._at = step.resume
        self._blank = step.raw.endswith("\n")
        if fenced and not step.fence_closed:
            self._state = self._in_fence
        elif step.span is not None:
            step.span.stop_at_blank_line = True
            self._span, self._state = step.span, self._raw_json
        return True


def _may_open(begun: tuple[str, bool] | None) -> bool:
    if begun is None:
        return False
    name, whole = begun
    return name in TAGS if whole else name in TAG_PREFIXES
