"""Firmware files as a fuzz target: a reader gives segments that are no larger than the file, or a
FormatError.

The first byte chooses the reader and the board. Promises (HW-6): no other error, no segment over another,
none that touches its neighbour, none outside 32 bits, and what is for a whole chip has been found whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.helpers.flash_boards import NUCLEO, PICO, esp_board
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError
from zeroclaw_desktop.hardware.flashing.formats.elf_file import read_elf
from zeroclaw_desktop.hardware.flashing.formats.esp_layout import check_layout
from zeroclaw_desktop.hardware.flashing.formats.hex_file import read_hex
from zeroclaw_desktop.hardware.flashing.formats.raw_binary import read_binary
from zeroclaw_desktop.hardware.flashing.formats.uf2_file import read_uf2

Reader = Callable[[bytes, BoardProfile], FirmwareContent]
ESP = esp_board("esp32c3")


def _read_esp(content: bytes, profile: BoardProfile) -> FirmwareContent:
    options = profile.flash.options["esptool"]
    assert isinstance(options, EsptoolOptions)
    found = read_binary(content, profile)
    check_layout(found.segments, options)
    return found


READERS: tuple[tuple[Reader, BoardProfile], ...] = (
    (read_hex, board_catalog()["arduino-uno"]),
    (read_elf, board_catalog()["arduino-uno"]),
    (read_elf, NUCLEO),
    (read_uf2, PICO),
    (read_binary, NUCLEO),
    (_read_esp, ESP),
)


def firmware_file(data: bytes) -> None:
    """One file for one board."""
    if not data:
        return
    reader, profile = READERS[data[0] % len(READERS)]
    try:
        found = reader(data[1:], profile)
    except FormatError as error:
        if not error.reason.strip():
            raise AssertionError("refused without a reason") from error
        return
    _check(found.segments, len(data) - 1)


def _check(segments: Mapping[int, bytes], most: int) -> None:
    end = -1
    for start, data in segments.items():
        if not data or start <= end or start + len(data) > 1 << 32:
            raise AssertionError(f"the segment at 0x{start:X} is empty, touches another or lies outside")
        end = start + len(data)
    if not 0 < sum(map(len, segments.values())) <= most:
        raise AssertionError("the segments are larger than the file")
