"""A board on a loopback connection that answers requests and meanwhile prints as much as is wanted.

``python -m benchmarks._flood_board PATTERN BYTES_PER_SECOND`` prints its port; ``go SECONDS`` on its standard
input makes it print for so long, and then it prints how many bytes it sent. A rate of 0 is as fast as they
are taken. ``sum`` prints that number again, with the replies since.
"""

from __future__ import annotations

import selectors
import socket
import sys
import threading
import time

from zeroclaw_desktop.hardware.simulator.pure_board import PureBoard

STEP_SECONDS = 0.004
PIECE = 16_384


def _lines(make: object, count: int) -> bytes:
    return b"".join(make(n) for n in range(count))  # type: ignore[operator]


PATTERNS: dict[str, bytes] = {
    "lines": _lines(lambda n: b"I (%07d) main: loop %d, nothing to report today\n" % (n, n % 97), 5000),
    "no line end": bytes(33 + n % 90 for n in range(90_000)),
    "colours": _lines(lambda n: b"\x1b[0;3%dmI (%07d) wifi: state %d\x1b[0m\r\n" % (n % 8, n, n % 13), 5000),
    "binary": bytes((n * n * 31 + n * 7 + (n >> 8)) & 255 for n in range(200_000)),
    "GBK": _lines(lambda n: f"温度 {n % 40} 度，传感器正常\n".encode("gbk"), 5000),
    "1 MB lines": b"x" * 1_000_000 + b"\nshort line\n",
    "numbers": _lines(lambda n: b"a:%d.5,b:%d\n" % (n % 50, n % 7), 5000),
}


class FloodBoard:
    """One connection, one machine, one stream of text.

    Args:
        pattern: bytes that are printed over and over.
        rate: bytes a second; 0 for as fast as they are taken.
    """

    def __init__(self, pattern: bytes, rate: int) -> None:
        self._pattern = pattern * (2 * PIECE // len(pattern) + 2)
        self._period = len(pattern)
        self._rate = rate
        self._until = 0.0
        self._begun = 0.0
        self.sent = 0
        self._flooded = 0
        self._machine = PureBoard()
        self._machine.advance(1.0)
        self._machine.transmitted()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.done = threading.Event()

    def flood(self, seconds: float) -> None:
        """Print for so long from now on."""
        self.done.clear()
        self._begun = time.monotonic()
        self._flooded = 0
        self._until = self._begun + seconds

    def serve(self) -> None:
        """Serve one connection until it ends."""
        connection, _ = self.listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector = selectors.DefaultSelector()
        selector.register(connection, selectors.EVENT_READ)
        lived = time.monotonic()
        try:
            while True:
                if selector.select(STEP_SECONDS if not self._floods() or self._rate else 0.0):
                    data = connection.recv(65_536)
                    if not data:
                        return
                    self._machine.receive(data)
                now = time.monotonic()
                self._machine.advance(now - lived)
                lived = now
                said = self._machine.transmitted()
                if said:
                    # In the middle of whatever is printed, on lines of its own.
                    self._send(connection, b"\n" + said)
                self._print(connection, now)
        except OSError:
            return

    def _floods(self) -> bool:
        return bool(self._until)

    def _print(self, connection: socket.socket, now: float) -> None:
        if not self._until:
            return
        if now >= self._until:
            self._send(connection, b"\nend of the flood\n")
            self._until = 0.0
            self.done.set()
            return
        due = PIECE if not self._rate else int((now - self._begun) * self._rate) - self._flooded
        while due > 0:
            start = self._flooded % self._period
            piece = self._pattern[start : start + min(due, PIECE)]
            self._send(connection, piece)
            self._flooded += len(piece)
            due -= len(piece)

    def _send(self, connection: socket.socket, data: bytes) -> None:
        connection.sendall(data)
        self.sent += len(data)


def main() -> None:
    """Serve and obey standard input."""
    board = FloodBoard(PATTERNS[sys.argv[1]], int(sys.argv[2]))
    print(board.listener.getsockname()[1], flush=True)
    threading.Thread(target=board.serve, daemon=True).start()
    for line in sys.stdin:
        if line.startswith("go"):
            board.flood(float(line.split()[1]))
            board.done.wait()
        print(board.sent, flush=True)


if __name__ == "__main__":
    main()
