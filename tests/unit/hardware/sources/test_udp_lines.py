"""HW-12: senders of Teleplot over UDP are sources like a board."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.errors import PortError
from zeroclaw_desktop.hardware.sources.message_lines import line_of_message, lines_of_datagram
from zeroclaw_desktop.hardware.sources.udp_lines import UdpLines
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.recorder import Recorder
from zeroclaw_desktop.hardware.telemetry.replay import Replay
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

SOURCE = "udp:127.0.0.1"


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline, "nothing came"
        time.sleep(0.005)


@pytest.fixture
def store() -> TelemetryStore:
    return TelemetryStore()


@pytest.fixture
def listening(store: TelemetryStore) -> Iterator[UdpLines]:
    source = UdpLines(store, port=0)
    source.start()
    yield source
    source.stop()


def send(source: UdpLines, *datagrams: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plug:
        for data in datagrams:
            plug.sendto(data, ("127.0.0.1", source.port))


def test_what_teleplot_senders_send_is_plotted(store: TelemetryStore, listening: UdpLines) -> None:
    # The forms of Teleplot's README, without the '>' that only serial lines have.
    send(listening, b"voltage:3.3", b"temp:1627551892437:21.5\xc2\xa7\xc2\xb0C|g", b"a:1\nb:2\n", b"log|t")
    until(lambda: listening.counters.datagrams == 4)
    until(lambda: listening.sources()[SOURCE].lines == 5)
    found = {info.key.label: (info.last_value, info.unit) for info in store.series(SOURCE)}
    assert found == {"voltage": (3.3, ""), "temp": (21.5, "°C"), "a": (1.0, ""), "b": (2.0, "")}


def test_every_datagram_is_counted_and_its_samples_stored(store: TelemetryStore, listening: UdpLines) -> None:
    for number in range(500):
        send(listening, b"n:%d" % number)
    until(lambda: listening.counters.datagrams == 500)
    until(lambda: listening.sources()[SOURCE].samples == 500)
    assert store.snapshot((SOURCE, "n")).value.tolist() == list(range(500))


def test_a_recording_holds_them(store: TelemetryStore, listening: UdpLines, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "a.zcrec", store)
    send(listening, b"n:1", b"n:2")
    until(lambda: SOURCE in listening.sources() and listening.sources()[SOURCE].samples == 2)
    recorder.stop()
    replay = Replay(tmp_path / "a.zcrec")
    replay.advance_to(replay.end)
    assert replay.store.snapshot((SOURCE, "n")).value.tolist() == [1, 2]


def test_only_this_computer_is_heard_by_default(listening: UdpLines) -> None:
    assert listening._socket is not None
    assert listening._socket.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_said(store: TelemetryStore, listening: UdpLines) -> None:
    with pytest.raises(PortError, match="cannot be used"):
        UdpLines(store, port=listening.port).start()


def test_lines_that_need_no_mark_stay() -> None:
    assert lines_of_datagram(b'a:1,b:2\r\n>c:3\n{"d":4}\n\n5,6\n\xff:1') == (
        b'a:1,b:2\n>c:3\n{"d":4}\n5,6\n\xff:1\n'
    )


@pytest.mark.parametrize(
    ("topic", "payload", "expected"),
    [
        ("lab/temp", b"21.5", {"lab/temp": (21.5, "")}),
        ("lab/temp", b" 21.5 \xc2\xb0C\n", {"lab/temp": (21.5, "°C")}),
        (
            "lab/room",
            b'{"t": 21.5, "on": true, "in": {"h": 40}}',
            {"lab/room.t": (21.5, ""), "lab/room.in.h": (40, "")},
        ),
        ("lab/list", b"[1, 2]", {"lab/list.0": (1, ""), "lab/list.1": (2, "")}),
        ("id", b"5", {"id/": (5, "")}),
        ("evt", b'{"value": 1}', {"evt/.value": (1, "")}),
        ("ms", b"7", {"ms": (7, "")}),
        ("lab/state", b"open", {}),
        ("lab/state", b"door 5 is open", {}),
        ("lab/raw", b"\xff\x00", {}),
        ("lab/nothing", b"", {}),
    ],
)
def test_messages_of_a_broker(topic: str, payload: bytes, expected: dict[str, tuple[float, str]]) -> None:
    store = TelemetryStore()
    ingest = TelemetryIngest("mqtt", store)
    assert ingest.feed(b"\n" + line_of_message(topic, payload), 1.0) == []
    assert {info.key.label: (info.last_value, info.unit) for info in store.series()} == expected
    assert ingest.counters.lines == 1
