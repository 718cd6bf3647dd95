"""A recording is read as if it came from the boards now, through the same readers, into a store of its own.

The store's clock is the position in the recording, so that a plot that follows ``now`` follows the replay at
any speed, and its samples stand where they stood when they were recorded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from zeroclaw_desktop.hardware.telemetry.byte_tap import SourceReading
from zeroclaw_desktop.hardware.telemetry.errors import RecordingError, TelemetryError, TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.frame_description import parse_description
from zeroclaw_desktop.hardware.telemetry.frame_ingest import FrameIngest
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.line_times import TimeBase
from zeroclaw_desktop.hardware.telemetry.recording_file import (
    DATA,
    END,
    MARKER,
    REOPENED,
    SOURCE,
    START,
    Entry,
    RecordingReader,
)
from zeroclaw_desktop.hardware.telemetry.store import DEFAULT_MAX_SAMPLES, TelemetryStore

MAX_TURN_BYTES = 1 << 20
TURN_SECONDS = 0.015
"""Time that one turn of a player may take, so that the window goes on."""
Ingest = TelemetryIngest | FrameIngest
ConsoleLines = Callable[[str, Sequence[bytes], float], None]


def ingest_of(
    reading: SourceReading,
    store: TelemetryStore,
    on_console_lines: Callable[[Sequence[bytes], float], None] | None = None,
) -> Ingest:
    """Return a reader that goes on where ``reading`` stands.

    Raises:
        TelemetryError: the description of frames or the time base is not usable.
    """
    base = TimeBase(reading.time_base, reading.rate)  # type: ignore[arg-type]  # it checks
    if reading.kind == "frames":
        frames = FrameIngest(reading.source_id, store, parse_description(reading.description), time_base=base)
        frames.resume(reading)
        return frames
    lines = TelemetryIngest(
        reading.source_id, store, on_console_lines, encoding=reading.encoding, time_base=base
    )
    lines.resume(reading)
    return lines


class Replay:
    """A recording opened for replaying.

    Args:
        path: the file.
        max_samples: see ``TelemetryStore``.
        on_console_lines: called with source, lines and time in seconds, as they come.

    Attributes:
        path: the file.
        store: holds the series up to ``position``; another one after going back.
        start: time of the first entry in seconds on the store's axis.
        end: time of the last.
        position: everything up to here was read.
        recorded: the counters that the recorder wrote at its end; empty when it did not get there.

    Raises:
        RecordingError: the file is no recording or cannot be read.
    """

    def __init__(
        self,
        path: Path,
        *,
        max_samples: int = DEFAULT_MAX_SAMPLES,
        on_console_lines: ConsoleLines | None = None,
    ) -> None:
        self.path = path
        self._reader = RecordingReader(path)
        self._max_samples = max_samples
        self._on_console_lines = on_console_lines
        self.start, self.end = self._reader.span()
        self.recorded: dict[str, Any] = {}
        self._rewind()

    def _rewind(self) -> None:
        self.position = 0.0
        started = next((entry.row() for entry in self._reader.entries() if entry.kind == START), {})
        wall = started.get("started_wall", 0.0)
        self.store = TelemetryStore(
            self._max_samples,
            clock=lambda: self.position,
            wall_clock=lambda: float(wall) if isinstance(wall, int | float) else 0.0,
        )
        self.position = self.start
        self._ingests: dict[int, Ingest] = {}
        self._entries: Iterator[Entry] = self._reader.entries()
        self._next: Entry | None = next(self._entries, None)

    @property
    def damaged_bytes(self) -> int:
        """Bytes of the file so far that are in no whole block."""
        return self._reader.damaged_bytes

    @property
    def at_end(self) -> bool:
        """Whether everything was read."""
        return self._next is None

    def sources(self) -> dict[str, Any]:
        """Return the counters of each source by its id."""
        return {ingest.source_id: ingest.counters for ingest in self._ingests.values()}

    def advance_to(
        self, position: float, max_bytes: int | None = None, until: Callable[[], bool] = lambda: False
    ) -> bool:
        """Read on.

        Args:
            position: seconds on the store's axis.
            max_bytes: stop after about so many bytes, so that nobody waits long; None for no bound.
            until: stop when it says so, asked after each entry.

        Returns:
            Whether everything up to ``position`` was read.
        """
        read = 0
        while self._next is not None and self._next.time <= position:
            entry = self._next
            self.position = max(self.position, entry.time)
            self._take(entry)
            self._next = next(self._entries, None)
            read += len(entry.content) if entry.kind == DATA else 0
            if (max_bytes is not None and read >= max_bytes) or until():
                return False
        self.position = max(self.position, min(position, self.end))
        return True

    def seek(self, position: float) -> None:
        """Go to a position with exactly the series that a replay from the start has there.

        Going back reads from the start again; the store is then another one.
        """
        self.go_back_for(position)
        self.advance_to(position)

    def go_back_for(self, position: float) -> None:
        """Begin again when ``position`` lies before the present one."""
        if position < self.position:
            self._rewind()

    def _take(self, entry: Entry) -> None:
        if entry.kind == DATA and entry.source in self._ingests:
            self._ingests[entry.source].feed(entry.content, entry.time)
        elif entry.kind == REOPENED and entry.source in self._ingests:
            self._ingests[entry.source].reopened()
        elif entry.kind == SOURCE:
            self._ingests[entry.source] = self._ingest(entry)
        elif entry.kind == MARKER:
            row = entry.row()
            # A restart of a clock is found anew by the reader.
            if row.get("kind") != "reset":
                self.store.add_marker(
                    str(row.get("text", "")),
                    str(row.get("kind", "")),
                    marker_time=float(row.get("time", entry.time)),
                    source_id=str(row.get("source_id", "")),
                )
        elif entry.kind == END:
            self.recorded = entry.row()

    def _ingest(self, entry: Entry) -> Ingest:
        try:
            reading = SourceReading.from_row(entry.row())
            source_id, shown = reading.source_id, self._on_console_lines
            tell = None if shown is None else lambda lines, when: shown(source_id, lines, when)
            return ingest_of(reading, self.store, tell)
        except (TelemetryError, ValueError, TypeError, KeyError) as error:
            raise RecordingError(f"A source of the recording cannot be read: {error}") from error


class ReplayPlayer:
    """Plays a recording in time; somebody calls ``tick`` at frame rate.

    Args:
        replay: from its position on.
        speed: recorded seconds per second.
        clock: monotonic seconds.

    Raises:
        TelemetrySettingError: the speed is not positive.
    """

    def __init__(
        self, replay: Replay, *, speed: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.replay = replay
        self._clock = clock
        self._playing = False
        self._origin = (clock(), replay.position)
        self._goal: float | None = None
        self._speed = 1.0
        self.speed = speed

    @property
    def speed(self) -> float:
        """Recorded seconds per second."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        if not 0 < speed < float("inf"):
            raise TelemetrySettingError(f"A speed of {speed} cannot be played.", details={"value": speed})
        self._origin = (self._clock(), self._wanted())
        self._speed = speed

    @property
    def playing(self) -> bool:
        """Whether time goes on."""
        return self._playing and not self.replay.at_end

    @property
    def goal(self) -> float | None:
        """Position in seconds that ``go_to`` is on its way to; None when it is there."""
        return self._goal

    @property
    def busy(self) -> bool:
        """Whether ``tick`` has something to do."""
        return self.playing or self._goal is not None

    def _wanted(self) -> float:
        began, position = self._origin
        return position + (self._clock() - began) * self._speed if self._playing else self.replay.position

    def play(self) -> None:
        """Go on from the present position."""
        self._origin = (self._clock(), self.replay.position)
        self._playing = True

    def pause(self) -> None:
        """Stand still."""
        self._playing = False

    def seek(self, position: float) -> None:
        """Go to a position in seconds; playing goes on from there."""
        self._goal = None
        self.replay.seek(position)
        self._origin = (self._clock(), self.replay.position)

    def go_to(self, position: float) -> None:
        """Go to a position like ``seek``, but in turns of ``tick``: a long recording takes its time."""
        self.replay.go_back_for(position)
        self._goal = position
        self.tick()

    def _advance(self, position: float, max_bytes: int) -> bool:
        end = self._clock() + TURN_SECONDS
        return self.replay.advance_to(position, max_bytes, lambda: self._clock() > end)

    def tick(self, max_bytes: int = MAX_TURN_BYTES) -> bool:
        """Read what is due, at most about ``max_bytes``; returns whether there will be more."""
        if self._goal is not None:
            if self._advance(self._goal, max_bytes) or self.replay.at_end:
                self._goal = None
            self._origin = (self._clock(), self.replay.position)
        elif self._playing and not self._advance(self._wanted(), max_bytes):
            # The machine is slower than the wanted speed: go on from here instead of falling behind more.
            self._origin = (self._clock(), self.replay.position)
        return not self.replay.at_end
