"""A serial port that is only listened to: a board with a sketch of its own, which speaks no protocol."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.errors import PortError
from zeroclaw_desktop.hardware.serial_worker import SerialWorker
from zeroclaw_desktop.hardware.telemetry.byte_tap import SourceReading
from zeroclaw_desktop.hardware.telemetry.replay import ingest_of
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortHandle, PortSettings, open_port

ConsoleLines = Callable[[Sequence[bytes], float], None]


def port_reading(port: str, encoding: str, description: str, line_rate: float) -> SourceReading:
    """Return how a port is read from its opening on.

    Args:
        port: names the source.
        encoding: of lines.
        description: text of the description of binary frames, empty for lines.
        line_rate: lines a second, for times at equal distances; 0 for the clock of the board or arrival.
    """
    return SourceReading(
        port,
        "frames" if description else "lines",
        encoding,
        "index" if line_rate else "device",
        line_rate or 1.0,
        description,
        synchronised=False,
    )


class PortLines:
    """Reads one port until it is told to stop or the port vanishes.

    Args:
        store: where samples go.
        port: path or URL.
        settings: how to open it.
        reading: name of the source, lines or frames, encoding, time base.
        on_console_lines: see ``TelemetryIngest``; for lines only.
        open_handle: opens the port; ``open_port`` unless a test has its own.

    Attributes:
        ingest: the reader, with its counters.
        fault: why it ended by itself; None while it goes on.

    Raises:
        TelemetryError: the reading is not possible.
    """

    def __init__(
        self,
        store: TelemetryStore,
        port: str,
        settings: PortSettings,
        reading: SourceReading,
        on_console_lines: ConsoleLines | None = None,
        open_handle: Callable[[str, PortSettings], PortHandle] = open_port,
    ) -> None:
        self.ingest = ingest_of(reading, store, on_console_lines)
        self.fault: ZeroClawError | None = None
        self._port = port
        self._open = lambda: open_handle(port, settings)
        self._opened = threading.Event()
        self._ended = threading.Event()
        self._earlier_bytes = 0
        self._worker = self._make_worker()

    def _make_worker(self) -> SerialWorker:
        return SerialWorker(
            self._port,
            self._open,
            on_opened=self._opened.set,
            on_bytes=self._came,
            on_closed=self._closed,
        )

    @property
    def bytes_read(self) -> int:
        """Bytes that came through the port, counted where they leave it."""
        return self._earlier_bytes + self._worker.counters.bytes_read

    @property
    def listening(self) -> bool:
        """Whether the port is open; a port that brings nothing for hours is."""
        return self._opened.is_set() and not self._ended.is_set()

    def start(self, seconds: float = 10.0) -> None:
        """Open the port, also once more after it ended; returns when it is open.

        Raises:
            ZeroClawError: it could not be opened in that time.
        """
        if self._ended.is_set():
            self._earlier_bytes = self.bytes_read
            self._opened.clear()
            self._ended.clear()
            self.fault = None
            self.ingest.reopened()
            self._worker = self._make_worker()
        self._worker.start()
        self._opened.wait(seconds)
        if not self._opened.is_set() or (self._ended.is_set() and self.fault is not None):
            self.stop()
            raise self.fault or PortError("The port did not open in time.", code="port_failed")

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the port; returns whether it came."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Let go of the port."""
        self._worker.stop()
        self._worker.join()

    def _came(self, data: bytes, when: float) -> None:
        self.ingest.feed(data, when)

    def _closed(self, error: ZeroClawError | None) -> None:
        self.fault = error
        self._ended.set()
        self._opened.set()
