"""A block of lines with known layouts becomes columns of numbers, without an object for each line.

The lines that a board repeats (one layout, or several in turn) are one *record*. In a block of records the
runs of number characters stand at regular places: as many runs in each record, the same gaps between them.
And the block without its number characters is the record's literal text over and over. When the gaps have
the right lengths and that text is right, every literal is right; the runs that belong to a literal (the 0
of ``a0:``) are compared by themselves, and the other runs are the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.decimal_block import (
    MAX_CHARACTERS,
    NUMBER_CHARACTERS,
    PADDING,
    parse_decimals,
)
from zeroclaw_desktop.hardware.telemetry.line_layout import LineLayout

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.int64]


class RecordBlock(NamedTuple):
    """Records at the beginning of a block.

    Attributes:
        records: how many.
        size: bytes that they take.
        values: shape (records, numbers in a record).
    """

    records: int
    size: int
    values: FloatArray


class _Number(NamedTuple):
    is_json: bool


class BlockReader:
    """Reads records of one kind.

    Args:
        layouts: of the lines of a record, in their order.
        max_length: longest line in bytes; see ``usable``.

    Attributes:
        lines: lines in a record.
        usable: False when numbers of this record cannot be told from the text beside them, or a line could
            become longer than ``max_length``; ``read`` must then not be called.
    """

    def __init__(self, layouts: Sequence[LineLayout], max_length: int) -> None:
        self.lines = len(layouts)
        self.usable = all(_longest(layout) <= max_length for layout in layouts)
        pieces: list[bytes | _Number] = [b""]
        for layout in layouts:
            for number, literal in enumerate((*layout.literals[:-1], layout.literals[-1] + b"\n")):
                if number:
                    pieces.append(_Number(layout.is_json))
                if isinstance(last := pieces[-1], bytes):
                    pieces[-1] = last + literal
                else:
                    pieces.append(literal)
        self._literal_runs: list[tuple[int, bytes]] = []
        self._number_runs: list[int] = []
        self._json: list[bool] = []
        gaps: list[int] = []
        skeleton = bytearray()
        for position, piece in enumerate(pieces):
            if isinstance(piece, _Number):
                self._number_runs.append(len(gaps) - 1)
                self._json.append(piece.is_json)
                continue
            self._add_literal(piece, position, len(pieces), gaps)
            skeleton += piece.translate(None, NUMBER_CHARACTERS)
        self._skeleton = bytes(skeleton)
        self._first_gap, self._last_gap = gaps[0], gaps[-1]
        self._runs = len(gaps) - 1
        self._gaps = np.array([*gaps[1:-1], gaps[-1] + gaps[0]], dtype=np.int64)
        self._numbers_only = len(self._number_runs) == self._runs

    def _add_literal(self, piece: bytes, position: int, pieces: int, gaps: list[int]) -> None:
        """Cut a literal into gaps and runs of number characters; gap ``i`` stands before run ``i``."""
        after_number, before_number = position > 0, position < pieces - 1
        if (after_number and (not piece or piece[0] in NUMBER_CHARACTERS)) or (
            before_number and piece and piece[-1] in NUMBER_CHARACTERS
        ):
            self.usable = False
        start = 0
        for index, code in enumerate(piece):
            if code not in NUMBER_CHARACTERS:
                if index and piece[index - 1] in NUMBER_CHARACTERS:
                    self._literal_runs.append((len(gaps) - 1, piece[start:index]))
                    start = index
            elif not index or piece[index - 1] not in NUMBER_CHARACTERS:
                gaps.append(index - start)
                start = index
        gaps.append(len(piece) - start)

    def read(self, data: bytes) -> RecordBlock:
        """Read the records that stand at the beginning of ``data``.

        Args:
            data: whole lines, each ended by one line feed.

        Returns:
            Records up to the first thing that is not one; possibly none. A record that only something else
            follows may be left out.
        """
        padded = PADDING + data
        codes = np.frombuffer(padded, np.uint8)
        # From '+' to '9' without ',' and '/': NUMBER_CHARACTERS, in steps that the processor does 32 at once.
        of_number = (codes >= 0x2B) & (codes <= 0x39) & (codes != 0x2C) & (codes != 0x2F)
        edges = np.flatnonzero(of_number[1:] != of_number[:-1]) + 1
        records = len(edges) // (2 * self._runs)
        if not records or edges[0] != len(PADDING) + self._first_gap:
            return _NOTHING
        starts, ends = edges[0::2], edges[1::2]
        records = self._regular(starts, ends, len(padded), records)
        records = self._same_text(data, records)
        if not records:
            return _NOTHING
        shape = (records, self._runs)
        starts = starts[: records * self._runs].reshape(shape)
        ends = ends[: records * self._runs].reshape(shape)
        good = self._same_literal_runs(padded, starts, ends)
        values, numbers_good = self._values(padded, starts, ends)
        records = _first_false(numbers_good if good is None else good & numbers_good)
        if not records:
            return _NOTHING
        size = int(ends[records - 1, -1]) + self._last_gap - len(PADDING)
        return RecordBlock(records, size, values[:records])

    def _regular(self, starts: IndexArray, ends: IndexArray, length: int, records: int) -> int:
        """Count the leading records whose runs stand where they should."""
        following = np.append(starts[1:], length + self._first_gap)
        gaps = (following - ends)[: records * self._runs].reshape(records, self._runs)
        same = gaps == self._gaps
        return records if same.all() else _first_false(same.all(axis=1))

    def _same_text(self, data: bytes, records: int) -> int:
        """Count the leading records whose text between the runs is right."""
        text = data.translate(None, NUMBER_CHARACTERS)
        expected = self._skeleton * records
        if text.startswith(expected):
            return records
        length = min(len(text), len(expected))
        same = np.frombuffer(text, np.uint8, length) == np.frombuffer(expected, np.uint8, length)
        return min(records, _first_false(same) // len(self._skeleton))

    def _same_literal_runs(
        self, padded: bytes, starts: IndexArray, ends: IndexArray
    ) -> NDArray[np.bool_] | None:
        good: NDArray[np.bool_] | None = None
        codes = np.frombuffer(padded, np.uint8)
        for run, text in self._literal_runs:
            first = starts[:, run]
            same = ends[:, run] - first == len(text)
            for offset, code in enumerate(text):
                same &= codes.take(first + offset, mode="clip") == code
            good = same if good is None else good & same
        return good

    def _values(
        self, padded: bytes, starts: IndexArray, ends: IndexArray
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        if not self._numbers_only:
            starts, ends = starts[:, self._number_runs], ends[:, self._number_runs]
        shape = starts.shape
        if any(self._json) != all(self._json):
            columns = [
                parse_decimals(padded, starts[:, column], ends[:, column], json=is_json)
                for column, is_json in enumerate(self._json)
            ]
            both = _rows_all(np.stack([column.good for column in columns], axis=1))
            return np.stack([column.value for column in columns], axis=1), both
        found = parse_decimals(padded, starts.reshape(-1), ends.reshape(-1), json=self._json[0])
        good = _rows_all(found.good.reshape(shape))
        return found.value.reshape(shape), good


_NOTHING = RecordBlock(0, 0, np.empty((0, 0)))


def _rows_all(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(flags.all(axis=1), dtype=np.bool_)


def _first_false(flags: NDArray[np.bool_]) -> int:
    """Return the position of the first False; the length when there is none."""
    return len(flags) if flags.all() else int(np.argmin(flags))


def _longest(layout: LineLayout) -> int:
    return sum(map(len, layout.literals)) + MAX_CHARACTERS * len(layout.columns)
