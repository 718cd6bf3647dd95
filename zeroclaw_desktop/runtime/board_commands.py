"""Commands come with boards (HW-5): offered while a connected board can do them, gone when it has left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.events import BoardsChanged
from zeroclaw_desktop.execution.errors import CommandExistsError
from zeroclaw_desktop.execution.handlers.board_tools import declared_commands
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.roster import BoardRoster

_log = logger("runtime")


class BoardCommands:
    """Keeps the registry, and with it the tools of the agent, in step with the boards."""

    def __init__(self, registry: CommandRegistry, roster: BoardRoster, bus: EventBus) -> None:
        self._registry = registry
        self._roster = roster
        self._brought: dict[str, tuple[str, Mapping[str, Any], list[str]]] = {}
        """By board: its name and capabilities when it brought commands of its own, and their names."""
        self.update()
        bus.subscribe(BoardsChanged, lambda _event: self.update())

    def update(self) -> None:
        """Offer what a connected board can do, withhold what none can; take in and out what it brings."""
        live = {board.board_id: board for board in self._roster.boards() if board.state == "live"}
        for board_id in list(self._brought):
            board = live.get(board_id)
            if board is None or (board.name, board.capabilities) != self._brought[board_id][:2]:
                for name in self._brought.pop(board_id)[2]:
                    self._registry.unregister(name)
        known = self._roster.tools()
        for command in self._registry.list_registered():
            if command.asks and command.owner == "built-in":
                self._registry.offer(command.name, not known.isdisjoint(command.asks))
        for board in live.values():
            if board.board_id not in self._brought:
                self._take_in(board)

    def _take_in(self, board: BoardInfo) -> None:
        names: list[str] = []
        for command in declared_commands(board):
            try:
                self._registry.register(command)
            except CommandExistsError as error:
                _log.warning("A command of %s is left out: %s", board.name, error.message)
            else:
                names.append(command.name)
        self._brought[board.board_id] = (board.name, board.capabilities, names)
