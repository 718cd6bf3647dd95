"""Checksums of binary frames, parametrised as in the catalogue of CRC algorithms by G. Cook."""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Callable
from functools import reduce
from operator import xor
from typing import NamedTuple


class Checksum(NamedTuple):
    """Size in bytes and the function of the protected bytes."""

    size: int
    of: Callable[[bytes], int]


def _table(polynomial: int) -> bytes:
    rows = []
    for value in range(256):
        for _ in range(8):
            value = (value << 1 ^ polynomial if value & 0x80 else value << 1) & 0xFF
        rows.append(value)
    return bytes(rows)


_CRC8 = _table(0x07)


def _crc8(data: bytes) -> int:
    return reduce(lambda value, byte: _CRC8[value ^ byte], data, 0)


def _crc16_table() -> tuple[int, ...]:
    rows = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
        rows.append(value)
    return tuple(rows)


_MODBUS = _crc16_table()


def _crc16_modbus(data: bytes) -> int:
    return reduce(lambda value, byte: value >> 8 ^ _MODBUS[(value ^ byte) & 0xFF], data, 0xFFFF)


CHECKSUMS = {
    "sum8": Checksum(1, lambda data: sum(data) & 0xFF),
    "xor8": Checksum(1, lambda data: reduce(xor, data, 0)),
    "crc8": Checksum(1, _crc8),
    "crc16-ccitt": Checksum(2, lambda data: binascii.crc_hqx(data, 0xFFFF)),
    "crc16-modbus": Checksum(2, _crc16_modbus),
    "crc32": Checksum(4, lambda data: zlib.crc32(data)),
}
