"""Records what comes from all sources to a file, as bytes, while it is read and plotted.

The threads of the ports only add to a buffer; a thread of the recorder's own writes it to disk a few times a
second. Where the disk is slower than the ports, the buffer grows to its bound and what does not fit is
counted as dropped, and the recording says so at its end.
"""

from __future__ import annotations

import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.hardware.telemetry.byte_tap import SourceReading
from zeroclaw_desktop.hardware.telemetry.errors import RecordingError, TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.recording_file import (
    DATA,
    END,
    MARKER,
    REOPENED,
    SOURCE,
    START,
    Entry,
    RecordingWriter,
    pack_entry,
    pack_row,
)
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

WRITE_SECONDS = 0.25
DISK_SECONDS = 1.0
BLOCK_BYTES = 256 * 1024
DEFAULT_BOUND = 32 * 1024 * 1024


@dataclass(slots=True)
class RecordingCounters:
    """Every byte that came while recording is counted once: ``bytes = recorded_bytes + dropped_bytes`` at the
    end.

    Attributes:
        bytes: bytes of all sources.
        recorded_bytes: of these, in blocks on disk.
        dropped_bytes: of these, lost because the disk was too slow or refused.
        reads: reads that they came in.
        blocks: blocks written.
        file_bytes: size of the file.
    """

    bytes: int = 0
    recorded_bytes: int = 0
    dropped_bytes: int = 0
    reads: int = 0
    blocks: int = 0
    file_bytes: int = 0


class Recorder:
    """A recording that is being made; implements ``ByteTap``.

    Args:
        path: new file.
        store: whose sources are recorded, from now on until ``stop``.
        bound: memory in bytes that may wait for the disk.

    Attributes:
        counters: what happened so far.
        fault: why the recording ended by itself; None while it goes on.

    Raises:
        RecordingError: the file cannot be made.
        TelemetrySettingError: the bound is not positive, or the store is being recorded already.
    """

    def __init__(self, path: Path, store: TelemetryStore, *, bound: int = DEFAULT_BOUND) -> None:
        if bound < 1:
            raise TelemetrySettingError(f"A recording needs some memory, not {bound} bytes.")
        if store.tap is not None:
            raise TelemetrySettingError("A recording is going on already.", hint="End it first.")
        self.path = path
        self.counters = RecordingCounters()
        self.fault: RecordingError | None = None
        self._store = store
        self._bound = bound
        self._writer = RecordingWriter(path)
        self._guard = threading.Lock()
        self._sources: dict[str, int] = {}
        self._buffer = bytearray()
        self._waiting = 0
        self._first = self._last = store.now()
        self._began = time.monotonic()
        self._wake = threading.Event()
        self._stopping = False
        self._add(pack_row(START, 0, self._last, {"started_wall": store.started_wall}), self._last)
        self._thread = threading.Thread(target=self._main, name="recorder", daemon=True)
        self._thread.start()
        store.tap = self

    @property
    def seconds(self) -> float:
        """Time since it began."""
        return time.monotonic() - self._began

    @property
    def recording(self) -> bool:
        """Whether it still goes on."""
        return self.fault is None and not self._stopping

    def knows(self, source_id: str) -> bool:
        """See ``ByteTap``."""
        return source_id in self._sources

    def source_changed(self, reading: SourceReading) -> None:
        """See ``ByteTap``."""
        with self._guard:
            number = self._sources.setdefault(reading.source_id, len(self._sources) + 1)
        now = self._store.now()
        self._add(pack_row(SOURCE, number, now, reading.to_row()), now)

    def bytes_came(self, source_id: str, data: bytes, host_time: float) -> None:
        """See ``ByteTap``."""
        when = self._store.to_store_time(host_time)
        entry = pack_entry(Entry(DATA, self._sources[source_id], when, data))
        self._add(entry, when, len(data))

    def reopened(self, source_id: str) -> None:
        """See ``ByteTap``."""
        now = self._store.now()
        self._add(pack_entry(Entry(REOPENED, self._sources[source_id], now, b"")), now)

    def marker_set(self, row: dict[str, Any]) -> None:
        """See ``ByteTap``."""
        self._add(pack_row(MARKER, 0, self._store.now(), row), self._store.now())

    def stop(self) -> RecordingCounters:
        """End the recording, with all that came in the file; returns the final counters.

        The last entry tells the counters, so that a reader knows whether anything was dropped.
        """
        if self._store.tap is self:
            self._store.tap = None
        with self._guard:
            self._stopping = True
        self._wake.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()
        return self.counters

    def _add(self, entry: bytes, when: float, size: int = 0) -> None:
        with self._guard:
            self.counters.bytes += size
            self.counters.reads += size > 0
            if self.fault is not None or self._stopping or len(self._buffer) + len(entry) > self._bound:
                self.counters.dropped_bytes += size
                return
            if not self._buffer:
                self._first = self._last = when
            self._first, self._last = min(self._first, when), max(self._last, when)
            self._buffer += entry
            self._waiting += size
            full = len(self._buffer) >= BLOCK_BYTES
        if full:
            self._wake.set()

    def _main(self) -> None:
        synchronised = time.monotonic()
        while self.fault is None:
            self._wake.wait(WRITE_SECONDS)
            self._wake.clear()
            stopping = self._stopping
            self._write_buffer()
            now = time.monotonic()
            if now - synchronised >= DISK_SECONDS:
                self._writer.to_disk()
                synchronised = now
            if stopping:
                self._write_end()
                break
        self._writer.to_disk()
        self._writer.close()

    def _write_buffer(self) -> None:
        with self._guard:
            entries, self._buffer = bytes(self._buffer), bytearray()
            size, self._waiting = self._waiting, 0
            first, last = self._first, self._last
        if not entries:
            return
        try:
            self._writer.write_block(entries, first, last)
        except RecordingError as error:
            with self._guard:
                self.fault = error
                self.counters.dropped_bytes += size
            return
        self.counters.recorded_bytes += size
        self.counters.blocks += 1
        self.counters.file_bytes = self._writer.bytes_written

    def _write_end(self) -> None:
        now = self._store.now()
        try:
            self._writer.write_block(pack_row(END, 0, now, asdict(self.counters)), now, now)
        except RecordingError as error:
            self.fault = error
        self.counters.file_bytes = self._writer.bytes_written
