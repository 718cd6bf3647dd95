"""A shortcut past the parser for lines that repeat the pattern of the line before.

Boards print the same line with other numbers, again and again. After one line went through the parser, its
literal parts become a regular expression with a group for each number; a line that matches whole would be
parsed to the same labels and units, so only its numbers are read. Teleplot and firmware telemetry lines,
which alternate labels, have one fixed expression each.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zeroclaw_desktop.hardware.telemetry.line_layout import LineLayout
from zeroclaw_desktop.hardware.telemetry.number_text import NUMBER_PATTERN
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine

MAX_SEEN = 64
_NUMBER = f"({NUMBER_PATTERN})".encode()
_JSON_NUMBER = rb"(-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,9})?)"
_FIRMWARE = re.compile(
    rb'\{"evt":"telemetry","signal":"([A-Za-z0-9_.\-]{1,64})",'
    rb'"value":' + _JSON_NUMBER + rb',"t":((?:0|[1-9][0-9]{0,14}))\}'
)
_TELEPLOT = re.compile(rb">([A-Za-z_][A-Za-z0-9_.\-]{0,63}):" + _NUMBER)


class LinePattern(NamedTuple):
    """Expression for lines like the last one.

    Attributes:
        expression: matches the whole line; a group for each column of ``layout``.
        layout: None when the groups are label, value and, for firmware telemetry, the device time in
            milliseconds.
    """

    expression: re.Pattern[bytes]
    layout: LineLayout | None


class SeenExpressions:
    """Which expressions came lately: compiling one takes longer than parsing the line, so it must pay."""

    def __init__(self) -> None:
        self._seen: dict[bytes, None] = {}

    def again(self, expression: bytes) -> bool:
        """Whether it was seen before; it is remembered, and the oldest is forgotten."""
        if expression in self._seen:
            return True
        self._seen[expression] = None
        if len(self._seen) > MAX_SEEN:
            del self._seen[next(iter(self._seen))]
        return False


def pattern_after(
    parsed: ParsedLine | None, layout: LineLayout | None, seen: SeenExpressions
) -> LinePattern | None:
    """Return the pattern of a line that the parser has just read, None when there is no safe one.

    Args:
        parsed: what the parser made of it.
        layout: see ``layout_of``.
        seen: what came before; a line whose pattern is new has none yet.
    """
    if parsed is None or parsed.is_protocol:
        return None
    if parsed.kind == "firmware":
        return LinePattern(_FIRMWARE, None)
    if parsed.kind == "teleplot":
        return LinePattern(_TELEPLOT, None)
    if layout is None:
        return None
    number = _JSON_NUMBER if layout.is_json else _NUMBER
    *heads, tail = map(re.escape, layout.literals)
    expression = b"".join(literal + number for literal in heads) + tail
    return LinePattern(re.compile(expression), layout) if seen.again(expression) else None
