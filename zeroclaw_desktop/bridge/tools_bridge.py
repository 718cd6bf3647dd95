"""The programs that write firmware: which are there, in which version, and how the others are installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.tool_views import ToolView, WayView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.flash_ways import FlashWay
    from zeroclaw_desktop.runtime.runtime import Runtime

_LIST: dict[Language, str] = {"en": ", ", "zh": "、"}
_WAYS: dict[str, tuple[str, str]] = {
    "avrdude": ("Boot loader of the Arduino (avrdude)", "Arduino 引导程序（avrdude）"),
    "esptool": ("Loader in the chip (esptool)", "芯片内的下载程序（esptool）"),
    "stm32-mass-storage": ("Drive of the ST-LINK", "ST-LINK 虚拟磁盘"),
    "st-flash": ("Debug probe (st-flash)", "调试器（st-flash）"),
    "openocd": ("Debug probe (OpenOCD)", "调试器（OpenOCD）"),
    "pyocd": ("Debug probe (pyOCD)", "调试器（pyOCD）"),
    "stm32-uart": ("Boot loader in the chip, serial", "芯片内的引导程序（串口）"),
    "dfu-util": ("Boot loader in the chip, USB (dfu-util)", "芯片内的引导程序（USB，dfu-util）"),
    "uf2": ("Drive of the board (UF2)", "开发板虚拟磁盘（UF2）"),
    "mpremote": ("Copy to MicroPython (mpremote)", "复制到 MicroPython（mpremote）"),
    "arduino-cli": ("Arduino core (arduino-cli)", "Arduino 核心（arduino-cli）"),
}


def way_title(key: str, language: Language) -> str:
    """What a way is called; its key where it has no name."""
    texts = _WAYS.get(key)
    return key if texts is None else texts[1 if language == "zh" else 0]


def way_view(way: FlashWay, language: Language) -> WayView:
    """A way in words."""
    title = way_title(way.key, language)
    if way.fault is None:
        return WayView(way.key, title, True)
    details = way.fault.details if way.fault.code == "tool_missing" else {}
    reason = error_view_of(way.fault, language).title
    tool, install = str(details.get("tool", "")), str(details.get("install", ""))
    return WayView(way.key, title, False, reason, tool, install)


def tool_view(row: Mapping[str, Any], language: Language) -> ToolView:
    """A row of ``tool_rows`` in words."""
    return ToolView(
        row["name"],
        row["purpose"][language],
        row["found"],
        row["version"],
        row["path"],
        row["install"],
        _LIST[language].join(row["boards"]),
    )


class ToolsBridge(QObject):
    """Looks for the programs when it is asked to, never by itself."""

    changed = Signal()
    """The list, or whether it is being made, changed."""
    ways_found = Signal(str, str, object)
    """(board, firmware, list of WayView)."""

    def __init__(self, core: CoreAccess, parent: QObject) -> None:
        super().__init__(parent)
        self._core = core
        self._rows: list[dict[str, Any]] | None = None
        self._looking = False

    def tools(self) -> list[ToolView] | None:
        """The programs as they were found last; None before the first look."""
        if self._rows is None:
            return None
        return [tool_view(row, self._core.language) for row in self._rows]

    def looking(self) -> bool:
        """Whether a look is going on."""
        return self._looking

    def look(self) -> None:
        """Look for all of them; ``changed`` tells."""
        runtime = self._core.runtime
        if runtime is not None and not self._looking:
            self._looking = True
            self._core.start(self._look(runtime), "look for tools")
            self.changed.emit()

    async def _look(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.runtime.tool_facts import tool_rows

        try:
            self._rows = await tool_rows(runtime.tools)
        finally:
            self._looking = False
        self.changed.emit()

    def find_ways(self, board_id: str, firmware: str) -> None:
        """Find out by which ways a firmware can be written to a board; ``ways_found`` tells."""
        runtime = self._core.runtime
        if runtime is not None:
            self._core.start(self._find_ways(runtime, board_id, firmware), "ways of writing")

    async def _find_ways(self, runtime: Runtime, board_id: str, firmware: str) -> None:
        import asyncio

        from zeroclaw_desktop.runtime.flash_ways import flash_ways

        try:
            profile = runtime.roster.connection(board_id).profile
            ways = await asyncio.to_thread(flash_ways, profile, firmware)
        except ZeroClawError:
            ways = []  # the check of the firmware says why
        language = self._core.language
        self.ways_found.emit(board_id, firmware, [way_view(way, language) for way in ways])
