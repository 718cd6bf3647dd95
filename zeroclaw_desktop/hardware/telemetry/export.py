"""Series as CSV.

Wide form: a time column and a column for each series, a row for each time at which any series has a sample;
the cell is empty where a series has none or has a gap. Two samples of one series at the same time take two
rows. Long form: ``time,source,series,unit,value``, a row for each sample, the value empty in a gap. Numbers
are written so that reading them gives the same float. Text that a spreadsheet would run as a formula gets an
apostrophe in front.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.errors import ExportCancelledError, TelemetryExportError
from zeroclaw_desktop.hardware.telemetry.ring import SeriesSnapshot

Watch = Callable[[int, int], bool]
"""Told how many samples of how many are done; False ends the export, and no file is left."""
PIECE_ROWS = 2_048


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How to write.

    Attributes:
        form: ``wide`` or ``long``.
        delimiter: between cells; ``;`` for spreadsheets of locales with a decimal comma.
        decimal_comma: write ``1,5`` for one and a half; only with another delimiter than the comma.
        time_format: ``seconds`` since the store began, or ``iso`` (UTC date and time).

    Raises:
        TelemetryExportError: the comma was asked for in both places.
    """

    form: Literal["wide", "long"] = "wide"
    delimiter: str = ","
    decimal_comma: bool = False
    time_format: Literal["seconds", "iso"] = "seconds"

    def __post_init__(self) -> None:
        if self.decimal_comma and self.delimiter == ",":
            raise TelemetryExportError(
                "Commas cannot stand between cells and in numbers at once.",
                hint="Choose the semicolon or the tab between cells.",
                code="export_commas",
            )


class ExportSeries(NamedTuple):
    """A series with the samples to write."""

    source_id: str
    label: str
    unit: str
    samples: SeriesSnapshot


def write_csv_file(
    path: Path,
    series: Sequence[ExportSeries],
    options: ExportOptions,
    started_wall: float,
    watch: Watch | None = None,
) -> int:
    """Write to a new file beside ``path`` and put it in its place, so that no half file is left.

    Returns:
        How many rows were written below the header.

    Raises:
        TelemetryExportError: the folder or disk refuses it.
        ExportCancelledError: ``watch`` said so.
    """
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as file:
        return write_csv(file, series, options, started_wall, watch)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a file beside ``path`` to write to; it takes the place of ``path`` at the end, or is removed.

    Raises:
        TelemetryExportError: the folder or disk refuses it.
    """
    unfinished = path.with_name(path.name + ".part")
    try:
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise TelemetryExportError(
            f"Could not write {path}: {error.strerror or error}.",
            hint="Choose another folder or free some space.",
            retryable=True,
            details={"path": str(path), "reason": error.strerror or str(error)},
        ) from error
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def write_csv(
    file: TextIO,
    series: Sequence[ExportSeries],
    options: ExportOptions,
    started_wall: float,
    watch: Watch | None = None,
) -> int:
    """Write to an open text file; returns how many rows were written below the header.

    Args:
        file: opened with ``newline=""``.
        series: the samples.
        options: form and format.
        started_wall: seconds since 1970 at time zero of the samples.
        watch: told of the progress between pieces of rows.
    """
    csv.writer(file, delimiter=options.delimiter, lineterminator="\n").writerow(_header(series, options))
    pieces = _long_pieces if options.form == "long" else _wide_pieces
    whole = sum(len(item.samples.time) for item in series)
    count = done = 0
    for times, leading, values, samples in pieces(series, options):
        moments = _time_texts(times, options, started_wall)
        between = options.delimiter
        cells = (_cell_texts(row, options) for row in values.tolist())
        file.writelines(
            f"{moment}{between}{leading}{between.join(row)}\n"
            for moment, row in zip(moments, cells, strict=True)
        )
        count += len(moments)
        done += samples
        if watch is not None and not watch(done, whole):
            raise ExportCancelledError()
    return count


def _header(series: Sequence[ExportSeries], options: ExportOptions) -> list[str]:
    time_name = "time_s" if options.time_format == "seconds" else "time"
    if options.form == "long":
        return [time_name, "source", "series", "unit", "value"]
    several = len({item.source_id for item in series}) > 1
    names = [f"{item.source_id}/{item.label}" if several else item.label for item in series]
    return [
        time_name,
        *(
            _plain_text(f"{name} [{item.unit}]" if item.unit else name)
            for name, item in zip(names, series, strict=True)
        ),
    ]


class _Piece(NamedTuple):
    """Some rows: their times (n,), what stands between time and values, the values (n, columns)."""

    times: NDArray[np.float64]
    leading: str
    values: NDArray[np.float64]
    samples: int


def _long_pieces(series: Sequence[ExportSeries], options: ExportOptions) -> Iterator[_Piece]:
    for item in series:
        leading = io.StringIO()
        names = [_plain_text(text) for text in (item.source_id, item.label, item.unit)]
        csv.writer(leading, delimiter=options.delimiter, lineterminator="").writerow([*names, ""])
        for start in range(0, len(item.samples.time), PIECE_ROWS):
            times = item.samples.time[start : start + PIECE_ROWS]
            values = item.samples.value[start : start + PIECE_ROWS, np.newaxis].astype(np.float64)
            yield _Piece(times, leading.getvalue(), values, len(times))


def _wide_pieces(series: Sequence[ExportSeries], _options: ExportOptions) -> Iterator[_Piece]:
    if not series:
        return
    times = np.concatenate([item.samples.time for item in series])
    turns = np.concatenate([_turn_at_same_time(item.samples.time) for item in series])
    owners = np.repeat(np.arange(len(series)), [len(item.samples.time) for item in series])
    values = np.concatenate([item.samples.value.astype(np.float64) for item in series])
    order = np.lexsort((turns, times))
    times, turns, owners, values = times[order], turns[order], owners[order], values[order]
    new_row = np.ones(len(times), dtype=bool)
    new_row[1:] = (times[1:] != times[:-1]) | (turns[1:] != turns[:-1])
    starts = np.append(np.flatnonzero(new_row), len(times))
    row_of = np.cumsum(new_row) - 1
    for first in range(0, len(starts) - 1, PIECE_ROWS):
        last = min(first + PIECE_ROWS, len(starts) - 1)
        cells = slice(starts[first], starts[last])
        table = np.full((last - first, len(series)), np.nan)
        table[row_of[cells] - first, owners[cells]] = values[cells]
        yield _Piece(times[starts[first:last]], "", table, int(starts[last] - starts[first]))


def _turn_at_same_time(times: NDArray[np.float64]) -> NDArray[np.int64]:
    """Number the samples that share a time: 0 for the first, 1 for the next ..."""
    positions = np.arange(len(times))
    return np.asarray(positions - np.searchsorted(times, times, side="left"), dtype=np.int64)


def _cell_texts(row: list[float], options: ExportOptions) -> list[str]:
    texts = [
        ""
        if value != value
        else repr(int(value))
        if value.is_integer() and abs(value) < 1e15
        else repr(value)
        for value in row
    ]
    return [text.replace(".", ",") for text in texts] if options.decimal_comma else texts


def _time_texts(times: NDArray[np.float64], options: ExportOptions, started_wall: float) -> list[str]:
    if options.time_format == "iso":
        moments = (datetime.fromtimestamp(started_wall + seconds, UTC) for seconds in times.tolist())
        return [moment.isoformat(timespec="microseconds").replace("+00:00", "Z") for moment in moments]
    texts = [f"{seconds:.6f}" for seconds in times.tolist()]
    return [text.replace(".", ",") for text in texts] if options.decimal_comma else texts


def _plain_text(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def write_table_file(path: Path, names: Sequence[str], columns: Sequence[NDArray[np.float64]]) -> int:
    """Write columns of numbers below their names; cells below the end of a shorter column are empty.

    Returns:
        How many rows were written below the names.

    Raises:
        TelemetryExportError: the folder or disk refuses it.
    """
    count = 0
    with whole_file(path) as unfinished, unfinished.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([_plain_text(name) for name in names])
        for row in zip_longest(*(column.tolist() for column in columns), fillvalue=math.nan):
            writer.writerow(["" if math.isnan(value) else f"{value!r}".removesuffix(".0") for value in row])
            count += 1
    return count
