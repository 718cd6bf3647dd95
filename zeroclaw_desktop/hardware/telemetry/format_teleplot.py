"""Teleplot lines, as the README of github.com/nesnes/teleplot describes them.

``>name:value``, ``>name:time_ms:value``, several samples joined by ``;``, a unit after ``§``, flags after
``|``. ``|xy`` gives two series ``name.x`` and ``name.y``; ``|t`` (text) and ``3D`` shapes carry nothing to
plot here. ``name,widget`` is accepted, the widget is left out.
"""

from __future__ import annotations

import math
import re

from zeroclaw_desktop.hardware.telemetry.number_text import (
    ATTACHED_UNIT_PATTERN,
    NUMBER_PATTERN,
    VALUE_PATTERN,
    to_value,
)
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine, Sample

MAX_SAMPLES = 512
_HEAD = re.compile(r">\s*([^:;|§<>]{1,64}):([^|§]+)(?:§([^|]{0,16}))?(?:\|([A-Za-z0-9,_ ]*))?\s*")
_PLAIN = re.compile(rf"(?<![^:\s]){NUMBER_PATTERN}")
_NUMBER = re.compile(rf"({VALUE_PATTERN})\s*({ATTACHED_UNIT_PATTERN})?")


def parse_teleplot(text: str) -> ParsedLine | None:
    """Read a line that begins with ``>``; None when it is not a plottable Teleplot line."""
    head = _HEAD.fullmatch(text)
    if head is None:
        return None
    name = head[1].split(",", 1)[0].strip()
    flags = {flag.strip() for flag in (head[4] or "").split(",")}
    if not name or name == "3D" or "t" in flags:
        return None
    unit = (head[3] or "").strip()
    pieces = [piece for piece in head[2].split(";") if piece.strip()]
    if not pieces or len(pieces) > MAX_SAMPLES:
        return None
    if len(pieces) == 1 and "xy" not in flags:
        return _single(name, unit, head)
    samples: list[Sample] = []
    for piece in pieces:
        read = _read_xy(name, unit, piece) if "xy" in flags else _read_value(name, unit, piece)
        if read is None:
            return None
        samples.extend(read)
    return ParsedLine("teleplot", tuple(samples))


def _single(name: str, unit: str, head: re.Match[str]) -> ParsedLine | None:
    """One sample, perhaps with its time: the usual line, of which a reader may keep the pattern."""
    read = _read_value(name, unit, head[2].strip().rstrip(";"))
    if read is None:
        return None
    spans = tuple(found.span() for found in _PLAIN.finditer(head.string, head.start(2), head.end(2)))
    timed = read[0].device_time_ms is not None
    fixed = len(spans) == 1 + head[2].count(":") == 1 + timed and math.isfinite(read[0].value)
    return ParsedLine(
        "teleplot",
        tuple(read),
        number_spans=spans if fixed and ";" not in head[2] else (),
        clock_position=0 if timed else -1,
    )


def _read_numbers(piece: str) -> list[tuple[float, str]] | None:
    numbers: list[tuple[float, str]] = []
    for part in piece.split(":"):
        found = _NUMBER.fullmatch(part.strip())
        if found is None:
            return None
        numbers.append((to_value(found[1]), found[2] or ""))
    return numbers


def _read_value(name: str, unit: str, piece: str) -> list[Sample] | None:
    numbers = _read_numbers(piece)
    if numbers is None or len(numbers) > 2:
        return None
    value, tail = numbers[-1]
    time_ms = _time(numbers[0][0]) if len(numbers) == 2 else None
    return [Sample(name, value, unit or tail, time_ms)]


def _read_xy(name: str, unit: str, piece: str) -> list[Sample] | None:
    numbers = _read_numbers(piece)
    if numbers is None or len(numbers) not in (2, 3):
        return None
    time_ms = _time(numbers[2][0]) if len(numbers) == 3 else None
    return [
        Sample(f"{name}.x", numbers[0][0], unit, time_ms),
        Sample(f"{name}.y", numbers[1][0], unit, time_ms),
    ]


def _time(value: float) -> float | None:
    return None if value != value else value
