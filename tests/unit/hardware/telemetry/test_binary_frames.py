"""HW-12: binary frames, COBS or with sync bytes, described in a TOML file."""

from __future__ import annotations

import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.checksums import CHECKSUMS
from zeroclaw_desktop.hardware.telemetry.errors import FrameDescriptionError
from zeroclaw_desktop.hardware.telemetry.frame_description import parse_description
from zeroclaw_desktop.hardware.telemetry.frame_ingest import FrameIngest
from zeroclaw_desktop.hardware.telemetry.frame_splitter import decode_cobs
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

FIELDS = """
[[field]]
name = "t"
type = "u32"
clock = "us"
[[field]]
name = "ax"
type = "i16"
scale = 0.5
offset = 1
unit = "m/s2"
[[field]]
skip = 1
[[field]]
name = "p"
type = "f32"
byte_order = "big"
"""
COBS = 'name = "imu"\nframing = "cobs"\nchecksum = "crc16-ccitt"\n' + FIELDS
SYNC = 'framing = "sync"\nsync = "AA 55"\nchecksum = "crc8"\n' + FIELDS
Frame = tuple[int, int, float]
FRAMES = st.lists(
    st.tuples(st.integers(0, 2**32 - 1), st.integers(-(2**15), 2**15 - 1), st.floats(width=32)), max_size=12
)


def encode_cobs(content: bytes) -> bytes:
    """The encoder of the paper, block by block."""
    encoded = bytearray()
    for number, block in enumerate(blocks := content.split(b"\0")):
        while len(block) >= 254:
            encoded += b"\xff" + block[:254]
            block = block[254:]
            if not block and number == len(blocks) - 1:
                return bytes(encoded) + b"\0"
        encoded += bytes([len(block) + 1]) + block
    return bytes(encoded) + b"\0"


def content(frame: Frame, checksum: str, size: int) -> bytes:
    fields = struct.pack("<Ihx", *frame[:2]) + struct.pack(">f", frame[2])
    return fields + CHECKSUMS[checksum].of(fields).to_bytes(size, "little")


def cobs_frame(frame: Frame) -> bytes:
    return encode_cobs(content(frame, "crc16-ccitt", 2))


def sync_frame(frame: Frame) -> bytes:
    return b"\xaa\x55" + content(frame, "crc8", 1)


def read(text: str, data: bytes, cuts: list[int]) -> tuple[FrameIngest, TelemetryStore]:
    store = TelemetryStore(clock=lambda: 0.0)
    ingest = FrameIngest("imu", store, parse_description(text))
    for start, stop in pairwise([0, *sorted(cuts), len(data)]):
        ingest.feed(data[start:stop], 5.0)
    return ingest, store


@pytest.mark.parametrize(("text", "encode"), [(COBS, cobs_frame), (SYNC, sync_frame)])
@given(frames=FRAMES, draw=st.data())
def test_frames_cut_anywhere_give_their_numbers(text, encode, frames: list[Frame], draw) -> None:  # type: ignore[no-untyped-def]
    data = b"".join(map(encode, frames))
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=6))
    ingest, store = read(text, data, cuts)
    assert ingest.counters.frames == len(frames)
    assert ingest.counters.discarded_bytes == ingest.pending == 0
    if frames:
        assert store.snapshot(("imu", "ax")).value.tolist() == [ax * 0.5 + 1 for _, ax, _ in frames]
        expected = np.array([p if np.isfinite(p) else np.nan for _, _, p in frames])
        np.testing.assert_array_equal(store.snapshot(("imu", "p")).value, expected)
        assert store.unit(("imu", "ax")) == "m/s2"


@pytest.mark.parametrize(("text", "encode"), [(COBS, cobs_frame), (SYNC, sync_frame)])
@given(noise=st.binary(max_size=60), draw=st.data())
def test_after_noise_frames_go_on_and_every_byte_is_counted(text, encode, noise: bytes, draw) -> None:  # type: ignore[no-untyped-def]
    frames = [(1000 * number, number, 0.5) for number in range(40)]
    good = b"".join(map(encode, frames))
    data = good[:200] + noise + good[200:]
    cuts = draw.draw(st.lists(st.integers(0, len(data)), max_size=6))
    ingest, store = read(text, data, cuts)
    counters = ingest.counters
    assert counters.bytes == len(data)
    assert counters.bytes == counters.frame_bytes + counters.discarded_bytes + ingest.pending
    values = store.snapshot(("imu", "ax")).value.tolist()
    assert values[:12] == [number * 0.5 + 1 for number in range(12)]
    assert values[-10:] == [number * 0.5 + 1 for number in range(30, 40)]


def test_the_clock_of_the_board_gives_the_spacing() -> None:
    _, store = read(COBS, b"".join(cobs_frame((250 * number, 0, 0.0)) for number in range(5)), [])
    assert np.diff(store.snapshot(("imu", "p")).time) == pytest.approx([0.00025] * 4)


def test_noise_without_a_delimiter_takes_no_memory() -> None:
    ingest, _ = read(COBS, b"\x07" * 100_000, [50_000])
    assert ingest.pending < 100


@given(st.binary(max_size=700))
def test_cobs_decodes_what_the_paper_encodes(data: bytes) -> None:
    encoded = encode_cobs(data)
    assert b"\0" not in encoded[:-1]
    assert decode_cobs(encoded[:-1]) == data


@pytest.mark.parametrize(
    ("name", "check"),
    [("crc8", 0xF4), ("crc16-ccitt", 0x29B1), ("crc16-modbus", 0x4B37), ("crc32", 0xCBF43926)],
)
def test_checksums_have_the_check_value_of_the_catalogue(name: str, check: int) -> None:
    assert CHECKSUMS[name].of(b"123456789") == check


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "no TOML"),
        ("colour = 1", "colour"),
        ("framing = 'slip'" + FIELDS, "framing"),
        ("framing = 'sync'" + FIELDS, "hexadecimal"),
        ("sync = 'AA'" + FIELDS, "COBS has none"),
        ("checksum = 'md5'" + FIELDS, "checksum"),
        ("byte_order = 'middle'" + FIELDS, "byte_order"),
        ("", "[[field]]"),
        ("[[field]]\nname = 'a'\ntype = 'u24'", "type of 'a'"),
        ("[[field]]\ntype = 'u8'", "field 1 needs a name"),
        ("[[field]]\nname = 'a'\ntype = 'u8'\nscale = 'x'", "scale of 'a'"),
        ("[[field]]\nskip = 0", "skip of field 1"),
        ("[[field]]\nname = 'a'\ntype = 'u8'\n[[field]]\nname = 'a'\ntype = 'u8'", "differ"),
        ("[[field]]\nname = 't'\ntype = 'u8'\nclock = 'h'", "clock of 't'"),
        (FIELDS + FIELDS, "second clock"),
    ],
)
def test_a_mistake_in_the_description_is_named(text: str, words: str) -> None:
    with pytest.raises(FrameDescriptionError) as caught:
        parse_description(text)
    assert words in str(caught.value)
