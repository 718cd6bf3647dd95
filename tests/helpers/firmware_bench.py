"""The door around one simulated Uno, without processes or ports: the shipped firmware in the AVR core, or the
simplified board.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.helpers.execution import RecordingReporter
from tests.helpers.loopback_board import LoopbackBoards
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.handlers.board import BOARD_COMMANDS
from zeroclaw_desktop.execution.handlers.bus import BUS_COMMANDS
from zeroclaw_desktop.execution.handlers.motor import MOTOR_COMMANDS
from zeroclaw_desktop.execution.handlers.pins import PIN_COMMANDS
from zeroclaw_desktop.execution.handlers.safety import SAFETY_COMMANDS
from zeroclaw_desktop.execution.handlers.sensors import SENSOR_COMMANDS
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.preparation import Prepared
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import BoardRefusedError
from zeroclaw_desktop.hardware.protocol import Reply, decode_line, encode_request
from zeroclaw_desktop.hardware.simulator.avr_board import AvrBoard
from zeroclaw_desktop.hardware.simulator.machine import SimulatedMachine

UNO = board_catalog()["arduino-uno"]
NEW = (*BUS_COMMANDS, *MOTOR_COMMANDS, *SENSOR_COMMANDS)
REPLY_SECONDS = 1.0


def uno_with_firmware() -> SimulatedMachine:
    """The AVR core with the shipped firmware."""
    image = firmware_path("prebuilt/zeroclaw-arduino-uno.hex")
    loader = firmware_path("prebuilt/bootloader-uno.hex")
    return AvrBoard(firmware_path("prebuilt/avr.wasm"), [image, loader])


class FirmwareBoards(LoopbackBoards):
    """One Uno whose time follows the wall clock."""

    def __init__(self, board: SimulatedMachine) -> None:
        super().__init__("uno")
        self.board = board
        self.board.advance(2.0)
        self.board.transmitted()
        self.capabilities: Mapping[str, Any] = {}
        self._lived_until = time.perf_counter()

    def boards(self) -> list[BoardInfo]:
        info = BoardInfo(
            "uno", "Board uno", UNO, "loop://uno", "live", firmware="old 0.1", capabilities=self.capabilities
        )
        return [info]

    def exchange(self, board_id: str, command: str, args: Mapping[str, Any]) -> Any:
        self.sent.append((board_id, command, dict(args)))
        now = time.perf_counter()
        self.board.advance(now - self._lived_until)
        self._lived_until = now
        self.board.transmitted()
        self.board.receive(encode_request("1", command, args))
        received = b""
        for _ in range(round(REPLY_SECONDS / 0.001)):
            self.board.advance(0.001)
            received += self.board.transmitted()
            reply = decode_line(received) if received.endswith(b"\n") else None
            if isinstance(reply, Reply):
                return self._result(reply, command)
        raise AssertionError(f"no reply to {command}: {received!r}")

    @staticmethod
    def _result(reply: Reply, command: str) -> Any:
        if not reply.ok:
            details = {"reason": reply.error, "command": command, "board_code": reply.code}
            raise BoardRefusedError(reply.error, details=details)
        return reply.result

    def requests(self, *commands: str) -> list[tuple[str, Mapping[str, Any]]]:
        """What went over the wire, those commands only."""
        return [(command, args) for _, command, args in self.sent if command in commands]


class Bench:
    """The door around that board."""

    def __init__(self, board: SimulatedMachine) -> None:
        self.boards = FirmwareBoards(board)
        self.registry = CommandRegistry()
        self.reporter = RecordingReporter()
        clock = SystemClock()
        self.executor = Executor(
            self.registry, self.boards, clock, [self.reporter], lambda: self.stop.latched
        )
        self.stop = EmergencyStop(self.boards, EventBus(), clock, self.executor.cancel_all)
        for command in (*NEW, *PIN_COMMANDS, *BOARD_COMMANDS, *SAFETY_COMMANDS):
            self.registry.register(command)

    async def do(self, action: str, source: Any = "manual", **params: Any) -> ActionResult:
        return await self.executor.submit(make_payload(action, params, source=source))

    async def done(self, action: str, **params: Any) -> Mapping[str, Any]:
        """The value of an action that must complete."""
        result = await self.do(action, **params)
        assert result.ok, result.faults
        return result.value

    def prepare(self, action: str, source: Any = "manual", **params: Any) -> Prepared:
        return self.executor.prepare(make_payload(action, params, source=source))

    def faults(self, action: str, **params: Any) -> list[tuple[int, str]]:
        """(code, parameter) of every fault that the checks find."""
        with pytest.raises(FaultError) as caught:
            self.prepare(action, **params)
        return [(found.code, found.param) for found in caught.value.faults]

    async def pin(self, number: int) -> Mapping[str, Any]:
        """A pin as the firmware itself tells it."""
        result = await self.do("board_info")
        return dict(result.hardware_states[f"pin_{number}"])


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must happen soon."""
    async with asyncio.timeout(5.0):
        while not condition():
            await asyncio.sleep(0.005)
