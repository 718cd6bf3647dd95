"""Restore points: a whole flash in a .bin file, and beside it a small TOML file that says whose it was."""

from __future__ import annotations

import dataclasses
import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.flashing.formats.bounded_files import MEBIBYTE, read_bounded
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError

FORMAT = 1
MAX_TABLE_BYTES = 10_000
MAX_BYTES = 128 * MEBIBYTE
_ERASED = b"\xff"
_MAX_SHOWN = 80


@dataclass(frozen=True)
class RestorePoint:
    """What the table beside the content says.

    Attributes:
        path: of the content.
        board_id: identity of the board in the app when it was read.
        board: key of its board file; ``board_name`` for people.
        chip: as the tool named it.
        unique: number of that very chip; '' when it has none.
        bytes, sha256: of the content.
        when: local time with its offset, ISO 8601.
        tool: key of the way that read it.
    """

    path: Path
    board_id: str
    board: str
    board_name: str
    chip: str
    unique: str
    bytes: int
    sha256: str
    when: str
    tool: str


def table_beside(path: Path) -> Path:
    """Where the table of a content is."""
    return path.with_suffix(".toml")


def find_restore_point(path: Path) -> RestorePoint | None:
    """The restore point whose content is at a path; None when the file is something else."""
    table = table_beside(path)
    if path.suffix != ".bin" or not table.is_file():
        return None
    try:
        row = tomllib.loads(read_bounded(table, MAX_TABLE_BYTES).decode("utf-8"))
    except (FormatError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return None
    fields = {field.name: field.type for field in dataclasses.fields(RestorePoint) if field.name != "path"}
    values = {name: row.get(name) for name in fields}
    sound = all(isinstance(value, int if name == "bytes" else str) for name, value in values.items())
    if row.get("restore_point") != FORMAT or not sound:
        return None
    return RestorePoint(path, **values)  # type: ignore[arg-type]


def read_restore_point(point: RestorePoint, profile: BoardProfile) -> FirmwareContent:
    """Read it and check it for a board.

    Raises:
        FormatError: damaged, of another kind of board, or there is nothing in it.
    """
    if point.board != profile.key:
        name = visible(point.board_name, _MAX_SHOWN)
        raise FormatError(f"it is what was on an {name}, but this is an {profile.name}")
    content = read_bounded(point.path, MAX_BYTES)
    if len(content) != point.bytes or hashlib.sha256(content).hexdigest() != point.sha256:
        raise FormatError("the restore point is damaged: its checksum is wrong")
    flash = profile.memory["flash"]
    if not any(isinstance(options, EsptoolOptions) for options in profile.flash.options.values()):
        # The boot loader at the end of the flash is what writes, so it cannot write itself.
        content = content[: flash.bytes - profile.flash.bootloader_bytes].rstrip(_ERASED)
        content += _ERASED * (len(content) % 2)
    if not content.strip(_ERASED):
        raise FormatError("the board was empty when it was read")
    return FirmwareContent("bin", {flash.start: content}, restore_point=True)
