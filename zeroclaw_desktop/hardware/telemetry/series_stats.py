"""Figures of a stretch of samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SQUARES_FIT_BELOW = 1e150
"""Squares of greater values are beyond float64, so they are scaled down before."""


@dataclass(frozen=True, slots=True)
class SeriesStats:
    """Figures of a window of a series; the values are NaN where there is no finite sample.

    Attributes:
        count: samples in the window, gaps included.
        gaps: how many of them are gaps.
        minimum: smallest value.
        maximum: largest value.
        mean: arithmetic mean of the finite values.
        last: newest finite value.
        rate: samples per second between the first and last sample of the window, 0 when there are fewer than
            two.
        deviation: standard deviation of the finite values (divided by n).
        rms: root of their mean square.
        peak_to_peak: maximum minus minimum.
    """

    count: int
    gaps: int
    minimum: float
    maximum: float
    mean: float
    last: float
    rate: float
    deviation: float = np.nan
    rms: float = np.nan
    peak_to_peak: float = np.nan


def stats_of(times: NDArray[np.float64], values: NDArray[np.floating]) -> SeriesStats:
    """Return the figures of samples.

    Args:
        times: seconds, shape (n,), never decreasing.
        values: shape (n,), NaN is a gap.
    """
    finite = values[np.isfinite(values)].astype(np.float64)
    span = float(times[-1] - times[0]) if len(times) > 1 else 0.0
    count, gaps = len(values), len(values) - len(finite)
    rate = (count - 1) / span if span > 0 else 0.0
    if not len(finite):
        return SeriesStats(count, gaps, np.nan, np.nan, np.nan, np.nan, rate)
    low, high = float(finite.min()), float(finite.max())
    largest = max(abs(low), abs(high))
    scale = largest if largest > _SQUARES_FIT_BELOW else 1.0
    scaled = finite / scale if scale != 1.0 else finite
    return SeriesStats(
        count=count,
        gaps=gaps,
        minimum=low,
        maximum=high,
        mean=float(scaled.mean()) * scale,
        last=float(finite[-1]),
        rate=rate,
        deviation=float(scaled.std()) * scale,
        rms=float(np.sqrt(np.mean(scaled**2))) * scale,
        peak_to_peak=high - low,
    )
