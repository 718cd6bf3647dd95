"""The simulator's lines under bad use: storms of openings, strangers on the app's port."""

from __future__ import annotations

import os
import select
import socket
import sys

import pytest

from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.simulator.avr_board import MAX_BACKLOG_BYTES, AvrBoard
from zeroclaw_desktop.hardware.simulator.line_link import LineLink
from zeroclaw_desktop.hardware.transport.protocol_sim import frame

if sys.platform != "win32":
    from zeroclaw_desktop.hardware.simulator.line_pty import LinePty

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals; run it on POSIX")


@posix
class TestPseudoTerminal:
    def test_two_openings_at_once_and_two_closings_apart(self) -> None:
        line = LinePty()
        users = [os.open(line.path, os.O_RDWR | os.O_NOCTTY) for _ in range(2)]
        assert line.poll_opened()
        os.close(users[0])
        line.poll_opened()
        assert line.in_use
        os.close(users[1])
        line.poll_opened()
        assert not line.in_use
        line.close()

    def test_two_openings_apart_and_two_closings_at_once(self) -> None:
        line = LinePty()
        users = []
        for _ in range(2):
            users.append(os.open(line.path, os.O_RDWR | os.O_NOCTTY))
            assert line.poll_opened()
        for user in users:
            os.close(user)
        assert not line.poll_opened()
        assert not line.in_use
        line.close()

    def test_a_storm_of_openings_leaves_it_free(self) -> None:
        line = LinePty()
        for number in range(500):
            os.close(os.open(line.path, os.O_RDWR | os.O_NOCTTY))
            if number % 7 == 0:
                line.poll_opened()
        line.poll_opened()
        assert not line.poll_opened()
        assert not line.in_use
        line.close()

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs inotify; run it on Linux")
    def test_an_opening_and_closing_between_two_looks_is_seen(self) -> None:
        line = LinePty()
        os.close(os.open(line.path, os.O_RDWR | os.O_NOCTTY))
        assert line.poll_opened()
        assert not line.in_use
        line.close()


class Strangers:
    """The link and clients that connect to it."""

    def __init__(self) -> None:
        self.link = LineLink()
        self.sockets: list[socket.socket] = []

    def connect(self, first: bytes = b"") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.link.port))
        client.settimeout(5)
        client.sendall(first)
        self.sockets.append(client)
        select.select([self.link.waitables()[0]], [], [], 5)
        self.link.accept()
        return client

    def hear(self) -> tuple[bytes, bool]:
        select.select(self.link.waitables()[1:], [], [], 0.5)
        return self.link.receive(busy=False)

    def close(self) -> None:
        for client in self.sockets:
            client.close()
        self.link.turn_away()
        self.link.waitables()[0].close()


@pytest.mark.parametrize(
    "noise",
    [b"", b"GET / HTTP/1.1\r\n\r\n", frame(b"T", b"0" * 32), frame(b"D", b"x"), frame(b"L", b"\1"),
     b"T\xff\xff" + b"a" * 9000],
)  # fmt: skip
def test_a_stranger_on_the_port_does_not_push_the_app_off_the_line(noise: bytes) -> None:
    there = Strangers()
    app = there.connect(frame(b"T", there.link.token.encode()) + frame(b"L", b"\0"))
    there.hear()
    assert there.link.connected
    assert app.recv(16) == frame(b"O")
    for _ in range(3):
        there.connect(noise)
        assert there.hear() == (b"", False)
    app.sendall(frame(b"D", b"hello"))
    assert there.hear()[0] == b"hello"
    there.link.send(b"answer")
    assert app.recv(64) == frame(b"D", b"answer")
    there.close()


def test_the_app_that_connects_anew_takes_the_place_of_its_old_connection() -> None:
    there = Strangers()
    token = frame(b"T", there.link.token.encode())
    old = there.connect(token)
    there.hear()
    new = there.connect(token + frame(b"L", b"\1"))
    assert there.hear() == (b"", True)
    assert new.recv(16) == frame(b"O")
    assert old.recv(16) == frame(b"O")
    assert old.recv(16) == b""
    there.close()


def test_a_program_that_writes_without_end_fills_no_memory_and_the_board_still_answers() -> None:
    board = AvrBoard(firmware_path("prebuilt/avr.wasm"), [firmware_path("prebuilt/zeroclaw-arduino-uno.hex")])
    board.advance(0.5)
    for _ in range(200):
        board.receive(b"x" * 65_536)
    assert len(board._backlog) <= MAX_BACKLOG_BYTES
    for _ in range(40):
        board.advance(0.05)
    board.transmitted()
    board.receive(b'\n{"id":"1","cmd":"ping","args":{}}\n')
    board.advance(0.2)
    assert b'"ok":true' in board.transmitted()


def test_an_empty_line_state_is_no_fault() -> None:
    there = Strangers()
    there.connect(frame(b"T", there.link.token.encode()) + frame(b"L", b"") + frame(b"?", b"x"))
    assert there.hear() == (b"", False)
    there.close()
