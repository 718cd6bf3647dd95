"""The splitter: endings, limits, counters, and that the cutting into reads does not matter."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.lines import UNFINISHED_BYTES, LineSplitter

STREAMS = st.lists(
    st.sampled_from([b"a", b"bc", b"\r", b"\n", b"\r\n", b"{", b"}", b"\xff", b"x" * 9]), max_size=40
)


def split(
    data: bytes, cuts: list[int], *, max_length: int = 8
) -> tuple[list[bytes], list[int], bytes, LineSplitter]:
    splitter = LineSplitter(max_length)
    lines: list[bytes] = []
    cut: list[int] = []
    partial = b""
    edges = [0, *sorted(cuts), len(data)]
    for start, stop in pairwise(edges):
        batch = splitter.feed(data[start:stop])
        cut += [len(lines) + index for index in sorted(batch.cut)]
        lines += batch.lines
        partial += batch.partial
    return lines, cut, partial, splitter


def test_first_line_is_dropped_unless_it_is_a_whole_object() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"alf\nwhole\n") == ([b"whole"], frozenset(), b"alf")
    assert splitter.counters.partial_dropped == 1
    assert LineSplitter().feed(b'{"evt":"boot"}\r\nwhole\n').lines == [b'{"evt":"boot"}', b"whole"]
    assert LineSplitter().feed(b"\nwhole\n").lines == [b"whole"]
    assert LineSplitter(drop_partial=False).feed(b"first\n").lines == [b"first"]


def test_a_line_of_exactly_the_limit_is_whole() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed(b"\nabcd\nabcde\nab\n") == ([b"abcd", b"abcd", b"ab"], frozenset({1}), b"")
    assert (splitter.counters.overlong, splitter.counters.discarded_bytes) == (1, 1)


def test_an_overlong_line_is_shown_before_it_ends() -> None:
    splitter = LineSplitter(4)
    splitter.feed(b"\nab")
    assert splitter.feed(b"cdef").lines == [b"abcd"]
    assert splitter.feed(b"ghi\nok\n").lines == [b"ok"]


def test_reset_drops_the_unfinished_line() -> None:
    splitter = LineSplitter()
    splitter.feed(b"\nunfinished")
    splitter.reset()
    assert splitter.feed(b"rest\nwhole\n").lines == [b"whole"]
    assert splitter.counters.partial_dropped == 1


def test_no_limit_below_one() -> None:
    with pytest.raises(TelemetrySettingError):
        LineSplitter(0)


@given(STREAMS.map(b"".join), st.data())
def test_any_cutting_gives_the_same_lines_and_counters(data: bytes, draw: st.DataObject) -> None:
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=10))
    *whole, one_read = split(data, [])
    *pieces, many_reads = split(data, cuts)
    assert pieces == whole
    assert many_reads.counters == one_read.counters
    assert many_reads.pending == one_read.pending


@given(STREAMS.map(b"".join))
def test_every_byte_is_counted_once(data: bytes) -> None:
    splitter = split(data, [])[3]
    counters = splitter.counters
    assert counters.bytes == len(data)
    parts = counters.line_end_bytes + counters.line_bytes + counters.discarded_bytes + len(splitter.pending)
    assert parts == len(data)


@given(st.lists(st.binary(min_size=1, max_size=8).filter(lambda line: not set(line) & {10, 13})), st.data())
def test_whole_lines_come_through_whatever_ends_them(lines: list[bytes], draw: st.DataObject) -> None:
    ends = st.sampled_from([b"\r", b"\n", b"\r\n", b"\n\r", b"\r\r\n", b"\n\n"])
    data = b"".join([b"\n", *(line + draw.draw(ends) for line in lines)])
    assert split(data, [])[0] == lines


class TestUnfinished:
    def test_a_prompt(self) -> None:
        splitter = LineSplitter(drop_partial=False)
        splitter.feed(b"done\nPassword: ")
        assert splitter.unfinished == (b"Password: ", 10)
        splitter.feed(b"x\n")
        assert splitter.unfinished == (b"", 0)

    def test_a_line_that_never_ends(self) -> None:
        splitter = LineSplitter(100, drop_partial=False)
        for _ in range(1000):
            splitter.feed(b"0123456789")
        last, length = splitter.unfinished
        assert length == 10_000
        assert last == b"0123456789" * (UNFINISHED_BYTES // 10)
        splitter.feed(b"\n" + b"x" * 150)
        assert splitter.unfinished == (b"x" * 150, 150)
