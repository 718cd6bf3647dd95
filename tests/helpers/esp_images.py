"""Images for Espressif chips, made after the documentation of the format and by no code of the product.

Source: Espressif, esptool documentation, "Firmware Image Format"; ESP-IDF, "Partition Tables".
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from functools import reduce
from operator import xor

CHIP_NUMBERS = {
    "esp32": 0x0000,
    "esp32s2": 0x0002,
    "esp32c3": 0x0005,
    "esp32s3": 0x0009,
    "esp32c6": 0x000D,
}
SIZE_CODES = {1: 0x0, 2: 0x1, 4: 0x2, 8: 0x3, 16: 0x4}


def esp_image(
    chip: str = "esp32",
    data: bytes = b"program.",
    *,
    segments: Sequence[tuple[int, bytes]] | None = None,
    megabytes: int = 4,
    hashed: bool = True,
) -> bytes:
    """A sound image; ``esp8266`` gives the short header of that chip."""
    parts = [(0x4008_0000, data)] if segments is None else segments
    content = struct.pack("<BBBBI", 0xE9, len(parts), 2, SIZE_CODES[megabytes] << 4, 0x4008_0000)
    if chip != "esp8266":
        content += struct.pack("<B3xHBHH4xB", 0xEE, CHIP_NUMBERS[chip], 0, 0, 0xFFFF, int(hashed))
    for address, piece in parts:
        content += struct.pack("<II", address, len(piece)) + piece
    checksum = reduce(xor, b"".join(piece for _, piece in parts), 0xEF)
    content += b"\0" * (15 - len(content) % 16) + bytes([checksum])
    if hashed and chip != "esp8266":
        content += hashlib.sha256(content).digest()
    return content


def partition_table(*entries: tuple[str, int, int, int, int], with_md5: bool = True) -> bytes:
    """A table of (name, type, subtype, offset, size)."""
    rows = entries or (
        ("nvs", 1, 2, 0x9000, 0x5000),
        ("otadata", 1, 0, 0xE000, 0x2000),
        ("app0", 0, 0x10, 0x10000, 0x140000),
        ("app1", 0, 0x11, 0x150000, 0x140000),
    )
    table = b"".join(
        struct.pack("<2sBBII16sI", b"\xaa\x50", kind, subtype, offset, size, name.encode(), 0)
        for name, kind, subtype, offset, size in rows
    )
    if with_md5:
        table += b"\xeb\xeb" + b"\xff" * 14 + hashlib.md5(table, usedforsecurity=False).digest()
    return table.ljust(0xC00, b"\xff")


def merged_image(
    chip: str = "esp32", *, base: int = 0, app: bytes | None = None, megabytes: int = 4
) -> bytes:
    """Boot loader, partition table and app in one file that begins at ``base``."""
    boot = 0x1000 if chip in ("esp32", "esp32s2") else 0
    flash = bytearray(b"\xff" * 0x10000)
    loader = esp_image(chip, b"boot loader.", megabytes=megabytes)
    flash[boot : boot + len(loader)] = loader
    flash[0x8000:0x8C00] = partition_table()
    return bytes(flash[base:]) + (app if app is not None else esp_image(chip, b"the app."))
