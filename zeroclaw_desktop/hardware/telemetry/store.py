"""All series of all ports: created as they appear, read by the window at frame rate.

The thread of each port appends; any thread reads. Times are seconds of the host's monotonic clock since the
store began. ``generation`` changes with every change, so that a reader that saw it before need not look
again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from zeroclaw_desktop.hardware.telemetry.byte_tap import ByteTap
from zeroclaw_desktop.hardware.telemetry.calibration import AS_SENT, Calibration
from zeroclaw_desktop.hardware.telemetry.errors import (
    MemoryFullError,
    TelemetrySettingError,
    UnknownSeriesError,
)
from zeroclaw_desktop.hardware.telemetry.export import (
    ExportOptions,
    ExportSeries,
    Watch,
    write_csv,
    write_csv_file,
)
from zeroclaw_desktop.hardware.telemetry.export_parquet import write_parquet_file
from zeroclaw_desktop.hardware.telemetry.memory_budget import DEFAULT_LIMIT, MemoryBudget
from zeroclaw_desktop.hardware.telemetry.ring import MinMaxColumns, SeriesRing, SeriesSnapshot
from zeroclaw_desktop.hardware.telemetry.series_stats import SeriesStats, stats_of

DEFAULT_MAX_SAMPLES = 1_000_000
DEFAULT_MAX_SERIES = 256
MAX_MARKERS = 10_000


class SeriesKey(NamedTuple):
    """Name of a series: the port or board it came from, and its label."""

    source_id: str
    label: str


@dataclass(frozen=True, slots=True)
class SeriesInfo:
    """What a series list shows.

    Attributes:
        key: name of the series.
        unit: of the values: by the calibration, else as the board printed it last, empty when it never did.
        count: samples ever received.
        retained: samples still held.
        last_time: seconds of the newest sample, None before the first.
        last_value: its value, NaN in a gap.
    """

    key: SeriesKey
    unit: str
    count: int
    retained: int
    last_time: float | None
    last_value: float | None


@dataclass(frozen=True, slots=True)
class Marker:
    """Something that happened, on the time axis of the plots.

    Attributes:
        time: seconds since the store began.
        text: what to show.
        kind: ``action``, ``flash``, ``reset``, ``alarm``, ``alarm_over``, ``sop`` ...
        source_id: the port concerned, empty for all.
    """

    time: float
    text: str
    kind: str
    source_id: str = ""


@dataclass(slots=True)
class _Series:
    ring: SeriesRing
    unit: str = ""


class TelemetryStore:
    """Series of all sources.

    Args:
        max_samples: samples kept for each series; the oldest go first.
        max_series: series kept for each source; samples of further labels are counted in ``refused_samples``.
        max_bytes: memory of all series. A series that gets no more keeps fewer samples; one for which
            there is none at all is refused like those beyond ``max_series``.
        value_dtype: see ``SeriesRing``.
        clock: monotonic seconds.
        wall_clock: seconds since 1970, read once, for exports with date and time.

    Raises:
        TelemetrySettingError: a limit is not positive.

    Attributes:
        refused_samples: samples that found no room because of ``max_series`` or ``max_bytes``.
        budget: the memory that the series have taken, and its bound.
        tap: hears of everything that comes, while a recording goes on; else None.
    """

    def __init__(
        self,
        max_samples: int = DEFAULT_MAX_SAMPLES,
        *,
        max_series: int = DEFAULT_MAX_SERIES,
        max_bytes: int = DEFAULT_LIMIT,
        value_dtype: DTypeLike = np.float64,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        if max_samples < 1 or max_series < 1:
            raise TelemetrySettingError(
                f"Keep at least one sample and one series, not {max_samples} and {max_series}."
            )
        self.max_samples = max_samples
        self.max_series = max_series
        self.refused_samples = 0
        self.budget = MemoryBudget(max_bytes)
        self.tap: ByteTap | None = None
        self.started = clock()
        self.started_wall = wall_clock()
        self._clock = clock
        self._dtype = value_dtype
        self._lock = threading.Lock()
        self._sources: dict[str, dict[str, _Series]] = {}
        self._calibrations: dict[SeriesKey, Calibration] = {}
        self._markers: deque[Marker] = deque(maxlen=MAX_MARKERS)
        self._generation = 0

    @property
    def generation(self) -> int:
        """A number that grows with every change."""
        return self._generation

    def now(self) -> float:
        """Return the present time on the store's axis, in seconds."""
        return self._clock() - self.started

    def to_store_time(self, host_time: float) -> float:
        """Turn a reading of the monotonic clock into a time on the store's axis."""
        return host_time - self.started

    def append(self, source_id: str, label: str, times: ArrayLike, values: ArrayLike, unit: str = "") -> bool:
        """Add samples to a series, creating it when it is new.

        Args:
            source_id: port or board.
            label: name of the series.
            times: seconds on the store's axis, a number or shape (n,).
            values: same shape; NaN is a gap.
            unit: kept when not empty.

        Returns:
            False when the source already has ``max_series`` other series; the samples are counted as refused.
        """
        with self._lock:
            labels = self._sources.setdefault(source_id, {})
            series = labels.get(label)
            if series is None and len(labels) < self.max_series:
                series = self._new_series(labels, label)
            if series is None:
                self.refused_samples += int(np.size(values))
                self._generation += 1
                return False
            if unit:
                series.unit = unit
            series.ring.append(times, values)
            self._generation += 1
            return True

    def _new_series(self, labels: dict[str, _Series], label: str) -> _Series | None:
        try:
            ring = SeriesRing(self.max_samples, self._dtype, self.budget)
        except MemoryFullError:
            return None
        series = labels[label] = _Series(ring)
        return series

    def sources(self) -> list[str]:
        """Return the ids of all sources in order of appearance."""
        with self._lock:
            return list(self._sources)

    def series(self, source_id: str | None = None) -> list[SeriesInfo]:
        """Return the series of a source (of all when None) in order of appearance."""
        with self._lock:
            found = [
                (SeriesKey(source, label), series)
                for source, labels in self._sources.items()
                if source_id is None or source == source_id
                for label, series in labels.items()
            ]
        return [_describe(key, series, self.calibration(key)) for key, series in found]

    def info(self, key: SeriesKey | tuple[str, str]) -> SeriesInfo | None:
        """Return one series; None when there is none of this name."""
        name = SeriesKey(*key)
        with self._lock:
            found = self._sources.get(name.source_id, {}).get(name.label)
        return None if found is None else _describe(name, found, self.calibration(name))

    def calibrate(self, key: SeriesKey | tuple[str, str], calibration: Calibration) -> None:
        """Show a series in other figures from now on; it may come later. ``AS_SENT`` ends it."""
        with self._lock:
            self._calibrations[SeriesKey(*key)] = calibration
            self._generation += 1

    def calibration(self, key: SeriesKey | tuple[str, str]) -> Calibration:
        """Return how a series is shown."""
        return self._calibrations.get(SeriesKey(*key), AS_SENT)

    def ring(self, key: SeriesKey | tuple[str, str]) -> SeriesRing:
        """Return the ring of a series, which holds what was sent, without the calibration.

        Raises:
            UnknownSeriesError: there is no such series.
        """
        return self._get(key).ring

    def unit(self, key: SeriesKey | tuple[str, str]) -> str:
        """Return the unit of a series; raises ``UnknownSeriesError`` when there is no such series."""
        return self.calibration(key).unit or self._get(key).unit

    def sent_unit(self, key: SeriesKey | tuple[str, str]) -> str:
        """Return the unit that the board says; raises ``UnknownSeriesError`` like ``unit``."""
        return self._get(key).unit

    def _get(self, key: SeriesKey | tuple[str, str]) -> _Series:
        source_id, label = key
        with self._lock:
            series = self._sources.get(source_id, {}).get(label)
        if series is None:
            raise UnknownSeriesError(
                f"There is no series '{label}' of '{source_id}'.",
                hint="It may have been cleared; choose one from the list.",
                details={"source": source_id, "label": label},
            )
        return series

    def snapshot(
        self, key: SeriesKey | tuple[str, str], start_time: float = -np.inf, end_time: float = np.inf
    ) -> SeriesSnapshot:
        """Copy a window of a series, see ``SeriesRing.snapshot``."""
        return self.calibration(key).samples(self.ring(key).snapshot(start_time, end_time))

    def since(self, key: SeriesKey | tuple[str, str], index: int) -> SeriesSnapshot:
        """Copy the samples from a running number on, see ``SeriesRing.since``."""
        return self.calibration(key).samples(self.ring(key).since(index))

    def minmax_columns(
        self, key: SeriesKey | tuple[str, str], start_time: float, end_time: float, columns: int
    ) -> MinMaxColumns:
        """Reduce a window of a series for drawing, see ``SeriesRing.minmax_columns``."""
        return self.calibration(key).columns(self.ring(key).minmax_columns(start_time, end_time, columns))

    def stats(
        self, key: SeriesKey | tuple[str, str], start_time: float = -np.inf, end_time: float = np.inf
    ) -> SeriesStats:
        """Return the figures of the samples in ``[start_time, end_time)``.

        Raises:
            UnknownSeriesError: there is no such series.
        """
        times, values, _ = self.snapshot(key, start_time, end_time)
        return stats_of(times, values)

    @property
    def markers(self) -> list[Marker]:
        """The newest markers (at most ``MAX_MARKERS``) in the order in which they were set."""
        with self._lock:
            return list(self._markers)

    def add_marker(
        self, text: str, kind: str = "action", *, marker_time: float | None = None, source_id: str = ""
    ) -> Marker:
        """Set a marker at ``marker_time`` (seconds on the store's axis), now when None."""
        marker = Marker(self.now() if marker_time is None else marker_time, text, kind, source_id)
        with self._lock:
            self._markers.append(marker)
            self._generation += 1
        tap = self.tap
        if tap is not None:
            tap.marker_set(asdict(marker))
        return marker

    def clear(self, source_id: str | None = None) -> None:
        """Forget the series and markers of a source, or everything when None."""
        with self._lock:
            gone = list(self._sources) if source_id is None else [source_id]
            for labels in (self._sources.pop(name, {}) for name in gone):
                for series in labels.values():
                    series.ring.release()
            if source_id is None:
                self._markers.clear()
            else:
                kept = [marker for marker in self._markers if marker.source_id != source_id]
                self._markers = deque(kept, maxlen=MAX_MARKERS)
            self._generation += 1

    def memory_bytes(self) -> int:
        """Return the memory that all rings hold now, in bytes."""
        with self._lock:
            return sum(
                series.ring.memory_bytes for labels in self._sources.values() for series in labels.values()
            )

    def export_csv(
        self,
        target: Path | str | TextIO,
        start_time: float = -np.inf,
        end_time: float = np.inf,
        series: list[SeriesKey] | None = None,
        *,
        options: ExportOptions | None = None,
        watch: Watch | None = None,
    ) -> int:
        """Write samples in ``[start_time, end_time)`` as CSV, see ``export`` for the forms.

        Args:
            target: a path, written whole or not at all, or an open text file.
            start_time: seconds.
            end_time: seconds.
            series: which, in which order; all when None.
            options: form, separators and time format.
            watch: told of the progress.

        Returns:
            How many rows were written below the header.

        Raises:
            UnknownSeriesError: a named series is not there.
            TelemetryExportError: the file could not be written.
        """
        chosen = self._chosen(start_time, end_time, series)
        chosen_options = options or ExportOptions()
        if isinstance(target, Path | str):
            return write_csv_file(Path(target), chosen, chosen_options, self.started_wall, watch)
        return write_csv(target, chosen, chosen_options, self.started_wall, watch)

    def export_parquet(
        self,
        target: Path | str,
        start_time: float = -np.inf,
        end_time: float = np.inf,
        series: list[SeriesKey] | None = None,
        *,
        watch: Watch | None = None,
    ) -> int:
        """Write samples in ``[start_time, end_time)`` as Parquet, see ``export_parquet``.

        Args:
            target: a path, written whole or not at all.
            start_time: seconds.
            end_time: seconds.
            series: which; all when None.
            watch: told of the progress.

        Returns:
            How many rows were written.

        Raises:
            UnknownSeriesError: a named series is not there.
            TelemetryExportError: the file could not be written, or the extra is not installed.
        """
        chosen = self._chosen(start_time, end_time, series)
        return write_parquet_file(Path(target), chosen, self.started_wall, watch)

    def _chosen(
        self, start_time: float, end_time: float, series: list[SeriesKey] | None
    ) -> list[ExportSeries]:
        keys = [info.key for info in self.series()] if series is None else series
        return [
            ExportSeries(key[0], key[1], self.unit(key), self.snapshot(key, start_time, end_time))
            for key in keys
        ]


def _describe(key: SeriesKey, series: _Series, calibration: Calibration) -> SeriesInfo:
    last = series.ring.last()
    return SeriesInfo(
        key,
        calibration.unit or series.unit,
        series.ring.count,
        series.ring.retained,
        None if last is None else last[0],
        None if last is None else calibration.value(last[1]),
    )
