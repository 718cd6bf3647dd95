"""The chip of an AVR program by its vector table (HW-6: refuses a wrong chip)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.flashing.formats.avr_vectors import VECTORS, count_vectors, other_chip

HEADERS = Path("/usr/lib/avr/include/avr")
JMP, RJMP_NOP = b"\x0c\x94\x34\x00", b"\x10\xc0\x00\x00"
CLEAR = b"\x11\x24\x1f\xbe"
"""``clr r1; out SREG, r1``: what follows the table in programs of avr-libc."""
needs_avr_gcc = pytest.mark.skipif(
    shutil.which("avr-gcc") is None, reason="needs avr-gcc (Debian: apt install gcc-avr avr-libc)"
)


@pytest.mark.parametrize("jump", [JMP, RJMP_NOP])
def test_jumps_of_both_kinds_count(jump: bytes) -> None:
    assert count_vectors(jump * 26 + CLEAR) == 26


def test_what_is_no_table_counts_none_and_speaks_against_nothing() -> None:
    for program in (b"", b"\x0c", CLEAR, b"\xff" * 64, b"\x10\xc0\x01\x00"):
        assert count_vectors(program) == 0
        assert other_chip(program, "ATmega328P") == ""


def test_a_length_that_no_chip_has_speaks_against_nothing() -> None:
    assert other_chip(JMP * 27 + CLEAR, "ATmega328P") == ""


def test_of_a_chip_that_is_not_in_the_table_nothing_is_said() -> None:
    assert other_chip(JMP * 57 + CLEAR, "ATmega4809") == ""


def test_the_chips_with_that_table_are_named() -> None:
    assert other_chip(JMP * 57 + CLEAR, "ATmega328P") == "ATmega1280 or ATmega2560"


@needs_avr_gcc
@pytest.mark.parametrize("chip", sorted(VECTORS))
@pytest.mark.parametrize("relax", [False, True])
def test_the_compilers_programs_have_as_many(chip: str, relax: bool, tmp_path: Path) -> None:
    source, linked, flat = (tmp_path / name for name in ("x.c", "x.elf", "x.bin"))
    source.write_text("int main(void) { for (;;) { } }\n", encoding="ascii")
    flags = ["-mrelax"] if relax else []
    subprocess.run(
        ["avr-gcc", f"-mmcu={chip.lower()}", "-Os", *flags, "-o", linked, source], check=True, timeout=60
    )
    subprocess.run(["avr-objcopy", "-O", "binary", linked, flat], check=True, timeout=60)
    assert count_vectors(flat.read_bytes()) == VECTORS[chip]


@pytest.mark.skipif(not HEADERS.is_dir(), reason="needs avr-libc (Debian: apt install avr-libc)")
@pytest.mark.parametrize("chip", ["ATmega328P", "ATmega2560", "ATmega32U4"])
def test_the_headers_say_the_same(chip: str) -> None:
    text = (HEADERS / f"io{chip[2:].lower().replace('ega', '')}.h").read_text(encoding="utf-8")
    (size,) = re.findall(r"define _VECTORS_SIZE \(?([\d* ]+)\)?", text)
    entries = 1
    for factor in size.split("*"):
        entries *= int(factor)
    assert entries == VECTORS[chip] * 4
