"""What the plots page shows of recordings, replays, memory and what came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zeroclaw_desktop.bridge.views import ErrorView


@dataclass(frozen=True)
class RecordingView:
    """A recording that goes on.

    Attributes:
        seconds: since it began.
        bytes: received since it began; ``recorded`` of these are on disk, ``dropped`` are lost.
        file_bytes: size of the file.
        fault: why it ended by itself; None while it goes on.
    """

    path: str
    seconds: float
    bytes: int
    recorded: int
    dropped: int
    file_bytes: int
    fault: ErrorView | None = None


@dataclass(frozen=True)
class ReplayView:
    """A recording that is replayed. Times in seconds on the axis of the plots.

    Attributes:
        damaged_bytes: of the file so far that could not be read.
        wall: seconds since 1970 at time zero of the axis.
        reaching: position that a jump is on its way to; None when it is there.
    """

    path: str
    start: float
    end: float
    position: float
    speed: float
    playing: bool
    at_end: bool
    damaged_bytes: int
    wall: float = 0.0
    reaching: float | None = None


@dataclass(frozen=True)
class PlotMemoryView:
    """Memory of all series in bytes.

    Attributes:
        full: a series got less than it wanted.
        refused_samples: for which there was no room at all.
    """

    used: int
    limit: int
    full: bool
    refused_samples: int


@dataclass(frozen=True)
class SourceView:
    """What came from one source; shows that nothing was lost.

    Attributes:
        kind: ``board``, ``udp``, ``mqtt`` or ``port``.
        name: for the person.
        state: ``live`` (open, whether or not something comes), ``away`` (a port that is waited for), ``lent``
            (a port that a flash job has) or ``off``.
        counters: of lines: ``bytes`` = ``line_bytes`` + ``line_end_bytes`` + ``discarded_bytes`` + the
            unfinished line; ``lines`` = ``telemetry_lines`` + ``protocol_lines`` + ``text_lines``. Of frames:
            ``frames`` and so on. ``samples`` were handed to the store.
        stored: samples that all series of the source ever got; equals ``samples`` unless some were refused
            or the series were cleared.
        frames: it sends binary frames.
        encoding, time_base, rate: how its lines are read.
        baud: bits a second of a port; 0 for others.
        hint: ``prefix`` (lines like Teleplot's without the mark in front), ``text`` (lines come and none has
            a value) or ''.
        fault: why nothing comes.
    """

    source_id: str
    kind: str = "board"
    name: str = ""
    state: str = "live"
    counters: Mapping[str, int] = field(default_factory=dict)
    stored: int = 0
    frames: bool = False
    encoding: str = "utf-8"
    time_base: str = "device"
    rate: float = 1.0
    baud: int = 0
    hint: str = ""
    fault: ErrorView | None = None


@dataclass(frozen=True)
class ThresholdView:
    """A limit on a series; see ``PlotToolsBridge.add_threshold``."""

    name: str
    source_id: str
    label: str
    limit: float
    above: bool
    hysteresis: float
    alarm: bool


@dataclass(frozen=True)
class MeasureRow:
    """Figures of one series in a stretch of time, in its unit; NaN where there is no value.

    Attributes:
        at_a, at_b: values of the samples nearest to the two cursors; NaN without cursors.
        slope: (at_b - at_a) per second between these samples.
        rate: samples per second.
    """

    source_id: str
    label: str
    unit: str
    count: int
    gaps: int
    minimum: float
    maximum: float
    mean: float
    deviation: float
    rms: float
    peak_to_peak: float
    rate: float
    at_a: float
    at_b: float
    slope: float
