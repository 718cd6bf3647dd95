"""Lists of the parts of a firmware: ``manifest.json`` of ESP Web Tools and ``flasher_args.json`` of ESP-IDF.

Sources: ESP Web Tools, "Preparing your firmware"; ESP-IDF build system, ``flasher_args.json``. The parts are
files beside the list; addresses of the web are not fetched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.flashing.formats.bounded_files import MEBIBYTE, read_bounded
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError, join_pieces
from zeroclaw_desktop.hardware.flashing.formats.esp_image import chip_title

MAX_PARTS = 32
MAX_BYTES = 32 * MEBIBYTE
_MAX_SHOWN = 80


def read_manifest(content: bytes, path: Path, options: EsptoolOptions) -> FirmwareContent:
    """Read the list and its parts.

    Args:
        content: of the list.
        path: of the list; its parts must lie in the same folder or below.
        options: of the board, whose chip is chosen.

    Raises:
        FormatError: no list of parts, none for the chip, or a part is missing.
    """
    try:
        table = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FormatError("it is not JSON") from error
    if not isinstance(table, dict):
        raise FormatError("it is no list of firmware parts")
    parts = _idf_parts(table, options) if "flash_files" in table else _web_parts(table, options)
    if not 0 < len(parts) <= MAX_PARTS:
        raise FormatError(f"it lists {len(parts)} parts; 1 to {MAX_PARTS} are possible")
    pieces, left = [], MAX_BYTES
    for name, offset in parts:
        data = _part(path.parent, name, left)
        left -= len(data)
        pieces.append((offset, data))
    return FirmwareContent("bin", join_pieces(pieces))


def _web_parts(table: Mapping[str, Any], options: EsptoolOptions) -> list[tuple[str, int]]:
    builds = [build for build in _list(table, "builds") if isinstance(build, dict)]
    wanted = options.chip.upper()
    families = [str(build.get("chipFamily", "")) for build in builds]
    build = next(
        (one for one, name in zip(builds, families, strict=True) if name.upper().replace("-", "") == wanted),
        None,
    )
    if build is None:
        found = visible(", ".join(families), _MAX_SHOWN) or "no chip"
        raise FormatError(f"it has parts for {found}, but not for the {chip_title(options.chip)}")
    return [
        (_text(part.get("path")), _offset(part.get("offset")))
        for part in _list(build, "parts")
        if isinstance(part, dict)
    ]


def _idf_parts(table: Mapping[str, Any], options: EsptoolOptions) -> list[tuple[str, int]]:
    extra = table.get("extra_esptool_args")
    chip = str(extra.get("chip", options.chip)) if isinstance(extra, dict) else options.chip
    if chip != options.chip:
        raise FormatError(
            f"it was built for the {visible(chip_title(chip), _MAX_SHOWN)}, "
            f"but this is an {chip_title(options.chip)}"
        )
    files = table["flash_files"]
    if not isinstance(files, dict):
        raise FormatError("its flash_files is no table")
    return [(_text(name), _offset(offset)) for offset, name in files.items()]


def _list(table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key)
    if not isinstance(value, list):
        raise FormatError(f"it is no list of firmware parts: '{key}' is missing")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise FormatError("a part has no path")
    return value


def _offset(value: Any) -> int:
    """An offset in flash: a number, or text such as ``0x8000``."""
    try:
        number = int(value, 0) if isinstance(value, str) else value
    except ValueError:
        number = None
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 32:
        raise FormatError(f"{visible(repr(value), _MAX_SHOWN)} is no offset in flash")
    return number


def _part(folder: Path, name: str, limit: int) -> bytes:
    shown = visible(name, _MAX_SHOWN)
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or ":" in name or "\\" in name:
        raise FormatError(f"its part {shown} is not a file beside it")
    try:
        return read_bounded(folder / place, limit)
    except ValueError as error:  # a name with a zero byte
        raise FormatError(f"its part {shown} has no possible name") from error
    except FormatError as error:
        raise FormatError(f"its part {shown}: {error.reason}") from error
