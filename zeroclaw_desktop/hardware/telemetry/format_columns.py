"""Lines of bare numbers: CSV, TSV, spaces, tuples and lists, with an optional header row.

Columns are called ``value 1``, ``value 2`` ... until a header row names them. A header is a line of labels
with the same separator and the same number of cells as the row right after it; a new header replaces the old
one, another number of columns drops it. An empty cell is a gap. Cells with a time of day are left out; under
a header so are cells with text.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from zeroclaw_desktop.hardware.telemetry.device_time import clock_position, clock_scale, take_device_time
from zeroclaw_desktop.hardware.telemetry.number_text import (
    GAP_PATTERN,
    is_time_of_day,
    parse_cell,
    split_label_unit,
)
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine, Sample

MAX_COLUMNS = 256
_HEADER_CELL = re.compile(r"[^\W\d][\w.\-/#%° ]{0,47}(?:\s?[(\[][^()\[\]]{1,12}[)\]])?")
_ROW_START = re.compile(rf"[0-9+\-.]|{GAP_PATTERN}")
_SPACED_HEADER = re.compile(r"[\"']?[^\W\d]\S*(?:\s+[\"']?[^\W\d]\S*)+")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class _Row(NamedTuple):
    """Cells of a line, where each begins, and the separator as written (with the space after it)."""

    cells: list[str]
    starts: list[int]
    style: str


class ColumnsFormat:
    """Reads rows of numbers and remembers the header row between lines (one object for each port).

    Attributes:
        header: label and unit of each column as the last header row named them; None without one.
    """

    def __init__(self) -> None:
        self.header: list[tuple[str, str]] | None = None
        self._pending: tuple[str, list[tuple[str, str]]] | None = None

    def reset(self) -> None:
        """Forget the header: the port was opened anew."""
        self.header = None
        self._pending = None

    def note_other_line(self) -> None:
        """Tell that a line of another format came: a header waiting for its first row is then no header."""
        self._pending = None

    def parse(self, text: str) -> ParsedLine | None:
        """Read one line without surrounding spaces.

        Returns:
            The samples; None for a header row and for text.
        """
        row = _split(text, self._expected_cells())
        if row is None or len(row.cells) > MAX_COLUMNS:
            self._pending = None
            return None
        cells = [parse_cell(cell, decimal_comma=row.style.startswith(";")) for cell in row.cells]
        if not any(cells):
            labels = _header_labels(row)
            self._pending = (row.style, labels) if labels else None
            return None
        self._settle_header(row)
        samples: list[Sample] = []
        spans: list[tuple[int, int]] = []
        for index, (cell, number) in enumerate(zip(row.cells, cells, strict=True)):
            label, unit = self.header[index] if self.header else (f"value {index + 1}", "")
            if number is not None:
                samples.append(Sample(label, number.value, number.unit or unit))
                if not math.isnan(number.value):
                    spans.append((row.starts[index], row.starts[index] + number.end))
            elif not cell:
                samples.append(Sample(label, math.nan, unit))
            elif not (is_time_of_day(cell) or (self.header and row.style != " ")):
                return None
        fixed = len(spans) == len(row.cells) and not (row.style[0] == ";" and "," in text)
        clock = clock_position(samples)
        return ParsedLine(
            "columns",
            take_device_time(samples),
            number_spans=tuple(spans) if fixed else (),
            clock_position=clock,
            clock_scale=clock_scale(samples, clock),
        )

    def _expected_cells(self) -> int:
        if self._pending is not None:
            return len(self._pending[1])
        return len(self.header) if self.header is not None else 0

    def _settle_header(self, row: _Row) -> None:
        pending, self._pending = self._pending, None
        if pending is not None and pending[0] == row.style and len(pending[1]) == len(row.cells):
            self.header = pending[1]
        elif self.header is not None and len(self.header) != len(row.cells):
            self.header = None


def _split(text: str, expected_cells: int) -> _Row | None:
    offset = 0
    closing = _BRACKETS.get(text[:1])
    if closing is not None:
        if not text.endswith(closing):
            return None
        offset = 1
        text = text[1:-1]
    for separator in ";,\t":
        if separator in text:
            return _split_at(text, separator, offset, expected_cells)
    # Most log text ends here: it neither begins like a row nor is made of labels only.
    if not _ROW_START.match(text.lstrip()) and not _SPACED_HEADER.fullmatch(text):
        return None
    cells = [(found.group(), found.start() + offset) for found in re.finditer(r"\S+", text)]
    if len(cells) == 2 and parse_cell(text.strip()) is not None:
        cells = [(text.strip(), offset + len(text) - len(text.lstrip()))]
    return _Row([cell for cell, _ in cells], [start for _, start in cells], " ") if cells else None


def _split_at(text: str, separator: str, offset: int, expected_cells: int) -> _Row:
    cells: list[str] = []
    starts: list[int] = []
    position = offset
    for part in text.split(separator):
        cells.append(part.strip())
        starts.append(position + len(part) - len(part.lstrip()))
        position += len(part) + 1
    # A separator at the end is a habit of sketches, unless the header says that a cell belongs there.
    if len(cells) > 1 and not cells[-1] and len(cells) != expected_cells:
        cells.pop()
        starts.pop()
    spaced = f"{separator} " in text
    return _Row(cells, starts, f"{separator} " if spaced else separator)


def _header_labels(row: _Row) -> list[tuple[str, str]]:
    if len(row.cells) < 2:
        return []
    labels: list[tuple[str, str]] = []
    for cell in row.cells:
        name = cell.strip("\"'")
        if not _HEADER_CELL.fullmatch(name) or name.count(" ") > 2:
            return []
        labels.append(split_label_unit(name))
    return labels if len({label for label, _ in labels}) == len(labels) else []
