"""What the plots compute from the samples of a window: cursors, spectrum, histogram, pairs for X-Y."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.ring import SeriesSnapshot

FloatArray = NDArray[np.float64]
WindowName = Literal["rectangular", "hann", "hamming", "blackman", "flattop"]
Scaling = Literal["amplitude", "rms", "decibel", "density"]

# Coefficients of cosine windows: F. J. Harris, "On the use of windows for harmonic analysis", Proc. IEEE
# 66 (1978), and for the flat top ISO 18431-2.
_COSINES: dict[str, tuple[float, ...]] = {
    "rectangular": (1.0,),
    "hann": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}
JITTER = 0.05
"""Share of the mean step by which steps may differ before the samples are put on an even grid."""
MAX_BINS = 1_000
LARGEST = 1e300
"""Values are cut here: differences and sums of so many stay within float64."""
_GRID_SAMPLE = 4_096
_GRID_SHARE = 0.5


class CursorReading(NamedTuple):
    """Two cursors on one series.

    Attributes:
        time_a: seconds of the sample nearest to the first cursor; NaN without samples, as all below.
        value_a: its value.
        time_b: seconds of the sample nearest to the second cursor.
        value_b: its value.
        time_difference: b - a in seconds.
        value_difference: b - a in the unit of the series.
        slope: value difference per second.
        frequency: 1 / time difference in hertz.
    """

    time_a: float
    value_a: float
    time_b: float
    value_b: float
    time_difference: float
    value_difference: float
    slope: float
    frequency: float


def read_cursors(samples: SeriesSnapshot, cursor_a: float, cursor_b: float) -> CursorReading:
    """Read the samples nearest to two cursors (seconds); gaps are passed over."""
    filled = np.isfinite(samples.value)
    times, values = samples.time[filled], samples.value[filled].astype(np.float64)
    if not len(times):
        return CursorReading(*[float("nan")] * 8)
    a, b = (_nearest(times, cursor) for cursor in (cursor_a, cursor_b))
    span, rise = float(times[b] - times[a]), float(values[b] - values[a])
    slope, frequency = (rise / span, 1 / abs(span)) if span else (float("nan"), float("nan"))
    return CursorReading(
        float(times[a]), float(values[a]), float(times[b]), float(values[b]), span, rise, slope, frequency
    )


def _nearest(times: FloatArray, wanted: float) -> int:
    after = min(int(np.searchsorted(times, wanted)), len(times) - 1)
    before = max(0, after - 1)
    return before if abs(times[before] - wanted) <= abs(times[after] - wanted) else after


class Spectrum(NamedTuple):
    """One-sided spectrum.

    Attributes:
        frequency: hertz, shape (n,), from 0 to half the sample rate.
        magnitude: as ``scaling`` says, shape (n,).
        sample_rate: samples per second by the time stamps.
        resolution: hertz between two lines.
        noise_bandwidth: of one line in hertz, by the window.
        filled: gaps and uneven steps that were bridged by straight lines, in samples.
    """

    frequency: FloatArray
    magnitude: FloatArray
    sample_rate: float
    resolution: float
    noise_bandwidth: float
    filled: int


def spectrum(
    samples: SeriesSnapshot,
    *,
    window: WindowName = "hann",
    scaling: Scaling = "amplitude",
    remove_mean: bool = True,
) -> Spectrum:
    """Return the spectrum of a window of a series.

    Args:
        samples: at least 4 that are no gaps; the frequency axis comes from their times. Where the steps
            differ by more than ``JITTER``, or there are gaps, straight lines put them on an even grid.
        window: weights of the samples.
        scaling: ``amplitude`` (a sine of amplitude 1 has a line of 1), ``rms`` (0.707), ``decibel``
            (20 log10 of the amplitude), or ``density`` (power in unit² per hertz).
        remove_mean: take the mean away first, so that it does not cover the lowest lines.

    Raises:
        TelemetrySettingError: too few samples, all at one time, or an unknown name.
    """
    if window not in _COSINES or scaling not in ("amplitude", "rms", "decibel", "density"):
        raise TelemetrySettingError(f"There is no window '{window}' or scaling '{scaling}'.")
    filled = np.isfinite(samples.value)
    times, values = samples.time[filled], samples.value[filled].astype(np.float64)
    if len(times) < 4 or times[-1] <= times[0]:
        raise TelemetrySettingError(
            "A spectrum needs at least four samples at different times.",
            code="telemetry_few_samples",
            hint="Show a longer window.",
        )
    count = len(samples.value)
    values, rate, bridged = _even(times, values, count)
    if remove_mean:
        values = values - values.mean()
    weights = window_weights(window, len(values))
    lines = np.abs(np.fft.rfft(values * weights))
    sides = np.full(len(lines), 2.0)
    sides[0] = 1.0
    if len(values) % 2 == 0:
        sides[-1] = 1.0
    power_sum = float(np.sum(weights**2))
    if scaling == "density":
        with np.errstate(over="ignore"):
            magnitude = np.minimum(sides * lines**2 / (rate * power_sum), LARGEST)
    else:
        magnitude = sides * lines / weights.sum()
        if scaling == "rms":
            magnitude = np.where(sides == 2.0, magnitude / np.sqrt(2.0), magnitude)
        elif scaling == "decibel":
            magnitude = 20 * np.log10(np.maximum(magnitude, np.finfo(np.float64).tiny))
    resolution = rate / len(values)
    bandwidth = rate * power_sum / float(weights.sum()) ** 2
    frequency = resolution * np.arange(len(lines), dtype=np.float64)
    return Spectrum(frequency, magnitude, rate, resolution, bandwidth, bridged)


def window_weights(window: WindowName, count: int) -> FloatArray:
    """Return the weights of a periodic window of ``count`` samples."""
    angle = 2 * np.pi * np.arange(count) / count
    weights = np.zeros(count)
    for order, factor in enumerate(_COSINES[window]):
        weights += (-1) ** order * factor * np.cos(order * angle)
    return weights


def main_lobe(window: WindowName) -> int:
    """Return half the width of a window's main lobe in lines of the spectrum."""
    return len(_COSINES[window])


def window_response(window: WindowName, lines: FloatArray) -> FloatArray:
    """Return how high a tone of height 1 stands at a distance of so many lines (many samples assumed)."""
    response = np.zeros(len(lines))
    for order, factor in enumerate(_COSINES[window]):
        response += factor / 2 * (np.sinc(lines - order) + np.sinc(lines + order))
    return np.abs(response) / _COSINES[window][0]


def _even(times: FloatArray, values: FloatArray, count: int) -> tuple[FloatArray, float, int]:
    """Return values at equal steps, the sample rate, and how many were bridged."""
    steps = np.diff(times)
    mean = (times[-1] - times[0]) / (len(times) - 1)
    uneven = int((np.abs(steps - mean) > JITTER * mean).sum())
    gaps = count - len(times)
    if not uneven and not gaps:
        return values, 1 / float(mean), 0
    step = float(times[-1] - times[0]) / (count - 1)
    grid = times[0] + step * np.arange(count)
    return np.interp(grid, times, values), 1 / step, max(uneven, gaps)


class Histogram(NamedTuple):
    """How often values occur.

    Attributes:
        edges: of the bins in the unit of the series, shape (n + 1,).
        counts: shape (n,); their sum is the number of samples that are no gaps.
    """

    edges: FloatArray
    counts: NDArray[np.int64]


def histogram(values: NDArray[np.floating], bins: int | None = None) -> Histogram:
    """Count the values of one series; see ``histograms``."""
    return histograms([values], bins)[0]


def histograms(rows: Sequence[NDArray[np.floating]], bins: int | None = None) -> list[Histogram]:
    """Count the values of several series in the same bins of equal width.

    Args:
        rows: of each series, none beyond ``LARGEST``; gaps are left out.
        bins: how many, fewer where float64 has no more different values; None for the rule of Freedman and
            Diaconis (at most ``MAX_BINS``), by the series that asks for the narrowest ones. Values on a grid
            (whole numbers, steps of a converter) then get bins that are whole numbers of its steps wide and
            have the values in their middle, because others would count one step here and two there.

    Raises:
        TelemetrySettingError: no or too many bins.
    """
    if bins is not None and not 1 <= bins <= MAX_BINS:
        raise TelemetrySettingError(f"A histogram has 1 to {MAX_BINS} bins, not {bins}.")
    finite = [row[np.isfinite(row)].astype(np.float64) for row in rows]
    filled = [row for row in finite if len(row)]
    if not filled:
        return [Histogram(np.array([0.0, 1.0]), np.zeros(1, dtype=np.int64)) for _ in rows]
    low, high = min(float(row.min()) for row in filled), max(float(row.max()) for row in filled)
    if bins is None:
        low, high, bins = _automatic_bins(filled, low, high)
    if not high - low > max(1 / LARGEST, abs(high) * 1e-12):
        half = max(0.5, abs(high) * 1e-9)
        low, high = low - half, high + half
    # Near a large number float64 has only so many different values.
    bins = min(bins, max(1, int((high - low) / (4 * np.spacing(max(abs(low), abs(high)))))))
    found = [np.histogram(row, bins, (low, high)) for row in finite]
    return [Histogram(edges, counts.astype(np.int64)) for counts, edges in found]


def _automatic_bins(rows: Sequence[FloatArray], low: float, high: float) -> tuple[float, float, int]:
    """Return lower and upper end and number of the bins."""
    quartiles = [(np.percentile(row, (25, 75)), len(row)) for row in rows]
    widths = [2 * float(upper - lower) / count ** (1 / 3) for (lower, upper), count in quartiles]
    width = min((width for width in widths if width > 0), default=0.0)
    step = _value_step(rows, low)
    if step is not None:
        per_bin = max(1, round(width / step), int(np.ceil((high - low) / step / MAX_BINS)))
        bins = round((high - low) / step) // per_bin + 1
        return low - step / 2, low + (bins * per_bin - 0.5) * step, bins
    bins = min(MAX_BINS, max(1, int(np.ceil((high - low) / width)))) if width > 0 else 10
    return low, high, bins


def _value_step(rows: Sequence[FloatArray], low: float) -> float | None:
    """Return the step of a grid that all values lie on, None when there is none."""
    seen = np.unique(np.concatenate([row[:_GRID_SAMPLE] for row in rows]))
    steps = np.diff(seen)
    # As many different values as samples are no grid but a converter that is finer than the noise.
    if not len(steps) or len(seen) > _GRID_SHARE * sum(len(row[:_GRID_SAMPLE]) for row in rows):
        return None
    # Sums such as 0.1 + 0.2 are off by the last digit, so that equal values may differ a little.
    step = float(steps[steps > 1e-9 * max(1e-300, float(np.abs(seen).max()))].min(initial=np.inf))
    if not np.isfinite(step):
        return None
    places = [(row - low) / step for row in rows]
    return step if all(float(np.abs(place - np.rint(place)).max()) < 0.01 for place in places) else None


def is_constant(values: NDArray[np.floating]) -> bool:
    """Return whether all values that are no gaps are the same."""
    finite = values[np.isfinite(values)]
    return not len(finite) or bool(finite.min() == finite.max())


class XYPairs(NamedTuple):
    """Two series against each other.

    Attributes:
        time: seconds of each pair, shape (n,).
        x: shape (n,).
        y: shape (n,).
    """

    time: FloatArray
    x: FloatArray
    y: FloatArray


def pair_xy(x: SeriesSnapshot, y: SeriesSnapshot, max_age: float = np.inf) -> XYPairs:
    """Pair each sample of ``y`` with the newest one of ``x`` that is not later.

    Args:
        x: series of the horizontal axis.
        y: series of the vertical axis.
        max_age: seconds; an older ``x`` gives no pair.

    Returns:
        The pairs in the order of time; those with a gap are left out. Of samples at one time, the first of
        ``y`` goes with the first of ``x`` and so on.
    """
    if len(x.time) and np.array_equal(x.time, y.time):
        chosen = np.arange(len(y.time))
    else:
        chosen = np.searchsorted(x.time, y.time, side="right") - 1
    usable = chosen >= 0
    chosen = np.maximum(chosen, 0)
    if not len(x.time):
        return XYPairs(np.empty(0), np.empty(0), np.empty(0))
    xs, ys = x.value[chosen].astype(np.float64), y.value.astype(np.float64)
    usable &= np.isfinite(xs) & np.isfinite(ys) & (y.time - x.time[chosen] <= max_age)
    return XYPairs(y.time[usable], xs[usable], ys[usable])


def correlation(x: FloatArray, y: FloatArray) -> float:
    """Return Pearson's correlation coefficient; NaN with fewer than two pairs or when one does not change."""
    if len(x) < 2:
        return float("nan")
    across, up = x - x.mean(), y - y.mean()
    for part in (across, up):
        # Squares of large and of small numbers are beyond float64.
        part /= max(float(np.abs(part).max()), 1 / LARGEST)
    spread = float(np.sqrt(np.sum(across**2) * np.sum(up**2)))
    return float(np.sum(across * up)) / spread if spread > 0 else float("nan")


def within_reach(samples: SeriesSnapshot) -> SeriesSnapshot:
    """Return samples whose values are cut at ``LARGEST``."""
    values = samples.value
    if not len(values) or not np.nanmax(np.abs(values), initial=0.0) > LARGEST:
        return samples
    return samples._replace(value=np.clip(values, -LARGEST, LARGEST))
