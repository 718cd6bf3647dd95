"""The simulator's TCP line: one program at a time, and the next one as soon as the one before has gone."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from zeroclaw_desktop.hardware.simulator.line_tcp import LineTcp


@pytest.fixture
def line() -> Iterator[LineTcp]:
    found = LineTcp()
    yield found
    found.close()


def connect(line: LineTcp) -> socket.socket:
    host, port = line.path.removeprefix("net:").split(":")
    return socket.create_connection((host, int(port)), 5)


def test_nobody_is_there_at_first(line: LineTcp) -> None:
    assert not line.poll_opened()
    assert not line.in_use
    assert line.receive() == b""
    line.send(b"into the void")


def test_bytes_go_both_ways(line: LineTcp) -> None:
    with connect(line) as program:
        assert line.poll_opened()
        assert not line.poll_opened()
        program.sendall(b"ping")
        assert line.receive() == b"ping"
        line.send(b"pong")
        assert program.recv(16) == b"pong"
    assert line.receive() == b""
    assert not line.in_use


def test_a_second_program_is_turned_away(line: LineTcp) -> None:
    with connect(line) as first, connect(line) as second:
        assert line.poll_opened()
        first.sendall(b"1")
        assert not line.poll_opened()
        assert second.recv(16) == b""
        first.sendall(b"2")
        assert line.receive() == b"12"


@pytest.mark.parametrize("last_words", [b"", b"left over"])
def test_the_next_program_need_not_wait_until_the_hang_up_was_seen(line: LineTcp, last_words: bytes) -> None:
    with connect(line) as first:
        assert line.poll_opened()
        first.sendall(last_words)
    with connect(line) as second:
        second.sendall(b"new")
        assert line.poll_opened()  # which resets the board, so what the first one said last is void
        assert line.receive() == b"new"
        assert line.in_use
