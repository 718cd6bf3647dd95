"""The partition table of an ESP32: where apps lie in flash.

Source: Espressif, ESP-IDF Programming Guide, "Partition Tables" (binary format, 32 bytes for each entry).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from zeroclaw_desktop.hardware.flashing.formats.content import FormatError

TABLE_BYTES = 0xC00
ENTRY_MAGIC, MD5_MAGIC = b"\xaa\x50", b"\xeb\xeb"
APP, DATA = 0, 1
FACTORY, OTA_FIRST, OTA_LAST = 0x00, 0x10, 0x1F
OTA_DATA = 0x00
_ENTRY = struct.Struct("<2sBBII16sI")
_MD5_AT = 16


@dataclass(frozen=True)
class Partition:
    """One entry.

    Attributes:
        kind: APP or DATA, or a number of the project's own.
        subtype: for an app FACTORY or OTA_FIRST ... OTA_LAST.
    """

    name: str
    kind: int
    subtype: int
    offset: int
    size: int


def read_partitions(content: bytes, where: str) -> list[Partition]:
    """Read a table.

    Args:
        content: begins with the table.
        where: what to call it in messages.

    Raises:
        FormatError: damaged.
    """
    found: list[Partition] = []
    for place in range(0, min(len(content), TABLE_BYTES) - _ENTRY.size + 1, _ENTRY.size):
        entry = content[place : place + _ENTRY.size]
        if entry.startswith(MD5_MAGIC):
            if entry[_MD5_AT:] != hashlib.md5(content[:place], usedforsecurity=False).digest():
                raise FormatError(f"{where} is damaged: its checksum is wrong")
            continue
        magic, kind, subtype, offset, size, name, _ = _ENTRY.unpack(entry)
        if magic != ENTRY_MAGIC:
            if entry.strip(b"\xff"):
                raise FormatError(f"{where} is damaged at entry {place // _ENTRY.size}")
            break
        text = name.split(b"\0")[0].decode("ascii", "replace")
        found.append(Partition(text, kind, subtype, offset, size))
    if not found:
        raise FormatError(f"{where} has no entries")
    return found


def first_app(partitions: Sequence[Partition]) -> Partition | None:
    """The partition that starts on a board without update data: the factory app, else the first slot."""
    apps = [one for one in partitions if one.kind == APP]
    factory = [one for one in apps if one.subtype == FACTORY]
    slots = sorted((one for one in apps if OTA_FIRST <= one.subtype <= OTA_LAST), key=lambda one: one.subtype)
    return next(iter([*factory, *slots]), None)


def update_data(partitions: Sequence[Partition]) -> Partition | None:
    """The partition that says which slot starts."""
    return next((one for one in partitions if one.kind == DATA and one.subtype == OTA_DATA), None)
