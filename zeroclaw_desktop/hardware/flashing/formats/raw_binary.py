"""Raw binary files: bytes without an address, so the address comes from the board."""

from __future__ import annotations

import re

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions, Stm32Options
from zeroclaw_desktop.hardware.flashing.formats.content import FirmwareContent, FormatError
from zeroclaw_desktop.hardware.flashing.formats.esp_layout import place_binary

_ERASED = b"\xff"
_HEX_TEXT = re.compile(rb"\s*:[0-9A-Fa-f]{10}")
_VECTORS = 8


def read_binary(content: bytes, profile: BoardProfile) -> FirmwareContent:
    """Place a raw binary: at the start of the flash, for Espressif chips where it belongs.

    Raises:
        FormatError: it cannot be a program for the board.
    """
    if not content:
        raise FormatError("it is empty")
    if _HEX_TEXT.match(content):
        raise FormatError("it is Intel HEX text; give it the ending .hex")
    if not content.strip(_ERASED):
        raise FormatError("it holds nothing but erased flash (0xFF)")
    options = list(profile.flash.options.values())
    esp = next((one for one in options if isinstance(one, EsptoolOptions)), None)
    if esp is not None:
        return FirmwareContent("bin", place_binary(content, esp))
    if any(isinstance(one, Stm32Options) for one in options):
        _check_vectors(content, profile)
    return FirmwareContent("bin", {profile.memory["flash"].start: content})


def _check_vectors(content: bytes, profile: BoardProfile) -> None:
    """A Cortex-M starts with its stack pointer and its first instruction's address (ARM DDI 0403, B1.5.3)."""
    ram, flash = profile.memory.get("ram"), profile.memory["flash"]
    if len(content) < _VECTORS:
        raise FormatError(f"{len(content)} bytes are too few for a program")
    stack, entry = (int.from_bytes(content[at : at + 4], "little") for at in (0, 4))
    if ram is not None and not ram.start < stack <= ram.start + ram.bytes:
        raise FormatError(
            f"its first word, 0x{stack:08X}, is no address in the RAM of the {profile.chip}, "
            "so it was not built for this chip"
        )
    if not entry & 1 or not flash.start <= entry < flash.start + flash.bytes:
        raise FormatError(
            f"its second word, 0x{entry:08X}, is no program address in the flash of the {profile.chip}, "
            "so it was not built for this chip"
        )
