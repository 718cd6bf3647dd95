"""Axes that count in units or in powers of ten: places, ticks and texts. Qt-free.

A place on an axis is the value itself, or its logarithm to base 10 on a logarithmic axis.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.gui.plots.ticks import (
    MINUS,
    multiples,
    needed_decimals,
    reading_text,
    round_step,
    tick_text,
)

FloatArray = NDArray[np.float64]
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"))
_MOST_FINE_DECADES = 6
_LEAST_PLAIN = 0.01
"""Below this a frequency is written with a prefix."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_DECADES = range(-3, 5)


def places(values: FloatArray, log: bool) -> FloatArray:
    """Return the places of values; NaN for what a logarithmic axis cannot show."""
    if not log:
        return values
    return np.log10(values, where=values > 0, out=np.full(len(values), np.nan))


def value_at(place: float, log: bool) -> float:
    """Return the value at a place."""
    return 10.0**place if log else place


def axis_ticks(low: float, high: float, log: bool, most: int) -> list[tuple[float, str]]:
    """Return (place, text) of the ticks between two places.

    Args:
        low, high: places of the ends.
        log: whether the axis counts in powers of ten.
        most: at most about so many.
    """
    if not log:
        step = round_step(high - low, most)
        return [(place, tick_text(place, step)) for place in multiples(low, high, step)]
    if high - low < 1:
        # Less than a decade: round values, which are not evenly spaced here.
        start, end = 10.0**low, 10.0**high
        step = round_step(end - start, most)
        values = [value for value in multiples(start, end, step) if value > 0]
        return [(math.log10(value), tick_text(value, step)) for value in values]
    every = max(1, math.ceil((high - low) / max(1, most)))
    decades = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    return [(float(number), decade_text(number)) for number in decades if number % every == 0]


def fine_ticks(low: float, high: float) -> list[float]:
    """Return the places of 2, 3 ... 9 times the powers of ten on a logarithmic axis; [] on a long one."""
    if high - low > _MOST_FINE_DECADES:
        return []
    found = [
        decade + math.log10(factor)
        for decade in range(math.floor(low), math.ceil(high) + 1)
        for factor in range(2, 10)
    ]
    return [place for place in found if low < place < high]


def decade_text(exponent: int) -> str:
    """Return a power of ten: ``0.01``, ``100``, ``10⁶``."""
    if exponent in _PLAIN_DECADES:
        return f"{10.0**exponent:.{max(0, -exponent)}f}"
    return f"10{str(exponent).translate(_RAISED)}"


def frequency_unit(highest: float) -> tuple[float, str]:
    """Return (hertz, name) of the unit in which an axis up to ``highest`` hertz has short numbers."""
    for factor, prefix in _PREFIXES:
        if highest >= 10 * factor or factor == 1.0:
            return (factor, f"{prefix}Hz") if factor >= 1.0 else (1.0, "Hz")
    return 1.0, "Hz"


def frequency_text(hertz: float, exact_to: float = 0.0) -> str:
    """Return a frequency for a read-out: ``50.02 Hz``, ``1.25 kHz``, ``33.3 mHz``.

    Args:
        hertz: the frequency.
        exact_to: hertz; digits below are left out. 0 for four digits.
    """
    size = float(f"{abs(hertz):.4g}")
    factor, prefix = next((pair for pair in _PREFIXES if size >= pair[0]), _PREFIXES[-1])
    if _LEAST_PLAIN <= size < 1 or size == 0:
        factor, prefix = 1.0, ""
    scaled = hertz / factor
    if exact_to > 0:
        decimals = min(6, max(0, math.ceil(-math.log10(exact_to / factor))))
    else:
        decimals = needed_decimals(scaled, 4)
    return f"{scaled:.{decimals}f} {prefix}Hz".replace("-", MINUS)


def quantity_text(value: float, unit: str, digits: int = 4) -> str:
    """Return a value with its unit for a read-out."""
    text = reading_text(value, needed_decimals(value, digits))
    return f"{text} {unit}" if unit else text


def common_unit(units: list[str]) -> str:
    """Return the unit that all share, '' when they differ."""
    return units[0] if units and all(unit == units[0] for unit in units) else ""
