"""For which AVR chip a program was linked, by the length of its interrupt vector table.

HEX and binary files say nothing of their chip. Programs of avr-gcc begin with one jump of four bytes for each
interrupt of the chip: JMP, or RJMP and a NOP where the linker relaxed it (avr-libc, crt1/gcrt1.S). Any other
code may follow, but hardly another such jump.
"""

from __future__ import annotations

import struct

VECTORS = {
    "ATmega168": 26,
    "ATmega328P": 26,
    "ATmega644P": 31,
    "ATmega1284P": 35,
    "ATmega32U4": 43,
    "ATmega1280": 57,
    "ATmega2560": 57,
}
"""Entries of the table by chip (avr-libc, ``_VECTORS_SIZE`` of ``avr/io*.h``, in units of four bytes)."""
_NOP = 0x0000


def count_vectors(program: bytes) -> int:
    """How many jumps of four bytes a program begins with."""
    count = 0
    for first, second in struct.iter_unpack("<HH", program[: len(program) // 4 * 4]):
        is_jmp = first & 0xFE0E == 0x940C
        is_rjmp = first & 0xF000 == 0xC000 and second == _NOP
        if not (is_jmp or is_rjmp):
            break
        count += 1
    return count


def other_chip(program: bytes, chip: str) -> str:
    """The chip that a program was linked for if surely not ``chip``; '' when nothing speaks against it.

    Args:
        program: from address 0 on.
        chip: of the board, as in VECTORS; nothing is said of others.
    """
    own, found = VECTORS.get(chip), count_vectors(program)
    if own is None or found == own:
        return ""
    return " or ".join(name for name, vectors in VECTORS.items() if vectors == found)
