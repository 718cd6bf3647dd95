"""Boards, ports, console and flashing for the window; simulated ones have a bridge of their own in it."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.added_boards_bridge import AddedBoardsBridge
from zeroclaw_desktop.bridge.board_views import board_view, kind_views, pin_views, port_views
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of, fault_view
from zeroclaw_desktop.bridge.flash_views import ENDED, firmware_view, flash_view, restore_view
from zeroclaw_desktop.bridge.simulator_bridge import SimulatorBridge
from zeroclaw_desktop.bridge.unfinished_lines import UnfinishedLines
from zeroclaw_desktop.bridge.views import (
    BoardKindView,
    BoardView,
    ErrorView,
    FirmwareView,
    FlashView,
    PinView,
    PortView,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.board_names_bridge import BoardNamesBridge
    from zeroclaw_desktop.bridge.datasheets_bridge import DatasheetsBridge
    from zeroclaw_desktop.bridge.detail_views import BoardDetailsView
    from zeroclaw_desktop.bridge.port_access_bridge import PortAccessBridge
    from zeroclaw_desktop.bridge.telemetry_pins import PinReading
    from zeroclaw_desktop.bridge.tools_bridge import ToolsBridge
    from zeroclaw_desktop.contracts.events import FlashProgressed
    from zeroclaw_desktop.runtime.runtime import Runtime

CONSOLE_MILLISECONDS = 33
MOST_CONSOLE_LINES = 150
"""Lines of one pull that are handed to the window; nobody reads 4,500 lines a second."""
FACTS_MILLISECONDS = 1_000
PINS_MILLISECONDS = 200
MOST_LIVE_SIGNALS = 2
LIVE_PERIOD_SECONDS = 0.02
_LINE_ENDS = {"none": "", "lf": "\n", "cr": "\r", "crlf": "\r\n"}


class DevicesBridge(QObject):
    """Everything about boards. What moves hardware becomes an ActionPayload of source ``manual``."""

    boards_changed = Signal()
    facts_changed = Signal()
    """Only counters and times of answers changed, once a second."""
    ports_changed = Signal()
    current_board_changed = Signal(str)
    pins_changed = Signal(str)
    flash_changed = Signal(object)
    flash_log_added = Signal(str, str)
    firmware_checked = Signal(str, str, object)
    """(board, path, FirmwareView or ErrorView) of a file that was to be checked."""
    console_received = Signal(str, str)
    console_skipped = Signal(str)
    """(board) More lines came than are handed on; ``console_kept`` has them."""
    console_unfinished = Signal(str, str)
    """(board, text) The beginning of a line that has not ended for a while; '' once it has."""
    command_failed = Signal(str, object)

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self.added = AddedBoardsBridge(core)
        self._core = core
        self._runtime: Runtime | None = None
        self._current = ""
        self._flashes: dict[str, FlashView] = {}
        self._flash_tasks: dict[str, str] = {}
        self._console_seen: dict[str, int] = {}
        self._unfinished = UnfinishedLines()
        self._counters: tuple[object, ...] = ()
        self.simulator = SimulatorBridge(core, self._do, self.set_current_board)
        self._facts_timer = QTimer(self)
        self._facts_timer.setInterval(FACTS_MILLISECONDS)
        self._facts_timer.timeout.connect(self._refresh_facts)
        self._pins_timer = QTimer(self)
        self._pins_timer.setInterval(PINS_MILLISECONDS)
        self._pins_timer.timeout.connect(self._look_at_signals)
        self._generation = 0
        self._measured: dict[str, dict[int, PinReading]] = {}
        self._console_timer = QTimer(self)
        self._console_timer.setInterval(CONSOLE_MILLISECONDS)
        self._console_timer.timeout.connect(self._pull_consoles)
        core.when_ready(self._attach)

    @cached_property
    def access(self) -> PortAccessBridge:
        """Ports without a known board: obstacles, mends, questions."""
        from zeroclaw_desktop.bridge.port_access_bridge import PortAccessBridge

        access = PortAccessBridge(self._core, self)
        access.identified.connect(self.connect_port)
        return access

    @cached_property
    def names(self) -> BoardNamesBridge:
        """Names of boards and pins, and boards that are away."""
        from zeroclaw_desktop.bridge.board_names_bridge import BoardNamesBridge

        names = BoardNamesBridge(self._core, self)
        names.failed.connect(self.command_failed)
        return names

    @cached_property
    def tools(self) -> ToolsBridge:
        """Programs that write firmware."""
        from zeroclaw_desktop.bridge.tools_bridge import ToolsBridge

        return ToolsBridge(self._core, self)

    @cached_property
    def datasheets(self) -> DatasheetsBridge:
        """The person's data sheets."""
        from zeroclaw_desktop.bridge.datasheets_bridge import DatasheetsBridge

        return DatasheetsBridge(self._core, self)

    def details(self, board_id: str) -> BoardDetailsView | None:
        """Everything that is known of a board; None when there is no such board."""
        from zeroclaw_desktop.bridge.board_details import details_of

        runtime = self._runtime
        boards = runtime.roster.boards() if runtime is not None else ()
        board = next((board for board in boards if board.board_id == board_id), None)
        if runtime is None or board is None:
            return None
        return details_of(runtime, board, self._core.language)

    def _attach(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.contracts import events

        self._runtime = runtime
        bus = runtime.bus
        bus.subscribe(events.BoardsChanged, lambda _event: self._boards_changed())
        bus.subscribe(events.PortsChanged, lambda _event: self.ports_changed.emit())
        bus.subscribe(events.PinsObserved, lambda event: self.pins_changed.emit(event.board_id))
        bus.subscribe(events.FlashProgressed, self._flash_progressed)
        bus.subscribe(events.FlashLogged, lambda event: self.flash_log_added.emit(event.board_id, event.line))
        self._console_timer.start()
        self._facts_timer.start()
        self._pins_timer.start()
        self._boards_changed()

    def _boards_changed(self) -> None:
        boards = self.boards()
        ids = [board.board_id for board in boards]
        if self._current not in ids:
            live = [board.board_id for board in boards if board.state == "live"]
            self._current = (live or ids or [""])[0]
            self.current_board_changed.emit(self._current)
        self.boards_changed.emit()

    def _refresh_facts(self) -> None:
        """Counters have no events of their own; the cards show them once a second."""
        assert self._runtime is not None
        boards = self._runtime.roster.boards()
        counters = tuple((*board.counters.items(), board.answer_ms) for board in boards)
        if counters != self._counters:
            self._counters = counters
            self.facts_changed.emit()

    def _look_at_signals(self) -> None:
        """Samples have no events of their own; pins that are measured follow them a few times a second."""
        from zeroclaw_desktop.bridge.telemetry_pins import telemetry_pins

        assert self._runtime is not None
        generation = self._runtime.store.generation
        if generation == self._generation and not any(self._measured.values()):
            return
        self._generation = generation
        for board in self._runtime.roster.boards():
            measured = telemetry_pins(self._runtime.store, board)
            if measured != self._measured.get(board.board_id, {}):
                self._measured[board.board_id] = measured
                self.pins_changed.emit(board.board_id)

    # -- what there is --------------------------------------------------------------------------------
    def boards(self) -> list[BoardView]:
        """All boards."""
        if self._runtime is None:
            return []
        return [board_view(board, self._core.language) for board in self._runtime.roster.boards()]

    def ports(self) -> list[PortView]:
        """Ports without a board."""
        return port_views(self._runtime, self._core.language) if self._runtime is not None else []

    def pins(self, board_id: str) -> list[PinView]:
        """Live pins of a board."""
        return pin_views(self._runtime, board_id, self._core.language) if self._runtime is not None else []

    def board_types(self) -> list[BoardKindView]:
        """Kinds of boards that may be at a port, families together."""
        return kind_views(self._runtime.board_types()) if self._runtime is not None else []

    def current_board_id(self) -> str:
        """The board that chat and plots are about; '' when there is none."""
        return self._current

    def set_current_board(self, board_id: str) -> None:
        """Choose the current board."""
        if board_id != self._current and any(board.board_id == board_id for board in self.boards()):
            self._current = board_id
            self.current_board_changed.emit(board_id)

    # -- connecting -----------------------------------------------------------------------------------
    def connect_board(self, board_id: str) -> None:
        """Connect a board that is listed; a simulated one is started when it has ended."""
        runtime = self._runtime
        if runtime is None:
            return
        if any(board.board_id == board_id and board.simulated for board in runtime.roster.boards()):
            self._do(board_id, runtime.simulators.start(board_id), "connect")
        else:
            self._do(board_id, runtime.roster.connection(board_id).connect(), "connect")

    def disconnect_board(self, board_id: str) -> None:
        """Let go of a board's port."""
        if self._runtime is not None:
            self._do(board_id, self._runtime.roster.connection(board_id).disconnect(), "disconnect")

    def connect_port(self, path: str, board_type: str) -> None:
        """Connect a port as a kind of board that the person chose."""
        if self._runtime is not None:
            connection = self._runtime.add_port(path, board_type)
            self._do(path, connection.connect(), "connect")

    def start_simulator(self) -> None:
        """Start the simulated Uno, connect it and make it the current board."""
        if self._runtime is not None:
            self._do("", self._start_simulator(self._runtime, with_signals=False), "simulator")

    def start_simulator_with_signals(self) -> None:
        """Start it and let it report its analog inputs."""
        if self._runtime is not None:
            self._do("", self._start_simulator(self._runtime, with_signals=True), "simulator")

    async def _start_simulator(self, runtime: Runtime, *, with_signals: bool) -> None:
        board_id = await runtime.simulators.start()
        self.set_current_board(board_id)
        if with_signals:
            self.show_live_signals(board_id)

    def stop_simulator(self, board_id: str) -> None:
        """End a simulated board."""
        if self._runtime is not None:
            self._do(board_id, self._runtime.simulators.stop(board_id), "stop simulator")

    def _do(self, board_id: str, coroutine: Coroutine[Any, Any, Any], name: str) -> None:
        async def guarded() -> None:
            try:
                await coroutine
            except ZeroClawError as error:
                if any(board.board_id == board_id and board.error for board in self.boards()):
                    return  # the board's own card says it
                self.command_failed.emit(board_id, error_view_of(error, self._core.language))

        self._core.start(guarded(), name)

    # -- commands -------------------------------------------------------------------------------------
    def run_command(self, board_id: str, action: str, params: Mapping[str, Any]) -> None:
        """Run a command for the person through the execution layer."""
        if self._runtime is not None:
            self._core.start(self._run(self._runtime, board_id, action, params), action)

    async def _run(self, runtime: Runtime, board_id: str, action: str, params: Mapping[str, Any]) -> None:
        result = await runtime.run_manual(action, params, board_id)
        if result.faults:
            self.command_failed.emit(board_id, fault_view(result.faults[0], self._core.language))

    def show_live_signals(self, board_id: str) -> None:
        """Let a board report its first analog inputs."""
        if self._runtime is None:
            return
        signals = self._runtime.analog_signals(board_id)[:MOST_LIVE_SIGNALS] or ["uptime"]
        self.run_command(board_id, "plot_series", {"signals": signals, "period": LIVE_PERIOD_SECONDS})

    # -- console --------------------------------------------------------------------------------------
    def console_lines(self, board_id: str) -> list[str]:
        """Lines that are kept; later ones come by ``console_received``."""
        if self._runtime is None:
            return []
        total, lines = self._runtime.roster.connection(board_id).console.since(0, colours=True)
        self._console_seen[board_id] = total
        return lines

    def console_kept(self, board_id: str) -> list[tuple[float, str]]:
        """Lines that are kept, each with the time when it came, in seconds since 1970."""
        if self._runtime is None:
            return []
        total, lines = self._runtime.roster.connection(board_id).console.kept()
        self._console_seen[board_id] = total
        return lines

    def choose_console(
        self, board_id: str, *, encoding: str | None = None, hexadecimal: bool | None = None
    ) -> list[str]:
        """Show the lines of a board in another way; those that came before too.

        Args:
            encoding: ``utf-8``, ``gbk`` ...; also how the plots read them from now on. None leaves it.
            hexadecimal: whether the bytes themselves are shown; None leaves it.

        Returns:
            The lines that are kept, in the new way.
        """
        if self._runtime is not None:
            connection = self._runtime.roster.connection(board_id)
            if encoding is not None:
                connection.choose_reading(encoding)
            if hexadecimal is not None:
                connection.console.hexadecimal = hexadecimal
        return self.console_lines(board_id)

    def send_console(self, board_id: str, text: str, line_end: str = "") -> None:
        """Send a line as it is.

        Args:
            line_end: ``none``, ``lf``, ``cr`` or ``crlf``; '' for the one of the settings.
        """
        line_end = _LINE_ENDS[line_end or self._core.config.get("serial.line_end")]
        self.run_command(board_id, "serial_send", {"text": text, "line_end": line_end})

    def _pull_consoles(self) -> None:
        if self._runtime is None:
            return
        for board in self._runtime.roster.boards():
            connection = self._runtime.roster.connection(board.board_id)
            console = connection.console
            seen = self._console_seen.get(board.board_id, 0)
            total, lines = console.since(seen, colours=True, most=MOST_CONSOLE_LINES)
            if total - seen > MOST_CONSOLE_LINES:
                self.console_skipped.emit(board.board_id)
            if lines:
                self.console_received.emit(board.board_id, "\n".join(lines))
            self._console_seen[board.board_id] = total
            beginning = self._unfinished.news(
                board.board_id, connection.line_counters.lines, connection.unfinished_line
            )
            if beginning is not None:
                self.console_unfinished.emit(board.board_id, beginning)

    # -- flashing -------------------------------------------------------------------------------------
    def firmware_choices(self, board_id: str) -> list[FirmwareView]:
        """Firmware that ships for a board, then what was on it before."""
        if self._runtime is None:
            return []
        language = self._core.language
        shipped = [firmware_view(image, language) for image in self._runtime.firmware_for(board_id)]
        points = [restore_view(point, language) for point in self._runtime.restore_points(board_id)]
        return [*shipped, *points]

    def firmware_endings(self, board_id: str) -> tuple[str, ...]:
        """Endings of the files that a board takes: ``.hex``, ``.bin`` ..."""
        return self._runtime.firmware_endings(board_id) if self._runtime is not None else ()

    def check_firmware_file(self, board_id: str, path: str) -> None:
        """Check a file for a board; ``firmware_checked`` tells what came of it."""
        if self._runtime is not None:
            self._core.start(self._check_file(self._runtime, board_id, path), "firmware file")

    async def _check_file(self, runtime: Runtime, board_id: str, path: str) -> None:
        result: FirmwareView | ErrorView
        try:
            image = await runtime.firmware_from_file(Path(path), board_id)
        except ZeroClawError as error:
            result = error_view_of(error, self._core.language)
        else:
            result = firmware_view(image, self._core.language)
        self.firmware_checked.emit(board_id, path, result)

    def offers_saving(self, board_id: str) -> bool:
        """Whether what is on a board can be read and nothing of it was kept yet."""
        return self._runtime is not None and self._runtime.offers_saving(board_id)

    def saves_first(self) -> bool:
        """The person's setting."""
        return bool(self._core.config.get("flashing.save_first"))

    def start_flash(
        self,
        board_id: str,
        firmware_key: str,
        *,
        save_first: bool | None = None,
        by_hand: bool = False,
        method: str = "",
    ) -> None:
        """Flash a board; news come by ``flash_changed``.

        Args:
            method: key of the way of writing; '' for the best one that works here.
            save_first: whether to keep what is on the board; None for the setting.
            by_hand: the person has put the board into its boot mode.
        """
        runtime = self._runtime
        state = self._flashes.get(board_id)
        if runtime is None or (state is not None and state.phase not in ENDED):
            return
        self._set_flash(FlashView(board_id, "check"))
        params: dict[str, Any] = {"firmware": firmware_key, "by_hand": by_hand, "method": method}
        if save_first is not None:
            params["save_first"] = save_first
        self._core.start(self._flash(runtime, board_id, params), "flash")

    def start_erase(self, board_id: str, *, save_first: bool) -> None:
        """Erase a board's whole chip, after the person gave its name; news come by ``flash_changed``.

        Args:
            save_first: whether to keep what is on the board.
        """
        runtime = self._runtime
        state = self._flashes.get(board_id)
        if runtime is None or (state is not None and state.phase not in ENDED):
            return
        self._set_flash(FlashView(board_id, "check"))
        params = {"confirm": runtime.roster.connection(board_id).name, "save_first": save_first}
        self._core.start(self._flash(runtime, board_id, params, "erase_flash"), "flash")

    async def _flash(
        self,
        runtime: Runtime,
        board_id: str,
        params: Mapping[str, Any],
        command: str = "flash_firmware",
    ) -> None:
        result = await runtime.run_manual(
            command,
            params,
            board_id,
            announce=lambda task_id: self._flash_tasks.update({board_id: task_id}),
        )
        self._flash_tasks.pop(board_id, None)
        if result.faults and self._flashes[board_id].phase not in ENDED:
            view = fault_view(result.faults[0], self._core.language)
            self._set_flash(FlashView(board_id, "failed", error=view, can_cancel=False))

    def cancel_flash(self, board_id: str) -> None:
        """Cancel a running job."""
        task_id = self._flash_tasks.get(board_id)
        if task_id is not None and self._runtime is not None:
            self._runtime.executor.cancel(task_id, "person")

    def skip_saving(self, board_id: str) -> None:
        """Write at once instead of reading first what is on the board."""
        if self._runtime is not None:
            self._runtime.flashing.skip_saving(board_id)

    def flash_state(self, board_id: str) -> FlashView | None:
        """The last or running job of a board."""
        return self._flashes.get(board_id)

    def _flash_progressed(self, event: FlashProgressed) -> None:
        self._set_flash(flash_view(event, self._core.language))

    def _set_flash(self, view: FlashView) -> None:
        self._flashes[view.board_id] = view
        self.flash_changed.emit(view)
