"""Bytes of one port go in; samples go to the store, lines to the console, protocol lines to the session.

Runs in the thread that owns the port; it has no thread of its own and never raises for what a board sends.
Three ways lead to the same samples: the parser reads any line; a regular expression reads lines like the last
one; and where many lines repeat a known layout, ``BlockReader`` reads all of them at once. Each hands over to
the parser at the first line that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.block_samples import add_records
from zeroclaw_desktop.hardware.telemetry.byte_tap import SourceReading
from zeroclaw_desktop.hardware.telemetry.device_clock import DeviceClock
from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.layout_cycle import LayoutCycle
from zeroclaw_desktop.hardware.telemetry.line_layout import LineLayout, layout_of
from zeroclaw_desktop.hardware.telemetry.line_parser import ENCODINGS, TelemetryParser
from zeroclaw_desktop.hardware.telemetry.line_pattern import LinePattern, SeenExpressions, pattern_after
from zeroclaw_desktop.hardware.telemetry.line_times import LineTimes, TimeBase
from zeroclaw_desktop.hardware.telemetry.lines import (
    DEFAULT_MAX_LENGTH,
    LineBlock,
    LineCounters,
    LineSplitter,
)
from zeroclaw_desktop.hardware.telemetry.sample import Sample
from zeroclaw_desktop.hardware.telemetry.series_batch import SeriesBatch
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

MIN_LINES = 48
"""From so many lines on reading them as a block costs less than reading each."""

ConsoleLines = Callable[[Sequence[bytes], float], None]
TimeArray = NDArray[np.float64]
_NEVER_CUT: frozenset[int] = frozenset()


class TelemetryIngest:
    """Reader of one port.

    Args:
        source_id: name of the port or board in the store.
        store: where samples go.
        on_console_lines: called once for each read that completed lines, with all of them (protocol lines,
            dropped first part and cut lines too) and the host time; None when nobody looks. The sequence may
            make its lines only when they are asked for.
        max_length: see ``LineSplitter``.
        encoding: see ``TelemetryParser``.
        time_base: where the times of samples come from.
        use_patterns: skip the parser for lines that repeat the last pattern, and read blocks of lines at
            once; off only to check that it does not change the outcome.

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
        time_base: TimeBase | None = None,
        use_patterns: bool = True,
    ) -> None:
        self.source_id = source_id
        self.counters = LineCounters()
        self.parser = TelemetryParser(encoding)
        self._store = store
        self._on_console_lines = on_console_lines
        self._splitter = LineSplitter(max_length, counters=self.counters)
        self._clock = DeviceClock()
        self._times = LineTimes(time_base or TimeBase())
        self._use_patterns = use_patterns
        self._pattern: LinePattern | None = None
        self._seen = SeenExpressions()
        self._cycle = LayoutCycle(max_length)
        self._batch = SeriesBatch()
        self._chosen: tuple[str | None, TimeBase | None] | None = None

    @property
    def pending(self) -> bytes:
        """The unfinished line, for a console that shows prompts."""
        return self._splitter.pending

    @property
    def unfinished(self) -> tuple[bytes, int]:
        """The last bytes of the unfinished line, and its length so far, however long; any thread."""
        return self._splitter.unfinished

    def reopened(self) -> None:
        """Start anew: after an opening the next line may be partial and the board may have restarted."""
        tap = self._store.tap
        if tap is not None and tap.knows(self.source_id):
            tap.reopened(self.source_id)
        self._splitter.reset()
        self.parser.reset()
        self._clock.restart()
        self._times.restart()
        self._forget_layouts()

    def choose(self, *, encoding: str | None = None, time_base: TimeBase | None = None) -> None:
        """Read what comes from now on with another encoding or time base; None leaves it. Any thread.

        Raises:
            TelemetrySettingError: the encoding is none of ``ENCODINGS``.
        """
        if encoding is not None and encoding not in ENCODINGS:
            raise TelemetrySettingError(
                f"Lines cannot be read as '{encoding}'.", hint=f"Choose one of {', '.join(ENCODINGS)}."
            )
        before = self._chosen or (None, None)
        self._chosen = (encoding or before[0], time_base or before[1])

    @property
    def chosen(self) -> tuple[str, TimeBase]:
        """Encoding and time base of what comes next: as they are, or as they were chosen last."""
        encoding, base = self._chosen or (None, None)
        return encoding or self.parser.encoding, base or self._times.base

    def _take_choice(self) -> None:
        chosen, self._chosen = self._chosen, None
        if chosen is None:
            return
        encoding, time_base = chosen
        if encoding is not None and encoding != self.parser.encoding:
            self.parser.encoding = encoding
            self._forget_layouts()
        if time_base is not None and time_base != self._times.base:
            self._times = LineTimes(time_base)
        tap = self._store.tap
        if tap is not None and tap.knows(self.source_id):
            tap.source_changed(self.reading())

    def reading(self) -> SourceReading:
        """How this source is read and where its reader stands."""
        header = self.parser.header
        return SourceReading(
            self.source_id,
            "lines",
            self.parser.encoding,
            self._times.base.kind,
            self._times.base.rate,
            pending=self._splitter.pending,
            synchronised=self._splitter.synchronised,
            header=None if header is None else tuple(header),
        )

    def resume(self, reading: SourceReading) -> None:
        """Go on where another reader stood."""
        self.parser.header = None if reading.header is None else list(reading.header)
        self._splitter.resume(reading.pending, synchronised=reading.synchronised)

    def _record(self, data: bytes, host_time: float) -> None:
        tap = self._store.tap
        if tap is not None:
            if not tap.knows(self.source_id):
                tap.source_changed(self.reading())
            tap.bytes_came(self.source_id, data, host_time)

    def _forget_layouts(self) -> None:
        self._pattern = None
        self._cycle = LayoutCycle(self._splitter.max_length)

    def feed(self, data: bytes, host_time: float) -> list[bytes]:
        """Take the bytes of one read.

        Args:
            data: as they came.
            host_time: monotonic clock of the host in seconds when they came.

        Returns:
            Protocol lines (replies and events other than telemetry) in order, for the session.
        """
        if self._chosen is not None:
            self._take_choice()
        self._record(data, host_time)
        protocol: list[bytes] = []
        block = self._splitter.feed_block(data) if self._use_patterns else None
        if block is not None:
            self._read_block(block, self._line_times(len(block), host_time), protocol)
            lines: Sequence[bytes] = block
        else:
            lines, cut, partial = self._splitter.feed(data)
            if partial:
                self._show([partial], host_time)
            if not lines:
                return []
            self._read_lines(lines, cut, self._line_times(len(lines), host_time), protocol)
        self.counters.samples += self._batch.flush(self._keep)
        self._mark_restarts()
        self._show(lines, host_time)
        return protocol

    def _keep(self, label: str, times: TimeArray, values: TimeArray, unit: str) -> None:
        self._store.append(self.source_id, label, times, values, unit)

    def _mark_restarts(self) -> None:
        for when in self._clock.restarts:
            self._store.add_marker(
                "clock of the board restarted", "reset", marker_time=when, source_id=self.source_id
            )
        self._clock.restarts.clear()

    def _show(self, lines: Sequence[bytes], host_time: float) -> None:
        if self._on_console_lines is not None:
            self._on_console_lines(lines, host_time)

    def _line_times(self, count: int, host_time: float) -> TimeArray:
        return self._times.of_read(count, self._store.to_store_time(host_time))

    # -- many lines at once -----------------------------------------------------------------------------
    def _read_block(self, block: LineBlock, times: TimeArray, protocol: list[bytes]) -> None:
        """Read lines that are still in one piece; those that do not repeat the layout go on one by one."""
        lines, size = self._read_records(block.data, times)
        if lines < len(times):
            rest = block.data[size:-1].split(b"\n")
            self._read_lines(rest, _NEVER_CUT, times[lines:], protocol, keep_phase=lines > 0)

    def _read_records(self, data: bytes, times: TimeArray) -> tuple[int, int]:
        """Read the records at the beginning of ``data``; returns how many lines and bytes they are."""
        if not self._cycle.ready or len(times) < MIN_LINES:
            return 0, 0
        reader = self._cycle.reader()
        found = reader.read(data)
        lines = found.records * reader.lines
        if lines:
            self._add_records(self._cycle.layouts(), found.values, times[:lines])
            self.counters.telemetry_lines += lines
        return lines, found.size

    def _add_records(self, layouts: Sequence[LineLayout], values: TimeArray, line_times: TimeArray) -> None:
        device_times = self._clock.to_host_block if self._times.base.kind == "device" else None
        add_records(self._batch, layouts, values, line_times, device_times)

    # -- line by line -----------------------------------------------------------------------------------
    def _read_lines(
        self,
        lines: list[bytes],
        cut: frozenset[int],
        times: TimeArray,
        protocol: list[bytes],
        *,
        keep_phase: bool = False,
    ) -> None:
        """Read lines one after the other, and as a block where enough of them repeat.

        Args:
            keep_phase: the lines are the rest of a block whose records are longer than one line: they go
                through the parser, so that it is known what the next block begins with.
        """
        self._cycle.begin_read()
        position, window = 0, MIN_LINES
        while position < len(lines):
            left = len(lines) - position
            if self._cycle.ready and left >= MIN_LINES and not cut and self._use_patterns:
                taken = self._try_records(lines[position : position + window], times[position:])
                # Twice as many after each success, so that what is looked at in vain stays a fraction.
                window = 2 * window if taken else MIN_LINES
                position += taken
                if taken:
                    continue
            elif keep_phase and self._cycle.ready:
                pass
            elif left < MIN_LINES or not self._cycle.wants_lines:
                taken = self._repeat_pattern(lines, position, cut, times)
                position += taken
                if taken:
                    self._cycle.lines_skipped()
                    continue
            line = lines[position]
            if position in cut:
                self.counters.text_lines += 1
                self._pattern = None
                self._cycle.note(None, None)
            elif self._read_line(line, float(times[position])):
                protocol.append(line)
            position += 1

    def _try_records(self, lines: list[bytes], times: TimeArray) -> int:
        return self._read_records(b"\n".join(lines) + b"\n", times[: len(lines)])[0]

    def _read_line(self, line: bytes, line_time: float) -> bool:
        """Send one line through the parser; True when the session must see it."""
        parsed = self.parser.feed_line(line)
        self.counters.non_utf8 = self.parser.non_text_lines
        if self._use_patterns:
            layout = layout_of(line, parsed, self.parser.encoding)
            self._pattern = pattern_after(parsed, layout, self._seen)
            self._cycle.note(layout, self.parser.header)
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
        sample_time = line_time
        if sample.device_time_ms is not None:
            sample_time = self._device_time(sample.device_time_ms, line_time)
        self._batch.add(sample.label, sample_time, sample.value, sample.unit)

    def _device_time(self, device_time_ms: float, line_time: float) -> float:
        if self._times.base.kind != "device":
            return line_time
        return self._clock.to_host(device_time_ms, line_time)

    def _repeat_pattern(
        self, lines: list[bytes], position: int, cut: frozenset[int], times: TimeArray
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
        if pattern.layout is None:
            self._add_named_rows(rows, row_times)
            return len(rows)
        values = np.array([[float(text) for text in row] for row in rows])
        self._add_records((pattern.layout,), values, row_times)
        return len(rows)

    def _add_named_rows(self, rows: list[tuple[bytes, ...]], row_times: TimeArray) -> None:
        for (label, value, *device_time), line_time in zip(rows, row_times.tolist(), strict=True):
            mapped = self._device_time(float(device_time[0]), line_time) if device_time else line_time
            self._batch.add(label.decode("ascii"), mapped, float(value))
