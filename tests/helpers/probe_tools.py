"""Programs of a test in the place of st-flash, OpenOCD and pyOCD, for a Nucleo with two probes beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.flash_bench import (
    STM32_FLASH,
    Notes,
    job_for,
    nucleo,
    path_with,
    stand_in,
    stm32_image,
    stm32_program,
    usb_port,
)
from zeroclaw_desktop.contracts.boards import MemoryRegion
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.method import FlashMethod, ReadableMethod
from zeroclaw_desktop.hardware.flashing.methods.openocd import (
    OpenOcd,
)
from zeroclaw_desktop.hardware.flashing.methods.pyocd import PyOcd
from zeroclaw_desktop.hardware.flashing.methods.st_flash import StFlash
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings

PROGRAM = stm32_program(20_000)
SERIAL = "066BFF485550755187121723"
OURS = usb_port("/dev/ttyACM0", (0x0483, 0x374B), "1-2:1.2", SERIAL)
OTHER = usb_port("/dev/ttyACM1", (0x0483, 0x374B), "1-3:1.2", "0670FF000000000000000000")
WAYS: dict[str, FlashMethod] = {way.key: way for way in (StFlash(), OpenOcd(), PyOcd())}


class Tools:
    """Programs of a test in the place of the tools, and the notes that they leave."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        monkeypatch.setenv("PATH", path_with([self.bin]))
        for name in ("ST_FLASH", "OPENOCD", "PYOCD"):
            monkeypatch.delenv(f"ZEROCLAW_{name}", raising=False)

    def put(self, name: str, script: str) -> None:
        """A program that notes how it was called, then does what the script says."""
        note = f"printf '%s\\n' \"$(basename \"$0\") $*\" >> '{self.folder}/calls'\n"
        stand_in(self.bin, name, note + script)

    def calls(self, name: str) -> list[str]:
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line.partition(" ")[2] for line in lines if line.startswith(f"{name} ")]

    async def flash(self, key: str, port: str = "/dev/ttyACM0", ports: tuple[object, ...] = (OURS,)) -> Notes:
        """Flash by one of the ways."""
        around = Surroundings(lambda: ports, lambda: [])  # type: ignore[arg-type, return-value]
        job, notes = job_for(WAYS[key], nucleo(key), stm32_image(PROGRAM), self.folder / "job", port, around)
        await WAYS[key].write(job)
        return notes

    async def read_back(self, key: str, script: str) -> Notes:
        """Read the flash of a small chip, after asking who it is."""
        name = "st-info" if key == "st-flash" else key
        answers = {"st-flash": ONE, "openocd": OPENOCD_IDENTITY, "pyocd": PYOCD_IDENTITY}
        self.put(name, answers[key] + ("" if key == "st-flash" else script))
        if key == "st-flash":
            self.put("st-flash", script)
        around = Surroundings(lambda: (OURS,), lambda: [])
        board = replace(nucleo(key), memory={"flash": MemoryRegion(STM32_FLASH.start, 20_000)})
        way = WAYS[key]
        assert isinstance(way, ReadableMethod)
        image = stm32_image(PROGRAM)
        job, notes = job_for(way, board, image, self.folder / "job", "/dev/ttyACM0", around)
        await way.read_back(replace(job, identity=await way.identify(job)), self.folder / "kept.bin")
        return notes

    async def refused(self, key: str, **options: object) -> FlashError:
        with pytest.raises(FlashError) as caught:
            await self.flash(key, **options)  # type: ignore[arg-type]
        return caught.value


def listing(chip: str = "0x433", serial: str = SERIAL) -> str:
    """What ``st-info --probe`` of 1.7 prints of one probe."""
    return (
        f"  version:    V2J37S26\\n  serial:     {serial}\\n  flash:      524288 (pagesize: 16384)\\n"
        f"  sram:       98304\\n  chipid:     {chip}\\n  descr:      F401xD_E\\n"
    )


ONE = f"printf 'Found 1 stlink programmers\\n{listing()}'"
ST_FLASH_RUN = """
echo 'st-flash 1.7.0'
echo '2026-04-19T15:42:24 INFO common.c: F401xD_E: 96 KiB SRAM, 512 KiB flash in at least 16 KiB pages.'
echo '2026-04-19T15:42:24 INFO common.c: Attempting to write 20000 (0x4e20) bytes to stm32 address: 134217728'
echo 'EraseFlash - Sector:0x0 Size:0x4000 2026-04-19T15:42:24 INFO common.c: Flash page at addr: 0x0 erased'
printf '\\r  1/ 4 pages written\\r  2/ 4 pages written\\r  3/ 4 pages written\\r  4/ 4 pages written\\n'
echo '2026-04-19T15:42:24 INFO common.c: Starting verification of write complete'
"""
JOLLY_GOOD = "echo '2026-04-19T15:42:24 INFO common.c: Flash written and verified! jolly good!'"
OPENOCD_IDENTITY = """
case "$*" in *'flash probe'*)
echo 'Info : STLINK V2J37M26 (API v2) VID:PID 0483:374B' >&2
echo 'Info : device id = 0x10006433' >&2
echo 'Info : flash size = 512 KiB' >&2
exit 0;; esac
"""
OPENOCD_RUN = """
for last; do :; done
grep -o 'zeroclaw: [a-z]* [0-9.]*' "$last" >&2
"""
PYOCD_IDENTITY = """
case "$*" in *read32*) echo 'e0042000:  10006433                                       |..d3|'; exit 0;; esac
"""
RULER = "[---|---|---|---|---|---|---|---|---|----]"
PYOCD_LOAD = f"""
case "$1" in load)
printf '{RULER}\\n['; for i in 1 2 3 4; do printf '=========='; done; printf ']\\n'
printf '{RULER}\\n['; for i in 1 2 3 4 5 6 7 8; do printf '====='; done; printf ']\\n'
exit 0;; esac
"""
PYOCD_SAME = "echo 'Comparing 20000 bytes @ 0x08000000'; echo 'All 20000 bytes match.'"
