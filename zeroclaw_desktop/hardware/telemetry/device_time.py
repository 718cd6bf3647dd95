"""Labels under which boards print their own clock.

Only names that state their unit count. ``t`` and ``time`` do not: ``t`` is as often a temperature, and
``time`` is seconds as often as milliseconds; they stay ordinary series.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from zeroclaw_desktop.hardware.telemetry.sample import Sample

MILLISECONDS_PER_UNIT = {
    "millis": 1.0,
    "ms": 1.0,
    "t_ms": 1.0,
    "time_ms": 1.0,
    "timestamp_ms": 1.0,
    "micros": 0.001,
    "us": 0.001,
    "t_us": 0.001,
    "time_us": 0.001,
}


def take_device_time(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Turn a clock column into the device time of the line's other samples.

    Args:
        samples: all values of one line.

    Returns:
        The samples without the clock column and with ``device_time_ms`` set; unchanged when there is no such
        column, when it is the only one, or when its value is a gap.
    """
    position = clock_position(samples)
    if position < 0:
        return tuple(samples)
    time_ms = samples[position].value * clock_scale(samples, position)
    others = [*samples[:position], *samples[position + 1 :]]
    return tuple(other._replace(device_time_ms=time_ms) for other in others)


def clock_position(samples: Sequence[Sample]) -> int:
    """Return which of the values of one line is the board's clock; -1 when none is."""
    if len(samples) > 1:
        for position, sample in enumerate(samples):
            if sample.label.lower() in MILLISECONDS_PER_UNIT and not math.isnan(sample.value):
                return position
    return -1


def clock_scale(samples: Sequence[Sample], position: int) -> float:
    """Return the milliseconds in a unit of the clock column at ``position``; 1 when there is none."""
    return MILLISECONDS_PER_UNIT[samples[position].label.lower()] if position >= 0 else 1.0
