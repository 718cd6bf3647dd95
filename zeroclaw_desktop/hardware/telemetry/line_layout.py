"""What stays the same in lines that a board prints again and again: everything but the numbers."""

from __future__ import annotations

from dataclasses import dataclass

from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine

# After these a number could be read as the beginning of another one (0x1F, 0b1, 1e3).
_JOINS_NUMBER = (b"x", b"X", b"b", b"B", b"e", b"E")


@dataclass(frozen=True, slots=True)
class LineLayout:
    """Layout of a line that the parser has read.

    A line with the same literals and other plain numbers gives the same labels and units.

    Attributes:
        literals: text before, between and after the numbers, one more than there are numbers.
        columns: (label, unit) for each number; None for the board's clock.
        clock_scale: milliseconds in a unit of that clock.
        is_json: the numbers must be what JSON calls a number.
    """

    literals: tuple[bytes, ...]
    columns: tuple[tuple[str, str] | None, ...]
    clock_scale: float
    is_json: bool

    @property
    def clock_column(self) -> int:
        """Which number is the board's clock; -1 when none is."""
        return self.columns.index(None) if None in self.columns else -1


def layout_of(line: bytes, parsed: ParsedLine | None, encoding: str) -> LineLayout | None:
    """Return the layout of a line.

    Args:
        line: as it came.
        parsed: what the parser made of it.
        encoding: that of the parser.

    Returns:
        None where other numbers could change more than the values.
    """
    if parsed is None or parsed.is_protocol or not parsed.number_spans or b"\x1b" in line:
        return None
    try:
        text = line.decode(encoding)
    except UnicodeDecodeError:
        return None
    literals: list[bytes] = []
    position = 0
    for start, end in parsed.number_spans:
        literals.append(text[position:start].encode(encoding))
        position = end
    literals.append(text[position:].encode(encoding))
    is_json = parsed.kind in ("json", "firmware")
    if not is_json and any(literal.startswith(_JOINS_NUMBER) for literal in literals[1:]):
        return None
    columns: list[tuple[str, str] | None] = [(sample.label, sample.unit) for sample in parsed.samples]
    if parsed.clock_position >= 0:
        columns.insert(parsed.clock_position, None)
    return LineLayout(tuple(literals), tuple(columns), parsed.clock_scale, is_json)
