"""Devices on a simulated two-wire bus that the product itself does not have."""

from __future__ import annotations


class RefusingDevice:
    """Acknowledges its address and one byte, refuses more, reads as zeros (see vectors/README.md)."""

    def __init__(self) -> None:
        self._taken = 0

    def begin(self, *, is_read: bool) -> bool:
        self._taken = 0
        return True

    def write(self, value: int) -> bool:
        self._taken += 1
        return self._taken == 1

    def read(self) -> int:
        return 0

    def end(self) -> None:
        """Nothing is kept."""
