"""Builds every service once, starts them in order, stops them in reverse."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.config.schema import CEILING_PREFIX
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import SOURCES, ActionResult, ActionTransition, Permission
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.handlers.builtin import register_builtin
from zeroclaw_desktop.execution.handlers.erase import erase_command
from zeroclaw_desktop.execution.handlers.firmware import firmware_command
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.execution.reporters import BusReporter, LogReporter
from zeroclaw_desktop.execution.reporters.setting_switches import ReporterSettings
from zeroclaw_desktop.execution.reporters.switchboard import ReporterSwitchboard
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger, set_level
from zeroclaw_desktop.foundation.paths import HomeFolderError, home_folder, log_folder
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.hardware.boards.catalog import PORT_LINKS, board_catalog, profiles_for_usb
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.datasheets.library import DataSheetLibrary
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoards
from zeroclaw_desktop.hardware.errors import PortBusyError
from zeroclaw_desktop.hardware.flashing.flasher import Flasher, can_read_back, check_kind, endings_for
from zeroclaw_desktop.hardware.flashing.formats.restore_file import RestorePoint
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, image_from_file, shipped_images
from zeroclaw_desktop.hardware.flashing.tool_list import ToolList
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.simulator.circuit.bench_file import BenchFile
from zeroclaw_desktop.hardware.simulator.pure_model import channels_of
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.discovery import PortInfo
from zeroclaw_desktop.hardware.transport.port_handle import PortHandle, PortSettings, open_port
from zeroclaw_desktop.providers.offline import BoardFacts
from zeroclaw_desktop.runtime.added_boards import AddedBoards
from zeroclaw_desktop.runtime.approval_orders import ApprovalOrders
from zeroclaw_desktop.runtime.approvals import ApprovalDesk
from zeroclaw_desktop.runtime.board_commands import BoardCommands
from zeroclaw_desktop.runtime.board_facts import live_facts
from zeroclaw_desktop.runtime.board_names import FILE_NAME
from zeroclaw_desktop.runtime.board_readings import BoardReadings
from zeroclaw_desktop.runtime.chat_models import ChatModels
from zeroclaw_desktop.runtime.chat_service import ChatService
from zeroclaw_desktop.runtime.control_socket import ControlSocket
from zeroclaw_desktop.runtime.crash_recovery import CrashRecovery
from zeroclaw_desktop.runtime.datasheet_facts import search_rows
from zeroclaw_desktop.runtime.firmware_service import FirmwareService
from zeroclaw_desktop.runtime.flash_service import FlashService
from zeroclaw_desktop.runtime.journal_keeper import JournalKeeper
from zeroclaw_desktop.runtime.memory_keeper import MemoryKeeper
from zeroclaw_desktop.runtime.model_service import ModelService
from zeroclaw_desktop.runtime.pin_guard import PinGuard
from zeroclaw_desktop.runtime.plot_habits import FILE_NAME as PLOT_HABITS_NAME
from zeroclaw_desktop.runtime.plot_habits import PlotHabits
from zeroclaw_desktop.runtime.plot_service import PlotService
from zeroclaw_desktop.runtime.plot_sources import PlotSources
from zeroclaw_desktop.runtime.plot_views import FILE_NAME as PLOT_VIEWS_NAME
from zeroclaw_desktop.runtime.plot_views import PlotViews
from zeroclaw_desktop.runtime.shared_service import REDIS_KEY, SharedStateService
from zeroclaw_desktop.runtime.simulators import Simulators
from zeroclaw_desktop.runtime.stop_input import StopInput
from zeroclaw_desktop.sandbox.process import ChildProcesses
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.tools.datasheet_search import DatasheetSearchTool
from zeroclaw_desktop.tools.memory_tools import memory_tools
from zeroclaw_desktop.vault.board_passwords import BoardPasswords
from zeroclaw_desktop.vault.model_keys import ModelKeys
from zeroclaw_desktop.vault.setting_passwords import SettingPasswords
from zeroclaw_desktop.vault.system_keyring import PasswordStore, SystemKeyring

STOP_SECONDS = 8.0
STAGE_SECONDS = 4.0
LEAST_STAGE_SECONDS = 0.5
"""What each stage of the end gets although others have used up STOP_SECONDS."""
DATASHEETS_NAME = "datasheets"
BENCHES_NAME = "simulated_boards.json"
_log = logger("runtime")


def _own_file(name: str) -> Path | None:
    """A file or folder of the home folder; None when there is no home folder."""
    try:
        return home_folder() / name
    except HomeFolderError as error:
        _log.error("%s is not kept: %s %s", name, error.message, error.hint)
        return None


class Runtime:
    """All services of the app. Must be built on a running loop's thread; ``start`` before use.

    Args:
        config: the person's settings.
        with_person: whether somebody is there to answer questions (the window).
        watch_ports: whether to look for USB ports.
        keyring: where passwords of settings are; None for the system's.
    """

    def __init__(
        self,
        config: ConfigStore,
        *,
        with_person: bool,
        watch_ports: bool = True,
        keyring: PasswordStore | None = None,
    ) -> None:
        self.config = config
        self.passwords = SettingPasswords(config, keyring or SystemKeyring())
        self.bus = EventBus()
        self.clock = SystemClock()
        self.store = TelemetryStore(
            config.get("plots.max_samples"), max_bytes=config.get("plots.memory_mb") * 1024 * 1024
        )
        self.plots = PlotService(self.store, self.bus)
        self.plot_views = PlotViews(_own_file(PLOT_VIEWS_NAME), self.store, self.plots)
        self.plot_habits = PlotHabits(_own_file(PLOT_HABITS_NAME))
        self.plot_sources = PlotSources(self.store, config, self.passwords.full, habits=self.plot_habits)
        self.children = ChildProcesses()
        known = KnownBoards(_own_file(FILE_NAME))
        self.roster = BoardRoster(self.bus, self.store, known=known)
        self.added = AddedBoards(self.roster, known, BoardPasswords(keyring or SystemKeyring()))
        self.simulators = Simulators(
            self.roster, self.children, self.bus, BenchFile(_own_file(BENCHES_NAME), writes=with_person)
        )
        self.registry = CommandRegistry()
        self.reporters = ReporterSwitchboard(self.clock)
        self.reporters.add("log", LogReporter())
        self.reporters.add("bus", BusReporter(self.bus))
        self.shared = SharedStateService(
            self.reporters, self.bus, self.clock, self.passwords.full, self._instance_of
        )
        self.executor = Executor(self.registry, self.roster, self.clock, [self.reporters], self._is_stopped)
        self.executor.locks = self.shared
        self.stop_everything = EmergencyStop(self.roster, self.bus, self.clock, self.executor.cancel_all)
        self.approvals = ApprovalDesk(self.bus, self.clock, self.roster.boards)
        if with_person:
            self.executor.approver = self.approvals.ask
        self.flasher = Flasher(self.children)
        self.tools = ToolList(self.children)
        self.flashing = FlashService(
            self.flasher,
            self.roster,
            self.bus,
            self.store,
            lambda: bool(config.get("flashing.save_first")),
            self.plot_sources.ports.lend,
        )
        self.firmware = FirmwareService(self.roster, self.children)
        self.models = ModelService(config, ModelKeys(keyring or SystemKeyring()), self.children, self.clock)
        self.datasheets = DataSheetLibrary(_own_file(DATASHEETS_NAME), board_catalog(), self.children)
        self.memory = MemoryKeeper(self.bus, self.clock, lambda: config.values)
        self.chat_models = ChatModels(config, self.models, self._facts, self.memory)
        self.chat = self.new_chat()
        self.reporters.add("chat", self.chat)
        self.reporter_settings: ReporterSettings | None = None
        self.journal_keeper = JournalKeeper(self.executor, self.clock, keyring)
        self.approvals.record = self._note_receipt
        self.recovery = CrashRecovery(self.bus, self.roster, self.executor)
        self.control = ControlSocket(self.stop_everything, ApprovalOrders(self.approvals))
        self.stop_input = StopInput(
            self.bus,
            self.roster,
            self.executor,
            self.stop_everything,
            lambda: str(config.get("execution.stop_input")),
        )
        self.loop: asyncio.AbstractEventLoop | None = None
        self._tasks = TaskSupervisor("runtime")
        self._watch_ports = watch_ports
        register_builtin(self.registry, self.roster, self._flash, self.stop_everything.trigger)
        self.registry.register(erase_command(self.flashing.erase))
        self.registry.register(firmware_command(self.firmware.generate))
        BoardCommands(self.registry, self.roster, self.bus)
        self.board_readings = BoardReadings(self.bus, self.roster, self.plot_habits)
        self._follow_settings()
        self.bus.subscribe(ActionTransition, self._mark_on_plots)

    def _instance_of(self, board_id: str) -> str:
        """The name of a board among programs (EX-19)."""
        board = next((board for board in self.roster.boards() if board.board_id == board_id), None)
        return board.instance if board is not None and board.instance else board_id

    async def _flash(self, board_id: str, request: FlashRequest) -> Mapping[str, Any]:
        """Flash what is wanted, or what was made last for the board."""
        return await self.flashing.flash(board_id, self.firmware.resolved(board_id, request))

    def _is_stopped(self) -> bool:
        return self.stop_everything.latched

    def _follow_settings(self) -> None:
        self.executor.dry_run = self.executor.dry_run or bool(self.config.get("execution.dry_run"))
        self.executor.budget.limit = float(self.config.get("execution.session_budget_seconds"))
        set_level(self.config.get("logs.level"))
        for key, value in self.config.values.items():
            self._set_ceiling(key, value)

        def changed(key: str, value: object) -> None:
            if key == "execution.dry_run":
                self.executor.dry_run = bool(value)
            elif key == "execution.session_budget_seconds":
                self.executor.budget.limit = float(str(value))
            elif key == "plots.memory_mb":
                self.store.budget.limit = int(str(value)) * 1024 * 1024
            elif key == "execution.stop_input":
                self.stop_input.look()
            elif key == "logs.level":
                set_level(str(value))
            self._set_ceiling(key, value)

        self.config.on_change(changed)

    def _set_ceiling(self, key: str, value: object) -> None:
        """Follow the highest level of a source (EX-6)."""
        source = key.removeprefix(CEILING_PREFIX)
        if source != key and source in SOURCES:
            self.executor.ceilings[source] = Permission[str(value).upper()]

    def _mark_on_plots(self, transition: ActionTransition) -> None:
        """Actions that change pins appear on the time axis of the plots."""
        result = transition.result
        if result is not None and result.commanded and not result.dry_run:
            self.store.add_marker(
                f"{result.action} {result.state.value.lower()}", "action", source_id=result.device_id
            )

    def new_chat(self) -> ChatService:
        """A chat with a history of its own."""
        look_up = DatasheetSearchTool(lambda question, board: search_rows(self.datasheets, question, board))
        model = self.chat_models.provider
        more = (
            [look_up, *memory_tools(self.memory, private=lambda: self.chat_models.stays_here)]
            if self.memory.enabled
            else [look_up]
        )
        return ChatService(
            self.executor,
            self.stop_everything,
            self._facts,
            more,
            model,
            self.memory.last_failure,
            self._note_receipt,
        )

    def _note_receipt(self, draft: ReceiptDraft) -> None:
        self.journal_keeper.note_receipt(draft)

    def _facts(self) -> list[BoardFacts]:
        """What the assistant may know now; what has changed in the data sheets is known the next time."""
        if self.loop is not None:
            self._tasks.start(self.datasheets.refresh(), "data sheets")
        return live_facts(self.roster.boards(), self.datasheets.aliases)

    async def start(self) -> None:
        """Start what runs by itself; a part that fails is logged and the others run."""
        self.loop = asyncio.get_running_loop()
        self.bus.bind_loop(self.loop)
        try:
            await self.control.start()
        except (OSError, ZeroClawError) as error:
            _log.warning("The control socket is not available: %s", error)
        await self._open_journal()
        self._switch_reporters()
        self.share_state()
        self.plot_sources.start()
        self._tasks.start(self.plots.watch_thresholds(), "thresholds of the plots")
        self._tasks.start(PinGuard(self.executor, self.clock).watch(), "pin guard")
        self.added.restore()
        if self._watch_ports:
            self._tasks.start(self.roster.watch_ports(), "ports")
        if self.config.get("simulator.start_with_app"):
            self._tasks.start(self._start_simulator(), "simulator")

    async def _open_journal(self) -> None:
        """Open the journal and look for what a crash left."""
        journal = await self.journal_keeper.open()
        await self.open_memory()
        if journal is None:
            return
        try:
            await self.recovery.start(journal)
        except StoreError as error:
            _log.error("What a crash left could not be found out: %s %s", error.message, error.hint)

    async def open_memory(self, *, care: bool = True) -> None:
        """Open the memory in the journal's database.

        Args:
            care: whether to look after bounds and missing vectors in the background.
        """
        await self.memory.open(self.journal_keeper.store, care=care)
        self.config.on_change(self.memory.follow)

    def _switch_reporters(self) -> None:
        """Follow the settings of the file of reports and of the MQTT broker."""
        try:
            self.reporter_settings = ReporterSettings(
                self.reporters, log_folder(), self.passwords.full, self.open_report_port
            )
        except HomeFolderError as error:
            _log.error("Reports are not written in this run: %s %s", error.message, error.hint)
            return
        self.reporter_settings.apply(self.config.values)
        self.config.on_change(self.reporter_settings.changed)

    def share_state(self) -> None:
        """Follow the setting of the shared state: locks, snapshots and barriers of several programs."""
        self.shared.start(str(self.config.get(REDIS_KEY)))
        self.config.on_change(self.shared.changed)

    async def barrier(self, name: str, parties: int, timeout: float) -> float:
        """Wait until ``parties`` callers are at the barrier of this name, in this or other programs (EX-13).

        Args:
            timeout: seconds.

        Returns:
            Seconds waited.

        Raises:
            SharedStateError: the barrier was not passed; see SharedState.barrier.
        """
        return await self.shared.barrier(name, parties, timeout)

    def open_report_port(self, path: str) -> PortHandle:
        """A serial port for reports; raises PortError, also when a board is on it, which would obey them."""
        for board in self.roster.boards():
            if path in (board.port, board.system_path):
                raise PortBusyError(
                    f"The port {path} belongs to the board '{board.name}'.",
                    hint="Choose a port that no board is on.",
                    details={"port": path, "holder": f" by {board.name}"},
                )
        return open_port(path, PortSettings())

    async def _close_reporters(self) -> None:
        if self.reporter_settings is not None:
            await self.reporter_settings.close()
        await self.reporters.close()

    async def _start_simulator(self) -> None:
        try:
            await self.simulators.start_kept()
        except ZeroClawError as error:
            _log.error("The simulator did not start: %s", error.message)

    async def run_manual(
        self,
        action: str,
        params: Mapping[str, Any],
        board_id: str,
        announce: Callable[[str], None] = lambda _task_id: None,
    ) -> ActionResult:
        """Run a command for the person at the window.

        Args:
            announce: told the task id before anything happens, so that it can be cancelled.
        """
        payload = make_payload(action, params, source="manual", device_id=board_id)
        announce(payload.task_id)
        return await self.executor.submit(payload)

    def add_port(self, path: str, board_type: str) -> BoardConnection:
        """Take a port for the kind of board that the person chose."""
        return self.roster.adopt(path, board_catalog()[board_type])

    @staticmethod
    def board_types() -> list[BoardProfile]:
        """Kinds of boards that may be at a serial port, by family and name."""
        kinds = [profile for profile in board_catalog().values() if profile.link in PORT_LINKS]
        return sorted(kinds, key=lambda profile: (not profile.family, profile.family, profile.name))

    @staticmethod
    def candidates(port: PortInfo) -> list[BoardProfile]:
        """Kinds of boards that the port's USB id may stand for; none for bridge chips and strangers."""
        if port.vendor is None or port.product is None:
            return []
        return profiles_for_usb(port.vendor, port.product)

    def firmware_for(self, board_id: str) -> list[FirmwareImage]:
        """Firmware that ships for a board."""
        return shipped_images(self.roster.connection(board_id).profile)

    def firmware_endings(self, board_id: str) -> tuple[str, ...]:
        """Endings of the files that the ways of a board take."""
        return endings_for(self.roster.connection(board_id).profile)

    def offers_saving(self, board_id: str) -> bool:
        """Whether what is on a board can be read, and nothing was kept of it yet."""
        return can_read_back(self.roster.connection(board_id).profile) and not self.restore_points(board_id)

    def restore_points(self, board_id: str) -> list[RestorePoint]:
        """What was on a board before it was flashed, newest first."""
        return self.flasher.restore_points.of_board(board_id)

    async def firmware_from_file(self, path: Path, board_id: str) -> FirmwareImage:
        """Check a file for a board and for a way of writing it; raises FlashError.

        The file may be large, or lie on a disk that is slow: it is read on another thread.
        """
        profile = self.roster.connection(board_id).profile
        image = await asyncio.to_thread(image_from_file, path, profile)
        check_kind(image, profile)
        return image

    def analog_signals(self, board_id: str) -> list[str]:
        """Names of the analog signals that a board can report, first channel first (``a0``)."""
        return [f"a{channel}" for channel in channels_of(self.roster.connection(board_id).profile)]

    def needs_board(self, action: str) -> bool:
        """Whether a command is about a board; an unknown one is taken for one that is not."""
        command = self.registry.find(action)
        return command is not None and command.needs_board

    async def stop(self) -> None:
        """Cancel everything, put boards into their safe state, let go of ports; bounded.

        Each stage is bounded on its own, so that one which hangs keeps no port open and no row unwritten.
        """
        self.chat.cancel()
        self.executor.cancel_all("shutdown")
        stages: dict[str, Callable[[], Awaitable[object]]] = {
            "orders of other programs": self.control.stop,
            "the wired stop input": self.stop_input.stop,
            "background tasks": self._tasks.stop,
            "the emergency stop": self.stop_everything.shut_down,
            "boards": self.roster.shut_down,
            "sources of the plots": self.plot_sources.stop,
            "a recording": self.plots.close,
            "simulated boards": self.simulators.shut_down,
            "crash recovery": self.recovery.stop,
            "the memory": self.memory.close,
            "the journal": self.journal_keeper.close,
            "reporters": self._close_reporters,
            "the shared state": self.shared.close,
            "the provider process": self.models.stop,
        }
        deadline = self.clock.monotonic() + STOP_SECONDS
        for name, stage in stages.items():
            seconds = max(LEAST_STAGE_SECONDS, min(STAGE_SECONDS, deadline - self.clock.monotonic()))
            try:
                async with asyncio.timeout(seconds):
                    await stage()
            except TimeoutError:
                _log.error("At the end of the program %s took longer than %.1f s", name, seconds)
