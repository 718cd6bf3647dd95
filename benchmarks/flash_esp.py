"""B5 for an ESP32: our whole job against ``esptool write-flash`` alone, on the same double of the chip's
loader.

A job asks the chip first and reads its partition table; that is one start of esptool more. The double takes
no time for flash or wire, so the difference shows in full; a real board writes a megabyte in some ten
seconds.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks._bench import row

ROUNDS = 5
APP_BYTES = 1 << 20


class _Nobody:
    """A FlashListener that keeps nothing."""

    def phase(self, name: str, percent: float | None, message: str) -> None:
        """Nothing."""

    def line(self, text: str) -> None:
        """Nothing."""


async def _measure(folder: Path) -> list[dict[str, Any]]:
    from tests.helpers.esp_images import esp_image, partition_table
    from tests.helpers.esp_loader import LoaderDouble
    from tests.helpers.flash_boards import esp_board
    from zeroclaw_desktop.hardware.flashing.images import image_from_file
    from zeroclaw_desktop.hardware.flashing.method import FlashJob
    from zeroclaw_desktop.hardware.flashing.methods.esptool import Esptool
    from zeroclaw_desktop.sandbox.process import ChildProcesses

    double = LoaderDouble(folder / "port")
    double.flash[0x8000:0x8C00] = partition_table()
    file = folder / "app.bin"
    # Half of it does not compress, as in real firmware.
    file.write_bytes(esp_image(data=os.urandom(APP_BYTES // 2) + bytes(APP_BYTES // 2)))
    method, children = Esptool(), ChildProcesses()
    tool = method.find_tool()
    alone, asking, ours = [], [], []
    try:
        for number in range(ROUNDS):
            command = [*tool.argv, "--port", str(double.path), "--baud", "921600"]
            ended = await children.run([*command, "write-flash", "0x10000", str(file)], timeout=120)
            if ended.returncode:
                raise RuntimeError(ended.tail)
            alone.append(ended.seconds)
            work = folder / str(number)
            work.mkdir()
            profile = esp_board()
            image = image_from_file(file, profile)
            job = FlashJob(profile, image, str(double.path), tool, children, _Nobody(), work)
            began = asyncio.get_running_loop().time()
            job = replace(job, identity=await method.identify(job))
            asked = asyncio.get_running_loop().time()
            await method.write(job)
            asking.append(asked - began)
            ours.append(asyncio.get_running_loop().time() - began)
    finally:
        double.close()
    base = statistics.median(alone)
    return [
        row("B5-esp-alone", "esptool write-flash alone", alone, "s", ratio=1.0, note="1 MiB"),
        row("B5-esp-ask", "asking the chip, its partition table", asking, "s"),
        row("B5-esp", "ask, write, verify", ours, "s", ratio=statistics.median(ours) / base),
    ]


def run() -> list[dict[str, Any]]:
    """Return the rows; needs pseudo terminals."""
    if sys.platform == "win32":
        raise RuntimeError("there are no pseudo terminals on Windows")
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(_measure(Path(name)))
