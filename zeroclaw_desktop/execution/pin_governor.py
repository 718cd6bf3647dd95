"""Limits of pins over time (EX-6): rate of changes, rest between activities, longest activity.

The governor knows when each pin was changed by actions; the executor asks it right before an action runs and
tells it what the action left behind.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.boards import BoardProfile, PinPolicy
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.pin_timeline import (
    TOLERANCE_SECONDS,
    TimedChange,
    Timeline,
    asked_rate,
    rate_fault,
)


@dataclass
class _History:
    """Of one pin; times are monotonic seconds.

    Attributes:
        moments: of the latest changes, as many as the pin's rate allows at a stretch.
    """

    moments: deque[float] = field(default_factory=deque)
    active_since: float | None = None
    rested_since: float | None = None

    def note(self, changes: Sequence[TimedChange], policy: PinPolicy) -> None:
        """Remember changes."""
        for change in changes:
            if change.is_clearing and self.active_since is None:
                continue
            self.set_active(change.is_active, change.at)
            if policy.changes_per_second is not None:
                self.moments.append(change.at)
                while len(self.moments) > math.ceil(policy.changes_per_second):
                    self.moments.popleft()

    def set_active(self, active: bool, now: float) -> None:
        """Remember whether the pin drives something."""
        if active and self.active_since is None:
            self.active_since, self.rested_since = now, None
        elif not active and self.active_since is not None:
            self.active_since, self.rested_since = None, now

    def asked_rate(self, changes: Sequence[TimedChange], allowed: float) -> float | None:
        """Changes a second when these follow, where it is too many."""
        follow = [change.at for change in changes if not change.is_clearing or self.active_since is not None]
        return asked_rate([*self.moments, *follow], allowed)

    def rest_left(self, changes: Sequence[TimedChange], rest: float) -> float:
        """Seconds that the pin must still be at rest before these may begin."""
        resting = replace(self)
        for change in changes:
            since = resting.rested_since
            if change.is_active and resting.active_since is None and since is not None:
                return rest - (change.at - since)
            resting.set_active(change.is_active, change.at)
        return 0.0


@dataclass(frozen=True)
class Overdue:
    """A pin that has been active for longer than it may."""

    device_id: str
    pin: int
    seconds: float


def _by_pin(changes: Sequence[TimedChange]) -> dict[int, list[TimedChange]]:
    rows: dict[int, list[TimedChange]] = {}
    for change in changes:
        rows.setdefault(change.pin, []).append(change)
    return rows


class PinGovernor:
    """Remembers activity by (device, pin); times are monotonic seconds."""

    def __init__(self) -> None:
        self._pins: dict[tuple[str, int], _History] = {}
        self._profiles: dict[str, BoardProfile] = {}

    def faults(
        self, device_id: str, profile: BoardProfile, timeline: Timeline, now: float
    ) -> list[ActionFault]:
        """Say which changes come too often or too soon when an action begins now; nothing is noted yet."""
        found: list[ActionFault] = []
        for pin, changes in _by_pin(timeline.begun(now)).items():
            policy, history = profile.policy(pin), self._pins.get((device_id, pin), _History())
            allowed = policy.changes_per_second
            asked = history.asked_rate(changes, allowed) if allowed is not None else None
            if allowed is not None and asked is not None:
                found.append(rate_fault(pin, asked, allowed))
            left = history.rest_left(changes, policy.min_off_seconds)
            if left > TOLERANCE_SECONDS:
                found.append(
                    fault(
                        Code.TOO_SOON,
                        f"Pin {pin} must rest for another {left:.1f} s.",
                        "pin",
                        pin=pin,
                        seconds=f"{left:.1f}",
                    )
                )
        return found

    def begin(self, device_id: str, profile: BoardProfile, timeline: Timeline, now: float) -> None:
        """An action begins: what it puts to rest first is not active any more, however long it takes."""
        clearing = [replace(change, at=now) for change in timeline.changes if change.is_clearing]
        self.note(device_id, profile, clearing)

    def note(self, device_id: str, profile: BoardProfile, changes: Sequence[TimedChange]) -> None:
        """Remember what an action did to the pins, with the moments at which it did."""
        self._profiles[device_id] = profile
        for pin, rows in _by_pin(changes).items():
            self._pins.setdefault((device_id, pin), _History()).note(rows, profile.policy(pin))

    def note_safe(self, device_id: str, now: float) -> None:
        """All outputs of a device were put into the safe state: a stop, a reset, a lost link."""
        for (device, _), history in self._pins.items():
            if device == device_id:
                history.set_active(False, now)

    def overdue(self, now: float) -> list[Overdue]:
        """Pins that must be switched off because their time is over."""
        found = []
        for (device_id, pin), history in self._pins.items():
            limit = self._profiles[device_id].policy(pin).max_on_seconds
            if limit is not None and history.active_since is not None and now - history.active_since >= limit:
                found.append(Overdue(device_id, pin, now - history.active_since))
        return found

    def next_due(self) -> float | None:
        """Monotonic time at which the next pin becomes overdue; None when no pin is limited and active."""
        times = [
            history.active_since + limit
            for (device_id, pin), history in self._pins.items()
            if history.active_since is not None
            and (limit := self._profiles[device_id].policy(pin).max_on_seconds) is not None
        ]
        return min(times, default=None)
