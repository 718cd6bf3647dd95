"""Builds the real Optiboot from the source in apt's arduino-core-avr."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.integration.avr import avr_firmware, avr_native

SOURCE = avr_firmware.ARDUINO / "bootloaders" / "optiboot" / "optiboot.c"
# -fno-inline-functions-called-once keeps it within its 512 bytes; the image in the package is too large.
FLAGS = (
    "-Os -w -fno-inline-small-functions -fno-split-wide-types -mshort-calls -mrelax "
    "-fno-inline-functions-called-once -fno-tree-sra -fno-caller-saves -mmcu=atmega328p "
    "-DF_CPU=16000000L -DLED_START_FLASHES=3 -DBAUD_RATE=115200 -Wl,--section-start=.text=0x7e00 "
    "-Wl,--section-start=.version=0x7ffe -Wl,--relax -nostartfiles"
)
SECTIONS = "-j .text -j .data -j .version --set-section-flags .version=alloc,load -O ihex"


def build_optiboot(folder: Path) -> Path:
    """Compile Optiboot into folder; returns its Intel HEX file. Skips the test where tools are missing."""
    avr_native.require_avr_gcc()
    if not SOURCE.exists():
        pytest.skip("needs the apt package arduino-core-avr")
    elf, image = folder / "optiboot.elf", folder / "optiboot.hex"
    subprocess.run(["avr-gcc", *FLAGS.split(), "-o", str(elf), str(SOURCE)], check=True)
    subprocess.run(["avr-objcopy", *SECTIONS.split(), str(elf), str(image)], check=True)
    return image
