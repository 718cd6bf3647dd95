"""What must be true of a program before an STM32 is touched (HW-6: never bricks)."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from tests.helpers.flash_bench import STM32_FLASH, image_of, nucleo, stm32_image, stm32_program
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.stm32_program import check_program, flat_program

BOARD = nucleo("openocd")
PROGRAM = stm32_program(1_000)


def refused(program: bytes, start: int = STM32_FLASH.start) -> str:
    with pytest.raises(FlashError) as caught:
        check_program(image_of({start: program}, "bin"), BOARD)
    assert caught.value.code == "image_unfit"
    return caught.value.message


def with_vectors(stack: int, reset: int) -> bytes:
    return struct.pack("<II", stack, reset) + PROGRAM[8:]


def test_a_program_for_this_chip_is_accepted() -> None:
    check_program(stm32_image(PROGRAM), BOARD)
    check_program(stm32_image(with_vectors(0x2001_8000, STM32_FLASH.start + 0x101)), BOARD)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (with_vectors(0x2002_0000, 0x0800_0009), "no RAM"),  # 128 KB: an STM32F411
        (with_vectors(0xFFFF_FFFF, 0xFFFF_FFFF), "no RAM"),  # an erased chip that was read
        (with_vectors(0x2001_8000, 0x0800_0008), "first instruction"),  # not Thumb
        (with_vectors(0x2001_8000, 0x0801_0001), "first instruction"),  # behind the end of the program
        (with_vectors(0x2001_8000, 0x1000_0009), "first instruction"),  # an RP2040
        (b"\x00\x80\x01\x20", "too short"),
    ],
)
def test_a_program_that_could_not_start_here_is_refused(program: bytes, words: str) -> None:
    assert words in refused(program)


def test_what_was_on_a_board_before_may_be_anything() -> None:
    """A restore point of a board with a boot loader of its own, or none of ours."""
    check_program(replace(stm32_image(b"\xff" * 500), restore_point=True), BOARD)
    with pytest.raises(FlashError, match="ends at"):
        check_program(replace(stm32_image(bytes(STM32_FLASH.bytes + 1)), restore_point=True), BOARD)


def test_place_and_size_are_compared_first() -> None:
    assert "ends at" in refused(stm32_program(STM32_FLASH.bytes + 1))
    assert "starts at 0x8010000" in refused(PROGRAM, STM32_FLASH.start + 0x1_0000)


def test_pieces_become_one() -> None:
    image = image_of({0x0800_0010: b"\x02\x03", 0x0800_0000: b"\x01"})
    assert flat_program(image) == b"\x01" + b"\xff" * 15 + b"\x02\x03"
