"""Commands come with boards (HW-5): offered while a connected board can do them, gone when it has left."""

from __future__ import annotations

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.events import BoardsChanged
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.hardware.roster import BoardRoster


class BoardCommands:
    """Keeps the registry, and with it the tools of the agent, in step with the boards."""

    def __init__(self, registry: CommandRegistry, roster: BoardRoster, bus: EventBus) -> None:
        self._registry = registry
        self._roster = roster
        self.update()
        bus.subscribe(BoardsChanged, lambda _event: self.update())

    def update(self) -> None:
        """Offer what a connected board can do, withhold what none can."""
        known = self._roster.tools()
        for command in self._registry.list_registered():
            if command.asks:
                self._registry.offer(command.name, not known.isdisjoint(command.asks))
