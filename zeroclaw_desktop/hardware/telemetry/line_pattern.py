"""A shortcut past the parser for lines that repeat the pattern of the line before.

Boards print the same line with other numbers, again and again. After one line went through the parser, its
literal parts become a regular expression with a group for each number; a line that matches whole would be
parsed to the same labels and units, so only its numbers are read. Teleplot and firmware telemetry lines,
which alternate labels, have one fixed expression each.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zeroclaw_desktop.hardware.telemetry.number_text import NUMBER_PATTERN
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine

MAX_SEEN = 64
_NUMBER = f"({NUMBER_PATTERN})".encode()
_FIRMWARE = re.compile(
    rb'\{"evt":"telemetry","signal":"([A-Za-z0-9_.\-]{1,64})",'
    rb'"value":(-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,9})?),'
    rb'"t":((?:0|[1-9][0-9]{0,14}))\}'
)
_TELEPLOT = re.compile(rb">([A-Za-z_][A-Za-z0-9_.\-]{0,63}):" + _NUMBER)


class LinePattern(NamedTuple):
    """Expression for lines like the last one.

    Attributes:
        expression: matches the whole line; groups as ``labels`` says.
        labels: (label, unit) for each group; None when the groups are label, value and, for firmware
            telemetry, the device time in milliseconds.
    """

    expression: re.Pattern[bytes]
    labels: tuple[tuple[str, str], ...] | None


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
    line: bytes, parsed: ParsedLine | None, encoding: str, seen: SeenExpressions
) -> LinePattern | None:
    """Return the pattern of a line that the parser has just read, None when there is no safe one.

    Args:
        seen: what came before; a line whose pattern is new has none yet.
    """
    if parsed is None or parsed.is_protocol:
        return None
    if parsed.kind == "firmware":
        return LinePattern(_FIRMWARE, None)
    if parsed.kind == "teleplot":
        return LinePattern(_TELEPLOT, None)
    if not parsed.number_spans or b"\x1b" in line:
        return None
    try:
        text = line.decode(encoding)
    except UnicodeDecodeError:
        return None
    literals: list[bytes] = []
    position = 0
    for start, end in parsed.number_spans:
        literals.append(re.escape(text[position:start].encode(encoding)))
        position = end
    tail = re.escape(text[position:].encode(encoding))
    expression = b"".join(literal + _NUMBER for literal in literals) + tail
    if not seen.again(expression):
        return None
    return LinePattern(
        re.compile(expression), tuple((sample.label, sample.unit) for sample in parsed.samples)
    )
