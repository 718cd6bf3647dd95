"""Series as Parquet: a row for each sample, columns time_s, time, source, series, unit, value.

Written by arro3-io: 33 MB installed, against about 150 MB of pyarrow and 110 MB of fastparquet with the
pandas that it needs. It is an extra all the same, as few people need it. A gap is NaN. Rows go out in pieces,
so that memory does not grow with the number of samples.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zeroclaw_desktop.hardware.telemetry.errors import ExportCancelledError, TelemetryExportError
from zeroclaw_desktop.hardware.telemetry.export import ExportSeries, Watch, whole_file

PIECE_ROWS = 16_384


def write_parquet_file(
    path: Path, series: Sequence[ExportSeries], started_wall: float, watch: Watch | None = None
) -> int:
    """Write to a new file beside ``path`` and put it in its place, so that no half file is left.

    Args:
        path: the file.
        series: the samples.
        started_wall: seconds since 1970 at time zero of the samples.
        watch: told of the progress between pieces.

    Returns:
        How many rows were written.

    Raises:
        TelemetryExportError: the extra is not installed, or the folder or disk refuses it.
        ExportCancelledError: ``watch`` said so.
    """
    try:
        core = importlib.import_module("arro3.core")
        files = importlib.import_module("arro3.io")
    except ImportError as error:
        raise TelemetryExportError(
            "Parquet files need the extra 'parquet', which is not installed.",
            hint="Install it with: pip install 'zeroclaw-desktop[parquet]', or export as CSV.",
            code="parquet_missing",
        ) from error
    schema = _schema(core)
    # What a generator raises inside the library comes out as another error, so it only stops.
    stopped: list[bool] = []
    batches = _batches(core, schema, series, started_wall, watch, stopped)
    reader = core.RecordBatchReader.from_batches(schema, batches)
    with whole_file(path) as unfinished, unfinished.open("wb") as file:
        files.write_parquet(reader, file, compression="zstd(3)")
        if stopped:
            raise ExportCancelledError()
    return sum(len(item.samples.time) for item in series)


def _schema(core: Any) -> Any:
    types = {
        "time_s": core.DataType.float64(),
        "time": core.DataType.timestamp("us", tz="UTC"),
        "source": core.DataType.string(),
        "series": core.DataType.string(),
        "unit": core.DataType.string(),
        "value": core.DataType.float64(),
    }
    return core.Schema([core.Field(name, kind, nullable=False) for name, kind in types.items()])


def _batches(
    core: Any,
    schema: Any,
    series: Sequence[ExportSeries],
    started_wall: float,
    watch: Watch | None,
    stopped: list[bool],
) -> Iterator[Any]:
    whole, done = sum(len(item.samples.time) for item in series), 0
    for item in series:
        for start in range(0, len(item.samples.time), PIECE_ROWS):
            times = np.ascontiguousarray(item.samples.time[start : start + PIECE_ROWS], dtype=np.float64)
            values = np.ascontiguousarray(item.samples.value[start : start + PIECE_ROWS], dtype=np.float64)
            microseconds = np.round((times + started_wall) * 1e6).astype(np.int64)
            texts = (item.source_id, item.label, item.unit)
            columns = [
                core.Array.from_numpy(times),
                core.Array.from_numpy(microseconds).cast(schema.field(1).type),
                *(core.Array([text] * len(times), type=core.DataType.string()) for text in texts),
                core.Array.from_numpy(values),
            ]
            yield core.RecordBatch.from_arrays(columns, schema=schema)
            done += len(times)
            if watch is not None and not watch(done, whole):
                stopped.append(True)
                return
