"""ELF files: what the loadable segments put into the flash of the chip.

Read here and not by a library: pyelftools walks section tables whose counts the file states, so that a file
made for it holds it for hours. Source: System V Application Binary Interface, chapters 4 and 5.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError, join_pieces
from zeroclaw_desktop.hardware.flashing.formats.machines import EM_AVR, MACHINE_NAMES, machines_of

MAGIC = b"\x7fELF"
_HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
_PROGRAM_HEADER = struct.Struct("<IIIIIIII")
_CLASS_32, _LITTLE_ENDIAN, _EXECUTABLE, _LOAD = 1, 1, 2, 1
_MAX_SEGMENTS = 512
_AVR_OTHER_MEMORIES = (
    (0x850000, "user signature"),
    (0x840000, "signature"),
    (0x830000, "lock bits"),
    (0x820000, "fuses"),
    (0x810000, "EEPROM"),
    (0x800000, "RAM"),
)
"""Address spaces of avr-gcc and avr-libc beside the flash, highest first; none of them is ever written."""


@dataclass(frozen=True)
class _Segment:
    offset: int
    virtual: int
    physical: int
    data: bytes


def read_elf(content: bytes, profile: BoardProfile) -> FirmwareContent:
    """Read a linked program.

    Raises:
        FormatError: damaged, for another processor, or nothing in it goes into the flash.
    """
    machine, table, entry_size, count = _header(content)
    wanted = machines_of(profile.chip)
    if machine not in wanted:
        built = MACHINE_NAMES.get(machine, f"processor number {machine}")
        has = " or ".join(MACHINE_NAMES[number] for number in wanted) or "a processor without ELF programs"
        raise FormatError(f"it is a program for {built}, but the {profile.chip} has {has}")
    segments = list(_segments(content, table, entry_size, count))
    left_out: tuple[str, ...] = ()
    if any(isinstance(options, EsptoolOptions) for options in profile.flash.options.values()):
        # The flash of these chips holds an image made of the program, not the program: esptool makes it.
        pieces = [(segment.virtual, segment.data) for segment in segments]
    elif machine == EM_AVR:
        pieces, left_out = _avr_pieces(segments)
    else:
        flash = profile.memory.get("flash")
        pieces = [_without_headers(segment, flash.start if flash else 0) for segment in segments]
    joined = join_pieces(pieces)
    if not joined:
        raise FormatError("nothing in it goes into the flash")
    return FirmwareContent("elf", joined, original=content, left_out=left_out)


def _header(content: bytes) -> tuple[int, int, int, int]:
    """(machine, offset of the program headers, size of each, how many)."""
    if not content.startswith(MAGIC):
        raise FormatError("it does not begin with the mark of an ELF file")
    if len(content) < _HEADER.size:
        raise FormatError("it is cut short: its ELF header is not complete")
    ident, kind, machine, _, _, table, _, _, _, entry_size, count, *_ = _HEADER.unpack_from(content)
    if ident[4] != _CLASS_32:
        raise FormatError("it is a 64-bit program")
    if ident[5] != _LITTLE_ENDIAN:
        raise FormatError("it is a big-endian program")
    if kind != _EXECUTABLE:
        raise FormatError("it is not a linked program (an object file or a library)")
    if entry_size < _PROGRAM_HEADER.size or not 0 < count <= _MAX_SEGMENTS:
        raise FormatError(f"its table of segments is damaged ({count} of {entry_size} bytes)")
    if table + entry_size * count > len(content):
        raise FormatError("it is cut short: its table of segments lies beyond its end")
    return machine, table, entry_size, count


def _segments(content: bytes, table: int, entry_size: int, count: int) -> Iterator[_Segment]:
    total = 0
    for number in range(count):
        kind, offset, virtual, physical, file_size, *_ = _PROGRAM_HEADER.unpack_from(
            content, table + number * entry_size
        )
        if kind != _LOAD or file_size == 0:
            continue
        if offset + file_size > len(content):
            raise FormatError(f"it is cut short: segment {number} at 0x{physical:X} lies beyond its end")
        if max(virtual, physical) + file_size > 1 << 32:
            raise FormatError(f"segment {number} at 0x{physical:X} runs past the last address")
        total += file_size
        if total > len(content):  # segments that share their bytes in the file would multiply it
            raise FormatError(f"segment {number} takes bytes of the file that another segment takes too")
        yield _Segment(offset, virtual, physical, content[offset : offset + file_size])


def _avr_pieces(segments: list[_Segment]) -> tuple[list[tuple[int, bytes]], tuple[str, ...]]:
    pieces, left_out = [], []
    for segment in segments:
        other = next((name for start, name in _AVR_OTHER_MEMORIES if segment.physical >= start), "")
        if other:
            left_out.append(f"{other} ({len(segment.data)} bytes)")
        else:
            pieces.append((segment.physical, segment.data))
    return pieces, tuple(left_out)


def _without_headers(segment: _Segment, flash_start: int) -> tuple[int, bytes]:
    """A linker may let the first segment begin with the ELF header, below the flash; that is not loaded."""
    before = flash_start - segment.physical
    if segment.offset == 0 and 0 < before < len(segment.data):
        return flash_start, segment.data[before:]
    return segment.physical, segment.data
