"""Output leases: which task left which output active, so that it can be made safe when its owner ends.

A task session is what comes before the first dot of a task id: all calls of one chat turn or one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.actions import PinChange, Source
from zeroclaw_desktop.execution.pin_policy import is_active


def session_of(task_id: str) -> str:
    """The task session that a task belongs to."""
    return task_id.split(".", 1)[0]


@dataclass(frozen=True)
class OutputLease:
    """An output that a task left active.

    Attributes:
        value: level, duty or angle that was commanded.
        since: monotonic seconds.
    """

    device_id: str
    pin: int
    mode: str
    value: float | int
    task_id: str
    source: Source
    since: float


class OutputLeases:
    """Who holds which output."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, int], OutputLease] = {}

    def note(
        self, device_id: str, changes: Sequence[PinChange], task_id: str, source: Source, now: float
    ) -> None:
        """Take over what an action commanded: active outputs are held by it, the others are free."""
        for change in changes:
            key = (device_id, change.pin)
            if change.after is not None and is_active(change.after, change.mode):
                self._held[key] = OutputLease(
                    device_id, change.pin, change.mode, change.after, task_id, source, now
                )
            else:
                self._held.pop(key, None)

    def note_safe(self, device_id: str) -> None:
        """All outputs of a device are in the safe state."""
        for key in [key for key in self._held if key[0] == device_id]:
            del self._held[key]

    def of_session(self, session: str) -> list[OutputLease]:
        """Outputs that the tasks of a session hold."""
        return [lease for lease in self._held.values() if session_of(lease.task_id) == session]

    def holder(self, device_id: str, pin: int) -> OutputLease | None:
        """Who holds a pin, None when it is free."""
        return self._held.get((device_id, pin))

    def all(self) -> list[OutputLease]:
        """Every held output, oldest first."""
        return sorted(self._held.values(), key=lambda lease: lease.since)
