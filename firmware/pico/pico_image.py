"""Makes a UF2 file for the RP2040 from the bytes of its flash, and fills in the checksum of the boot stage.

    python pico_image.py program.bin program.uf2

The ROM runs the first 256 bytes only when their last four are the CRC of the others (RP2040 data sheet,
section 2.8.1.3.1); UF2: https://github.com/microsoft/uf2. Standard library only.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH_START = 0x10000000
BOOT_BYTES = 252
CRC_POLYNOMIAL = 0x04C11DB7
BLOCK_BYTES = 256
"""Bytes of flash in a UF2 block; the ROM takes no other size."""
UF2_MAGIC = (0x0A324655, 0x9E5D5157)
UF2_END = 0x0AB16F30
UF2_HAS_FAMILY = 0x2000
FAMILY_RP2040 = 0xE48BFF56


def boot_checksum(stage: bytes) -> int:
    """CRC-32 as the ROM computes it: not reflected, begun with ones, not inverted at the end."""
    crc = 0xFFFFFFFF
    for byte in stage:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ CRC_POLYNOMIAL if crc & 0x80000000 else crc << 1) & 0xFFFFFFFF
    return crc


def with_boot_checksum(program: bytes) -> bytes:
    """The program with the CRC behind its boot stage."""
    return (
        program[:BOOT_BYTES]
        + struct.pack("<I", boot_checksum(program[:BOOT_BYTES]))
        + program[BOOT_BYTES + 4 :]
    )


def uf2_file(program: bytes, start: int, family: int) -> bytes:
    """The blocks that put a program at an address.

    Args:
        program: bytes of flash.
        start: address of the first, a multiple of 256.
        family: number of the kind of chip.
    """
    padded = program.ljust(-(-len(program) // BLOCK_BYTES) * BLOCK_BYTES, b"\0")
    count = len(padded) // BLOCK_BYTES
    blocks = []
    for number in range(count):
        place = number * BLOCK_BYTES
        head = struct.pack(
            "<8I", *UF2_MAGIC, UF2_HAS_FAMILY, start + place, BLOCK_BYTES, number, count, family
        )
        data = padded[place : place + BLOCK_BYTES].ljust(476, b"\0")
        blocks.append(head + data + struct.pack("<I", UF2_END))
    return b"".join(blocks)


def main() -> None:
    """Run the command line."""
    source, target = map(Path, sys.argv[1:])
    program = with_boot_checksum(source.read_bytes())
    target.write_bytes(uf2_file(program, FLASH_START, FAMILY_RP2040))


if __name__ == "__main__":
    main()
