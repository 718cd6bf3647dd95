"""Limits of pins over time (EX-6): rate of changes, rest between activities, longest activity.

The governor knows when each pin was changed by actions; the executor asks it right before an action runs and
tells it what the action left behind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from zeroclaw_desktop.contracts.actions import ActionFault, PinChange
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.pin_policy import is_active

RATE_WINDOW_SECONDS = 1.0


@dataclass
class _History:
    changes: deque[float] = field(default_factory=deque)
    active_since: float | None = None
    rested_since: float | None = None


@dataclass(frozen=True)
class Overdue:
    """A pin that has been active for longer than it may."""

    device_id: str
    pin: int
    seconds: float


class PinGovernor:
    """Remembers activity by (device, pin); times are monotonic seconds."""

    def __init__(self) -> None:
        self._pins: dict[tuple[str, int], _History] = {}
        self._profiles: dict[str, BoardProfile] = {}

    def faults(
        self, device_id: str, profile: BoardProfile, changes: Sequence[PinChange], now: float
    ) -> list[ActionFault]:
        """Say which changes come too often or too soon; nothing is remembered yet."""
        found: list[ActionFault] = []
        judged: set[int] = set()
        for change in changes:
            policy = profile.policy(change.pin)
            history = self._pins.get((device_id, change.pin), _History())
            rate = policy.changes_per_second
            if rate is not None and change.pin not in judged:
                judged.add(change.pin)
                recent = sum(1 for when in history.changes if now - when < RATE_WINDOW_SECONDS)
                if recent >= rate:
                    found.append(
                        fault(
                            Code.RATE_LIMITED,
                            f"Pin {change.pin} is changed too often; allowed are {rate:g} changes a second.",
                            "pin",
                            pin=change.pin,
                            rate=f"{rate:g}",
                        )
                    )
            left = self._rest_left(history, policy.min_off_seconds, now)
            if left > 0 and is_active(change.after, change.mode):
                found.append(
                    fault(
                        Code.TOO_SOON,
                        f"Pin {change.pin} must rest for another {left:.1f} s.",
                        "pin",
                        pin=change.pin,
                        seconds=f"{left:.1f}",
                    )
                )
        return found

    @staticmethod
    def _rest_left(history: _History, rest: float, now: float) -> float:
        if history.rested_since is None or history.active_since is not None:
            return 0.0
        return rest - (now - history.rested_since)

    def note(self, device_id: str, profile: BoardProfile, changes: Sequence[PinChange], now: float) -> None:
        """Remember what an action did to the pins."""
        self._profiles[device_id] = profile
        for change in changes:
            history = self._pins.setdefault((device_id, change.pin), _History())
            history.changes.append(now)
            while history.changes and now - history.changes[0] >= RATE_WINDOW_SECONDS:
                history.changes.popleft()
            self._note_activity(history, is_active(change.after, change.mode), now)

    @staticmethod
    def _note_activity(history: _History, active: bool, now: float) -> None:
        if active and history.active_since is None:
            history.active_since, history.rested_since = now, None
        elif not active and history.active_since is not None:
            history.active_since, history.rested_since = None, now

    def note_safe(self, device_id: str, now: float) -> None:
        """All outputs of a device were put into the safe state: a stop, a reset, a lost link."""
        for (device, _), history in self._pins.items():
            if device == device_id:
                self._note_activity(history, False, now)

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
