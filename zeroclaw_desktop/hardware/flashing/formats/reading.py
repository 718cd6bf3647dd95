"""Chooses the reader of a firmware file: by the marks in it, else by the ending of its name."""

from __future__ import annotations

from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.flashing.formats import elf_file, uf2_file
from zeroclaw_desktop.hardware.flashing.formats.bounded_files import MEBIBYTE, read_bounded
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError
from zeroclaw_desktop.hardware.flashing.formats.elf_file import read_elf
from zeroclaw_desktop.hardware.flashing.formats.esp_manifest import read_manifest
from zeroclaw_desktop.hardware.flashing.formats.hex_file import read_hex
from zeroclaw_desktop.hardware.flashing.formats.python_files import read_program, read_program_folder
from zeroclaw_desktop.hardware.flashing.formats.raw_binary import read_binary
from zeroclaw_desktop.hardware.flashing.formats.uf2_file import read_uf2

HEX, BINARY, ELF, UF2, PYTHON, LIST = "hex", "bin", "elf", "uf2", "python", "json"
ENDINGS = {
    ".hex": HEX,
    ".ihx": HEX,
    ".ihex": HEX,
    ".bin": BINARY,
    ".elf": ELF,
    ".axf": ELF,
    ".uf2": UF2,
    ".py": PYTHON,
    ".mpy": PYTHON,
    ".json": LIST,
}
LIMITS = {
    HEX: 16 * MEBIBYTE,
    BINARY: 32 * MEBIBYTE,
    ELF: 64 * MEBIBYTE,
    UF2: 64 * MEBIBYTE,
    PYTHON: MEBIBYTE,
    LIST: MEBIBYTE,
}
"""Bytes of a file that are read at most; HEX takes 2.8 for each byte of flash, UF2 2, ELF has debug data."""
_UF2_MARK = uf2_file.MAGIC_START.to_bytes(4, "little")


def read_firmware(path: Path, profile: BoardProfile) -> FirmwareContent:
    """Read and check a firmware file, or a folder of MicroPython programs.

    Raises:
        FormatError: it cannot be read, is damaged, of no known kind, or not for the board.
    """
    if path.is_dir():
        if "mpremote" not in profile.flash.methods:
            raise FormatError("it is a folder, and this board does not run MicroPython")
        return read_program_folder(path)
    kind = ENDINGS.get(path.suffix.lower(), "")
    content = read_bounded(path, LIMITS[kind or ELF])
    if content.startswith(elf_file.MAGIC):
        kind = ELF
    elif content.startswith(_UF2_MARK):
        kind = UF2
    if kind == HEX:
        return read_hex(content, profile)
    if kind == ELF:
        return read_elf(content, profile)
    if kind == UF2:
        return read_uf2(content, profile)
    if kind == BINARY:
        return read_binary(content, profile)
    if kind == PYTHON:
        return read_program(content, path.name)
    if kind == LIST:
        esp = profile.flash.options.get("esptool")
        if not isinstance(esp, EsptoolOptions):
            raise FormatError("lists of parts are for boards with an Espressif chip")
        return read_manifest(content, path, esp)
    ending = visible(path.suffix) or "no ending"
    raise FormatError(f"'{ending}' is no kind of firmware that is known; {', '.join(ENDINGS)} are")
