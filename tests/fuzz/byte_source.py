"""Draws choices, numbers and texts from bytes, so that a fuzzer that changes bytes changes structures."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class ByteSource:
    """Reads from the front; when the bytes are used up every draw is the first or the smallest."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _take(self, count: int) -> bytes:
        piece = self._data[self._at : self._at + count]
        self._at += count
        return piece.ljust(count, b"\0")

    def integer(self, low: int, high: int) -> int:
        """A whole number from low to high."""
        return low + int.from_bytes(self._take(2), "big") % (high - low + 1)

    def flag(self) -> bool:
        """Yes or no."""
        return bool(self._take(1)[0] & 1)

    def number(self) -> float:
        """Any double, also nan and the infinities."""
        return float(struct.unpack(">d", self._take(8))[0])

    def text(self, longest: int) -> str:
        """A text of Latin-1 characters."""
        return self._take(self.integer(0, longest)).decode("latin-1")

    def choose(self, choices: Sequence[T]) -> T:
        """One of several."""
        return choices[self._take(1)[0] % len(choices)]

    def some(self, choices: Sequence[T]) -> list[T]:
        """Some of several, in their order."""
        mask = self._take(1)[0]
        return [choice for index, choice in enumerate(choices) if mask >> index & 1]
