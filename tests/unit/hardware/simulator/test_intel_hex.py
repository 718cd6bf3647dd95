"""Intel HEX: what a sound file is, and every way in which one can be unsound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.simulator.intel_hex import IntelHexError, parse_intel_hex, to_intel_hex

END = ":00000001FF"
EXAMPLE_RECORD = ":10010000214601360121470136007EFE09D2190140"


def test_reads_data_and_joins_adjacent_records() -> None:
    text = f"{EXAMPLE_RECORD}\r\n:020110000102EA\n\n{END}\n"
    image = parse_intel_hex(text)
    assert list(image) == [0x100]
    assert image[0x100][:3] == b"\x21\x46\x01"
    assert image[0x100][-2:] == b"\x01\x02"


def test_extended_addresses() -> None:
    linear = ":020000040001F9\n:0100000055AA"
    segment = ":020000021000EC\n:01000000AA55"
    assert parse_intel_hex(f"{linear}\n{END}") == {0x10000: b"\x55"}
    assert parse_intel_hex(f"{segment}\n{END}") == {0x10000: b"\xaa"}


def test_start_records_carry_no_data() -> None:
    text = f":0400000300007E007B\n:04000005000000CD2A\n:01000000AA55\n{END}"
    assert parse_intel_hex(text) == {0: b"\xaa"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("hello\n" + END, 1, "does not begin"),
        (":01000000AA56\n" + END, 1, "checksum"),
        (":01000000AA5\n" + END, 1, "even number"),
        (":01 000000AA55\n" + END, 1, "even number"),
        (":zz000000AA55\n" + END, 1, "even number"),
        (":02000000AA54\n" + END, 1, "length"),
        (":00000006FA\n" + END, 1, "type 06"),
        (":0100000401FA\n" + END, 1, "length that record type 04"),
        (":01000000AA55\n:01000000AA55\n" + END, 2, "second time"),
        (":01000000AA55\n", 0, "cut short"),
        (END, 0, "no data"),
        ("", 0, "cut short"),
        (f":01000000AA55\n{END}\n:01000100AA54\n", 3, "follows"),
    ],
)
def test_unsound_files_are_refused_with_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(IntelHexError, match=words) as caught:
        parse_intel_hex(text)
    assert caught.value.line == line
    assert caught.value.code == "intel_hex_invalid"
    assert caught.value.hint


def test_size_limit() -> None:
    last = ":017FFF00AAD7\n"
    assert parse_intel_hex(last + END, size_limit=0x8000) == {0x7FFF: b"\xaa"}
    with pytest.raises(IntelHexError, match="past the end"):
        parse_intel_hex(":01800000AAD5\n" + END, size_limit=0x8000)


def test_overlapping_boot_loader_of_a_known_package_is_refused() -> None:
    """A boot loader whose code runs over its version word gives one address twice."""
    code = to_intel_hex({0x7FF0: bytes(16)}).splitlines()[0]
    version = to_intel_hex({0x7FFE: b"\x04\x04"}).splitlines()[0]
    with pytest.raises(IntelHexError, match="0x7FFE a second time"):
        parse_intel_hex(f"{code}\n{version}\n{END}")


STARTS = st.integers(0, 40).map(lambda number: number * 0x3000)


@given(st.dictionaries(STARTS, st.binary(min_size=1, max_size=0x40), min_size=1))
def test_writing_and_reading_give_the_same(segments: dict[int, bytes]) -> None:
    assert parse_intel_hex(to_intel_hex(segments)) == dict(sorted(segments.items()))


def test_a_segment_across_64_kib_is_split() -> None:
    data = bytes(range(40))
    text = to_intel_hex({0xFFF0: data})
    assert ":020000040001F9" in text.splitlines()
    assert parse_intel_hex(text) == {0xFFF0: data}


def test_overlapping_segments_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="overlaps"):
        to_intel_hex({0: bytes(4), 2: bytes(4)})


def data_record(address: int, data: bytes) -> str:
    raw = bytes([len(data), address >> 8, address & 0xFF, 0]) + data
    return f":{raw.hex()}{-sum(raw) & 0xFF:02x}"


@given(st.lists(st.tuples(st.integers(0, 90), st.binary(max_size=12)), min_size=1, max_size=14))
def test_records_in_any_order_are_told_from_those_that_overlap(records: list[tuple[int, bytes]]) -> None:
    """Byte by byte: each may be given once, and the line of the first that is given twice is told."""
    memory: dict[int, int] = {}
    twice = 0
    for number, (address, data) in enumerate(records, start=1):
        given = {address + index: value for index, value in enumerate(data)}
        if not twice and given.keys() & memory.keys():
            twice = number
        memory |= given
    text = "\n".join([*(data_record(address, data) for address, data in records), END])
    if twice or not memory:
        with pytest.raises(IntelHexError, match="second time" if twice else "no data") as caught:
            parse_intel_hex(text)
        assert caught.value.line == twice
        return
    read = parse_intel_hex(text)
    assert {
        start + index: value for start, data in read.items() for index, value in enumerate(data)
    } == memory
    ends = [start + len(data) for start, data in read.items()]
    assert list(read) == sorted(read)
    assert not set(ends) & set(read)  # what is adjacent is joined


def test_an_offset_wraps_around_within_its_segment() -> None:
    """Type 02 records: the offset is added modulo 64 KiB."""
    segment = ":020000021000EC"
    assert parse_intel_hex(f"{segment}\n{data_record(0xFFFF, b'ab')}\n{END}") == {
        0x10000: b"b",
        0x1FFFF: b"a",
    }
    with pytest.raises(IntelHexError, match="0x10000 a second time"):
        parse_intel_hex(f"{segment}\n{data_record(0, b'x')}\n{data_record(0xFFFF, b'ab')}\n{END}")


def test_a_record_across_the_end_of_the_memory_is_told_by_the_first_byte_outside() -> None:
    with pytest.raises(IntelHexError, match="writes to 0x8000"):
        parse_intel_hex(f"{data_record(0x7FFE, b'abcd')}\n{END}", size_limit=0x8000)


def test_a_file_that_is_all_out_of_order_is_refused_before_it_fills_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("zeroclaw_desktop.hardware.simulator.intel_hex.MAX_STRAYS", 3)
    lines = to_intel_hex({address: b"x" for address in range(0, 10, 2)}).splitlines()
    assert parse_intel_hex("\n".join([*reversed(lines[1:5]), lines[5]])) != {}
    with pytest.raises(IntelHexError, match="out of order"):
        parse_intel_hex("\n".join([*reversed(lines[:5]), lines[5]]))
