"""Limits on series: each crossing is noticed once, with hysteresis, whatever the rate of the samples."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError, UnknownSeriesError
from zeroclaw_desktop.hardware.telemetry.schmitt import crossings
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit.

    Attributes:
        name: for people and procedures; unique among the thresholds.
        source_id: port or board.
        label: name of the series.
        limit: in the unit of the series.
        above: True when too much is the alarm, False when too little is.
        hysteresis: how far the value must be back before the alarm ends, in the same unit.

    Raises:
        TelemetrySettingError: limit or hysteresis cannot be.
    """

    name: str
    source_id: str
    label: str
    limit: float
    above: bool = True
    hysteresis: float = 0.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.limit) or not 0 <= self.hysteresis < math.inf:
            raise TelemetrySettingError(
                f"The threshold '{self.name}' needs a finite limit and a hysteresis of 0 or more."
            )


@dataclass(frozen=True, slots=True)
class Crossing:
    """A threshold was crossed.

    Attributes:
        threshold: which.
        alarm: True when the alarm began, False when it ended.
        time: seconds on the store's axis, of the sample.
        value: of the sample.
    """

    threshold: Threshold
    alarm: bool
    time: float
    value: float


@dataclass(slots=True)
class _Watched:
    threshold: Threshold
    seen: int
    state: int = -1


class ThresholdWatch:
    """Looks at what is new in the store each time it is asked.

    A signal that is beyond its limit when the watch begins raises the alarm at its next sample.

    Attributes:
        missed: samples that had left the store before they were looked at.
    """

    def __init__(self, store: TelemetryStore) -> None:
        self.missed = 0
        self._store = store
        self._watched: dict[str, _Watched] = {}

    @property
    def thresholds(self) -> list[Threshold]:
        """All thresholds in the order in which they were added."""
        return [watched.threshold for watched in self._watched.values()]

    @property
    def alarms(self) -> list[str]:
        """Names of the thresholds whose alarm is on."""
        return [name for name, watched in self._watched.items() if watched.state == 1]

    def add(self, threshold: Threshold) -> None:
        """Watch a threshold from now on; one of the same name is replaced."""
        self._watched[threshold.name] = _Watched(threshold, self._count(threshold))

    def remove(self, name: str) -> None:
        """Forget a threshold; nothing happens when there is none."""
        self._watched.pop(name, None)

    def _count(self, threshold: Threshold) -> int:
        try:
            return self._store.ring(SeriesKey(threshold.source_id, threshold.label)).count
        except UnknownSeriesError:
            return 0

    def look(self) -> list[Crossing]:
        """Return the crossings since the last look, in the order of time."""
        found: list[Crossing] = []
        for watched in self._watched.values():
            found += self._look_at(watched)
        return sorted(found, key=lambda crossing: crossing.time)

    def _look_at(self, watched: _Watched) -> list[Crossing]:
        threshold = watched.threshold
        key = SeriesKey(threshold.source_id, threshold.label)
        try:
            ring = self._store.ring(key)
        except UnknownSeriesError:
            watched.seen = 0
            return []
        if ring.count < watched.seen:
            watched.seen = 0
        if ring.count == watched.seen:
            return []
        fresh = self._store.since(key, watched.seen)
        self.missed += fresh.first_index - watched.seen
        watched.seen = fresh.first_index + len(fresh.value)
        crossed = crossings(
            fresh.value,
            threshold.limit,
            threshold.hysteresis,
            rising=threshold.above,
            state=watched.state,
        )
        watched.state = crossed.state
        changes = [(position, True) for position in crossed.on.tolist()]
        changes += [(position, False) for position in crossed.off.tolist()]
        return [
            Crossing(threshold, alarm, float(fresh.time[position]), float(fresh.value[position]))
            for position, alarm in sorted(changes)
        ]
