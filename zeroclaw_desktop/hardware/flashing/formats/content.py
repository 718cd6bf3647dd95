"""What a reader of a format gives, and how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zeroclaw_desktop.foundation.errors import ZeroClawError


class FormatError(ZeroClawError):
    """A file is not what it claims to be, or is not for the board.

    Args:
        reason: what is wrong and where, in words that end "The firmware X cannot be flashed: ...".
    """

    default_code = "image_unfit"

    def __init__(self, reason: str) -> None:
        super().__init__(f"The firmware cannot be flashed: {reason}.", details={"reason": reason})
        self.reason = reason


@dataclass(frozen=True)
class FirmwareContent:
    """A firmware file that was understood.

    Attributes:
        kind: ``hex``, ``bin``, ``elf``, ``uf2`` or ``python``.
        segments: bytes by their address in the chip, ascending, none touching another; of an ELF for an
            Espressif chip by the address at which the program sees them.
        files: content by relative path, for ``python``.
        original: the file as it was read, for ``elf`` and ``uf2``; tools may take these formats themselves.
        left_out: what the file holds besides and is never written: EEPROM, fuses, other chips' parts.
        restore_point: whether it was read from a board before.
    """

    kind: str
    segments: Mapping[int, bytes] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    original: bytes = b""
    left_out: tuple[str, ...] = ()
    restore_point: bool = False


def join_pieces(pieces: list[tuple[int, bytes]]) -> dict[int, bytes]:
    """Join pieces that touch each other.

    Args:
        pieces: (address, bytes), in any order; empty ones are dropped.

    Raises:
        FormatError: two of them overlap.
    """
    joined: dict[int, bytearray] = {}
    start = end = -1
    for address, data in sorted(pieces, key=lambda piece: piece[0]):
        if not data:
            continue
        if address < end:
            raise FormatError(f"it gives address 0x{address:X} a second time")
        if address != end:
            start = address
            joined[start] = bytearray()
        joined[start] += data
        end = address + len(data)
    return {address: bytes(data) for address, data in joined.items()}
