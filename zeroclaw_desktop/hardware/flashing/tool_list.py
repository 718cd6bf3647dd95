"""All programs that flashing may need: which are there, in which version, and how to get the others."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.text import visible
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.methods.arduino_cli import ARDUINO_CLI
from zeroclaw_desktop.hardware.flashing.methods.avrdude import AVRDUDE
from zeroclaw_desktop.hardware.flashing.methods.dfu_util import DFU_UTIL
from zeroclaw_desktop.hardware.flashing.methods.esptool import ESPTOOL
from zeroclaw_desktop.hardware.flashing.methods.mpremote import MPREMOTE
from zeroclaw_desktop.hardware.flashing.methods.openocd import OPENOCD
from zeroclaw_desktop.hardware.flashing.methods.pyocd import PYOCD
from zeroclaw_desktop.hardware.flashing.methods.st_flash import ST_FLASH
from zeroclaw_desktop.hardware.flashing.methods.stm32_uart import STM32FLASH, STM32LOADER
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

VERSION_SECONDS = 5.0
MAX_VERSION = 40
TOOLS: tuple[tuple[ToolSpec, str], ...] = (
    (AVRDUDE, "avrdude"),
    (ESPTOOL, "esptool"),
    (MPREMOTE, "mpremote"),
    (ST_FLASH, "st-flash"),
    (OPENOCD, "openocd"),
    (PYOCD, "pyocd"),
    (STM32FLASH, "stm32-uart"),
    (STM32LOADER, "stm32-uart"),
    (DFU_UTIL, "dfu-util"),
    (ARDUINO_CLI, "arduino-cli"),
)
"""Each program with the way of flashing that it is for."""
_AFTER_WORD = re.compile(r"\bv(?:ersion)?[ :]*(\d+(?:\.\d+)+[\w.+-]*)", re.IGNORECASE)
_ALONE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)+[\w.+-]*)")


@dataclass(frozen=True)
class ToolState:
    """A program as found now.

    Attributes:
        path: how it is started; '' when it is missing.
        version: as it tells itself; '' when it is missing or did not tell in time.
        way: the way of flashing that it is for.
        boards: names of the kinds of boards whose files name that way.
    """

    spec: ToolSpec
    path: str
    version: str
    way: str
    boards: tuple[str, ...]


class ToolList:
    """Looks for the programs; each version is asked once, until the file changes.

    Args:
        runner: starts them.
    """

    def __init__(self, runner: ChildRunner) -> None:
        self._runner = runner
        self._versions: dict[tuple[str, int], str] = {}

    async def look(self) -> list[ToolState]:
        """All programs as they are now; missing ones are looked for again each time."""
        return list(await asyncio.gather(*(self._state(spec, way) for spec, way in TOOLS)))

    async def _state(self, spec: ToolSpec, way: str) -> ToolState:
        boards = tuple(profile.name for profile in board_catalog().values() if way in profile.flash.methods)
        try:
            tool = await asyncio.to_thread(find_tool, spec)
        except FlashError:
            return ToolState(spec, "", "", way, boards)
        return ToolState(spec, " ".join(tool.argv), await self._version(spec, tool), way, boards)

    async def _version(self, spec: ToolSpec, tool: Tool) -> str:
        if len(tool.argv) > 1:
            return await asyncio.to_thread(_module_version, spec.module)
        key = (tool.argv[0], await asyncio.to_thread(_changed_at, tool.argv[0]))
        if key not in self._versions:
            self._versions[key] = await self._ask([*tool.argv, *spec.version])
        return self._versions[key]

    async def _ask(self, arguments: Sequence[str]) -> str:
        try:
            ended = await self._runner.run(arguments, timeout=VERSION_SECONDS)
        except ZeroClawError:
            return ""
        return "" if ended.timed_out else version_in(ended.tail)


def version_in(output: str) -> str:
    """The version number in what a program prints; '' when there is none."""
    found = _AFTER_WORD.search(output) or _ALONE.search(output)
    return visible(found[1].rstrip(".,-+"), MAX_VERSION) if found else ""


def _module_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
