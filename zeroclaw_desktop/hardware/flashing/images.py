"""Firmware images: the shipped ones and files of the person, checked for the board before all else."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.formats.avr_vectors import other_chip
from zeroclaw_desktop.hardware.flashing.formats.content import FormatError
from zeroclaw_desktop.hardware.flashing.formats.esp_layout import check_layout
from zeroclaw_desktop.hardware.flashing.formats.reading import read_firmware
from zeroclaw_desktop.hardware.flashing.formats.restore_file import find_restore_point, read_restore_point
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex

DEFAULT_KEY = "default"
MAX_SHOWN = 120
"""Characters of a file's name that are shown."""


@dataclass(frozen=True)
class FirmwareImage:
    """Something that can be flashed.

    Attributes:
        key: name of a shipped image, or the path of a file.
        size: bytes of flash that it fills.
        kind: ``hex``, ``bin``, ``elf``, ``uf2`` or ``python``.
        segments: bytes by their address in the chip; what was checked is what gets written, whatever happens
            to the file meanwhile. Empty in lists, and for programs that are files of the board.
        files: for kind ``python``: content by relative path.
        original: the file as it was read, for ``elf`` and ``uf2``; '' for the others.
        left_out: what the file holds besides and is never written (EEPROM, fuses), for the log.
        restore_point: whether it was read from a board before, so that it may hold anything.
    """

    key: str
    title: dict[Language, str]
    description: dict[Language, str]
    path: Path
    size: int
    version: str = ""
    kind: str = "hex"
    segments: Mapping[int, bytes] = field(default_factory=dict, compare=False, repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict, compare=False, repr=False)
    original: bytes = field(default=b"", compare=False, repr=False)
    left_out: tuple[str, ...] = ()
    restore_point: bool = False


NO_IMAGE = FirmwareImage("", {"en": "", "zh": ""}, {"en": "", "zh": ""}, Path(), 0, kind="none")
"""For jobs that write nothing."""


@cache
def _shipped() -> tuple[tuple[str, FirmwareImage, str], ...]:
    """(board, image, sha256) of each shipped application image."""
    table = tomllib.loads(firmware_path("prebuilt/images.toml").read_text(encoding="utf-8"))
    return tuple(
        (
            row["board"],
            FirmwareImage(
                row["name"],
                {"en": row["title_en"], "zh": row["title_zh"]},
                {"en": row["description_en"], "zh": row["description_zh"]},
                firmware_path(f"prebuilt/{row['file']}"),
                row["size"],
                row["version"],
                row["kind"],
            ),
            row["sha256"],
        )
        for row in table["image"]
        if row["role"] == "application"
    )


def shipped_images(profile: BoardProfile) -> list[FirmwareImage]:
    """Images that ship with the app for a board; the first is the default."""
    return [image for board, image, _ in _shipped() if board == profile.key]


def find_image(key: str, profile: BoardProfile) -> FirmwareImage:
    """A shipped image by its name, or a file by its path; checked for the board.

    Args:
        key: ``default``, a name from images.toml, or a path.

    Raises:
        FlashError: no such image, or it does not fit the board (code ``image_unfit``).
    """
    for board, image, digest in _shipped():
        if board == profile.key and key in (DEFAULT_KEY, image.key):
            content = image.path.read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                raise FlashError(
                    f"The shipped firmware {image.path.name} is damaged.",
                    hint="Install ZeroClaw Desktop again.",
                    code="image_unfit",
                    details={"reason": "its checksum is wrong"},
                )
            if image.kind != "hex":
                read = image_from_file(image.path, profile)
                return replace(image, segments=read.segments, files=read.files)
            return replace(image, segments=parse_intel_hex(content.decode()))
    try:
        path = Path(key).expanduser()
        found = path.is_file() or ("mpremote" in profile.flash.methods and key != "" and path.is_dir())
    except (OSError, RuntimeError):  # a name that is too long, or the home folder of nobody
        found = False
    if not found:
        names = ", ".join(image.key for image in shipped_images(profile)) or "none"
        raise FlashError(
            f"There is no firmware '{key}' for the {profile.name}.",
            hint=f"Shipped: {names}; or give the path of a file.",
            code="image_unfit",
            details={"reason": f"'{key}' was not found"},
        )
    return image_from_file(path, profile)


def image_from_file(path: Path, profile: BoardProfile) -> FirmwareImage:
    """Read and check a firmware file, or a folder of MicroPython programs.

    Raises:
        FlashError: it cannot be read, is damaged, or does not fit the board (code ``image_unfit``).
    """
    try:
        point = find_restore_point(path)
        content = read_restore_point(point, profile) if point is not None else read_firmware(path, profile)
    except FormatError as error:
        raise unfit(path, error.reason) from error
    size = sum(map(len, (*content.segments.values(), *content.files.values())))
    name, place = visible(path.name, MAX_SHOWN), visible(str(path))
    image = FirmwareImage(
        str(path),
        {"en": name, "zh": name},
        {"en": place, "zh": place},
        path,
        size,
        kind=content.kind,
        segments=content.segments,
        files=content.files,
        original=content.original,
        left_out=content.left_out,
        restore_point=content.restore_point,
    )
    check_fit(image, profile)
    return image


def check_fit(image: FirmwareImage, profile: BoardProfile) -> None:
    """Compare the image's place and size with the flash of the board.

    Raises:
        FlashError: code ``image_unfit`` and the reason.
    """
    if image.size == 0:
        raise unfit(image.path, "it is empty")
    flash = profile.memory.get("flash")
    if flash is None:
        raise unfit(image.path, f"the {profile.name} has no flash of its own")
    last = flash.start + flash.bytes
    if image.kind == "python":
        if image.size > flash.bytes:
            raise unfit(image.path, f"{image.size} bytes are more than the {profile.chip} has")
        return
    esp = profile.flash.options.get("esptool")
    if isinstance(esp, EsptoolOptions):
        if image.kind in ("hex", "bin") and not image.restore_point:
            try:
                check_layout(image.segments, esp)
            except FormatError as error:
                raise unfit(image.path, error.reason) from error
        return  # the size of the module's flash is compared once the chip has told it
    first = min(image.segments)
    end = max(address + len(data) for address, data in image.segments.items())
    if end > last:
        raise unfit(image.path, f"it reaches to 0x{end:X}, but the {profile.chip} ends at 0x{last:X}")
    room = last - profile.flash.bootloader_bytes
    if end > room:
        raise unfit(image.path, f"it overlaps the boot loader at 0x{room:X}")
    if first != flash.start:
        raise unfit(
            image.path,
            f"it starts at 0x{first:X} instead of 0x{flash.start:X}, so the board would not start it",
        )
    other = "" if image.restore_point else other_chip(image.segments[first], profile.chip)
    if other:
        raise unfit(image.path, f"it was built for the {other}, but the board has an {profile.chip}")


def unfit(path: Path, reason: str) -> FlashError:
    """The error for a firmware that must not be written; the reason ends a sentence."""
    return FlashError(
        f"The firmware {visible(path.name, MAX_SHOWN)} cannot be flashed: {reason}.",
        hint="Choose a firmware that was built for this board.",
        code="image_unfit",
        details={"file": str(path), "reason": reason},
    )
