"""Simulated boards as boards among the others: start, stop, virtual parts."""

from __future__ import annotations

import asyncio

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.events import BoardsChanged, PinsObserved
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import SimulatorError
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess

UNO_ID = "sim-uno"
UNO_NAME = "Simulated Arduino Uno"
UNO_TYPE = "arduino-uno"


class Simulators:
    """Runs simulated boards; each has a process of its own."""

    def __init__(self, roster: BoardRoster, runner: ChildRunner, bus: EventBus) -> None:
        self._roster = roster
        self._runner = runner
        self._bus = bus
        self._processes: dict[str, BoardProcess] = {}
        self._one_at_a_time = asyncio.Lock()

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

    async def start(self, board_id: str = UNO_ID, *, simplified: bool = False) -> str:
        """Start the simulated Uno and connect to it; returns its id.

        Raises:
            ZeroClawError: it does not start or does not answer.
        """
        async with self._one_at_a_time:
            await self._bring_up(board_id, simplified)
        process = self._processes.get(board_id)
        if process is None:
            raise SimulatorError("The simulated board was stopped while it started.", hint="Start it again.")
        connection = self._roster.add(
            board_id, UNO_NAME, board_catalog()[UNO_TYPE], process.port, simulated=True
        )
        self._changed(board_id)
        await connection.connect()
        return board_id

    async def _bring_up(self, board_id: str, simplified: bool) -> None:
        """See that the process runs and the board is plugged in."""
        running = self._processes.get(board_id)
        if running is not None and not await running.answers():
            await running.stop()
            running = None
        if running is None:
            process = BoardProcess(
                board_id, self._runner, lambda: self._changed(board_id), simplified=simplified
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
        """Disconnect a simulated board and end its process."""
        await self._roster.remove(board_id)
        process = self._processes.pop(board_id, None)
        if process is not None:
            await process.stop()
            self._bus.publish(BoardsChanged())

    async def shut_down(self) -> None:
        """End all processes."""
        for board_id in list(self._processes):
            await self._processes.pop(board_id).stop()

    def _changed(self, board_id: str) -> None:
        """Pins or plug changed: keep the roster's facts right, tell the window."""
        process = self._processes.get(board_id)
        if process is None or all(board.board_id != board_id for board in self._roster.boards()):
            return
        connection = self._roster.connection(board_id)
        facts = (process.system_path or process.port, process.kind == "pure")
        if facts != (connection.system_path, connection.simplified):
            connection.system_path, connection.simplified = facts
            self._bus.publish(BoardsChanged(board_id))
        self._bus.publish(PinsObserved(board_id))
