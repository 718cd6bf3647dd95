"""Random and mutated lines into the protocol core: no memory fault, and only whole JSON lines come back."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.firmware.host_board import HostBoard
from tests.unit.firmware.vectors import load_cases, load_optional_cases, request_bytes

REQUESTS = [
    data
    for case in load_cases() + load_optional_cases()
    for step in case.steps
    if (data := request_bytes(step))
]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FUZZ = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A request of the vectors with a few bytes changed, taken out, doubled or put in."""
    data = bytearray(draw(st.sampled_from(REQUESTS)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        data[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


def feed(board: HostBoard, chunks: list[bytes]) -> list[bytes]:
    """Give chunks to a board that has just started; returns the lines it sent after its boot line."""
    board.boot()
    sent = b"".join([board.receive(chunk) + board.advance(3) for chunk in chunks])
    sent += board.receive(b'\n{"id":"last","cmd":"ping"}\n')
    assert sent.endswith(b"\n")
    return sent.splitlines()


def is_readable(line: bytes) -> bool:
    """Whether a line is a JSON object with the members of a reply or an event."""
    value = json.loads(line)
    if "evt" in value or value["ok"] is True:
        return True
    return value["ok"] is False and bool(value["error"]) and bool(value["code"])


@FUZZ
@given(st.lists(st.binary(max_size=400) | mutated(), max_size=6))
def test_any_bytes_give_readable_lines(fuzz_board: HostBoard, chunks: list[bytes]) -> None:
    lines = feed(fuzz_board, chunks)
    assert all(is_readable(line) for line in lines)
    assert json.loads(lines[-1]) == {"id": "last", "ok": True, "result": "pong"}


@FUZZ
@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_every_json_line_of_python_is_json_for_the_board(
    fuzz_board: HostBoard, value: object, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent).replace("\n", " ")
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a lone surrogate cannot be sent as UTF-8
        return
    if len(data) > 255:
        return
    lines = feed(fuzz_board, [data + b"\n"])
    depth = 0
    deepest = 0
    for character in json.dumps(value, ensure_ascii=True):
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    code = json.loads(lines[0]).get("code")
    if deepest <= 8:
        assert code != "bad_json", data


@FUZZ
@given(st.binary(max_size=250).filter(lambda data: not set(data) & set(b"\n\r\0")))
def test_what_python_refuses_the_board_refuses(fuzz_board: HostBoard, data: bytes) -> None:
    if not data.strip(b" \t"):
        return
    code = json.loads(feed(fuzz_board, [data + b"\n"])[0]).get("code")
    try:
        json.loads(data.decode("utf-8"), parse_constant=lambda name: 1 / 0)
    except (ValueError, ZeroDivisionError):
        assert code == "bad_json", data


@pytest.mark.parametrize("gap", range(57))
def test_a_request_that_lost_bytes_moves_nothing(fuzz_board: HostBoard, gap: int) -> None:
    request = b'{"id":"1","cmd":"gpio_write","args":{"pin":13,"value":1}}'
    fuzz_board.boot()
    before = fuzz_board.pins()
    fuzz_board.receive(request[:gap] + b"\0" + request[gap + 1 :] + b"\n")
    assert fuzz_board.pins() == before
