"""Numbers of whole records become samples of their series."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.line_layout import LineLayout
from zeroclaw_desktop.hardware.telemetry.series_batch import SeriesBatch

FloatArray = NDArray[np.float64]
DeviceTimes = Callable[[FloatArray, FloatArray], FloatArray]


def add_records(
    batch: SeriesBatch,
    layouts: Sequence[LineLayout],
    values: FloatArray,
    line_times: FloatArray,
    device_times: DeviceTimes | None,
) -> None:
    """Add the samples of records in the order in which a reader of single lines would.

    Args:
        batch: takes them.
        layouts: of the lines of a record.
        values: shape (records, numbers in a record).
        line_times: seconds, shape (records * lines in a record,).
        device_times: turns the board's milliseconds and the lines' times into the samples' times, both of
            shape (n,) in the order of the lines; None to use the lines' times throughout.
    """
    times = line_times.reshape(len(values), len(layouts))
    if device_times is not None:
        times = _with_device_times(layouts, values, times, device_times)
    columns: dict[str, list[tuple[int, int]]] = {}
    units: dict[str, str] = {}
    column = 0
    for line, layout in enumerate(layouts):
        for name in layout.columns:
            if name is not None:
                columns.setdefault(name[0], []).append((column, line))
                units[name[0]] = name[1] or units.get(name[0], "")
            column += 1
    for label, places in columns.items():
        of_values = [place[0] for place in places]
        of_lines = [place[1] for place in places]
        batch.extend(label, times[:, of_lines].reshape(-1), values[:, of_values].reshape(-1), units[label])


def _with_device_times(
    layouts: Sequence[LineLayout], values: FloatArray, times: FloatArray, device_times: DeviceTimes
) -> FloatArray:
    clocks: list[int] = []
    lines: list[int] = []
    scales: list[float] = []
    column = 0
    for line, layout in enumerate(layouts):
        if layout.clock_column >= 0:
            clocks.append(column + layout.clock_column)
            lines.append(line)
            scales.append(layout.clock_scale)
        column += len(layout.columns)
    if not clocks:
        return times
    device_ms = values[:, clocks] * scales
    mapped = device_times(device_ms.reshape(-1), times[:, lines].reshape(-1))
    times = times.copy()
    times[:, lines] = mapped.reshape(len(values), len(lines))
    return times
