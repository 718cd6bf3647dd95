"""Labelled lines: ``label:value`` and ``label=value``, one or many on a line.

The whole line must be made of such pairs, else it is text: a sentence with a number in it is never plotted.
Allowed: spaces around the sign, the separators ``, ; |`` tab and space (and their full-width forms), a unit
after the number, labels of at most two words, a second number with its own unit (``23.5°C 74.3°F``), and,
between hard separators, pairs whose value is a single word or a time of day, which are left out.
"""

from __future__ import annotations

import re

from zeroclaw_desktop.hardware.telemetry.device_time import clock_position, clock_scale, take_device_time
from zeroclaw_desktop.hardware.telemetry.number_text import (
    ATTACHED_UNIT_PATTERN,
    KNOWN_UNITS,
    VALUE_PATTERN,
    is_time_of_day,
    split_label_unit,
    to_value,
)
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine, Sample

MAX_PAIRS = 256
_WORD = r"[^\W\d][\w.\-/#%°]{0,47}"
_LABEL_UNIT = r"(?:\s?[(\[][^()\[\]:=]{1,12}[)\]])?"
_LABEL = rf"{_WORD}(?: [\w.\-/#%°]{{1,24}})?{_LABEL_UNIT}"
_VALUE = rf"\s*[:=：]\s*(?!0[xXbB][0-9A-Fa-f])({VALUE_PATTERN})({ATTACHED_UNIT_PATTERN})?(?=[\s,;|，；]|$)"
_PAIR = re.compile(rf"({_LABEL}){_VALUE}")
_ONE_WORD_PAIR = re.compile(rf"({_WORD}{_LABEL_UNIT}){_VALUE}")
_TEXT_PAIR = re.compile(rf"{_LABEL}\s*[:=：]\s*([^\s,;|=，；]+)\s*(?:[,;|\t，；]\s*|$)")
_SPACED_UNIT = re.compile(r" {1,2}([^\s\d:=,;|，；][^\s:=,;|，；]{0,9})(?=[\s,;|，；]|$)(?!\s*[:=：])")
_SECOND_NUMBER = re.compile(
    rf"\s+({VALUE_PATTERN})\s?({ATTACHED_UNIT_PATTERN})(?=[\s,;|，；]|$)(?!\s*[:=：])"
)
_SEPARATOR = re.compile(r"\s*(?:[,;|，；]\s*)?")


def parse_labelled(text: str) -> ParsedLine | None:
    """Read a line that holds at least one ``:`` or ``=``; None when any part of it is not a pair."""
    samples: list[Sample] = []
    spans: list[tuple[int, int]] = []
    fixed = True
    position = 0
    while position < len(text):
        # After a single space a word more is prose ("a:1 and b:2") or the rest of an unknown unit.
        loose = position == 0 or text[position - 1] != " " or text[position - 2] in " \t,;|，；"
        pair = (_PAIR if loose else _ONE_WORD_PAIR).match(text, position)
        if pair is None:
            skipped = _skip_text_pair(text, position) if loose else position
            if skipped == position:
                return None
            fixed = False
            position = skipped
            continue
        position = _take_pair(text, pair, samples, spans)
        if len(samples) > MAX_PAIRS:
            return None
        position = _after_separator(text, position)
    if not samples:
        return None
    clock = clock_position(samples)
    return ParsedLine(
        "labelled",
        take_device_time(samples),
        number_spans=tuple(spans) if fixed and len(spans) == len(samples) else (),
        clock_position=clock,
        clock_scale=clock_scale(samples, clock),
    )


def _take_pair(text: str, pair: re.Match[str], samples: list[Sample], spans: list[tuple[int, int]]) -> int:
    """Add the pair's sample (and its second number's), return where the text goes on."""
    label, unit = split_label_unit(pair[1])
    unit = pair[3] or unit
    position = pair.end()
    if not pair[3] and (spaced := _SPACED_UNIT.match(text, position)) and spaced[1] in KNOWN_UNITS:
        unit = spaced[1]
        position = spaced.end()
    samples.append(Sample(label, to_value(pair[2]), unit))
    if pair[2][-1] in "0123456789.":
        spans.append(pair.span(2))
    second = _SECOND_NUMBER.match(text, position) if unit else None
    if second is not None and second[2] in KNOWN_UNITS:
        samples.append(Sample(f"{label} {second[2]}", to_value(second[1]), second[2]))
        position = second.end()
    return position


def _skip_text_pair(text: str, position: int) -> int:
    found = _TEXT_PAIR.match(text, position)
    if found is None:
        return position
    if ":" in found[1] and not is_time_of_day(found[1]):
        return position
    return found.end()


def _after_separator(text: str, position: int) -> int:
    separator = _SEPARATOR.match(text, position)
    return separator.end() if separator else position
