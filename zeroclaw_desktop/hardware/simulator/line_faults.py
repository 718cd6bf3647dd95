"""What a simulated board's line and supply suffer while a fault lasts: garbage, slow replies, no power.

Pure: the host asks what to do with the bytes and when; time is the host's monotonic clock in seconds.
"""

from __future__ import annotations

from collections import deque

GARBAGE = bytes([0xFF, 0x00, 0xFE, 0x80, 0x7F, 0x0D]) * 40 + b'{"id":"1","ok\n\xc3\x28\n'
GARBAGE_EVERY_SECONDS = 0.25
SLOW_SECONDS = 1.0
"""Long enough to be felt and short enough that no command is given up: the heartbeat waits for 2 s."""
LASTING = ("unplug", "garbage", "slow", "brown_out")
"""Faults that last until they are ended; a pin that is stuck is told apart, as it has a pin and a level."""


class LineFaults:
    """The lasting faults of one board's line."""

    def __init__(self) -> None:
        self._active: set[str] = set()
        self._held: deque[tuple[float, bytes]] = deque()
        self._next_garbage = 0.0

    def set(self, kind: str, active: bool) -> None:
        """Begin or end a fault; what slow replies still hold comes out at once when they end."""
        if active:
            self._active.add(kind)
        else:
            self._active.discard(kind)

    def has(self, kind: str) -> bool:
        """Whether a fault lasts."""
        return kind in self._active

    @property
    def active(self) -> list[str]:
        """The faults that last, in the order of LASTING."""
        return [kind for kind in LASTING if kind in self._active]

    def passed_on(self, data: bytes, now: float) -> bytes:
        """What reaches the host's side at ``now``, of what the board has sent until then.

        Args:
            data: what it sent since the last call.
        """
        if data:
            self._held.append((now + (SLOW_SECONDS if self.has("slow") else 0.0), data))
        ready = bytearray()
        while self._held and (self._held[0][0] <= now or not self.has("slow")):
            ready += self._held.popleft()[1]
        if self.has("garbage") and now >= self._next_garbage:
            self._next_garbage = now + GARBAGE_EVERY_SECONDS
            ready += GARBAGE
        return bytes(ready)

    def drop(self) -> None:
        """What was on its way is lost, as when the board loses its supply."""
        self._held.clear()
