"""Zones of a gauge or a bar: good, worth a look, bad. Qt-free."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

GOOD = "good"
LIMITS = ("alarm_below", "warn_below", "warn_above", "alarm_above")
KINDS = ("very_low", "low", GOOD, "high", "very_high")
"""Zones from the lowest to the highest."""


class Zone(NamedTuple):
    """A stretch of the scale."""

    kind: str
    start: float
    end: float


def limits_of(settings: Mapping[str, Any]) -> tuple[float | None, ...]:
    """The four limits in rising order; None for one that is not set."""
    return tuple(
        float(value) if isinstance(value := settings.get(name), int | float) else None for name in LIMITS
    )


def zone_of(value: float, settings: Mapping[str, Any]) -> str:
    """The zone that a value is in: below a lower limit, above an upper one, else good."""
    alarm_below, warn_below, warn_above, alarm_above = limits_of(settings)
    if alarm_below is not None and value < alarm_below:
        return "very_low"
    if alarm_above is not None and value > alarm_above:
        return "very_high"
    if warn_below is not None and value < warn_below:
        return "low"
    if warn_above is not None and value > warn_above:
        return "high"
    return GOOD


def zones(low: float, high: float, settings: Mapping[str, Any]) -> list[Zone]:
    """The zones of a scale from ``low`` to ``high`` that have a length, in rising order."""
    alarm_below, warn_below, warn_above, alarm_above = limits_of(settings)
    edges = [low]
    for limit, missing in (
        (alarm_below, low),
        (warn_below if warn_below is not None else alarm_below, low),
        (warn_above if warn_above is not None else alarm_above, high),
        (alarm_above, high),
    ):
        edges.append(min(high, max(edges[-1], missing if limit is None else limit)))
    edges.append(high)
    pairs = zip(KINDS, pairwise(edges), strict=True)
    return [Zone(kind, start, end) for kind, (start, end) in pairs if end > start]


def share(value: float, low: float, high: float) -> float:
    """Where a value stands on the scale, 0..1; outside it is at the end."""
    return min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.0


def number_text(value: float | None, decimals: int) -> str:
    """A value for people; a dash where there is none. Very large and very small ones get an exponent."""
    if value is None:
        return "–"
    if value and (abs(value) >= 1e9 or abs(value) < 10.0**-9):
        return f"{value:.3e}"
    return f"{value:.{max(0, min(9, decimals))}f}".replace("-", "−")
