"""The shipped images: checksums, place in flash, and that a build from the sources gives the same bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from typing import Any

import pytest

from tests.unit.firmware.vectors import FIRMWARE

PREBUILT = FIRMWARE / "prebuilt"
IMAGES: list[dict[str, Any]] = tomllib.loads((PREBUILT / "images.toml").read_text(encoding="utf-8"))["image"]


def read_records(text: str) -> dict[int, int]:
    """Return address -> byte of an Intel HEX text; asserts each checksum (Intel HEX specification, 1988)."""
    memory: dict[int, int] = {}
    for line in text.split():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) % 256 == 0, line
        assert len(record) == record[0] + 5, line
        if record[3] == 0:
            start = int.from_bytes(record[1:3], "big")
            memory.update({start + offset: byte for offset, byte in enumerate(record[4:-1])})
    return memory


@pytest.mark.parametrize("image", IMAGES, ids=[image["name"] for image in IMAGES])
def test_image_is_as_listed_and_in_its_place(image: dict[str, Any]) -> None:
    data = (PREBUILT / image["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == image["sha256"]
    memory = read_records(data.decode("ascii"))
    assert len(memory) == image["size"]
    if image["role"] == "bootloader":
        assert min(memory) == 0x7E00
        assert max(memory) <= 0x7FFF  # data sheet, table 26-10: boot section of 256 words
    else:
        assert min(memory) == 0
        assert max(memory) < 24 * 1024


def test_build_check_finds_the_committed_images_right() -> None:
    """Rebuilds where the same compiler is there; the checksums are compared everywhere."""
    command = [sys.executable, str(FIRMWARE / "build.py"), "--check"]
    build = subprocess.run(command, capture_output=True, text=True)
    assert build.returncode == 0, build.stdout + build.stderr
