"""Dashboards for the window: the document and its file, live values, orders of tiles, plots in the chat."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.dashboard_document import Book, Dashboard, PinnedPlot, new_id
from zeroclaw_desktop.bridge.dashboard_file import (
    FILE_NAME,
    DashboardFile,
    export_dashboard,
    import_dashboard,
)
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.bridge.tile_commands_bridge import TileCommandsBridge
from zeroclaw_desktop.bridge.tile_values import TileValues
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.paths import HomeFolderError, home_folder

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.runtime.runtime import Runtime

MOST_CHAT_PLOTS = 50
_PIN = "pin:"
_PROTOCOL = ('{"id":', '{"evt":')
"""Beginnings of the lines in which program and firmware talk (SPEC.md): no text for a tile."""
_PIN_WORDS = {"en": "pin {0}", "zh": "引脚 {0}"}
_START_SECONDS = 20.0


@dataclass(frozen=True)
class SourceChoice:
    """A series or a pin that a tile can show.

    Attributes:
        label: of the series; '' for a pin.
        pin: number of the pin; None for a series.
        text: for lists: ``A0``, ``pin 13 (led)``.
        group: name of its board or source.
    """

    source: str
    label: str
    pin: int | None
    text: str
    group: str
    unit: str = ""

    @property
    def ref(self) -> dict[str, object]:
        """How a tile names it."""
        if self.pin is not None:
            return {"source": self.source, "pin": self.pin}
        return {"source": self.source, "label": self.label}


class DashboardsBridge(QObject):
    """Everything about dashboards; each change of the document is written at once."""

    changed = Signal()
    """The document has changed, by whomever."""
    failed = Signal(object)
    """An ErrorView: the document could not be read or written, or a dashboard was not made."""
    dashboard_made = Signal(str)
    """A dashboard was made by ``make_from_board``."""
    chat_plots_changed = Signal()

    def __init__(self, core: CoreAccess, devices: DevicesBridge, path: Path | None = None) -> None:
        super().__init__()
        self._core = core
        self._devices = devices
        self._file = DashboardFile(path if path is not None else _own_path())
        self._book = self._file.read()
        self.live = PlotsBridge(core, devices)
        """Series as they come now, whatever the Plots page replays."""
        self.live.setParent(self)
        self.values = TileValues(self.live, devices)
        self._lines: dict[str, tuple[str, float]] = {}
        devices.console_received.connect(self._take_lines)

    @cached_property
    def orders(self) -> TileCommandsBridge:
        """What tiles send."""
        orders = TileCommandsBridge(self._core)
        orders.setParent(self)
        return orders

    # -- the document ---------------------------------------------------------------------------------
    def book(self) -> Book:
        """The document as it is."""
        return self._book

    def fault(self) -> ErrorView | None:
        """Why the file was not read; None when all is well."""
        fault = self._file.fault
        return None if fault is None else error_view_of(fault, self._core.language)

    def dismiss_fault(self) -> None:
        """The person has read it."""
        self._file.fault = None

    def change(self, book: Book) -> None:
        """Take over a changed document and write it; ``failed`` tells when that cannot be done."""
        if book == self._book:
            return
        pinned = book.chat_plots != self._book.chat_plots
        self._book = book
        try:
            self._file.write(book)
        except ZeroClawError as error:
            self.failed.emit(error_view_of(error, self._core.language))
        self.changed.emit()
        if pinned:
            self.chat_plots_changed.emit()

    def export(self, dashboard: Dashboard, path: str) -> ErrorView | None:
        """Write one dashboard to a file; returns what went wrong."""
        try:
            export_dashboard(dashboard, Path(path))
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        return None

    def read_file(self, path: str) -> Dashboard | ErrorView:
        """Read one dashboard from a file, with an id of its own; or what went wrong."""
        try:
            found = import_dashboard(Path(path))
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        return replace(found, dashboard_id=new_id("dashboard"), name=self._book.free_name(found.name))

    # -- what tiles can show --------------------------------------------------------------------------
    def source_choices(self) -> list[SourceChoice]:
        """Every series that came, then the pins of the boards that are connected."""
        boards = {board.board_id: board for board in self._devices.boards()}
        found = []
        for (source, label), (_, _, _, unit) in self.live.newest().items():
            group = boards[source].name if source in boards else source
            found.append(SourceChoice(source, label, None, label, group, unit))
        for board in boards.values():
            if board.state != "live":
                continue
            for pin in self._devices.pins(board.board_id):
                if pin.mode in ("serial", "reserved"):
                    continue
                names = [name for name in (*pin.names, pin.role) if name]
                text = _PIN_WORDS[self._core.language].format(pin.name) + (
                    f" ({', '.join(names)})" if names else ""
                )
                found.append(SourceChoice(board.board_id, "", pin.number, text, board.name))
        return found

    def last_line(self, board_id: str) -> tuple[str, float] | None:
        """The text line that a board sent last while this was here, and its age in seconds; None for none."""
        found = self._lines.get(board_id)
        return None if found is None else (found[0], time.monotonic() - found[1])

    def _take_lines(self, board_id: str, text: str) -> None:
        lines = reversed(text.splitlines())
        line = next((line for line in lines if line.strip() and not line.startswith(_PROTOCOL)), "")
        if line:
            self._lines[board_id] = (line, time.monotonic())

    # -- a dashboard to begin with --------------------------------------------------------------------
    def make_from_board(self) -> None:
        """Make a dashboard of the current board, which then reports its signals; or of the simulated one.

        ``dashboard_made`` or ``failed`` tells.
        """
        runtime = self._core.runtime
        if runtime is not None:
            self._core.start(self._make(runtime), "dashboard of a board")

    async def _make(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.bridge.board_views import board_title
        from zeroclaw_desktop.bridge.dashboard_starter import starter

        try:
            board_id = await self._live_board(runtime)
        except (ZeroClawError, TimeoutError) as error:
            fault = error if isinstance(error, ZeroClawError) else ZeroClawError("The board did not answer.")
            self.failed.emit(error_view_of(fault, self._core.language))
            return
        self._devices.set_current_board(board_id)
        self._devices.show_live_signals(board_id)
        board = next(one for one in runtime.roster.boards() if one.board_id == board_id)
        language = self._core.language
        commands = frozenset(command.name for command in runtime.registry.list_commands())
        name = self._book.free_name(board_title(board, language))
        made = starter(board, name, runtime.analog_signals(board_id), commands, language)
        self.change(replace(self._book.with_dashboard(made), current=made.dashboard_id))
        self.dashboard_made.emit(made.dashboard_id)

    async def _live_board(self, runtime: Runtime) -> str:
        """The current board if it is live, else any live one, else the simulated one."""
        live = [board.board_id for board in runtime.roster.boards() if board.state == "live"]
        current = self._devices.current_board_id()
        if live:
            return current if current in live else live[0]
        import asyncio

        async with asyncio.timeout(_START_SECONDS):
            return await runtime.simulators.start()

    # -- plots from other pages -----------------------------------------------------------------------
    @staticmethod
    def pin_detail(series: Sequence[tuple[str, str]], window_s: float, dashboard_id: str = "") -> str:
        """What the Dashboard page is asked to show so that these series become a tile.

        Args:
            series: (source, label) of each.
            window_s: seconds of the past that the tile shows.
            dashboard_id: where; '' for the one that is shown.
        """
        return _PIN + json.dumps({"series": list(series), "window_s": window_s, "board": dashboard_id})

    @staticmethod
    def read_pin(detail: str) -> tuple[dict[str, object], str] | None:
        """The settings of the tile and the dashboard that ``pin_detail`` told; None for another detail."""
        if not detail.startswith(_PIN):
            return None
        told = json.loads(detail.removeprefix(_PIN))
        refs = [{"source": source, "label": label} for source, label in told["series"]]
        return {"series": refs, "window_s": told["window_s"]}, str(told["board"])

    # -- plots in the chat ----------------------------------------------------------------------------
    def pin_to_chat(self, series: Sequence[tuple[str, str]], window_s: float) -> None:
        """Put series into the chat as a small plot."""
        if series:
            plot = PinnedPlot(new_id("plot"), tuple(series), window_s, time.time())
            kept = (*self._book.chat_plots, plot)[-MOST_CHAT_PLOTS:]
            self.change(replace(self._book, chat_plots=kept))

    def unpin_from_chat(self, plot_id: str) -> None:
        """Take a plot out of the chat."""
        kept = tuple(plot for plot in self._book.chat_plots if plot.plot_id != plot_id)
        self.change(replace(self._book, chat_plots=kept))


def _own_path() -> Path | None:
    try:
        return home_folder() / FILE_NAME
    except HomeFolderError:
        return None
