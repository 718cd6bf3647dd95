"""What a reporter is: told of every transition, and, where it has something running, started and stopped."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from zeroclaw_desktop.contracts.actions import ActionTransition


class Reporter(Protocol):
    """Receives every transition of every action."""

    def report(self, transition: ActionTransition) -> None:
        """Take note; must not block."""


@runtime_checkable
class RunningReporter(Protocol):
    """A reporter with a thread, a task or a connection of its own."""

    def report(self, transition: ActionTransition) -> None:
        """Take note; must not block."""

    def start(self) -> None:
        """Begin; called once, on the loop's thread, and must not block."""

    async def stop(self, timeout: float = 2.0) -> None:
        """Deliver what is waiting, as far as ``timeout`` seconds allow, and end."""
