"""The portable protocol core against the vectors of the specification, built with sanitizers."""

from __future__ import annotations

import json

import pytest

from tests.unit.firmware.host_board import HostBoard
from tests.unit.firmware.vectors import (
    Case,
    all_refused,
    check_pins,
    check_replies,
    load_cases,
    load_optional_cases,
    request_bytes,
)

CASES = load_cases() + load_optional_cases()


def run_step(board: HostBoard, step: dict[str, object], where: str) -> None:
    """Do one step of a case and check all that it says."""
    before = board.pins()
    sent = b""
    data = request_bytes(step)
    if data is not None:
        sent = board.receive(data)
    elif "advance_ms" in step:
        sent = board.advance(int(str(step["advance_ms"])))
    elif "drive" in step:
        for pin, level in dict(step["drive"]).items():  # type: ignore[call-overload]
            board.drive(int(pin), level)
    else:
        for channel, value in dict(step["analog"]).items():  # type: ignore[call-overload]
            board.set_analog(int(channel), value)
    assert sent == b"" or sent.endswith(b"\n"), where
    lines = sent.splitlines()
    check_replies(step, lines, where)
    check_pins(step, board.pins(), where)
    if all_refused(lines):
        assert board.pins() == before, f"{where}: a refused request changed a pin"


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}: {case.name}" for case in CASES])
def test_vector(board: HostBoard, case: Case) -> None:
    for number, step in enumerate(case.steps):
        run_step(board, step, f"{case.name}, step {number}: {step}")


def test_boot_line_gives_firmware_and_cause(board: HostBoard) -> None:
    assert json.loads(board.boot("brownout")) == {
        "evt": "boot",
        "fw": "zeroclaw-arduino",
        "version": "1.1.0",
        "reset": "brownout",
    }


def test_every_listed_command_is_known(board: HostBoard) -> None:
    reply = json.loads(board.receive(b'{"id":1,"cmd":"capabilities"}\n'))
    commands = json.loads(reply["result"])["commands"]
    assert len(commands) == len(set(commands)) == 25
    for command in commands:
        answer = json.loads(board.receive(f'{{"id":1,"cmd":"{command}"}}\n'.encode()).splitlines()[0])
        assert answer.get("code") != "unknown_command", command


def test_samples_without_room_are_left_out_and_counted(board: HostBoard) -> None:
    board.receive(b'{"id":1,"cmd":"subscribe","args":{"signal":"a0","period_ms":10}}\n')
    board.set_room(79)
    assert board.advance(100) == b""
    board.set_room(255)
    lines = board.advance(10).splitlines()
    assert [json.loads(line)["t"] for line in lines] == [101, 110]  # the waiting one, then the grid again
    state = json.loads(board.receive(b'{"id":2,"cmd":"state"}\n'))["result"]
    assert state["dropped"] == 10  # those of 10, 20 ... 100


def test_change_without_room_is_reported_later(board: HostBoard) -> None:
    board.receive(b'{"id":1,"cmd":"subscribe","args":{"signal":"d2"}}\n')
    board.set_room(10)
    board.drive(2, 1)
    assert board.advance(50) == b""
    board.set_room(255)
    assert json.loads(board.advance(1)) == {"evt": "change", "signal": "d2", "value": 1, "t": 51}


def test_longest_event_fits_into_the_room_that_is_asked_for(board: HostBoard) -> None:
    board.set_analog(5, 1023)
    board.receive(b'{"id":1,"cmd":"subscribe","args":{"signal":"a5","period_ms":3600000}}\n')
    event = board.advance(1)
    longest = event.replace(b'"t":1}', b'"t":4294967295}').replace(b'"value":1023', b'"value":4294967295')
    assert len(longest.replace(b'"a5"', b'"uptime"')) <= 80
