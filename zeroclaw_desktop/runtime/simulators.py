"""Simulated boards as boards among the others: add, start, stop, remove; several at once, of any kind."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import BoardProfile, WiredPart
from zeroclaw_desktop.contracts.events import BoardsChanged, PinsObserved
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.errors import SimulatorError
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.hardware.simulator.circuit.bench_file import BenchFile, KeptBoard
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import LiveBench
from zeroclaw_desktop.runtime.paper_board import SIMULATED_NAMES

UNO_ID = "sim-uno"
UNO_TYPE = "arduino-uno"
NAME_BEGIN = "Simulated "
UNO_NAME = f"{NAME_BEGIN}Arduino Uno"
MOST_BOARDS = 32
"""Each is a process of some 50 MB."""
KIND_PREFIX = "simulated:"
_LINK = "serial"


def simulated_kinds() -> list[BoardProfile]:
    """Kinds of boards that can be simulated: those that speak the protocol on a serial line."""
    kinds = [profile for profile in board_catalog().values() if profile.link == _LINK]
    return sorted(kinds, key=lambda profile: (not profile.family, profile.family, profile.name))


def kind_named(name: str) -> BoardProfile:
    """A kind of board by the key of its file or what people type: ``uno``, ``esp32``, ``sim-pico``.

    Raises:
        SimulatorError: there is no such kind (code ``unknown_board``).
    """
    kinds = {profile.key: profile for profile in simulated_kinds()}
    word = name.strip().lower().removeprefix("sim-")
    for key in (word, f"arduino-{word}", f"raspberry-pi-{word}", f"nucleo-{word}"):
        if key in kinds:
            return kinds[key]
    raise SimulatorError(
        f"There is no kind of board '{name}' to simulate.",
        hint=f"Known: {', '.join(kinds)}.",
        code="unknown_board",
    )


def board_id_of(kind: str, number: int = 1) -> str:
    """Id of the simulated board of a kind: ``sim-uno``, ``sim-esp32-2``."""
    word = UNO_ID if kind == UNO_TYPE else f"sim-{kind}"
    return word if number == 1 else f"{word}-{number}"


def named_simulator(name: str) -> tuple[str, BoardProfile] | None:
    """Id and kind of a simulated board by what people type; None when that is no simulated board.

    Args:
        name: ``simulated`` (the Uno), ``simulated:esp32``, or an id: ``sim-uno``, ``sim-esp32-2``.

    Raises:
        SimulatorError: there is no such kind (code ``unknown_board``).
    """
    word = name.strip().lower()
    if word in SIMULATED_NAMES:
        return UNO_ID, board_catalog()[UNO_TYPE]
    if word.startswith(KIND_PREFIX):
        profile = kind_named(word.removeprefix(KIND_PREFIX))
        return board_id_of(profile.key), profile
    if not word.startswith("sim-"):
        return None
    kind, _, number = word.rpartition("-")
    with contextlib.suppress(SimulatorError):
        profile = kind_named(word)
        return board_id_of(profile.key), profile
    has_number = number.isascii() and number.isdigit() and int(number) > 1
    profile = kind_named(kind if has_number else word)
    return board_id_of(profile.key, int(number)), profile


class Simulators:
    """Runs simulated boards; each has a process of its own.

    Args:
        kept: where boards and their benches are kept; None keeps them as long as the program runs.
    """

    def __init__(
        self, roster: BoardRoster, runner: ChildRunner, bus: EventBus, kept: BenchFile | None = None
    ) -> None:
        self._kept = kept or BenchFile(None)
        self._benches: dict[str, LiveBench] = {}
        self._roster = roster
        self._runner = runner
        self._bus = bus
        self._processes: dict[str, BoardProcess] = {}
        self._one_at_a_time: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def process(self, board_id: str) -> BoardProcess:
        """The process behind a simulated board.

        Raises:
            SimulatorError: that board is not simulated or not running.
        """
        found = self._processes.get(board_id)
        if found is None:
            raise SimulatorError(f"There is no simulated board '{board_id}'.", hint="Start the simulator.")
        return found

    def find(self, board_id: str) -> BoardProcess | None:
        """The process behind a board, None when it is a real one."""
        return self._processes.get(board_id)

    def bench(self, board_id: str) -> LiveBench | None:
        """The parts around a simulated board, whether it runs or not; None when it is a real one."""
        return self._benches.get(board_id)

    async def add(self, kind: str) -> str:
        """Add one more simulated board and connect to it; returns its id.

        Args:
            kind: key of the board file, or what people type.

        Raises:
            ZeroClawError: there is no such kind, there are too many, or it does not start or answer.
        """
        profile = kind_named(kind)
        if len(self._benches) >= MOST_BOARDS:
            raise SimulatorError(
                f"There are {MOST_BOARDS} simulated boards already.", hint="Remove one of them first."
            )
        free = (board_id_of(profile.key, number) for number in range(1, MOST_BOARDS + 2))
        return await self.start(next(name for name in free if name not in self._benches), kind=profile.key)

    async def start(self, board_id: str = UNO_ID, *, kind: str = "", simplified: bool = False) -> str:
        """Start a simulated board and connect to it; returns its id.

        Args:
            kind: key of the board file; '' for the kind that the board was before, at first the Uno.

        Raises:
            ZeroClawError: it does not start or does not answer.
        """
        live = self._live_bench(board_id, kind)
        await self._launch(board_id, live, simplified)
        await self._enlist(board_id, live).connect()
        return board_id

    async def _launch(self, board_id: str, live: LiveBench, simplified: bool = False) -> None:
        """See that the process runs; a board that never came up leaves nothing behind."""
        async with self._one_at_a_time[board_id]:
            try:
                await self._bring_up(board_id, live, simplified)
            except BaseException:
                if all(board.board_id != board_id for board in self._roster.boards()):
                    self._benches.pop(board_id, None)  # its id is free again
                raise

    def _enlist(self, board_id: str, live: LiveBench) -> BoardConnection:
        """Make a running process a board among the others."""
        process = self._processes.get(board_id)
        if process is None:
            raise SimulatorError("The simulated board was stopped while it started.", hint="Start it again.")
        profile = live.profile
        connection = self._roster.add(
            board_id, f"{NAME_BEGIN}{profile.name}", profile, process.port, simulated=True
        )
        self.keep(board_id)
        self._changed(board_id)
        return connection

    async def set_fault(self, board_id: str, kind: str, active: bool) -> None:
        """Begin or end a fault that lasts; a board that was given up because of it is connected again.

        Raises:
            ZeroClawError: no such board or fault, or the board does not answer afterwards.
        """
        await self.process(board_id).set_fault(kind, active)
        connection = self._roster.connection(board_id)
        if not active and connection.state == "failed":
            await connection.connect()

    async def start_kept(self) -> None:
        """Start the boards that were there the last time; the Uno when there were none.

        Raises:
            ZeroClawError: one of them does not start or answer; the others run all the same.
        """
        known = {profile.key for profile in simulated_kinds()}
        boards = [board for board in self._kept.boards() if board.shown and board.kind in known]
        boards = boards or [KeptBoard(UNO_ID, UNO_TYPE)]
        benches = {board.board_id: self._live_bench(board.board_id, board.kind) for board in boards}
        launches = (self._launch(board_id, live) for board_id, live in benches.items())
        results = await asyncio.gather(*launches, return_exceptions=True)
        running = [entry for entry, fault in zip(benches.items(), results, strict=True) if fault is None]
        connections = [self._enlist(board_id, live) for board_id, live in running]  # in their order
        results += await asyncio.gather(
            *(connection.connect() for connection in connections), return_exceptions=True
        )
        for fault in results:
            if fault is not None:
                raise fault

    def keep(self, board_id: str) -> None:
        """Write down the bench of a board as it is now."""
        live = self._benches.get(board_id)
        if live is not None:
            self._kept.keep(KeptBoard(board_id, live.profile.key, live.bench))

    def _live_bench(self, board_id: str, kind: str) -> LiveBench:
        """The bench at work, the one that was kept, or a new one."""
        live = self._benches.get(board_id)
        if live is None:
            kept = self._kept.find(board_id)
            profile = board_catalog()[kind or (kept.kind if kept is not None else UNO_TYPE)]
            same = kept is not None and kept.kind == profile.key
            live = self._benches[board_id] = LiveBench(profile, kept.bench if kept and same else None)
        return live

    async def _bring_up(self, board_id: str, live: LiveBench, simplified: bool) -> None:
        """See that the process runs and the board is plugged in."""
        running = self._processes.get(board_id)
        if running is not None and not await running.answers():
            await running.stop()
            running = None
        if running is None:
            process = BoardProcess(
                board_id, self._runner, lambda: self._changed(board_id), bench=live, simplified=simplified
            )
            self._processes[board_id] = process
            try:
                await process.start()
            except BaseException:
                self._processes.pop(board_id, None)
                await process.stop()
                raise
        process = self._processes[board_id]
        if not process.plugged:
            await process.inject_fault("replug")
            await process.query()

    async def stop(self, board_id: str) -> None:
        """Disconnect a simulated board, end its process and take it off the list; its bench is kept."""
        await self._roster.remove(board_id)
        process = self._processes.pop(board_id, None)
        if process is not None:
            await process.stop()
            self._bus.publish(BoardsChanged())
        live = self._benches.pop(board_id, None)
        if live is not None:
            self._kept.keep(KeptBoard(board_id, live.profile.key, live.bench, shown=False))

    async def shut_down(self) -> None:
        """Write down the benches and end all processes."""
        for board_id in self._benches:
            self.keep(board_id)
        await asyncio.gather(*(self._processes.pop(board_id).stop() for board_id in list(self._processes)))

    def _changed(self, board_id: str) -> None:
        """Pins or plug changed: keep the roster's facts right, tell the window."""
        process = self._processes.get(board_id)
        if process is None or all(board.board_id != board_id for board in self._roster.boards()):
            return
        connection = self._roster.connection(board_id)
        wired = tuple(WiredPart(wire.part.kind, wire.pin) for wire in process.bench.bench.wires())
        facts = (process.system_path or process.port, process.kind == "pure", wired)
        if facts != (connection.system_path, connection.simplified, connection.wired):
            connection.system_path, connection.simplified, connection.wired = facts
            self._bus.publish(BoardsChanged(board_id))
        self._bus.publish(PinsObserved(board_id))
