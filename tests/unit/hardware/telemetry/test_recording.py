"""HW-12: recordings that a kill cannot spoil, replayed as if live; row 55: bytes in = bytes recorded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.errors import RecordingError, TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.frame_description import parse_description
from zeroclaw_desktop.hardware.telemetry.frame_ingest import FrameIngest
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.line_times import TimeBase
from zeroclaw_desktop.hardware.telemetry.recorder import Recorder
from zeroclaw_desktop.hardware.telemetry.recording_file import DATA, RecordingReader
from zeroclaw_desktop.hardware.telemetry.replay import Replay, ReplayPlayer
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

FRAMES = 'framing = "sync"\nsync = "A5"\n[[field]]\nname = "raw"\ntype = "u8"\n'


def content(store: TelemetryStore) -> dict[tuple[str, str], tuple[list[float], list[float], str]]:
    found = {}
    for info in store.series():
        samples = store.snapshot(info.key)
        found[tuple(info.key)] = (samples.time.tolist(), samples.value.tolist(), info.unit)
    return found


def assert_same_series(first: TelemetryStore, second: TelemetryStore) -> None:
    ours, theirs = content(first), content(second)
    assert set(ours) == set(theirs)
    for key, (times, values, unit) in ours.items():
        np.testing.assert_allclose(times, theirs[key][0], rtol=0, atol=1e-9)
        np.testing.assert_array_equal(values, theirs[key][1])
        assert unit == theirs[key][2]


class Bench:
    """Boards of three kinds that send while a recording goes on, at times that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.store = TelemetryStore(clock=lambda: self.now, wall_clock=lambda: 1_700_000_000.0)
        self.uno = TelemetryIngest("uno", self.store)
        self.gbk = TelemetryIngest("gbk", self.store, encoding="gbk", time_base=TimeBase("index", 100.0))
        self.imu = FrameIngest("imu", self.store, parse_description(FRAMES))

    def send(self, rounds: int) -> None:
        for number in range(rounds):
            self.now += 0.01
            self.uno.feed(b'%d,%d\ntext\n{"evt":"boot"}\n' % (number, number * 2), self.now)
            self.gbk.feed("温度:%d℃\n".encode("gbk").replace(b"%d", b"%d" % number), self.now)
            self.imu.feed(bytes([0xA5, number % 100]), self.now)


def test_a_replay_gives_the_series_units_times_and_markers_that_were_live(tmp_path: Path) -> None:
    bench = Bench()
    recorder = Recorder(tmp_path / "a.zcrec", bench.store)
    bench.uno.feed(b"ial line\nx,y\n1,2\n", bench.now)
    bench.gbk.feed(b"\n", bench.now)
    bench.send(300)
    bench.store.add_marker("LED on", "action", source_id="uno")
    bench.uno.reopened()
    bench.uno.feed(b"3,4\n5,6\n", bench.now)
    counters = recorder.stop()
    sent = bench.uno.counters.bytes + bench.gbk.counters.bytes + bench.imu.counters.bytes
    assert counters.bytes == counters.recorded_bytes == sent
    assert counters.dropped_bytes == 0
    replay = Replay(tmp_path / "a.zcrec")
    assert replay.advance_to(replay.end)
    assert_same_series(replay.store, bench.store)
    assert replay.store.started_wall == 1_700_000_000.0
    assert [(mark.text, mark.time) for mark in replay.store.markers] == [("LED on", pytest.approx(3.0))]
    assert replay.recorded["recorded_bytes"] == sent
    assert replay.sources()["uno"] == bench.uno.counters


def test_a_recording_that_begins_in_the_middle_of_a_line_goes_on_there(tmp_path: Path) -> None:
    bench = Bench()
    bench.uno.feed(b"\nx,y\n1,2\n3", bench.now)
    recorder = Recorder(tmp_path / "a.zcrec", bench.store)
    bench.uno.feed(b",4\n", bench.now)
    recorder.stop()
    replay = Replay(tmp_path / "a.zcrec")
    replay.advance_to(replay.end)
    assert [replay.store.snapshot(("uno", label)).value.tolist() for label in "xy"] == [[3], [4]]


def test_another_encoding_or_time_base_in_the_middle_is_replayed(tmp_path: Path) -> None:
    bench = Bench()
    recorder = Recorder(tmp_path / "a.zcrec", bench.store)
    bench.uno.feed(b"\na:1\n", bench.now)
    bench.uno.choose(encoding="gbk", time_base=TimeBase("index", 10.0))
    bench.uno.feed("湿度:1\n湿度:2\n".encode("gbk"), bench.now)
    recorder.stop()
    replay = Replay(tmp_path / "a.zcrec")
    replay.advance_to(replay.end)
    assert_same_series(replay.store, bench.store)
    assert np.diff(replay.store.snapshot(("uno", "湿度")).time) == pytest.approx([0.1])


_RECORD_FOR_EVER = """
import sys, time
from pathlib import Path
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.recorder import Recorder
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
store = TelemetryStore()
recorder = Recorder(Path(sys.argv[1]), store)
ingest = TelemetryIngest("uno", store)
ingest.feed(b"\\n", time.monotonic())
for number in range(10**9):
    ingest.feed(b"n:%d\\n" % number, time.monotonic())
    if recorder.counters.blocks > 3 and number % 1000 == 0:
        print(recorder.counters.recorded_bytes, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with SIGKILL: run it on POSIX")
def test_kill_in_the_middle_loses_at_most_what_was_not_yet_a_block(tmp_path: Path) -> None:
    path = tmp_path / "killed.zcrec"
    child = subprocess.Popen([sys.executable, "-c", _RECORD_FOR_EVER, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    promised = int(child.stdout.readline())
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    replay = Replay(path)
    replay.advance_to(replay.end)
    values = replay.store.snapshot(("uno", "n")).value
    assert sum(len(e.content) for e in RecordingReader(path).entries() if e.kind == DATA) >= promised
    np.testing.assert_array_equal(values, np.arange(values[0], values[0] + len(values)))
    assert replay.recorded == {}


def test_a_torn_end_and_a_damaged_block_leave_the_rest_readable(tmp_path: Path) -> None:
    bench, path = Bench(), tmp_path / "a.zcrec"
    recorder = Recorder(path, bench.store)
    for number in range(4):
        bench.uno.feed(b"\nn:%d\n" % number, bench.now)
        while recorder.counters.blocks <= number:
            recorder._wake.set()
    recorder.stop()
    data = bytearray(path.read_bytes())
    place = data.index(b"n:1\n")
    data[place] ^= 1
    (tmp_path / "b.zcrec").write_bytes(bytes(data[:-20]))
    replay = Replay(tmp_path / "b.zcrec")
    replay.advance_to(1e9)
    assert replay.store.snapshot(("uno", "n")).value.tolist() == [0, 2, 3]
    assert replay.damaged_bytes > 0


def test_what_does_not_fit_into_the_bound_is_counted(tmp_path: Path) -> None:
    bench = Bench()
    recorder = Recorder(tmp_path / "a.zcrec", bench.store, bound=1000)
    bench.uno.feed(b"\n" + b"n:1\n" * 1000, bench.now)
    bench.uno.feed(b"n:2\n", bench.now)
    counters = recorder.stop()
    assert counters.bytes == 4005
    assert counters.dropped_bytes >= 4001
    assert counters.bytes == counters.recorded_bytes + counters.dropped_bytes
    assert Replay(tmp_path / "a.zcrec").advance_to(1e9)


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs the device that is always full: run it on Linux"
)
def test_a_full_disk_ends_the_recording_and_what_was_written_stays(tmp_path: Path) -> None:
    bench = Bench()
    recorder = Recorder(tmp_path / "a.zcrec", bench.store)
    bench.uno.feed(b"\nn:1\n", bench.now)
    while recorder.counters.blocks < 1:
        recorder._wake.set()
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, recorder._writer._file.fileno())
    os.close(full)
    bench.uno.feed(b"n:2\n", bench.now)
    counters = recorder.stop()
    assert recorder.fault is not None
    assert "space" in recorder.fault.message.lower()
    assert (counters.recorded_bytes, counters.dropped_bytes) == (5, 4)
    replay = Replay(tmp_path / "a.zcrec")
    replay.advance_to(1e9)
    assert replay.store.snapshot(("uno", "n")).value.tolist() == [1]


def test_only_one_recording_at_a_time_and_none_over_a_file(tmp_path: Path) -> None:
    bench = Bench()
    recorder = Recorder(tmp_path / "a.zcrec", bench.store)
    with pytest.raises(TelemetrySettingError, match="going on"):
        Recorder(tmp_path / "b.zcrec", bench.store)
    recorder.stop()
    with pytest.raises(RecordingError, match="exists already"):
        Recorder(tmp_path / "a.zcrec", bench.store)
    (tmp_path / "c").write_bytes(b"hello")
    with pytest.raises(RecordingError, match="no recording"):
        Replay(tmp_path / "c")


def recorded(tmp_path: Path) -> Replay:
    bench = Bench()
    recorder = Recorder(tmp_path / "a.zcrec", bench.store)
    bench.uno.feed(b"\n", bench.now)
    for number in range(100):
        bench.now += 0.1
        bench.uno.feed(b"n:%d\n" % number, bench.now)
    recorder.stop()
    return Replay(tmp_path / "a.zcrec")


def test_the_player_keeps_time_pauses_and_changes_speed(tmp_path: Path) -> None:
    replay, now = recorded(tmp_path), [50.0]
    player = ReplayPlayer(replay, clock=lambda: now[0])
    start = replay.position
    player.play()
    now[0] += 1.0
    player.tick()
    assert replay.position == replay.store.now() == pytest.approx(start + 1.0)
    player.pause()
    now[0] += 5.0
    player.tick()
    assert replay.position == pytest.approx(start + 1.0)
    player.speed = 4.0
    player.play()
    now[0] += 1.0
    player.tick()
    assert replay.position == pytest.approx(start + 5.0)
    now[0] += 10.0
    assert not player.tick()
    assert replay.at_end
    assert not player.playing


def test_seeking_gives_the_series_of_a_replay_from_the_start(tmp_path: Path) -> None:
    replay = recorded(tmp_path)
    replay.seek(8.05)
    replay.seek(5.05)
    assert replay.store.snapshot(("uno", "n")).value.tolist() == list(range(50))
    assert replay.position == pytest.approx(5.05)
    assert replay.store.now() == pytest.approx(5.05)


def test_a_turn_is_bounded(tmp_path: Path) -> None:
    replay = recorded(tmp_path)
    assert not replay.advance_to(replay.end, max_bytes=20)
    assert 0 < replay.sources()["uno"].bytes < 40


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan"), float("inf")])
def test_an_impossible_speed_is_refused(tmp_path: Path, speed: float) -> None:
    with pytest.raises(TelemetrySettingError):
        ReplayPlayer(recorded(tmp_path), speed=speed)
