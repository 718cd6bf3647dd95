"""The second serial line of the simplified board: 9600 baud 8N1 on any two pins (SPEC.md, Buses).

It hears as the firmware does (firmware/arduino/uart.c): from the time between the edges at the listening pin.
What it sends is there at once for whoever is connected, and as edges at the pin in the time that they take;
the reply does not wait for them, as no time of the host's line is modelled either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode, Pins

BIT_SECONDS = 104e-6
FRAME_BITS = 10
WAITING_MAX = 63
LOST_MAX = 65_535
SHORT_EDGES_MAX = 16
"""More edges closer than half a bit in a millisecond end listening: the firmware could do nothing else."""


class SecondLine:
    """Sender and receiver.

    Args:
        now: the board's time in seconds.

    Attributes:
        peer: hears what is sent; None when nothing is connected.
    """

    def __init__(self, pins: Pins, now: Callable[[], float]) -> None:
        self._pins = pins
        self._now = now
        self.peer: Callable[[bytes], None] | None = None
        self._received: deque[int] = deque()
        self._lost = 0
        self._pin: int | None = None
        self._armed = False
        self._short_edges = 0
        self._position = FRAME_BITS
        self._level = 1
        self._last_edge = 0.0
        self._bits = 0

    def restart(self) -> None:
        """As after a start: nothing listens."""
        self._pin, self._armed, self._lost = None, False, 0
        self._received.clear()

    # -- receiving ------------------------------------------------------------------------------------
    def listens(self, pin: int) -> bool:
        """Whether that pin is the one that listens now."""
        self.poll()
        return pin == self._pin

    def listen(self, pin: int) -> None:
        """Keep what arrives at a pin; at another one than before it begins anew."""
        if not self.listens(pin):
            self.restart()
        elif self._armed:
            return
        self._pin, self._armed = pin, True
        self._short_edges, self._position, self._level = 0, FRAME_BITS, self._pins.level(pin)

    def poll(self) -> None:
        """Once a millisecond: let go of a pin that another command has taken, end a frame that is over."""
        if self._pin is None:
            return
        if not self._pins.is_input(self._pin):
            self.restart()
            return
        self._short_edges = 0
        if self._position < FRAME_BITS and self._now() - self._last_edge > FRAME_BITS * BIT_SECONDS:
            self._take_bits(FRAME_BITS)

    def see(self, pin: int) -> None:
        """Something outside has changed a pin."""
        level = self._pins.level(pin)
        if pin != self._pin or not self._armed or level == self._level:
            return
        elapsed = self._now() - self._last_edge
        if elapsed < BIT_SECONDS / 2:
            self._short_edges += 1
            if self._short_edges > SHORT_EDGES_MAX:
                self._armed, self._position = False, FRAME_BITS
                self._count_lost()
                return
        self._take_bits(min(FRAME_BITS, int(elapsed / BIT_SECONDS + 0.5)))
        self._last_edge, self._level = self._now(), level
        if self._position >= FRAME_BITS and not level:
            self._position = 0

    def _take_bits(self, count: int) -> None:
        """The level lasted so many bits: 0 is the start bit, 1 to 8 are the data, 9 is the stop bit."""
        for place in range(self._position, min(FRAME_BITS, self._position + count)):
            if 0 < place < FRAME_BITS - 1:
                self._bits = self._bits >> 1 | (0x80 if self._level else 0)
            elif place and self._level:
                self.arrive(bytes([self._bits]))
            elif place:
                self._count_lost()
            self._position = place + 1

    def arrive(self, data: bytes) -> None:
        """Whole bytes come in at the listening pin."""
        for value in data if self._pin is not None else b"":
            if len(self._received) < WAITING_MAX:
                self._received.append(value)
            else:
                self._count_lost()

    def _count_lost(self) -> None:
        self._lost = min(LOST_MAX, self._lost + 1)

    def take(self, limit: int) -> bytes:
        """Bytes that have come, oldest first."""
        return bytes(self._received.popleft() for _ in range(min(limit, len(self._received))))

    def take_lost(self) -> int:
        """How many bytes were lost since the last call."""
        lost, self._lost = self._lost, 0
        return lost

    # -- sending --------------------------------------------------------------------------------------
    def send(self, pin: int, data: bytes) -> None:
        """Send bytes on a pin, which stays an output that idles high."""
        was_idle = self._pins.mode(pin) is PinMode.OUTPUT and self._pins.level(pin) == 1
        self._pins.write(pin, 1)
        begin = self._now() + (0.0 if was_idle else 2 * FRAME_BITS * BIT_SECONDS)
        self._pins.add_edges(pin, list(_edges_of(data, begin)))
        self.poll()
        if self.peer is not None:
            self.peer(data)


def _edges_of(data: bytes, begin: float) -> Iterator[tuple[float, int]]:
    """Changes of a line that is high before and after: (seconds, new level)."""
    level = 1
    for index, value in enumerate(data):
        frame = value << 1 | 0x200
        for bit in range(FRAME_BITS):
            if frame >> bit & 1 != level:
                level ^= 1
                yield begin + (index * FRAME_BITS + bit) * BIT_SECONDS, level
