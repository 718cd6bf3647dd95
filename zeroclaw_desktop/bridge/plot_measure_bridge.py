"""Figures of the series in a stretch of time, computed beside the window: a minute can be millions."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.plot_views import MeasureRow
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_analysis import TelemetryStore

Names = Sequence[tuple[str, str]]
CURSOR_REACH_S = 1.0
"""Seconds around a cursor in which a sample is looked for at least."""
CURSOR_NEAR = 0.01
"""Share of the reach within which a sample counts as that of the cursor, or ..."""
CURSOR_STEPS = 2.5
"""... so many of the steps between samples, where that is more."""


class PlotMeasureBridge(QObject):
    """Measures one question at a time; of those asked meanwhile the newest is answered next."""

    measured = Signal(object)
    """A list of ``MeasureRow`` in the order that was asked for."""

    def __init__(self, core: CoreAccess, plots: PlotsBridge) -> None:
        super().__init__()
        self._core = core
        self._plots = plots
        self._busy = False
        self._next: tuple[Names, float, float, tuple[float, float] | None] | None = None

    def measure(self, names: Names, t0: float, t1: float, cursors: tuple[float, float] | None) -> None:
        """Ask; ``measured`` answers.

        Args:
            names: (source, label) of the series.
            t0: start of the stretch in seconds on the axis of the plots.
            t1: its end.
            cursors: times of two cursors; None when there are none.
        """
        self._next = (list(names), t0, t1, cursors)
        if not self._busy and self._plots.store is not None:
            self._busy = True
            self._core.start(self._answer(), "measure series")

    async def _answer(self) -> None:
        try:
            while self._next is not None and self._plots.store is not None:
                names, t0, t1, cursors = self._next
                self._next = None
                rows = await asyncio.to_thread(_measure, self._plots.store, names, t0, t1, cursors)
                self.measured.emit(rows)
        finally:
            self._busy = False


def _measure(
    store: TelemetryStore, names: Names, t0: float, t1: float, cursors: tuple[float, float] | None
) -> list[MeasureRow]:
    rows = []
    for name in names:
        try:
            rows.append(_row(store, name, t0, t1, cursors))
        except ZeroClawError:
            continue  # cleared meanwhile
    return rows


def _row(
    store: TelemetryStore,
    name: tuple[str, str],
    t0: float,
    t1: float,
    cursors: tuple[float, float] | None,
) -> MeasureRow:
    stats = store.stats(name, t0, t1)
    at_a = at_b = slope = math.nan
    if cursors is not None:
        reach = max(CURSOR_REACH_S, t1 - t0)
        (time_a, at_a), (time_b, at_b) = (_read(store, name, moment, reach) for moment in cursors)
        slope = (at_b - at_a) / (time_b - time_a) if time_b != time_a else math.nan
    return MeasureRow(
        *name,
        store.unit(name),
        stats.count,
        stats.gaps,
        stats.minimum,
        stats.maximum,
        stats.mean,
        stats.deviation,
        stats.rms,
        stats.peak_to_peak,
        stats.rate,
        at_a,
        at_b,
        slope,
    )


def _read(store: TelemetryStore, name: tuple[str, str], moment: float, reach: float) -> tuple[float, float]:
    """Return time and value of the sample at a cursor; NaN where the signal does not reach it."""
    from zeroclaw_desktop.runtime.plot_analysis import read_cursors

    samples = store.snapshot(name, moment - reach, moment + reach)
    found = read_cursors(samples, moment, moment)
    count = len(samples.time)
    step = float(samples.time[-1] - samples.time[0]) / (count - 1) if count > 1 else 0.0
    near = max(CURSOR_NEAR * reach, CURSOR_STEPS * step)
    if not abs(found.time_a - moment) <= near:
        return math.nan, math.nan
    return found.time_a, found.value_a
