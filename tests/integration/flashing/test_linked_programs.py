"""ELF files of real compilers: what we take is what the compiler's own objcopy takes (HW-6)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.flash_boards import NUCLEO, esp_board
from tests.integration.flashing.conftest import MakeLoader
from tests.integration.flashing.esp_bench import EspBench
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.flashing.formats.esp_image import read_image
from zeroclaw_desktop.hardware.flashing.images import image_from_file

SOURCE = """
volatile int counter = 12345;
const char text[] = "constant";
int main(void) { for (;;) counter += text[counter & 7]; }
"""
AVR_SOURCE = "#include <avr/io.h>\n#include <avr/eeprom.h>\nFUSES = {0xff, 0xde, 0x05};\n" + (
    "unsigned char kept EEMEM = 7;\n" + SOURCE
)
LINKER_SCRIPT = """
MEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 512K  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 96K }
SECTIONS {
  .text : { *(.vectors) *(.text*) *(.rodata*) } > FLASH
  .data : { *(.data*) } > RAM AT > FLASH
  .bss : { *(.bss*) } > RAM
}
"""
CASES = [
    pytest.param(
        "avr", ["-mmcu=atmega328p", "-Os"], AVR_SOURCE, board_catalog()["arduino-uno"], id="avr-gcc"
    ),
    pytest.param(
        "arm-none-eabi",
        ["-mcpu=cortex-m4", "-mthumb", "-Os", "-nostdlib", "-e", "main", "-T", "chip.ld"],
        SOURCE,
        NUCLEO,
        id="arm-none-eabi-gcc",
    ),
]


@pytest.mark.parametrize(("prefix", "options", "source", "board"), CASES)
def test_the_segments_are_what_objcopy_makes(
    tmp_path: Path, prefix: str, options: list[str], source: str, board: BoardProfile
) -> None:
    compiler = shutil.which(f"{prefix}-gcc")
    if compiler is None:
        pytest.skip(f"{prefix}-gcc is not installed: sudo apt install gcc-{prefix}")
    (tmp_path / "x.c").write_text(source)
    (tmp_path / "chip.ld").write_text(LINKER_SCRIPT)
    subprocess.run([compiler, *options, "x.c", "-o", "x.elf"], cwd=tmp_path, check=True)
    others = [f"--remove-section=.{name}" for name in ("eeprom", "fuse", "lock", "signature")]
    copy = [f"{prefix}-objcopy", "-O", "binary", *others, "x.elf", "x.bin"]
    subprocess.run(copy, cwd=tmp_path, check=True)
    image = image_from_file(tmp_path / "x.elf", board)
    assert image.segments == {board.memory["flash"].start: (tmp_path / "x.bin").read_bytes()}
    assert image.left_out == (("EEPROM (1 bytes)", "fuses (3 bytes)") if prefix == "avr" else ())


C3_SCRIPT = """
MEMORY { IRAM (rwx) : ORIGIN = 0x40380000, LENGTH = 64K }
SECTIONS { .text : { *(.text*) *(.rodata*) } > IRAM .data : { *(.data*) *(.bss*) } > IRAM }
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals; POSIX only")
async def test_esptool_makes_the_image_of_a_linked_program(loader: MakeLoader, tmp_path: Path) -> None:
    compiler = shutil.which("riscv64-unknown-elf-gcc")
    if compiler is None:
        pytest.skip("riscv64-unknown-elf-gcc is not installed: sudo apt install gcc-riscv64-unknown-elf")
    (tmp_path / "x.c").write_text(SOURCE)
    (tmp_path / "chip.ld").write_text(C3_SCRIPT)
    options = ["-march=rv32imc", "-mabi=ilp32", "-Os", "-nostdlib", "-e", "main", "-T", "chip.ld"]
    subprocess.run([compiler, *options, "x.c", "-o", "x.elf"], cwd=tmp_path, check=True)
    double = loader("esp32c3")
    bench = EspBench(double, esp_board("esp32c3"), tmp_path)
    await bench.flash(tmp_path / "x.elf")
    written = bytes(double.flash[0x10000:0x11000])
    read_image(written, "esp32c3", "what was written")
    assert b"constant" in written
