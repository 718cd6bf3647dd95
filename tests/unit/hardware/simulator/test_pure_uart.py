"""The second serial line of the simplified board: frames of 9600 baud at its pins (SPEC.md, Buses)."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from zeroclaw_desktop.hardware.simulator.pure_board import BOOT_SECONDS, PureBoard

BIT = 1 / 9600


@pytest.fixture
def board() -> PureBoard:
    started = PureBoard()
    started.advance(BOOT_SECONDS)
    started.transmitted()
    started.drive_pin(7, 1)
    return started


def ask(board: PureBoard, command: str, **args: Any) -> Any:
    board.receive(json.dumps({"id": 1, "cmd": command, "args": args}).encode() + b"\n")
    reply = json.loads(board.transmitted())
    assert reply["ok"], reply
    return reply["result"]


def send(board: PureBoard, data: bytes, *, stop_bit: int = 1) -> None:
    for byte in data:
        for bit in (0, *((byte >> index) & 1 for index in range(8)), stop_bit):
            board.drive_pin(7, bit)
            board.advance(BIT)
    board.drive_pin(7, 1)
    board.advance(0.003)


def test_bytes_wait_until_they_are_read_and_63_of_them_have_room(board: PureBoard) -> None:
    ask(board, "uart_read", rx=7)
    send(board, bytes(range(70)))
    first = ask(board, "uart_read", rx=7, count=32)
    assert (bytes.fromhex(first["data"]), first["lost"]) == (bytes(range(32)), 7)
    rest = ask(board, "uart_read", rx=7)
    assert (bytes.fromhex(rest["data"]), rest["lost"]) == (bytes(range(32, 63)), 0)


def test_a_frame_without_its_stop_bit_is_lost(board: PureBoard) -> None:
    ask(board, "uart_read", rx=7)
    send(board, b"\x00", stop_bit=0)
    assert ask(board, "uart_read", rx=7) == {"data": "", "lost": 1}
    send(board, b"U")
    assert ask(board, "uart_read", rx=7) == {"data": "55", "lost": 0}


def test_what_came_before_listening_was_not_heard(board: PureBoard) -> None:
    send(board, b"early")
    assert ask(board, "uart_read", rx=7) == {"data": "", "lost": 0}


def test_a_pin_that_another_command_took_begins_anew(board: PureBoard) -> None:
    ask(board, "uart_read", rx=7)
    send(board, b"x")
    ask(board, "gpio_write", pin=7, value=0)
    board.advance(0.002)
    ask(board, "pin_mode", pin=7, mode="input")
    assert ask(board, "uart_read", rx=7) == {"data": "", "lost": 0}


def test_a_signal_that_is_far_too_fast_ends_listening_until_the_next_read(board: PureBoard) -> None:
    ask(board, "uart_read", rx=7)
    for _ in range(40):
        board.drive_pin(7, 0)
        board.advance(5e-6)
        board.drive_pin(7, 1)
        board.advance(5e-6)
    board.advance(0.005)
    send(board, b"A")
    assert ask(board, "uart_read", rx=7)["data"] == ""
    send(board, b"B")
    assert ask(board, "uart_read", rx=7)["data"] == "42"


def test_the_edges_of_what_is_sent_are_told_when_they_have_come(board: PureBoard) -> None:
    """Idle line for a frame, then start bit, data from the lowest bit, stop bit: 0x55 changes with each."""
    ask(board, "uart_write", tx=8, data="55")
    begun = BOOT_SECONDS
    edges, _ = board.take_edges()
    assert [edge[1:] for edge in edges if edge[1] == 8] == [(8, 1)]
    board.advance(0.01)
    edges, lost = board.take_edges()
    assert lost == 0
    assert [level for _, _, level in edges] == [0, 1] * 5
    gaps = [later - earlier for (earlier, _, _), (later, _, _) in itertools.pairwise(edges)]
    assert gaps == pytest.approx([BIT] * 9, rel=0.01)
    assert edges[0][0] - begun >= 10 * BIT


def test_whoever_is_connected_hears_what_is_sent(board: PureBoard) -> None:
    heard: list[bytes] = []
    board.second_line.peer = heard.append
    ask(board, "uart_write", tx=8, data="4869")
    assert heard == [b"Hi"]
