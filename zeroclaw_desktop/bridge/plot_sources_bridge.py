"""Where the plots' samples come from, what became of them on the way, and the memory that they take."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.plot_views import PlotMemoryView, SourceView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.boards import BoardInfo
    from zeroclaw_desktop.runtime.runtime import Runtime

ENCODINGS = ("utf-8", "gbk", "gb18030", "big5", "shift_jis", "latin-1", "cp1252")
TIME_BASES = ("device", "host", "index")
ENOUGH_LINES = 5
"""So many lines without a value are worth a hint."""


class PlotSourcesBridge(QObject):
    """Reads and changes the sources; the page asks again and again while it shows them."""

    changed = Signal()
    """A port was taken or left, or a reading was chosen."""

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.changed.emit()

    def _view(self, error: ZeroClawError | None) -> ErrorView | None:
        return None if error is None else error_view_of(error, self._core.language)

    def memory(self) -> PlotMemoryView:
        """How much memory the series of what comes now hold and may hold."""
        if self._runtime is None:
            return PlotMemoryView(0, 0, False, 0)
        store = self._runtime.store
        budget = store.budget
        return PlotMemoryView(budget.used, budget.limit, budget.refusals > 0, store.refused_samples)

    # -- what there is --------------------------------------------------------------------------------
    def sources(self) -> list[SourceView]:
        """Each board, port, UDP sender and the broker, with counters where it leaves each hop."""
        runtime = self._runtime
        if runtime is None:
            return []
        views = [self._board(runtime, board) for board in runtime.roster.boards()]
        views += [self._port(runtime, wish) for wish in runtime.plot_sources.ports.wishes]
        ports = {view.source_id for view in views}
        for source_id, counters in runtime.plot_sources.counters().items():
            if source_id not in ports:
                views.append(self._filled(runtime, self._network(runtime, source_id), counters))
        return views

    def faults(self) -> dict[str, ErrorView]:
        """Why a source does not work: by the key of its setting (``plots.udp`` ...), or name of a port."""
        if self._runtime is None:
            return {}
        sources = self._runtime.plot_sources
        found = {**sources.faults, **sources.ports.faults}
        return {key: error_view_of(fault, self._core.language) for key, fault in found.items()}

    def _board(self, runtime: Runtime, board: BoardInfo) -> SourceView:
        reader = runtime.roster.connection(board.board_id).line_reader
        state = "live" if board.state == "live" else "off"
        view = SourceView(board.board_id, "board", board.name, state)
        return self._filled(runtime, view, reader.counters, reader)

    @staticmethod
    def _network(runtime: Runtime, source_id: str) -> SourceView:
        if source_id != "mqtt":
            return SourceView(source_id, "udp", source_id.removeprefix("udp:"))
        state = "off" if "plots.mqtt_topics" in runtime.plot_sources.faults else "live"
        return SourceView(source_id, "mqtt", "MQTT", state)

    def _port(self, runtime: Runtime, wish: Any) -> SourceView:
        ports = runtime.plot_sources.ports
        source = ports.open.get(wish.port)
        if ports.lent(wish.port):
            state = "lent"
        else:
            state = "live" if source is not None and source.listening else "away"
        reading = runtime.plot_habits.reading(wish.port)
        view = SourceView(
            wish.port,
            "port",
            wish.port,
            state,
            frames=bool(wish.frames),
            encoding=reading.encoding if reading is not None else wish.encoding,
            time_base=reading.time_base if reading is not None else "device",
            rate=reading.rate if reading is not None else 1.0,
            baud=wish.baud,
            fault=self._view(ports.faults.get(wish.port)) if state == "away" else None,
        )
        return view if source is None else self._filled(runtime, view, source.ingest.counters)

    def _filled(self, runtime: Runtime, view: SourceView, counters: Any, reader: Any = None) -> SourceView:
        if reader is None:
            reader = runtime.plot_sources.reader(view.source_id)
        found = dataclasses.asdict(counters)
        stored = sum(info.count for info in runtime.store.series(view.source_id))
        view = dataclasses.replace(view, counters=found, stored=stored)
        if view.frames or not hasattr(reader, "parser"):
            return view
        encoding, base = reader.chosen
        hint = ""
        if not found["telemetry_lines"] and found["text_lines"] >= ENOUGH_LINES:
            hint = "prefix" if reader.parser.missing_prefix_lines else "text"
        return dataclasses.replace(view, encoding=encoding, time_base=base.kind, rate=base.rate, hint=hint)

    # -- what a person does ---------------------------------------------------------------------------
    def free_ports(self) -> list[str]:
        """Ports of the computer that no board of the list is connected to."""
        if self._runtime is None:
            return []
        roster, wanted = self._runtime.roster, self._runtime.plot_sources.ports.wishes
        taken = {board.port for board in roster.boards() if board.state != "offline"}
        taken |= {wish.port for wish in wanted}
        return sorted({port.path for port in roster.usb_ports()} - taken)

    def listen_to_port(
        self,
        port: str,
        baud: int,
        done: Callable[[ErrorView | None], None],
        *,
        encoding: str = "utf-8",
        frames: str = "",
        line_rate: float = 0.0,
    ) -> None:
        """Plot a port whose board speaks no protocol; ``done`` is called when it is open, or with the fault.

        Args:
            frames: path of the description of binary frames, '' for lines.
            line_rate: lines a second, for times at equal distances; 0 for the board's clock or arrival.
        """
        from zeroclaw_desktop.runtime.plot_habits import PortWish

        assert self._runtime is not None
        ports = self._runtime.plot_sources.ports

        async def listen() -> None:
            fault = None
            try:
                await ports.listen(PortWish(port, baud, encoding, frames, line_rate))
            except ZeroClawError as error:
                fault = self._view(error)
            self.changed.emit()
            done(fault)

        self._core.start(listen(), "listen to a port")

    def leave_port(self, port: str) -> None:
        """Let go of such a port and forget it."""
        assert self._runtime is not None
        ports = self._runtime.plot_sources.ports

        async def leave() -> None:
            await ports.leave(port)
            self.changed.emit()

        self._core.start(leave(), "leave a port")

    def choose_reading(
        self, source_id: str, encoding: str, time_base: str, rate: float = 1.0
    ) -> ErrorView | None:
        """Read what a source sends from now on in another way, and remember it.

        Args:
            encoding: one of ``ENCODINGS``; earlier lines in a board's console too.
            time_base: one of ``TIME_BASES``.
            rate: lines a second, for ``index``.
        """
        from zeroclaw_desktop.runtime.plot_habits import ReadingWish

        runtime = self._runtime
        if runtime is None:
            return None
        reading = ReadingWish(encoding, time_base, rate)
        boards = {board.board_id for board in runtime.roster.boards()}
        try:
            if source_id in boards:
                runtime.board_readings.choose(source_id, reading)
            else:
                runtime.plot_sources.choose_reading(source_id, reading)
        except ZeroClawError as error:
            return self._view(error)
        self.changed.emit()
        return None

    # -- what was done last ---------------------------------------------------------------------------
    def folder(self, purpose: str) -> str:
        """The last folder for ``export`` or ``recording``; '' for none."""
        return self._runtime.plot_habits.folder(purpose) if self._runtime is not None else ""

    def set_folder(self, purpose: str, folder: str) -> None:
        """Remember a folder."""
        if self._runtime is not None:
            self._runtime.plot_habits.set_folder(purpose, folder)

    def recent(self) -> list[str]:
        """Recordings that were made or opened last, newest first."""
        return self._runtime.plot_habits.recent() if self._runtime is not None else []

    def csv_form(self) -> dict[str, Any]:
        """How CSV was written last; see ``CsvForm``."""
        return self._runtime.plot_habits.csv() if self._runtime is not None else {}

    def set_csv_form(self, form: dict[str, Any]) -> None:
        """Remember how CSV is written."""
        if self._runtime is not None:
            self._runtime.plot_habits.set_csv(form)
