"""The lines of a spectrum that stand out, with frequency and height between the lines."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zeroclaw_desktop.hardware.telemetry.analysis import (
    FloatArray,
    Scaling,
    Spectrum,
    WindowName,
    main_lobe,
    window_response,
)

_ONE_WINDOW_IN = 10_000
"""White noise alone shows a peak in one window of this many."""
_DEEPEST_DB = 120.0
_NEIGHBOUR_DB = 60.0
_OFFSETS = np.linspace(-0.5, 0.5, 201)


class SpectralPeak(NamedTuple):
    """A line that stands out.

    Attributes:
        frequency: hertz.
        magnitude: in the scaling of the spectrum.
    """

    frequency: float
    magnitude: float


def find_peaks(found: Spectrum, window: WindowName, scaling: Scaling, count: int) -> list[SpectralPeak]:
    """Return the highest peaks, the highest first.

    A line is a peak when it is higher than its neighbours, not the one at zero, and higher than white noise
    of the same median reaches anywhere: its magnitudes have Rayleigh's distribution, and of n lines the
    highest stays below median * sqrt(log2(10,000 n)) in 9,999 of 10,000 windows. Where between the lines it
    lies follows from its two neighbours and the window's own spectrum (T. Grandke, "Interpolation algorithms
    for discrete Fourier transforms of weighted signals", IEEE Trans. Instrum. Meas. 32, 1983), and so does
    its height.

    Args:
        found: the spectrum.
        window: which it was made with; the lines of its main lobe belong to one peak.
        scaling: which it has.
        count: at most so many.
    """
    levels = _decibels(found.magnitude, scaling)
    if len(levels) < 3:
        return []
    noise = float(np.median(levels)) + 10 * np.log10(np.log2(_ONE_WINDOW_IN * len(levels)))
    floor = max(noise, float(levels[1:].max()) - _DEEPEST_DB)
    inner = levels[1:-1]
    candidates = np.flatnonzero((inner > levels[:-2]) & (inner >= levels[2:]) & (inner > floor)) + 1
    lobe = main_lobe(window)
    chosen: list[int] = []
    for line in candidates[np.argsort(-levels[candidates], kind="stable")]:
        if all(abs(int(line) - other) > lobe for other in chosen):
            chosen.append(int(line))
        if len(chosen) == count:
            break
    factor = 10 if scaling == "density" else 20
    peaks = []
    for line in chosen:
        offset, level = _between_lines(levels, line, window)
        magnitude = level if scaling == "decibel" else 10 ** (level / factor)
        peaks.append(SpectralPeak((line + offset) * found.resolution, magnitude))
    return peaks


def _decibels(magnitude: FloatArray, scaling: Scaling) -> FloatArray:
    if scaling == "decibel":
        return magnitude
    factor = 10 if scaling == "density" else 20
    return np.asarray(factor * np.log10(np.maximum(magnitude, np.finfo(np.float64).tiny)))


def _between_lines(levels: FloatArray, line: int, window: WindowName) -> tuple[float, float]:
    """Return how far a tone lies from its highest line, in lines, and its level in decibels."""
    top = float(levels[line])
    # Far below, neighbours are rounding errors and say nothing about the place.
    left, right = (max(float(levels[line + side]), top - _NEIGHBOUR_DB) for side in (-1, 1))
    slopes = _response_db(window, 1 - _OFFSETS) - _response_db(window, 1 + _OFFSETS)
    offset = float(np.interp(right - left, slopes, _OFFSETS))
    return offset, top - float(_response_db(window, np.array([offset]))[0])


def _response_db(window: WindowName, lines: FloatArray) -> FloatArray:
    return np.asarray(20 * np.log10(np.maximum(window_response(window, lines), 10 ** (-_NEIGHBOUR_DB / 20))))
