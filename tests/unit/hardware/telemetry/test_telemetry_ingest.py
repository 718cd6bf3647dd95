"""Bytes to series through the whole of the package."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.line_times import TimeBase
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

LINES = st.sampled_from(
    [
        b'{"evt":"telemetry","signal":"a0","value":512,"t":12345}',
        b'{"evt":"telemetry","signal":"a1","value":-1.5e2,"t":12346}',
        b'{"evt":"telemetry","signal":"a0","value":05,"t":1}',
        b'{"evt":"telemetry","signal":"a0","value":1e999,"t":12400}',
        b'{"evt":"change","signal":"d2","value":1,"t":12347}',
        b'{"evt":"boot","fw":"zeroclaw-arduino"}',
        b'{"id":"1","ok":true,"result":"pong"}',
        b'{"x":1,"y":{"z":2.5}}',
        b'{"x":3,"y":{"z":nan}}',
        b'{"u":1,"v":2.5}',
        b'{"u":-0.5,"v":1e3}',
        b'{"u":.5,"v":1}',
        b'{"u":1,"u":2}',
        b">a:1",
        b">b:2.5",
        b">3D:1",
        b">a:1000:1;2000:2\xc2\xa7V",
        b"temp:21.5,light:512",
        b"temp:-3,light:1e3",
        b"temp:nan,light:2",
        b"temp:1e999,light:2",
        b"temp:4,light:5 ",
        b"T: 23.5 C H: 40 %",
        b"T: 24.5 C H: 41 %",
        b"t:5eV",
        b"t:6e3eV",
        b"\xe6\xb8\xa9:23.5\xe2\x84\x83",
        b"\xe6\xb8\xa9:24.5\xe2\x84\x83",
        b"deg:30.1\xb0",
        b"deg:30.2\xb0",
        b"\x1b[32mtemp:1,light:2\x1b[0m",
        b"12:30:45 temp:1",
        b"12:30:46 temp:2",
        b"1,2",
        b"3,4",
        b"3,4,",
        b"5,",
        b"a,b",
        b"millis,b",
        b"1,2,3",
        b"1;2",
        b"1,5;2",
        b"(1,2)",
        b"7",
        b"8 C",
        b"Hello, world",
        b"just text 5",
        b"\xff\xfe\x00",
        b"y" * 70,
        b"",
    ]
)
STREAMS = st.lists(st.tuples(LINES, st.integers(1, 4)), max_size=25).map(
    lambda runs: b"\n" + b"".join((line + b"\n") * repeats for line, repeats in runs)
)
NUMBERS = st.sampled_from(
    [
        *b"1 -1 0 -0 1.5 -0.25 +7 .5 5. 00.1 1234567.5 123456789012 1234567890.12345".split(),
        b"12345678901234567890",
        b"1e3",
        b"nan",
        b"",
        b"1.2.3",
        b"1-2",
        b".",
    ]
)
REPEATED = st.sampled_from(
    [
        b"a:#,b:#",
        b"temp:#C hum:#%",
        b"a0:# a1:#",
        b"millis:#,v:#",
        b"#,#,#",
        b"(#, #)",
        b"# #",
        b"#;#",
        b'{"a":#,"b":{"c":#}}',
        b'{"a1":[#,#],"s":"x # 2"}',
        b'{"us":#,"b":#}',
        b'{"evt":"telemetry","signal":"a0","value":#,"t":#}',
        b'{"evt":"telemetry","signal":"a1","value":#,"t":#,"unit":"V"}',
        b">s1:#",
        b">s2:#",
        b">s2:#:#",
        b">s2:#\xc2\xa7mV",
        b"\xe6\xb8\xa9:#\xe2\x84\x83",
        b"bars:#bar",
    ]
)


@st.composite
def repeating_streams(draw: st.DrawFn) -> bytes:
    """Lines that take turns for a long while with other numbers, now and then something else between."""
    lines: list[bytes] = []
    for _ in range(draw(st.integers(1, 3))):
        cycle = draw(st.lists(REPEATED, min_size=1, max_size=4))
        end = draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
        plain = draw(st.lists(st.sampled_from([b"1", b"2.25", b"-3", b"12.5"]), min_size=1, max_size=5))
        count = draw(st.integers(60, 260))
        odd = draw(st.dictionaries(st.integers(0, count), NUMBERS, max_size=3))
        other = draw(st.dictionaries(st.integers(0, count), LINES, max_size=3))
        for number in range(count):
            template = cycle[number % len(cycle)]
            for place in range(template.count(b"#")):
                text = odd.get(number, plain[(number + place) % len(plain)])
                template = template.replace(b"#", text, 1)
            lines += [template + end, *([other[number] + end] if number in other else [])]
    return draw(st.sampled_from([b"\n", b"half", b""])) + b"".join(lines)


Outcome = tuple[dict[str, list[float]], dict[str, str], dict[str, int], list[bytes], list[bytes]]


def outcome(
    data: bytes, cuts: list[int], *, use_patterns: bool = True, paced: bool = False, longest: int = 64
) -> Outcome:
    store = TelemetryStore(clock=lambda: 0.0)
    console: list[bytes] = []
    ingest = TelemetryIngest(
        "port", store, lambda lines, _: console.extend(lines), max_length=longest, use_patterns=use_patterns
    )
    protocol: list[bytes] = []
    edges = [0, *sorted(cuts), len(data)]
    for number, (start, stop) in enumerate(pairwise(edges)):
        protocol += ingest.feed(data[start:stop], 10.0 + number / 50 * paced)
    values = {info.key.label: store.snapshot(info.key).value.tolist() for info in store.series()}
    if paced:
        times = {f"{info.key.label} at": store.snapshot(info.key).time.tolist() for info in store.series()}
        values |= times | {"markers": [marker.time for marker in store.markers]}
    units = {info.key.label: info.unit for info in store.series()}
    return values, units, asdict(ingest.counters), console, protocol


def assert_same(first: Outcome, second: Outcome) -> None:
    assert set(first[0]) == set(second[0])
    for label, values in first[0].items():
        np.testing.assert_array_equal(values, second[0][label], err_msg=label)
    assert first[1:] == second[1:]


@given(STREAMS, st.data())
@settings(max_examples=150, deadline=None)
def test_any_cutting_into_reads_gives_the_same(data: bytes, draw: st.DataObject) -> None:
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=12))
    assert_same(outcome(data, cuts), outcome(data, []))


@given(STREAMS)
@settings(max_examples=300, deadline=None)
def test_the_shortcut_for_repeated_lines_changes_nothing(data: bytes) -> None:
    assert_same(outcome(data, [], use_patterns=True), outcome(data, [], use_patterns=False))


@given(repeating_streams(), st.data())
@settings(max_examples=150, deadline=None)
def test_reading_blocks_at_once_gives_what_the_parser_gives(data: bytes, draw: st.DataObject) -> None:
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=6))
    parser_only = outcome(data, cuts, use_patterns=False, paced=True, longest=200)
    assert_same(outcome(data, cuts, paced=True, longest=200), parser_only)


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        (b"a:1,b:2", b"a:1,c:2"),
        (b"a0:1 a1:2", b"a0:1 a2:2"),
        (b"a0:1 a1:2", b"a0:1 a11:2"),
        (b"v:+1", b"v:12bar"),
        (b"v:1bar", b"v:0bar"),
        (b"v:1xy", b"v:0xy"),
        (b"1,2", b"x,y"),
        (b"1,2\nk:1", b"x,y\n3,4"),
        (b"1,2\nk:1", b"3,4,5\nk:1"),
        (b"x,y\n1,2\n1,2", b"1,2,3"),
        (b'{"a":1}', b'{"a":+1}'),
        (b'{"a":1}', b'{"a":01}'),
        (b'{"a":1}', b'{"a":1.}'),
        (b'{"a":1}', b'{"b":1}'),
        (b">a:1", b">a:1:2"),
        (b"a:1", b"a:1-2"),
        (b"a:1", b"a:1.2.3"),
        (b"a:1", b"a:."),
        (b"a:1", b"a:1234567890123456"),
        (b"millis:5,v:1", b"millis:2,v:1"),
    ],
)
def test_a_line_that_nearly_repeats_is_read_by_the_parser(usual: bytes, odd: bytes) -> None:
    many = (usual + b"\n") * 100
    data = b"\nx,y\n" + many + odd + b"\n" + many + odd + b"\n" + odd + b"\n" + many
    assert_same(
        outcome(data, [], paced=True, longest=200),
        outcome(data, [], paced=True, longest=200, use_patterns=False),
    )


@given(repeating_streams(), st.data())
@settings(max_examples=50, deadline=None)
def test_blocks_cut_anywhere_give_the_same(data: bytes, draw: st.DataObject) -> None:
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=12))
    assert_same(outcome(data, cuts), outcome(data, []))


@given(STREAMS)
@settings(deadline=None)
def test_nothing_is_lost(data: bytes) -> None:
    values, _, counters, console, protocol = outcome(data, [])
    kinds = counters["telemetry_lines"] + counters["protocol_lines"] + counters["text_lines"]
    assert counters["lines"] == kinds == len(console)
    assert counters["protocol_lines"] == len(protocol)
    assert counters["samples"] == sum(map(len, values.values()))


@given(st.lists(st.binary(max_size=300), max_size=10))
@settings(deadline=None)
def test_noise_never_raises(reads: list[bytes]) -> None:
    ingest = TelemetryIngest("port", TelemetryStore())
    for number, data in enumerate(reads):
        ingest.feed(data, float(number))
    assert ingest.counters.bytes == sum(map(len, reads))


def test_protocol_lines_go_back_in_order_and_telemetry_does_not() -> None:
    store = TelemetryStore()
    ingest = TelemetryIngest("uno", store)
    reply, event = b'{"id":"1","ok":true,"result":"pong"}', b'{"evt":"host_lost"}'
    data = b"\n".join(
        [reply, b'{"evt":"telemetry","signal":"a0","value":1,"t":5}', event, b"a:1", b"text", b""]
    )
    assert ingest.feed(data, 1.0) == [reply, event]
    assert [info.key.label for info in store.series("uno")] == ["a0", "a"]


def test_device_time_gives_the_spacing() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    ingest = TelemetryIngest("uno", store)
    lines = [
        b'{"evt":"telemetry","signal":"a0","value":1,"t":%d}\n' % (1000 + 10 * number) for number in range(5)
    ]
    ingest.feed(b"\n" + b"".join(lines), 7.0)
    assert np.diff(store.snapshot(("uno", "a0")).time) == pytest.approx([0.01] * 4)


def test_a_reset_of_the_board_starts_anew_at_host_time_with_a_marker() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    ingest = TelemetryIngest("uno", store)
    ingest.feed(b'\n{"evt":"telemetry","signal":"a0","value":1,"t":90000}\n', 7.0)
    ingest.feed(b'{"evt":"telemetry","signal":"a0","value":2,"t":3}\n', 8.0)
    assert store.snapshot(("uno", "a0")).time.tolist() == [7.0, 8.0]
    assert [(marker.kind, marker.time, marker.source_id) for marker in store.markers] == [
        ("reset", 8.0, "uno")
    ]


def test_lines_of_one_read_are_spread_over_the_time_since_the_last() -> None:
    store = TelemetryStore(clock=lambda: 0.0)
    ingest = TelemetryIngest("uno", store)
    ingest.feed(b"\na:1\n", 1.0)
    ingest.feed(b"a:2\na:3\n", 1.02)
    assert store.snapshot(("uno", "a")).time == pytest.approx([1.0, 1.01, 1.02])


def times_of(ingest_base: TimeBase | None, reads: list[tuple[bytes, float]]) -> list[float]:
    store = TelemetryStore(clock=lambda: 0.0)
    ingest = TelemetryIngest("uno", store, time_base=ingest_base)
    for data, when in reads:
        ingest.feed(data, when)
    return store.snapshot(("uno", "v")).time.tolist()


LATE = [(b"\nmillis:1000,v:1\nmillis:1010,v:2\n", 5.0), (b"millis:1020,v:3\n", 5.04)]


def test_the_time_base_is_chosen_for_each_source() -> None:
    """HW-12: the board's clock, the time of arrival, or equal distances without any jitter."""
    assert times_of(None, LATE) == pytest.approx([5.0, 5.01, 5.02])
    assert times_of(TimeBase("host"), LATE) == pytest.approx([5.0, 5.0, 5.04])
    assert times_of(TimeBase("index", 50.0), LATE) == pytest.approx([5.0, 5.02, 5.04])


def test_lines_at_equal_distances_have_no_jitter_however_they_arrive() -> None:
    reads = [(b"\n", 1.0)]
    reads += [(b"".join(b"v:%d\n" % n for n in range(k * 100, k * 100 + 100)), 1.0 + k**2) for k in range(4)]
    assert np.diff(times_of(TimeBase("index", 1000.0), reads)) == pytest.approx([0.001] * 399)


@pytest.mark.parametrize("rate", [0.0, -1.0, float("inf"), float("nan")])
def test_an_impossible_rate_is_refused(rate: float) -> None:
    with pytest.raises(TelemetrySettingError):
        TimeBase("index", rate)


def test_another_encoding_counts_from_the_next_read_on() -> None:
    store = TelemetryStore()
    ingest = TelemetryIngest("uno", store)
    line = "温度:23.5℃\n".encode("gbk")
    ingest.feed(b"\n" + line, 1.0)
    assert (store.series(), ingest.counters.non_utf8) == ([], 1)
    ingest.choose(encoding="gbk")
    ingest.feed(line * 100, 2.0)
    assert [(info.key.label, info.count, info.unit) for info in store.series()] == [("温度", 100, "℃")]
    with pytest.raises(TelemetrySettingError, match="utf-16"):
        ingest.choose(encoding="utf-16")


def test_after_reopening_the_first_line_may_be_partial_again() -> None:
    store = TelemetryStore()
    ingest = TelemetryIngest("uno", store)
    ingest.feed(b"\nx,y\n1,2\n3", 1.0)
    ingest.reopened()
    ingest.feed(b",4\n5,6\n", 2.0)
    assert {info.key.label: info.count for info in store.series()} == {
        "x": 1,
        "y": 1,
        "value 1": 1,
        "value 2": 1,
    }
    assert ingest.counters.partial_dropped == 1
