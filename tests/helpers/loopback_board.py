"""A board in memory: the product's plain Python board behind the BoardAccess interface, no ports, no threads.

A real implementation of the interface, so that the execution layer is tested whole; requests and replies go
through the real protocol encoder and decoder.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.boards import (
    BoardInfo,
    ExecutionGrant,
    NamedPin,
    PinState,
    StopOutcome,
)
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import (
    BoardNotLiveError,
    BoardRefusedError,
    GrantExpiredError,
    NoReplyError,
)
from zeroclaw_desktop.hardware.protocol import Reply, decode_line, decode_state, encode_request
from zeroclaw_desktop.hardware.simulator.pure_board import PureBoard

UNO = board_catalog()["arduino-uno"]


class LoopbackBoards:
    """One or more live Unos; implements contracts.boards.BoardAccess."""

    def __init__(self, *board_ids: str) -> None:
        self.machines = {board_id: PureBoard() for board_id in board_ids or ("uno",)}
        self.states = dict.fromkeys(self.machines, "live")
        self.sent: list[tuple[str, str, Mapping[str, Any]]] = []
        self.silent: set[str] = set()
        """Commands that the boards do not answer."""
        self.pins: dict[str, Mapping[int, PinState]] = {}
        self.named_pins: tuple[NamedPin, ...] = ()
        for machine in self.machines.values():
            machine.advance(1.0)
            machine.transmitted()

    def boards(self) -> Sequence[BoardInfo]:
        return [
            BoardInfo(
                board_id,
                f"Board {board_id}",
                UNO,
                f"loop://{board_id}",
                state,
                named_pins=self.named_pins,
            )
            for board_id, state in self.states.items()
        ]

    def pin_states(self, board_id: str) -> Mapping[int, PinState]:
        return self.pins.get(board_id, {})

    def link(self, board_id: str, grant: ExecutionGrant) -> LoopbackLink:
        if self.states[board_id] != "live":
            raise BoardNotLiveError("not live", details={"device": board_id})
        return LoopbackLink(self, board_id, grant)

    def stop_all(self, triggered_at: float) -> Awaitable[Sequence[StopOutcome]]:
        live = [board_id for board_id, state in self.states.items() if state == "live"]
        for board_id in live:
            self.exchange(board_id, "stop_all", {})

        async def outcomes() -> Sequence[StopOutcome]:
            return [StopOutcome(board_id, board_id, 0.1, True) for board_id in live]

        return outcomes()

    def exchange(self, board_id: str, command: str, args: Mapping[str, Any]) -> Any:
        """One request through the wire format."""
        self.sent.append((board_id, command, dict(args)))
        if command in self.silent:
            raise NoReplyError("no answer", details={"command": command, "seconds": "5"})
        machine = self.machines[board_id]
        machine.receive(encode_request("1", command, args))
        for line in machine.transmitted().splitlines():
            reply = decode_line(line)
            if isinstance(reply, Reply):
                if not reply.ok:
                    raise BoardRefusedError(reply.error, details={"reason": reply.error, "command": command})
                return reply.result
        raise AssertionError("the board did not reply")

    def level(self, pin: int, board_id: str = "uno") -> int:
        """Electrical level of a pin."""
        return self.machines[board_id].snapshot().levels[pin]

    def commands(self) -> list[str]:
        """Commands that went over the wire, in order."""
        return [command for _, command, _ in self.sent]


class LoopbackLink:
    """Implements contracts.boards.BoardLink."""

    def __init__(self, boards: LoopbackBoards, board_id: str, grant: ExecutionGrant) -> None:
        self._boards = boards
        self._board_id = board_id
        self._grant = grant

    @property
    def info(self) -> BoardInfo:
        return next(board for board in self._boards.boards() if board.board_id == self._board_id)

    async def request(self, command: str, args: Mapping[str, Any], timeout: float = 5.0) -> Any:
        await asyncio.sleep(0)
        if not self._grant.valid:
            raise GrantExpiredError("expired")
        return self._boards.exchange(self._board_id, command, args)

    async def observe(self) -> Mapping[int, PinState]:
        self._boards.pins[self._board_id] = decode_state(await self.request("state", {}), UNO)
        return self._boards.pins[self._board_id]

    async def send_raw(self, data: bytes) -> None:
        self._boards.machines[self._board_id].receive(data)
