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
    for position, sample in enumerate(samples):
        factor = MILLISECONDS_PER_UNIT.get(sample.label.lower())
        if factor is None or len(samples) < 2 or math.isnan(sample.value):
            continue
        time_ms = sample.value * factor
        others = [*samples[:position], *samples[position + 1 :]]
        return tuple(other._replace(device_time_ms=time_ms) for other in others)
    return tuple(samples)
