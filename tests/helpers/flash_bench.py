"""One flash job for tests of the ways of writing: real child processes, and a listener that notes."""

from __future__ import annotations

import itertools
import os
import random
import stat
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile, MemoryRegion
from zeroclaw_desktop.contracts.flash_options import (
    AvrdudeOptions,
    FlashOptions,
    FlashProfile,
    Stm32Options,
)
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import FlashJob, FlashMethod
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.transport.discovery import PortInfo
from zeroclaw_desktop.sandbox.process import ChildProcesses

UNO = board_catalog()["arduino-uno"]
STM32_FLASH = MemoryRegion(0x0800_0000, 512 << 10)
STM32_RAM = MemoryRegion(0x2000_0000, 96 << 10)
F401 = Stm32Options(0x433, "target/stm32f4x.cfg", "stm32f401retx", ("NODE_F401RE",))


def avr_board(
    name: str, programmer: str, part: str, baud: int, kilobytes: int = 32, **more: bool
) -> BoardProfile:
    """A board with avrdude's way alone."""
    options = AvrdudeOptions(part, programmer, baud, **more)
    return replace(
        UNO,
        key=name.lower().replace(" ", "-"),
        name=name,
        flash=FlashProfile(("avrdude",), 512, {"avrdude": options}),
        memory={"flash": MemoryRegion(0, kilobytes << 10)},
    )


def board_with(name: str, chip: str, flash: MemoryRegion, ways: dict[str, FlashOptions]) -> BoardProfile:
    """A board with any ways."""
    return replace(
        UNO,
        key=name.lower().replace(" ", "-"),
        name=name,
        chip=chip,
        fqbn="",
        flash=FlashProfile(tuple(ways), 0, ways),
        memory={"flash": flash, "ram": STM32_RAM},
    )


def nucleo(*ways: str) -> BoardProfile:
    """A Nucleo-F401RE with these ways."""
    return board_with("Nucleo-F401RE", "STM32F401RE", STM32_FLASH, dict.fromkeys(ways, F401))


def stm32_program(size: int = 20_000) -> bytes:
    """A program as the chip wants it: stack at the end of RAM, first instruction behind the two vectors."""
    vectors = struct.pack("<II", STM32_RAM.start + STM32_RAM.bytes, STM32_FLASH.start + 9)
    return vectors + random.Random(size).randbytes(size - len(vectors))


def stm32_image(program: bytes, kind: str = "bin") -> FirmwareImage:
    """The program at the beginning of the flash."""
    return image_of({STM32_FLASH.start: program}, kind)


def image_of(segments: dict[int, bytes], kind: str = "hex") -> FirmwareImage:
    """An image as it comes from a file that was read."""
    size = sum(map(len, segments.values()))
    return FirmwareImage("test", {}, {}, Path(f"test.{kind}"), size, kind=kind, segments=segments)


def usb_port(
    path: str, usb_id: tuple[int, int] = (0x2341, 0x8036), location: str = "1-2", serial: str = ""
) -> PortInfo:
    """A port as the system lists it."""
    vendor, product = usb_id
    return PortInfo(path, "", vendor, product, serial, location, "")


class Notes:
    """A FlashListener that keeps what it is told."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float | None]] = []
        self.lines: list[str] = []

    def phase(self, name: str, percent: float | None, message: str) -> None:
        self.steps.append((name, percent))

    def line(self, text: str) -> None:
        self.lines.append(text)

    @property
    def phases(self) -> list[str]:
        """Names of the phases, without repetitions in a row."""
        return [name for name, _ in itertools.groupby(name for name, _ in self.steps)]

    def percents(self, phase: str) -> list[float]:
        """Percent values of a phase, in order."""
        return [percent for name, percent in self.steps if name == phase and percent is not None]


def assert_real_progress(notes: Notes, phase: str, at_least: int) -> None:
    """The phase went up from step to step and to its end."""
    percents = notes.percents(phase)
    assert percents == sorted(percents)
    assert len(percents) >= at_least
    assert percents[-1] == 100.0


def job_for(
    method: FlashMethod,
    profile: BoardProfile,
    image: FirmwareImage,
    folder: Path,
    port: str = "",
    surroundings: Surroundings | None = None,
) -> tuple[FlashJob, Notes]:
    """A job as the Flasher makes it, after the checks of the way."""
    method.check(image, profile)
    notes = Notes()
    folder.mkdir(parents=True, exist_ok=True)
    around = surroundings or Surroundings(lambda: [], lambda: [])
    return FlashJob(
        profile, image, port, method.find_tool(), ChildProcesses(), notes, folder, surroundings=around
    ), notes


def stand_in(folder: Path, name: str, script: str, *, interpreter: str = "/bin/sh") -> Path:
    """A program of a test under a name; put its folder on PATH, or name it by the tool's variable."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!{interpreter}\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def path_with(folders: Sequence[Path]) -> str:
    """A search path on which these folders come first."""
    return os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
