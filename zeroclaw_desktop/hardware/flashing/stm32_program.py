"""What all ways to an STM32 share: the program as one piece, and the checks before anything is written."""

from __future__ import annotations

import struct

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import Stm32Options
from zeroclaw_desktop.hardware.flashing.failures import Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit, unfit

IMAGE_KINDS = frozenset({"bin", "hex", "elf"})
ERASED = b"\xff"
WRONG_CHIP = Cause(
    "",
    "wrong_chip",
    "The chip on the board says 0x{found:03X}, but a {chip} would say 0x{wanted:03X}. Nothing was written.",
    "Choose the right board.",
)


def options_of(profile: BoardProfile, method: str) -> Stm32Options:
    """The board's table for one of the ways to an STM32."""
    options = profile.flash.options[method]
    assert isinstance(options, Stm32Options)
    return options


def check_program(image: FirmwareImage, profile: BoardProfile) -> None:
    """Compare an image with the board: place, size, and that it begins with the vectors of this chip.

    A Cortex-M program begins with the first stack pointer, which lies in RAM, and the address of its reset
    handler, which lies in the program and is odd for Thumb (ARMv7-M Architecture Reference Manual, B1.5.3).

    What was read from a board before may be anything, so only its place is compared.

    Raises:
        FlashError: code ``image_unfit`` and the reason.
    """
    check_fit(image, profile)
    if image.restore_point:
        return
    flash, ram = profile.memory["flash"], profile.memory.get("ram")
    program = flat_program(image)
    if len(program) < 8:
        raise unfit(image.path, "it is too short for the vectors of a Cortex-M program")
    stack, reset = struct.unpack_from("<II", program)
    if ram is not None and not ram.start < stack <= ram.start + ram.bytes:
        raise unfit(image.path, f"its stack begins at 0x{stack:08X}, where the {profile.chip} has no RAM")
    if not reset & 1 or not flash.start <= reset < flash.start + len(program):
        raise unfit(image.path, f"its first instruction would be at 0x{reset:08X}, outside of the program")


def flat_program(image: FirmwareImage) -> bytes:
    """The program from its first byte to its last in one piece; what lies between is as if erased."""
    first = min(image.segments)
    end = max(address + len(data) for address, data in image.segments.items())
    flat = bytearray(ERASED * (end - first))
    for address, data in image.segments.items():
        flat[address - first : address - first + len(data)] = data
    return bytes(flat)
