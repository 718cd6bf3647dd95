"""UF2 files: blocks of 512 bytes, each with its address and the family of the chip that it is for.

Source: Microsoft, "USB Flashing Format (UF2)", and the family ids of its utils/uf2families.json.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import Uf2Options
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError, join_pieces

BLOCK_BYTES = 512
MAX_PAYLOAD = 476
PAYLOAD_BYTES = 256
"""What every boot loader takes; used when a file is written."""
MAGIC_START, MAGIC_SECOND, MAGIC_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
NOT_MAIN_FLASH, FILE_CONTAINER, FAMILY_PRESENT = 0x0001, 0x1000, 0x2000
FAMILY_NAMES = {
    0xE48BFF56: "RP2040",
    0xE48BFF57: "absolute addresses",
    0xE48BFF58: "RP2xxx data",
    0xE48BFF59: "RP2350 (ARM, secure)",
    0xE48BFF5A: "RP2350 (RISC-V)",
    0xE48BFF5B: "RP2350 (ARM, non-secure)",
    0x68ED2B88: "SAMD21",
    0x55114460: "SAMD51",
    0xADA52840: "nRF52840",
    0x1B57745F: "nRF52",
    0x57755A57: "STM32F4",
    0x5EE21072: "STM32F1",
    0xBFDD4EEE: "ESP32-S2",
    0xC47E5767: "ESP32-S3",
    0x1C5F21B0: "ESP32",
    0xD42BA06C: "ESP32-C3",
    0x540DDF62: "ESP32-C6",
}
_HEADER = struct.Struct("<8I")
_END = struct.Struct("<I")


@dataclass(frozen=True)
class _Block:
    position: int
    flags: int
    address: int
    number: int
    total: int
    family: int | None
    payload: bytes


def family_name(family: int | None) -> str:
    """Name of a family of chips, or its number."""
    if family is None:
        return "no chip in particular"
    return FAMILY_NAMES.get(family, f"family 0x{family:08X}")


def read_uf2(content: bytes, profile: BoardProfile) -> FirmwareContent:
    """Read a UF2 file and take the blocks for the families of the board.

    Raises:
        FormatError: a block is damaged, missing or given twice, or no block is for the board.
    """
    if len(content) % BLOCK_BYTES or not content:
        raise FormatError(f"it is cut short: {len(content)} bytes are not whole blocks of {BLOCK_BYTES}")
    blocks = [_block(content, position) for position in range(0, len(content), BLOCK_BYTES)]
    main = [block for block in blocks if not block.flags & (NOT_MAIN_FLASH | FILE_CONTAINER)]
    options = profile.flash.options.get("uf2")
    wanted = options.families if isinstance(options, Uf2Options) else ()
    ours = [block for block in main if block.family in wanted] if wanted else main
    families = dict.fromkeys(block.family for block in main)
    if not ours:
        found = ", ".join(map(family_name, families)) or "no program"
        for_us = ", ".join(map(family_name, wanted))
        raise FormatError(f"it is for {found}, but the {profile.name} takes {for_us}")
    chosen = {block.family for block in ours}
    if len(chosen) > 1:
        # Several programs that all fit: the first family of the board file is the better one.
        best = next(family for family in wanted or families if family in chosen)
        ours, chosen = [block for block in ours if block.family == best], {best}
    _check_numbers(ours, blocks)
    left_out = tuple(f"part for {family_name(family)}" for family in families if family not in chosen)
    segments = join_pieces([(block.address, block.payload) for block in ours])
    return FirmwareContent("uf2", segments, original=content, left_out=left_out)


def block_families(content: bytes) -> list[int | None]:
    """Family of each block of a file that was read already; None for a block that names none."""
    found = []
    for position in range(0, len(content), BLOCK_BYTES):
        _, _, flags, *_, family = _HEADER.unpack_from(content, position)
        found.append(family if flags & FAMILY_PRESENT else None)
    return found


def _block(content: bytes, position: int) -> _Block:
    where = f"block {position // BLOCK_BYTES}"
    first, second, flags, address, size, number, total, family = _HEADER.unpack_from(content, position)
    (last,) = _END.unpack_from(content, position + BLOCK_BYTES - _END.size)
    if (first, second, last) != (MAGIC_START, MAGIC_SECOND, MAGIC_END):
        raise FormatError(f"{where} does not have the marks of a UF2 block")
    if not 0 < size <= MAX_PAYLOAD:
        raise FormatError(f"{where} states {size} bytes; a block holds 1 to {MAX_PAYLOAD}")
    if number >= total:
        raise FormatError(f"{where} says that it is number {number} of {total}")
    if address + size > 1 << 32:
        raise FormatError(f"{where} runs past the last address")
    start = position + _HEADER.size
    known = family if flags & FAMILY_PRESENT else None
    return _Block(position, flags, address, number, total, known, content[start : start + size])


def _check_numbers(ours: list[_Block], every: list[_Block]) -> None:
    """Each number once and all of them: counted within the family, or through the whole file."""
    totals = {block.total for block in ours}
    if len(totals) > 1:
        raise FormatError(f"its blocks do not agree how many there are: {min(totals)} or {max(totals)}")
    total = totals.pop()
    seen: set[int] = set()
    for block in ours:
        if block.number in seen:
            raise FormatError(f"block number {block.number} is there twice")
        seen.add(block.number)
    if len(seen) != total:
        through_the_file = total == len(every) and len({block.number for block in every}) == total
        if not through_the_file:
            missing = next(number for number in range(total) if number not in seen)
            raise FormatError(f"block number {missing} of {total} is missing")


def to_uf2(segments: Mapping[int, bytes], family: int) -> bytes:
    """Write segments as a UF2 file for one family of chips.

    Args:
        segments: bytes by their address in the chip.
        family: its id.
    """
    pieces = [
        (start + at, data[at : at + PAYLOAD_BYTES])
        for start, data in sorted(segments.items())
        for at in range(0, len(data), PAYLOAD_BYTES)
    ]
    blocks = []
    for number, (address, payload) in enumerate(pieces):
        header = _HEADER.pack(
            MAGIC_START,
            MAGIC_SECOND,
            FAMILY_PRESENT,
            address,
            len(payload),
            number,
            len(pieces),
            family,
        )
        body = payload.ljust(BLOCK_BYTES - _HEADER.size - _END.size, b"\0")
        blocks.append(header + body + _END.pack(MAGIC_END))
    return b"".join(blocks)
