"""Reading and writing Intel HEX images, strictly.

A damaged or overlapping image must never reach a board: every record is checked (start, length, checksum,
type, order) and a byte may be given once only.

Source: Intel, "Hexadecimal Object File Format Specification", revision A, 1988.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Mapping

from zeroclaw_desktop.foundation.errors import ZeroClawError

DATA, END_OF_FILE, EXTENDED_SEGMENT, START_SEGMENT, EXTENDED_LINEAR, START_LINEAR = range(6)
_FIXED_LENGTHS = {END_OF_FILE: 0, EXTENDED_SEGMENT: 2, START_SEGMENT: 4, EXTENDED_LINEAR: 2, START_LINEAR: 4}
_RECORD_OVERHEAD = 5
_BYTES_PER_LINE = 16
MAX_STRAYS = 1 << 20
"""Bytes that may come out of order; each takes a hundred times its size."""
_SEGMENT_BYTES = 0x10000


class IntelHexError(ZeroClawError):
    """The text is not a sound Intel HEX image.

    Args:
        line: number of the line that is wrong, counted from 1; 0 when it is the whole.
        reason: what is wrong with it.
    """

    default_code = "intel_hex_invalid"

    def __init__(self, line: int, reason: str) -> None:
        where = f"Line {line} of the HEX file" if line else "The HEX file"
        super().__init__(
            f"{where} {reason}.",
            hint="Build or download the firmware file again.",
            details={"line": line, "reason": reason},
        )
        self.line = line
        self.reason = reason


class _Image:
    """Collects data by address while the records are read.

    Files come in ascending order: a record that begins behind all others cannot overlap any. What comes out
    of order lies before the end of the others, and is looked at byte by byte.
    """

    def __init__(self, size_limit: int | None) -> None:
        self._starts: list[int] = []
        self._pieces: list[bytes] = []
        self._end = 0
        self._strays: dict[int, int] = {}
        self.size_limit = size_limit
        self.base = 0
        self.is_segmented = False

    @property
    def is_empty(self) -> bool:
        return not self._pieces

    def add(self, line: int, offset: int, data: bytes) -> None:
        """Take the data of a record; in a segment the offset wraps around after 0xFFFF."""
        if self.is_segmented and offset + len(data) > _SEGMENT_BYTES:
            ends_at = _SEGMENT_BYTES - offset
            self._put(line, self.base + offset, data[:ends_at])
            self._put(line, self.base, data[ends_at:])
        else:
            self._put(line, self.base + offset, data)

    def _put(self, line: int, address: int, data: bytes) -> None:
        end = address + len(data)
        fits = self.size_limit is None or end <= self.size_limit
        if address >= self._end and fits:
            if data:
                self._starts.append(address)
                self._pieces.append(data)
                self._end = end
            return
        for index, value in enumerate(data):
            self._put_stray(line, address + index, value)

    def _put_stray(self, line: int, address: int, value: int) -> None:
        if self._is_given(address):
            raise IntelHexError(line, f"gives address 0x{address:04X} a second time")
        if self.size_limit is not None and address >= self.size_limit:
            raise IntelHexError(
                line, f"writes to 0x{address:04X}, past the end of the memory (0x{self.size_limit:04X})"
            )
        if len(self._strays) >= MAX_STRAYS:
            raise IntelHexError(line, f"is out of order, as {MAX_STRAYS} bytes before it are")
        self._strays[address] = value

    def _is_given(self, address: int) -> bool:
        place = bisect_right(self._starts, address) - 1
        inside = place >= 0 and address < self._starts[place] + len(self._pieces[place])
        return inside or address in self._strays

    def segments(self) -> dict[int, bytes]:
        """Start address to data, ascending; what is adjacent is joined."""
        strays = ((address, bytes([value])) for address, value in sorted(self._strays.items()))
        joined: dict[int, list[bytes]] = {}
        start, end = 0, -1
        for address, data in heapq.merge(zip(self._starts, self._pieces, strict=True), strays):
            if address != end:
                start = address
                joined[start] = []
            joined[start].append(data)
            end = address + len(data)
        return {address: b"".join(pieces) for address, pieces in joined.items()}


def _read_record(line: int, text: str) -> tuple[int, int, bytes]:
    """Return (type, offset, data) of one record."""
    if not text.startswith(":"):
        raise IntelHexError(line, "does not begin with ':'")
    digits = text[1:]
    try:
        raw = bytes.fromhex(digits)
    except ValueError:
        raw = b""
    if len(raw) * 2 != len(digits) or not raw:
        raise IntelHexError(line, "is not an even number of hexadecimal digits")
    if len(raw) < _RECORD_OVERHEAD or len(raw) != raw[0] + _RECORD_OVERHEAD:
        raise IntelHexError(line, f"has {len(raw)} bytes, which does not match its length field")
    if sum(raw) & 0xFF:
        raise IntelHexError(line, "has a wrong checksum")
    kind = raw[3]
    if kind > START_LINEAR:
        raise IntelHexError(line, f"has the unknown record type {kind:02X}")
    if _FIXED_LENGTHS.get(kind, raw[0]) != raw[0]:
        raise IntelHexError(line, f"has a length that record type {kind:02X} does not allow")
    return kind, raw[1] << 8 | raw[2], raw[4:-1]


def parse_intel_hex(text: str, *, size_limit: int | None = None) -> dict[int, bytes]:
    """Read an Intel HEX image.

    Args:
        text: the content of the file; blank lines and any line ending are allowed.
        size_limit: bytes of the memory that it is meant for; None for no limit.

    Returns:
        Start address to data, ascending; adjacent records are joined.

    Raises:
        IntelHexError: a record is damaged, of unknown type, overlaps another, lies past size_limit or follows
            the end record; the end record is missing; there is no data at all.
    """
    image = _Image(size_limit)
    is_ended = False
    for number, raw_line in enumerate(text.splitlines(), start=1):
        line_text = raw_line.strip()
        if not line_text:
            continue
        if is_ended:
            raise IntelHexError(number, "follows the end record")
        kind, offset, data = _read_record(number, line_text)
        if kind == DATA:
            image.add(number, offset, data)
        elif kind == END_OF_FILE:
            is_ended = True
        elif kind in (EXTENDED_SEGMENT, EXTENDED_LINEAR):
            image.is_segmented = kind == EXTENDED_SEGMENT
            image.base = int.from_bytes(data, "big") << (4 if image.is_segmented else 16)
    if not is_ended:
        raise IntelHexError(0, "has no end record: it is cut short")
    if image.is_empty:
        raise IntelHexError(0, "holds no data")
    return image.segments()


def _record(kind: int, offset: int, data: bytes) -> str:
    raw = bytes([len(data), offset >> 8 & 0xFF, offset & 0xFF, kind]) + data
    return f":{raw.hex().upper()}{-sum(raw) & 0xFF:02X}"


def to_intel_hex(segments: Mapping[int, bytes]) -> str:
    """Write segments (start address to data) as Intel HEX text with type 04 records above 64 KiB.

    Raises:
        ValueError: two segments overlap, or an address is outside 32 bits.
    """
    lines: list[str] = []
    upper = 0
    end_of_previous = 0
    for start, data in sorted(segments.items()):
        if start < end_of_previous or start + len(data) > 1 << 32:
            raise ValueError(f"segment at 0x{start:X} overlaps another or lies outside 32 bits")
        end_of_previous = start + len(data)
        position = 0
        while position < len(data):
            address = start + position
            if address >> 16 != upper:
                upper = address >> 16
                lines.append(_record(EXTENDED_LINEAR, 0, upper.to_bytes(2, "big")))
            room = min(_BYTES_PER_LINE, 0x10000 - (address & 0xFFFF))
            lines.append(_record(DATA, address & 0xFFFF, data[position : position + room]))
            position += room
    lines.append(_record(END_OF_FILE, 0, b""))
    return "\n".join(lines) + "\n"
