"""New samples of one read, series by series, until they go to the store together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.foundation.text import visible

MAX_UNIT = 24
FloatArray = NDArray[np.float64]
Store = Callable[[str, FloatArray, FloatArray, str], object]


class _Series:
    __slots__ = ("parts", "times", "unit", "values")

    def __init__(self) -> None:
        self.times: list[float] = []
        self.values: list[float] = []
        self.parts: list[tuple[FloatArray, FloatArray]] = []
        self.unit = ""

    def settle(self) -> None:
        """Turn the single samples into one part, so that the order of arrival stays."""
        if self.values:
            self.parts.append((np.array(self.times), np.array(self.values)))
            self.times, self.values = [], []


class SeriesBatch:
    """Samples by label in the order in which the labels came first."""

    def __init__(self) -> None:
        self._series: dict[str, _Series] = {}

    def _of(self, label: str, unit: str) -> _Series:
        if not label.isprintable():
            label = visible(label)
        series = self._series.get(label)
        if series is None:
            series = self._series[label] = _Series()
        if unit:
            series.unit = unit
        return series

    def add(self, label: str, time: float, value: float, unit: str = "") -> None:
        """Add one sample; ``time`` in seconds on the store's axis."""
        series = self._of(label, unit)
        series.times.append(time)
        series.values.append(value)

    def extend(self, label: str, times: FloatArray, values: FloatArray, unit: str = "") -> None:
        """Add many samples of one series; both arrays of shape (n,)."""
        series = self._of(label, unit)
        series.settle()
        series.parts.append((times, values))

    def flush(self, store: Store) -> int:
        """Hand everything to ``store`` as (label, times, values, unit); returns how many samples it were."""
        count = 0
        for label, series in self._series.items():
            series.settle()
            if len(series.parts) == 1:
                times, values = series.parts[0]
            else:
                times = np.concatenate([part[0] for part in series.parts])
                values = np.concatenate([part[1] for part in series.parts])
            count += len(values)
            store(label, times, values, visible(series.unit, MAX_UNIT))
        self._series = {}
        return count
