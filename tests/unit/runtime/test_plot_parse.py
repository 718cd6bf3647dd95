"""``zeroclaw plot parse`` (RT-12, HW-12): series with gaps as null, units, console text, counters."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_parse import parse_plot_bytes


def test_the_shape_of_the_table() -> None:
    row = parse_plot_bytes(b"temp:21.5C\ntemp:nan\nhello\n")
    assert row["series"] == {"temp": [21.5, None]}
    assert row["units"] == {"temp": "C"}
    assert row["console"] == ["hello"]
    assert (row["counters"]["lines"], row["counters"]["samples"], row["counters"]["text_lines"]) == (3, 2, 1)
    assert json.loads(json.dumps(row, allow_nan=False)) == row


@pytest.mark.parametrize(
    ("data", "series"),
    [
        (b"a:1,b:-2.5\n", {"a": [1.0], "b": [-2.5]}),
        (b"a:1\r\na:2\ra:3\n", {"a": [1.0, 2.0, 3.0]}),
        (b">speed:12.25\n", {"speed": [12.25]}),
        (b'{"t":1.5,"h":null}\n', {"t": [1.5], "h": [None]}),
        (b"x,y\n1,2\n3,\n", {"x": [1.0, 3.0], "y": [2.0, None]}),
        (b'{"evt":"telemetry","signal":"a0","value":512,"t":12}\n', {"a0": [512.0]}),
        (b"", {}),
        (b"\n\r\n", {}),
    ],
)
def test_every_format_becomes_series(data: bytes, series: dict[str, list[float | None]]) -> None:
    assert parse_plot_bytes(data)["series"] == series


def test_the_first_line_and_an_unfinished_last_one_count() -> None:
    """A recording is whole, unlike a port that is opened in the middle of a line."""
    row = parse_plot_bytes(b"a:1\na:2")
    assert row["series"] == {"a": [1.0, 2.0]}
    assert row["counters"]["lines"] == 2


def test_values_keep_their_precision() -> None:
    assert parse_plot_bytes(b"a:21.6\nb:0.1\n")["series"] == {"a": [21.6], "b": [0.1]}


def test_replies_and_noise_are_no_series() -> None:
    row = parse_plot_bytes(
        b'{"id":"1","ok":true,"result":"done"}\n\xff\xfe\x00\n' + b"x" * 10_000 + b"\na:1\n"
    )
    assert row["series"] == {"a": [1.0]}
    counters = row["counters"]
    assert (counters["protocol_lines"], counters["non_utf8"], counters["overlong"]) == (1, 1, 1)
    assert counters["telemetry_lines"] == 1
    assert "\ufffd" in row["console"][0]


@given(
    st.lists(
        st.sampled_from([b"a:1", b"1,2", b'{"x":3}', b"text", b">y:1", b"", b"\xff", b"a:ovf"]), max_size=20
    )
)
def test_it_sees_what_a_port_would_see(lines: list[bytes]) -> None:
    """The same lines through the reader of ports; the first line end tells it that a line begins."""
    data = b"".join(line + b"\n" for line in lines)
    row = parse_plot_bytes(data)
    store = TelemetryStore()
    ingest = TelemetryIngest("port", store)
    ingest.feed(b"\n" + data, 1.0)
    assert {info.key.label: info.count for info in store.series()} == {
        label: len(values) for label, values in row["series"].items()
    }
    expected = ingest.counters
    counted = row["counters"]
    assert (counted["lines"], counted["text_lines"]) == (expected.lines, expected.text_lines)
    assert (counted["samples"], counted["non_utf8"]) == (expected.samples, expected.non_utf8)
    assert counted["bytes"] == counted["line_bytes"] + counted["line_end_bytes"] + counted["discarded_bytes"]


@given(st.binary(max_size=400))
def test_no_bytes_raise(data: bytes) -> None:
    row = parse_plot_bytes(data)
    json.dumps(row, allow_nan=False)
    counters = row["counters"]
    assert counters["bytes"] == len(data)
    assert len(row["console"]) == counters["text_lines"]
    assert counters["lines"] == sum(
        counters[name] for name in ("text_lines", "telemetry_lines", "protocol_lines")
    )
