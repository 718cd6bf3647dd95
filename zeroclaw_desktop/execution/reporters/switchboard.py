"""The list of reporters: switched at run time, and none of them can fail or slow down the executor.

A reporter that raises, or that takes too much of the loop's time, is logged once and left out for a while
that grows with each failure; then it is tried again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.contract import Reporter, RunningReporter
from zeroclaw_desktop.execution.reporters.isolation import attempt
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger

FIRST_REST_SECONDS = 1.0
LONGEST_REST_SECONDS = 60.0
PATIENCE_SECONDS = 0.005
"""A call may take this long without being noticed."""
OVERRUN_SECONDS = 0.25
"""Time beyond the patience, summed up, that makes a reporter too slow; good calls halve the sum."""
_log = logger("execution")


@dataclass(frozen=True)
class ReporterHealth:
    """How a reporter is doing, for the window and the doctor.

    Attributes:
        resting: left out for now because it failed.
        failures: failures in a row.
        missed: transitions that it was not told of.
        last_fault: what was wrong last, '' when nothing ever was.
    """

    name: str
    resting: bool
    failures: int
    missed: int
    last_fault: str


@dataclass
class _Slot:
    reporter: Reporter
    backoff: Backoff
    rests_until: float = 0.0
    overrun: float = 0.0
    missed: int = 0
    missed_in_rest: int = 0
    last_fault: str = field(default="")


class ReporterSwitchboard:
    """A reporter that passes everything on to the reporters plugged into it, in their order.

    Belongs to the loop's thread, as the executor does.

    Args:
        clock: measures rests.
        stopwatch: measures calls, in seconds.
        new_backoff: makes the plan of rests of one reporter.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        stopwatch: Callable[[], float] = time.perf_counter,
        new_backoff: Callable[[], Backoff] = lambda: Backoff(FIRST_REST_SECONDS, LONGEST_REST_SECONDS),
    ) -> None:
        self._clock = clock
        self._stopwatch = stopwatch
        self._new_backoff = new_backoff
        self._slots: dict[str, _Slot] = {}

    def add(self, name: str, reporter: Reporter) -> None:
        """Plug a reporter in and start it; a taken name is a programming error (ValueError)."""
        if name in self._slots:
            raise ValueError(f"there is a reporter {name!r} already")
        slot = _Slot(reporter, self._new_backoff())
        self._slots[name] = slot
        if isinstance(reporter, RunningReporter):
            error = attempt(reporter.start)
            if error is not None:
                self._failed(name, slot, f"it did not start: {error}", error)

    async def remove(self, name: str, timeout: float = 2.0) -> bool:
        """Unplug a reporter, let it deliver what is waiting and stop it; returns whether it was there."""
        slot = self._slots.pop(name, None)
        if slot is None:
            return False
        if isinstance(slot.reporter, RunningReporter):
            await slot.reporter.stop(timeout)
        return True

    async def close(self, timeout: float = 2.0) -> None:
        """Unplug everything, the last one first."""
        for name in reversed(self._slots.copy()):
            await self.remove(name, timeout)

    def names(self) -> list[str]:
        """What is plugged in, in order."""
        return list(self._slots)

    def reporter(self, name: str) -> Reporter | None:
        """The reporter of this name; None when there is none."""
        slot = self._slots.get(name)
        return slot.reporter if slot else None

    def health(self) -> list[ReporterHealth]:
        """How each reporter is doing."""
        now = self._clock.monotonic()
        return [
            ReporterHealth(name, slot.rests_until > now, slot.backoff.failures, slot.missed, slot.last_fault)
            for name, slot in self._slots.items()
        ]

    def report(self, transition: ActionTransition) -> None:
        """See Reporter; never raises."""
        for name, slot in tuple(self._slots.items()):
            if slot.rests_until and slot.rests_until > self._clock.monotonic():
                slot.missed += 1
                slot.missed_in_rest += 1
                continue
            began = self._stopwatch()
            error = attempt(slot.reporter.report, transition)
            took = self._stopwatch() - began
            if error is not None:
                self._failed(name, slot, str(error) or type(error).__name__, error)
            elif self._too_slow(slot, took):
                self._failed(name, slot, f"it is too slow: the last report took {took * 1000.0:.0f} ms", None)
            elif slot.rests_until:
                self._recovered(name, slot)

    @staticmethod
    def _too_slow(slot: _Slot, took: float) -> bool:
        if took <= PATIENCE_SECONDS:
            slot.overrun /= 2.0
            return False
        slot.overrun += took - PATIENCE_SECONDS
        return slot.overrun > OVERRUN_SECONDS

    def _failed(self, name: str, slot: _Slot, reason: str, error: Exception | None) -> None:
        first = not slot.backoff.failures
        slot.overrun = 0.0
        slot.last_fault = reason
        slot.rests_until = self._clock.monotonic() + slot.backoff.failed()
        if first:
            _log.error("The reporter %s is left out for a while: %s", name, reason, exc_info=error)
        else:
            _log.debug("The reporter %s failed again: %s", name, reason)

    @staticmethod
    def _recovered(name: str, slot: _Slot) -> None:
        _log.info("The reporter %s works again; it missed %d transitions", name, slot.missed_in_rest)
        slot.rests_until = 0.0
        slot.missed_in_rest = 0
        slot.backoff.succeeded()
