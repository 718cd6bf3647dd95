"""Crossings of a level with hysteresis, in arrays of samples that come piece by piece."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Crossings(NamedTuple):
    """Where the state changed in a piece.

    Attributes:
        on: positions of the samples that reached the level, shape (n,).
        off: positions of the samples that left it by the hysteresis.
        state: after the last sample: 1 on, -1 off, 0 not known yet.
    """

    on: NDArray[np.int64]
    off: NDArray[np.int64]
    state: int


def crossings(
    values: NDArray[np.floating], level: float, hysteresis: float, *, rising: bool = True, state: int = 0
) -> Crossings:
    """Find where a signal switches on and off.

    Args:
        values: in the unit of ``level``; NaN changes nothing.
        level: rising: on at or above it; falling: on at or below it.
        hysteresis: off when it is back by more than this; 0 or more.
        rising: which side is on.
        state: that of the piece before; a signal that is on in its first sample ever has not crossed.
    """
    signal = values - level if rising else level - values
    marks = np.zeros(len(values), dtype=np.int8)
    with np.errstate(invalid="ignore"):
        marks[signal >= 0] = 1
        marks[(signal < 0) & (signal < -hysteresis)] = -1
        if hysteresis == 0:
            marks[signal < 0] = -1
    told = np.flatnonzero(marks)
    if not len(told):
        return Crossings(told, told, state)
    states = marks[told]
    before = np.concatenate(([state], states[:-1]))
    on = told[(states == 1) & (before == -1)]
    off = told[(states == -1) & (before == 1)]
    return Crossings(on, off, int(states[-1]))
