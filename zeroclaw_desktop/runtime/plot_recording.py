"""Recording without the window, and what a recording holds (``zeroclaw plot record`` and ``replay``)."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.sources.port_lines import PortLines, port_reading
from zeroclaw_desktop.hardware.sources.udp_lines import UdpLines
from zeroclaw_desktop.hardware.telemetry.export import ExportOptions
from zeroclaw_desktop.hardware.telemetry.frame_description import read_description
from zeroclaw_desktop.hardware.telemetry.recorder import Recorder
from zeroclaw_desktop.hardware.telemetry.replay import Replay, ReplayPlayer
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

MAX_SAMPLES = 20_000_000
TURN_SECONDS = 0.02
LOOK_SECONDS = 0.2
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RecordWish:
    """What to record.

    Attributes:
        target: new file.
        port: serial port, path or URL; empty for UDP.
        baud: bits a second.
        udp_port: on the loopback interface; used without ``port``.
        seconds: how long; infinite until it is interrupted.
        encoding: of lines.
        frames: description of binary frames, None for lines.
        line_rate: lines a second, for times at equal distances; 0 for the board's clock or the time of
            arrival.
    """

    target: Path
    port: str = ""
    baud: int = 115_200
    udp_port: int = 0
    seconds: float = math.inf
    encoding: str = "utf-8"
    frames: Path | None = None
    line_rate: float = 0.0


def record(wish: RecordWish) -> dict[str, Any]:
    """Record until the time is over, the port vanishes, or the person interrupts.

    Returns:
        ``file``, ``recording`` (counters of the recorder), ``sources`` (counters of each reader) and
        ``ended`` (why it ended early, else '').

    Raises:
        ZeroClawError: the port, the file or the description cannot be used.
    """
    # Nothing is shown: the series are kept only as far as the counters need them.
    store = TelemetryStore(1_024)
    if not wish.port:
        return _record_udp(wish, store)
    description = "" if wish.frames is None else read_description(wish.frames).text
    reading = port_reading(wish.port, wish.encoding, description, wish.line_rate)
    source = PortLines(store, wish.port, PortSettings(wish.baud), reading)
    recorder = Recorder(wish.target, store)
    try:
        _start(source.start, recorder)
        with contextlib.suppress(KeyboardInterrupt):
            _until(wish.seconds, lambda: source.wait(LOOK_SECONDS) or not recorder.recording)
    finally:
        source.stop()
        recorder.stop()
    ended = recorder.fault or source.fault
    return _summary(wish, recorder, {wish.port: asdict(source.ingest.counters)}, ended)


def _record_udp(wish: RecordWish, store: TelemetryStore) -> dict[str, Any]:
    listening = UdpLines(store, port=wish.udp_port)
    recorder = Recorder(wish.target, store)
    try:
        _start(listening.start, recorder)
        with contextlib.suppress(KeyboardInterrupt):
            _until(wish.seconds, lambda: _slept(LOOK_SECONDS) and not recorder.recording)
    finally:
        listening.stop()
        recorder.stop()
    sources = {name: asdict(counters) for name, counters in listening.sources().items()}
    return _summary(wish, recorder, sources, recorder.fault)


def _start(start: Callable[[], None], recorder: Recorder) -> None:
    """Begin to listen; an empty recording is not left behind where that does not work."""
    try:
        start()
    except ZeroClawError:
        recorder.stop()
        recorder.path.unlink(missing_ok=True)
        raise


def _until(seconds: float, ended: Callable[[], bool]) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not ended():
        pass


def _slept(seconds: float) -> bool:
    time.sleep(seconds)
    return True


def _summary(
    wish: RecordWish, recorder: Recorder, sources: dict[str, Any], ended: ZeroClawError | None
) -> dict[str, Any]:
    return {
        "file": str(wish.target),
        "recording": asdict(recorder.counters),
        "sources": sources,
        "ended": ended.message if ended is not None else "",
    }


@dataclass(frozen=True, slots=True)
class ReplayWish:
    """What to do with a recording.

    Attributes:
        file: the recording.
        speed: recorded seconds a second; infinite for as quick as it goes.
        start: seconds from the beginning of the recording from which samples are exported.
        stop: seconds from the beginning up to which it is read.
        csv: write the samples there.
        long: a row for each sample instead of a column for each series.
        delimiter: between cells.
        decimal_comma: write ``1,5`` for one and a half.
        iso_time: date and time in UTC instead of seconds.
        parquet: write the samples there.
    """

    file: Path
    speed: float = math.inf
    start: float = 0.0
    stop: float = math.inf
    csv: Path | None = None
    long: bool = False
    delimiter: str = ","
    decimal_comma: bool = False
    iso_time: bool = False
    parquet: Path | None = None


def replay(wish: ReplayWish, tell: Tell | None = None) -> dict[str, Any]:
    """Read a recording through the readers of live bytes.

    Args:
        wish: what to do.
        tell: called with each line of the console, in time.

    Returns:
        ``seconds`` (length read), ``series`` (label by source with count, unit, last value), ``sources``
        (counters), ``markers``, ``damaged_bytes``, ``dropped_bytes`` (None where the recorder did not get to
        its end) and ``rows`` written.

    Raises:
        ZeroClawError: no recording, or an export that cannot be written.
    """

    def show(source_id: str, lines: Sequence[bytes], _when: float) -> None:
        if tell is not None:
            for line in lines:
                tell(f"{source_id}  {line.decode('utf-8', 'replace')}")

    options = ExportOptions(
        "long" if wish.long else "wide",
        wish.delimiter,
        wish.decimal_comma,
        "iso" if wish.iso_time else "seconds",
    )
    played = Replay(wish.file, max_samples=MAX_SAMPLES, on_console_lines=None if tell is None else show)
    origin = played.start
    stop = min(played.end, origin + wish.stop)
    if math.isinf(wish.speed):
        played.advance_to(stop)
    else:
        player = ReplayPlayer(played, speed=wish.speed)
        player.play()
        with contextlib.suppress(KeyboardInterrupt):
            while player.tick() and played.position < stop:
                time.sleep(TURN_SECONDS)
    store = played.store
    rows = 0
    window = (origin + wish.start, math.nextafter(stop, math.inf))
    if wish.csv is not None:
        rows = store.export_csv(wish.csv, *window, options=options)
    if wish.parquet is not None:
        rows = store.export_parquet(wish.parquet, *window)
    return {
        "seconds": round(played.position - origin, 6),
        "series": [
            {"source": info.key.source_id, "series": info.key.label, "unit": info.unit, "samples": info.count}
            for info in store.series()
        ],
        "sources": {name: asdict(counters) for name, counters in played.sources().items()},
        "markers": len(store.markers),
        "damaged_bytes": played.damaged_bytes,
        "dropped_bytes": played.recorded.get("dropped_bytes"),
        "rows": rows,
    }
