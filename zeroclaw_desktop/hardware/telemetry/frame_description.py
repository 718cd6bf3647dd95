"""What a board's binary frames look like, as a small TOML file says.

::

    name = "imu"
    framing = "cobs"            # frames end with a zero byte; or "sync": fixed size, begins with ``sync``
    # sync = "AA 55"            # for framing = "sync"
    byte_order = "little"       # or "big"
    checksum = "crc16-ccitt"    # over the fields, stands behind them; leave out where there is none

    [[field]]
    name = "t"
    type = "u32"                # u8 i8 u16 i16 u32 i32 u64 i64 f32 f64
    clock = "us"                # this field is the board's clock: "us", "ms" or "s"

    [[field]]
    name = "ax"
    type = "i16"
    scale = 0.000598            # value = raw * scale + offset
    unit = "m/s2"

    [[field]]
    skip = 2                    # bytes that carry nothing
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.hardware.telemetry.checksums import CHECKSUMS
from zeroclaw_desktop.hardware.telemetry.errors import FrameDescriptionError

TYPES = {
    "u8": "u1",
    "i8": "i1",
    "u16": "u2",
    "i16": "i2",
    "u32": "u4",
    "i32": "i4",
    "u64": "u8",
    "i64": "i8",
    "f32": "f4",
    "f64": "f8",
}
CLOCK_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}
BYTE_ORDERS = {"little": "<", "big": ">"}
MAX_FRAME_BYTES = 4096
MAX_FIELDS = 256
_KEYS = frozenset({"name", "framing", "sync", "byte_order", "checksum", "field"})
_FIELD_KEYS = frozenset({"name", "type", "scale", "offset", "unit", "clock", "byte_order"})


@dataclass(frozen=True, slots=True)
class FrameField:
    """One number of a frame.

    Attributes:
        name: label of its series.
        numpy_type: type and byte order as numpy writes them.
        position: of its first byte behind the sync bytes.
        scale: value = raw * scale + offset.
        offset: see ``scale``.
        unit: of the value.
    """

    name: str
    numpy_type: str
    position: int
    scale: float = 1.0
    offset: float = 0.0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class FrameDescription:
    """Layout of the frames of one board.

    Attributes:
        name: for people.
        sync: what each frame begins with; empty for COBS.
        size: bytes of the fields, without sync bytes and checksum.
        fields: the numbers that become series.
        clock: the board's clock, None when there is none; its ``scale`` gives milliseconds.
        checksum: a key of ``CHECKSUMS``, empty for none.
        checksum_order: ``little`` or ``big``.
        text: the description as it was written, for recordings.
    """

    name: str
    sync: bytes
    size: int
    fields: tuple[FrameField, ...]
    clock: FrameField | None
    checksum: str
    checksum_order: str
    text: str

    @property
    def content_size(self) -> int:
        """Bytes of fields and checksum."""
        return self.size + (CHECKSUMS[self.checksum].size if self.checksum else 0)


def read_description(path: Path) -> FrameDescription:
    """Read a description from a file.

    Raises:
        FrameDescriptionError: the file cannot be read or has a mistake.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _mistake(f"{path} cannot be read: {error}") from error
    return parse_description(text)


def parse_description(text: str) -> FrameDescription:
    """Read a description.

    Raises:
        FrameDescriptionError: where the mistake is and what would be right.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _mistake(f"this is no TOML: {error}") from error
    _only(document, _KEYS, "the file")
    order = _choice(document.get("byte_order", "little"), BYTE_ORDERS, "byte_order")
    checksum = document.get("checksum", "")
    if checksum:
        checksum = _choice(checksum, CHECKSUMS, "checksum")
    tables = document.get("field")
    if not isinstance(tables, list) or not 0 < len(tables) <= MAX_FIELDS:
        raise _mistake(f"1 to {MAX_FIELDS} [[field]] tables are needed")
    fields: list[FrameField] = []
    clock: FrameField | None = None
    size = 0
    for number, table in enumerate(tables, 1):
        where = f"field {number}"
        if "skip" in table:
            _only(table, frozenset({"skip"}), where)
            size += _whole(table["skip"], f"skip of {where}")
            continue
        field, is_clock = _field(table, where, size, order)
        size += int(field.numpy_type[2:])
        if not is_clock:
            fields.append(field)
        elif clock is None:
            clock = field
        else:
            raise _mistake(f"{where} is a second clock")
    if size > MAX_FRAME_BYTES:
        raise _mistake(f"a frame of {size} bytes is longer than {MAX_FRAME_BYTES}")
    names = [field.name for field in fields]
    if not names or len(set(names)) < len(names):
        raise _mistake("fields need names that differ, and one of them must not be the clock")
    return FrameDescription(
        str(document.get("name", "")), _sync(document), size, tuple(fields), clock, checksum, order, text
    )


def _mistake(text: str) -> FrameDescriptionError:
    return FrameDescriptionError(
        f"The description of the frames is not usable: {text}.",
        hint="The user guide shows a whole example under 'Binary frames'.",
        details={"reason": text},
    )


def _only(table: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
    unknown = sorted(table.keys() - keys)
    if unknown:
        raise _mistake(f"{where} has '{unknown[0]}', known are {', '.join(sorted(keys))}")


def _choice(value: object, choices: Mapping[str, Any], where: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise _mistake(f"{where} is {value!r}, known are {', '.join(choices)}")
    return value


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MAX_FRAME_BYTES:
        raise _mistake(f"{where} is {value!r}, a number from 1 to {MAX_FRAME_BYTES} is needed")
    return value


def _number(value: object, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise _mistake(f"{where} is {value!r}, a finite number is needed")
    return float(value)


def _sync(document: Mapping[str, Any]) -> bytes:
    framing = _choice(document.get("framing", "cobs"), {"cobs": None, "sync": None}, "framing")
    if framing == "cobs":
        if "sync" in document:
            raise _mistake("sync bytes go with framing = 'sync', COBS has none")
        return b""
    try:
        sync = bytes.fromhex(document.get("sync", ""))
    except (TypeError, ValueError):
        sync = b""
    if not 1 <= len(sync) <= 8:
        raise _mistake("sync must be 1 to 8 bytes in hexadecimal, such as 'AA 55'")
    return sync


def _field(table: Mapping[str, Any], where: str, position: int, order: str) -> tuple[FrameField, bool]:
    _only(table, _FIELD_KEYS, where)
    name = table.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= 64 or not name.isprintable():
        raise _mistake(f"{where} needs a name of 1 to 64 characters")
    code = TYPES[_choice(table.get("type"), TYPES, f"type of '{name}'")]
    order = _choice(table.get("byte_order", order), BYTE_ORDERS, f"byte_order of '{name}'")
    unit = table.get("unit", "")
    if not isinstance(unit, str) or len(unit) > 16 or not (unit.isprintable() or not unit):
        raise _mistake(f"unit of '{name}' must be text of at most 16 characters")
    is_clock = "clock" in table
    scale = _number(table.get("scale", 1.0), f"scale of '{name}'")
    if is_clock:
        scale *= CLOCK_MILLISECONDS[_choice(table["clock"], CLOCK_MILLISECONDS, f"clock of '{name}'")]
    offset = _number(table.get("offset", 0.0), f"offset of '{name}'")
    return FrameField(name, BYTE_ORDERS[order] + code, position, scale, offset, unit), is_clock
