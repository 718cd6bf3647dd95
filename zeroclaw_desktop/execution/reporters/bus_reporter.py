"""The event bus as a destination: the window and the plots hear of every transition."""

from __future__ import annotations

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionTransition


class BusReporter:
    """Publishes each transition for the window."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        self._bus.publish(transition)
