"""When an action changes its pins: what the limits of pins over time are judged by (EX-6).

An action of one step changes its pins once, as it begins. One that takes its time says by its passing states
how often it changes a pin on the way; here they are laid out one after the other.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from zeroclaw_desktop.contracts.actions import ActionFault, PinChange
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.pin_policy import is_active, policy_limit
from zeroclaw_desktop.execution.registry import PassingState

TOLERANCE_SECONDS = 1e-6
"""A frequency that is exactly the limit is within it, whatever the sums of its moments round to."""
SHORTEST_SPAN_SECONDS = 1e-3
"""Changes at one moment are told as a thousand a second for each, not as infinitely many."""


@dataclass(frozen=True)
class TimedChange:
    """A pin gets a new state.

    Attributes:
        at: seconds: from the beginning of the action, or monotonic once it is in the past.
        is_clearing: it only puts an active pin to rest; on a pin that is at rest it changes nothing.
    """

    pin: int
    at: float
    is_active: bool
    is_clearing: bool = False


@dataclass(frozen=True)
class Timeline:
    """The changes of all pins of one action, in order for each pin; ``seconds`` is how long it takes."""

    changes: tuple[TimedChange, ...] = ()
    seconds: float = 0.0

    def begun(self, begin: float) -> tuple[TimedChange, ...]:
        """The changes at their moments when the action begins then."""
        return tuple(replace(change, at=begin + change.at) for change in self.changes)

    def completed(self, begin: float, end: float) -> tuple[TimedChange, ...]:
        """The changes at the latest moments at which they can have been when the action ended then."""
        start = end - self.seconds
        return tuple(replace(change, at=max(begin, start + change.at)) for change in self.changes)

    def broken_off(self, begin: float, end: float) -> tuple[TimedChange, ...]:
        """The changes of an action that ended before its time: what was on the way, then all pins at rest."""
        rows = Counter(change.pin for change in self.changes)
        on_the_way = (change for change in self.begun(begin) if rows[change.pin] > 1 and change.at <= end)
        return (*on_the_way, *(TimedChange(pin, end, False) for pin in rows))


def timeline_of(passing: Sequence[PassingState], changes: Sequence[PinChange]) -> Timeline:
    """Lay out an action.

    Args:
        passing: states on the way; those of one pin follow each other, pins run side by side.
        changes: what the pins are left at, in order.
    """
    last = {change.pin: is_active(change.after, change.mode) for change in changes}
    found: list[TimedChange] = []
    lengths = [0.0]
    for pin in dict.fromkeys(state.change.pin for state in passing):
        rows = list(_passing_changes(state for state in passing if state.change.pin == pin))
        rows[-1] = replace(rows[-1], is_active=last.get(pin, False))
        found += rows
        lengths.append(sum(state.length for state in passing if state.change.pin == pin))
    on_the_way = {change.pin for change in found}
    found += [
        TimedChange(change.pin, 0.0, is_active(change.after, change.mode))
        for change in changes
        if change.pin not in on_the_way
    ]
    return Timeline(tuple(found), max(lengths))


def _passing_changes(states: Iterable[PassingState]) -> Iterator[TimedChange]:
    """Into each state, in steps, and out of it again, as often as it comes."""
    at = 0.0
    for state in states:
        pin, active = state.change.pin, is_active(state.change.after, state.change.mode)
        if state.from_rest:
            yield TimedChange(pin, at, False, is_clearing=True)
        for _ in range(state.times):
            for step in range(state.steps):
                yield TimedChange(pin, at + state.seconds * step / state.steps, active)
            at += state.seconds
            yield TimedChange(pin, at, False)
            at += state.pause


def asked_rate(moments: Sequence[float], allowed: float) -> float | None:
    """Changes a second where a pin is changed more often than it may be; None when it never is.

    Args:
        moments: of the changes, in order, in seconds.
        allowed: changes a second; 2.5 stands for 3 in any 1.2 s, 0.5 for 1 in any 2 s.
    """
    burst = math.ceil(allowed - 1e-9)
    spans = (later - earlier for earlier, later in zip(moments, moments[burst:], strict=False))
    shortest = min(spans, default=math.inf)
    if shortest >= burst / allowed - TOLERANCE_SECONDS:
        return None
    return burst / max(shortest, SHORTEST_SPAN_SECONDS)


def rate_fault(pin: int, asked: float, allowed: float) -> ActionFault:
    """A pin is changed more often than it may be."""
    return fault(
        Code.RATE_LIMITED,
        f"Pin {pin} would be changed {asked:.3g} times a second; allowed are {allowed:g}.",
        "pin",
        pin=pin,
        asked=f"{asked:.3g}",
        rate=f"{allowed:g}",
    )


def timing_faults(timeline: Timeline, profile: BoardProfile) -> list[ActionFault]:
    """Say which pins an action by itself would change too often or let rest too shortly."""
    faults: list[ActionFault] = []
    for pin in dict.fromkeys(change.pin for change in timeline.changes):
        policy = profile.policy(pin)
        rows = [change for change in timeline.changes if change.pin == pin and not change.is_clearing]
        allowed = policy.changes_per_second
        asked = asked_rate([row.at for row in rows], allowed) if allowed is not None else None
        if allowed is not None and asked is not None:
            faults.append(rate_fault(pin, asked, allowed))
        rests = [
            following.at - row.at
            for row, following in itertools.pairwise(rows)
            if following.is_active and not row.is_active
        ]
        shortest = min(rests, default=math.inf)
        if shortest < policy.min_off_seconds - TOLERANCE_SECONDS:
            rest = f"{policy.min_off_seconds:g}"
            reason = Words(
                f"it must rest for {rest} s, and this lets it rest for {shortest:g} s.",
                f"每次之间要休息 {rest} 秒，而这里只有 {shortest:g} 秒。",
            )
            faults.append(policy_limit(pin, reason))
    return faults
