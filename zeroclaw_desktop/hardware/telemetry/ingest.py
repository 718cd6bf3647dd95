"""Bytes of one port go in; samples go to the store, lines to the console, protocol lines to the session.

Runs in the thread that owns the port; it has no thread of its own and never raises for what a board sends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.telemetry.device_clock import DeviceClock
from zeroclaw_desktop.hardware.telemetry.line_parser import TelemetryParser
from zeroclaw_desktop.hardware.telemetry.line_pattern import LinePattern, SeenExpressions, pattern_after
from zeroclaw_desktop.hardware.telemetry.lines import DEFAULT_MAX_LENGTH, LineCounters, LineSplitter
from zeroclaw_desktop.hardware.telemetry.sample import Sample
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

# Lines of one read without a device time are spread over the time since the last read, but not further than
# this: a longer pause was silence, not slow arrival.
MAX_SPREAD = 0.05
MAX_UNIT = 24

ConsoleLines = Callable[[Sequence[bytes], float], None]


class _SeriesBatch:
    """New samples of one series."""

    __slots__ = ("times", "unit", "values")

    def __init__(self) -> None:
        self.times: list[float] = []
        self.values: list[float] = []
        self.unit = ""


class TelemetryIngest:
    """Reader of one port.

    Args:
        source_id: name of the port or board in the store.
        store: where samples go.
        on_console_lines: called once for each read that completed lines, with all of them (protocol lines,
            dropped first part and cut lines too) and the host time; None when nobody looks.
        max_length: see ``LineSplitter``.
        encoding: see ``TelemetryParser``.
        use_patterns: skip the parser for lines that repeat the last pattern; off only to check that it does
            not change the outcome.

    Attributes:
        counters: what came so far.
        parser: its hints (``missing_prefix_lines``).
    """

    def __init__(
        self,
        source_id: str,
        store: TelemetryStore,
        on_console_lines: ConsoleLines | None = None,
        *,
        max_length: int = DEFAULT_MAX_LENGTH,
        encoding: str = "utf-8",
        use_patterns: bool = True,
    ) -> None:
        self.source_id = source_id
        self.counters = LineCounters()
        self.parser = TelemetryParser(encoding)
        self._store = store
        self._on_console_lines = on_console_lines
        self._splitter = LineSplitter(max_length, counters=self.counters)
        self._clock = DeviceClock()
        self._use_patterns = use_patterns
        self._pattern: LinePattern | None = None
        self._seen = SeenExpressions()
        self._last_host_time: float | None = None
        self._batch: dict[str, _SeriesBatch] = {}

    @property
    def pending(self) -> bytes:
        """The unfinished line, for a console that shows prompts."""
        return self._splitter.pending

    def reopened(self) -> None:
        """Start anew: after an opening the next line may be partial and the board may have restarted."""
        self._splitter.reset()
        self.parser.reset()
        self._clock.restart()
        self._pattern = None
        self._last_host_time = None

    def feed(self, data: bytes, host_time: float) -> list[bytes]:
        """Take the bytes of one read.

        Args:
            data: as they came.
            host_time: monotonic clock of the host in seconds when they came.

        Returns:
            Protocol lines (replies and events other than telemetry) in order, for the session.
        """
        lines, cut, partial = self._splitter.feed(data)
        if partial:
            self._show([partial], host_time)
        if not lines:
            return []
        times = self._line_times(len(lines), host_time)
        protocol: list[bytes] = []
        position = 0
        while position < len(lines):
            repeated = self._repeat_pattern(lines, position, cut, times)
            position += repeated
            if position < len(lines) and not repeated:
                line = lines[position]
                if position in cut:
                    self.counters.text_lines += 1
                    self._pattern = None
                elif self._read_line(line, times[position]):
                    protocol.append(line)
                position += 1
        self._last_host_time = host_time
        self._store_batch()
        self._show(lines, host_time)
        return protocol

    def _show(self, lines: Sequence[bytes], host_time: float) -> None:
        if self._on_console_lines is not None:
            self._on_console_lines(lines, host_time)

    def _line_times(self, count: int, host_time: float) -> list[float]:
        now = self._store.to_store_time(host_time)
        passed = 0.0 if self._last_host_time is None else host_time - self._last_host_time
        step = max(0.0, min(passed, MAX_SPREAD)) / count
        return [now - step * (count - 1 - number) for number in range(count)]

    def _read_line(self, line: bytes, line_time: float) -> bool:
        """Send one line through the parser; True when the session must see it."""
        parsed = self.parser.feed_line(line)
        self.counters.non_utf8 = self.parser.non_text_lines
        self._pattern = (
            pattern_after(line, parsed, self.parser.encoding, self._seen) if self._use_patterns else None
        )
        if parsed is None:
            self.counters.text_lines += 1
            return False
        if parsed.event == "boot":
            self._clock.restart()
        for sample in parsed.samples:
            self._add(sample, line_time)
        if parsed.is_protocol:
            self.counters.protocol_lines += 1
        else:
            self.counters.telemetry_lines += 1
        return parsed.is_protocol

    def _add(self, sample: Sample, line_time: float) -> None:
        series = self._series(sample.label)
        if sample.device_time_ms is None:
            series.times.append(line_time)
        else:
            series.times.append(self._device_time(sample.device_time_ms, line_time))
        series.values.append(sample.value)
        if sample.unit:
            series.unit = sample.unit

    def _device_time(self, device_time_ms: float, line_time: float) -> float:
        segments = self._clock.segments
        mapped = self._clock.to_host(device_time_ms, line_time)
        if segments and self._clock.segments > segments:
            self._store.add_marker(
                "clock of the board restarted", "reset", marker_time=mapped, source_id=self.source_id
            )
        return mapped

    def _series(self, label: str) -> _SeriesBatch:
        if not label.isprintable():
            label = visible(label)
        series = self._batch.get(label)
        if series is None:
            series = self._batch[label] = _SeriesBatch()
        return series

    def _repeat_pattern(
        self, lines: list[bytes], position: int, cut: frozenset[int], times: list[float]
    ) -> int:
        """Read lines from ``position`` on while they match the pattern; returns how many did."""
        pattern = self._pattern
        if pattern is None:
            return 0
        end = min((index for index in cut if index >= position), default=len(lines))
        match = pattern.expression.fullmatch
        rows: list[tuple[bytes, ...]] = []
        for index in range(position, end):
            found = match(lines[index])
            if found is None:
                break
            rows.append(found.groups())
        if not rows:
            return 0
        self.counters.telemetry_lines += len(rows)
        row_times = times[position : position + len(rows)]
        if pattern.labels is None:
            self._add_named_rows(rows, row_times)
            return len(rows)
        for column, (label, unit) in zip(zip(*rows, strict=True), pattern.labels, strict=True):
            series = self._series(label)
            series.values.extend(map(float, column))
            series.times.extend(row_times)
            series.unit = unit or series.unit
        return len(rows)

    def _add_named_rows(self, rows: list[tuple[bytes, ...]], row_times: list[float]) -> None:
        for (label, value, *device_time), line_time in zip(rows, row_times, strict=True):
            series = self._series(label.decode("ascii"))
            series.values.append(float(value))
            mapped = self._device_time(float(device_time[0]), line_time) if device_time else line_time
            series.times.append(mapped)

    def _store_batch(self) -> None:
        for label, series in self._batch.items():
            self.counters.samples += len(series.values)
            self._store.append(
                self.source_id, label, series.times, series.values, visible(series.unit, MAX_UNIT)
            )
        self._batch = {}
