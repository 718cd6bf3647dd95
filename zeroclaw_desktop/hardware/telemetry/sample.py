"""What a line parser hands on: samples, and what kind of line they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Sample(NamedTuple):
    """One value of one series.

    Attributes:
        label: name of the series as the board printed it.
        value: the number; NaN is a gap (the board said ``nan``, ``inf``, ``ovf``, ``null`` or left the cell
            empty).
        unit: text of the unit as printed, empty when there was none.
        device_time_ms: the board's own time of this sample in milliseconds; None when the line had none.
    """

    label: str
    value: float
    unit: str = ""
    device_time_ms: float | None = None


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A line that was understood.

    Attributes:
        kind: ``firmware``, ``json``, ``teleplot``, ``labelled`` or ``columns``.
        samples: what it carries, in the order of the line; may be empty for a protocol line.
        is_protocol: the line is a reply or an event that the session must see.
        event: the value of ``evt`` in a protocol event, else empty.
        number_spans: (start, end) of each number in the text in the order of ``samples``, with the board's
            clock among them where the line has one; empty when the line has no fixed pattern. Lets a reader
            skip the parser for following lines of the same pattern.
        clock_position: which of ``number_spans`` is the board's clock; -1 when none is.
        clock_scale: milliseconds in a unit of that clock.
    """

    kind: str
    samples: tuple[Sample, ...]
    is_protocol: bool = False
    event: str = ""
    number_spans: tuple[tuple[int, int], ...] = ()
    clock_position: int = -1
    clock_scale: float = 1.0
