"""Binary frames of one port become samples: the counterpart of ``TelemetryIngest``."""

from __future__ import annotations

import numpy as np

from zeroclaw_desktop.hardware.telemetry.byte_tap import SourceReading
from zeroclaw_desktop.hardware.telemetry.device_clock import DeviceClock
from zeroclaw_desktop.hardware.telemetry.frame_description import FrameDescription, FrameField
from zeroclaw_desktop.hardware.telemetry.frame_splitter import FrameCounters, FrameSplitter
from zeroclaw_desktop.hardware.telemetry.line_times import LineTimes, TimeBase
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore


class FrameIngest:
    """Reader of a port that sends frames.

    Args:
        source_id: name of the port or board in the store.
        store: where samples go.
        description: what the frames look like.
        time_base: where the times of samples come from; a frame counts as a line.

    Attributes:
        counters: what came so far.
    """

    def __init__(
        self,
        source_id: str,
        store: TelemetryStore,
        description: FrameDescription,
        *,
        time_base: TimeBase | None = None,
    ) -> None:
        self.source_id = source_id
        self.counters = FrameCounters()
        self._store = store
        self._description = description
        self._splitter = FrameSplitter(description, self.counters)
        self._times = LineTimes(time_base or TimeBase())
        self._clock = DeviceClock()
        clock = (description.clock,) if description.clock is not None else ()
        fields = (*description.fields, *clock)
        self._type = np.dtype(
            {
                "names": [f"f{number}" for number in range(len(fields))],
                "formats": [field.numpy_type for field in fields],
                "offsets": [field.position for field in fields],
                "itemsize": description.size,
            }
        )

    @property
    def pending(self) -> int:
        """Bytes of an unfinished frame."""
        return len(self._splitter.pending)

    def reading(self) -> SourceReading:
        """How this source is read and where its reader stands."""
        base = self._times.base
        return SourceReading(
            self.source_id,
            "frames",
            time_base=base.kind,
            rate=base.rate,
            description=self._description.text,
            pending=self._splitter.pending,
        )

    def resume(self, reading: SourceReading) -> None:
        """Go on where another reader stood."""
        self._splitter.resume(reading.pending)

    def reopened(self) -> None:
        """Start anew: after an opening the next frame may be partial and the board may have restarted."""
        tap = self._store.tap
        if tap is not None and tap.knows(self.source_id):
            tap.reopened(self.source_id)
        self._splitter.reset()
        self._clock.restart()
        self._times.restart()

    def feed(self, data: bytes, host_time: float) -> list[bytes]:
        """Take the bytes of one read.

        Args:
            data: as they came.
            host_time: monotonic clock of the host in seconds when they came.

        Returns:
            Nothing: there are no protocol lines among frames.
        """
        tap = self._store.tap
        if tap is not None:
            if not tap.knows(self.source_id):
                tap.source_changed(self.reading())
            tap.bytes_came(self.source_id, data, host_time)
        frames = self._splitter.feed(data)
        if not frames:
            return []
        table = np.frombuffer(b"".join(frames), self._type)
        times = self._times.of_read(len(frames), self._store.to_store_time(host_time))
        description = self._description
        if description.clock is not None and self._times.base.kind == "device":
            device_ms = _scaled(table[f"f{len(description.fields)}"], description.clock)
            times = self._clock.to_host_block(np.nan_to_num(device_ms), times)
        for number, field in enumerate(description.fields):
            values = _scaled(table[f"f{number}"], field)
            self.counters.samples += len(values)
            self._store.append(self.source_id, field.name, times, values, field.unit)
        return []


def _scaled(raw: np.ndarray, field: FrameField) -> np.ndarray:
    with np.errstate(over="ignore", invalid="ignore"):
        return raw.astype(np.float64) * field.scale + field.offset
