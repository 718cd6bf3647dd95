"""The shipped images: checksums, place in flash, and that a build from the sources gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.unit.firmware.vectors import FIRMWARE

PREBUILT = FIRMWARE / "prebuilt"
IMAGES: list[dict[str, Any]] = tomllib.loads((PREBUILT / "images.toml").read_text(encoding="utf-8"))["image"]
NAMES = [f"{image['name']} on {image['board']}" for image in IMAGES]
#: First address and what is free from there. Uno and Nano: 32 kB less a boot loader of 2 kB at most; Mega:
#: 256 kB less 8 kB (ATmega2560 data sheet, table 29-7); STM32F401xE and STM32F411xE: 512 kB; Pico: 2 MB.
ROOM = {
    "arduino-uno": (0, 30 * 1024),
    "arduino-nano": (0, 30 * 1024),
    "arduino-nano-old": (0, 30 * 1024),
    "arduino-mega": (0, 248 * 1024),
    "nucleo-f401re": (0x08000000, 512 * 1024),
    "nucleo-f411re": (0x08000000, 512 * 1024),
    "raspberry-pi-pico": (0x10000000, 2 * 1024 * 1024),
    "raspberry-pi-pico-w": (0x10000000, 2 * 1024 * 1024),
}


def read_records(text: str) -> dict[int, int]:
    """Return address -> byte of an Intel HEX text; asserts each checksum (Intel HEX specification, 1988)."""
    memory: dict[int, int] = {}
    upper = 0
    for line in text.split():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) % 256 == 0, line
        assert len(record) == record[0] + 5, line
        if record[3] == 4:
            upper = int.from_bytes(record[4:6], "big") << 16
        if record[3] == 0:
            start = upper + int.from_bytes(record[1:3], "big")
            memory.update({start + offset: byte for offset, byte in enumerate(record[4:-1])})
    return memory


def read_blocks(data: bytes) -> dict[int, int]:
    """Return address -> byte of a UF2 file (the blocks themselves are checked in test_pico_vectors.py)."""
    memory: dict[int, int] = {}
    for at in range(0, len(data), 512):
        start, size = (int.from_bytes(data[at + place : at + place + 4], "little") for place in (12, 16))
        memory.update(dict(enumerate(data[at + 32 : at + 32 + size], start)))
    return memory


@pytest.mark.parametrize("image", IMAGES, ids=NAMES)
def test_image_is_as_listed_and_in_its_place(image: dict[str, Any]) -> None:
    data = (PREBUILT / image["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == image["sha256"]
    if image["kind"] == "python":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
        assert "main.py" in sizes
        assert image["size"] == sum(sizes.values())
        return
    memory = read_blocks(data) if image["kind"] == "uf2" else read_records(data.decode("ascii"))
    assert len(memory) == image["size"]
    if image["role"] == "bootloader":
        assert min(memory) == 0x7E00
        assert max(memory) <= 0x7FFF  # data sheet, table 26-10: boot section of 256 words
        return
    start, room = ROOM[image["board"]]
    assert min(memory) == start
    assert max(memory) < start + room


def test_one_version_for_all_protocol_firmwares() -> None:
    header = (FIRMWARE / "protocol" / "zc_version.h").read_text(encoding="utf-8")
    version = re.search(r'ZC_FIRMWARE_VERSION "(.+)"', header)
    assert version is not None
    assert {image["version"] for image in IMAGES if image["role"] != "bootloader"} == {version[1]}


def test_build_check_finds_the_committed_images_right() -> None:
    """Rebuilds where the same compilers are there; the checksums are compared everywhere."""
    command = [sys.executable, str(FIRMWARE / "build.py"), "--check"]
    build = subprocess.run(command, capture_output=True, text=True)
    assert build.returncode == 0, build.stdout + build.stderr


def test_the_sketch_has_every_file_that_it_includes(tmp_path: Path) -> None:
    command = [sys.executable, str(FIRMWARE / "build.py"), "--sketch", str(tmp_path)]
    subprocess.run(command, capture_output=True, text=True, check=True)
    folder = tmp_path / "zeroclaw_esp32"
    assert (folder / "zeroclaw_esp32.ino").is_file()
    from_the_cores = {"Arduino.h", "core_esp8266_waveform.h", "user_interface.h", "sdkconfig.h"}
    for path in folder.iterdir():
        for name in re.findall(r'#include "(.+)"', path.read_text(encoding="utf-8")):
            assert (folder / name).is_file() or name in from_the_cores, f"{path.name} includes {name}"
