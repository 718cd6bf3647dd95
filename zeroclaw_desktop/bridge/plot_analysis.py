"""Spectra, histograms and pairs of the series of a window, for the analysis pane of the Plots page.

Everything here may be called from any thread: it reads the store, which locks for itself, and no Qt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_analysis import SeriesSnapshot

MAX_ANALYSED = 1 << 20
"""Samples of one series; of a longer window the newest are taken."""

Series = tuple[str, str]
"""Source and label."""


@dataclass(frozen=True)
class SpectrumView:
    """The spectrum of one series.

    Attributes:
        frequency: hertz, numpy array of shape (n,).
        magnitude: in the chosen scaling, shape (n,).
        sample_rate: samples per second by the time stamps.
        resolution: hertz between two lines.
        noise_bandwidth: of one line, in hertz.
        samples: how many it was made of, ``filled`` of them bridged by straight lines onto an even grid.
        left_out: older samples of the window.
        steady: the value does not change, and what the lines show is what rounding left.
        peaks: (hertz, magnitude), the highest first.
    """

    frequency: Any
    magnitude: Any
    sample_rate: float
    resolution: float
    noise_bandwidth: float
    samples: int
    filled: int
    left_out: int
    steady: bool
    peaks: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class HistogramView:
    """How often the values of one series occur.

    Attributes:
        edges: of the bins, numpy array of shape (n + 1,), the same for all series of one call.
        counts: shape (n,).
        samples: sum of the counts; 0 when the window holds only gaps or nothing.
        mean, deviation: of the values (NaN without any), in the unit of the series.
        left_out: older samples of the window.
    """

    edges: Any
    counts: Any
    samples: int
    mean: float
    deviation: float
    left_out: int


@dataclass(frozen=True)
class PairsView:
    """One series against another.

    Attributes:
        time: seconds of each pair, numpy array of shape (n,), the oldest first.
        x, y: shape (n,).
        correlation: Pearson's coefficient; NaN when one of the two does not change.
        left_out: older samples of the window.
    """

    time: Any
    x: Any
    y: Any
    correlation: float
    left_out: int


class PlotAnalysis:
    """What can be computed from a window of ``PlotsBridge``; times in seconds on the axis of the plots.

    A series that is gone or cannot be used has an ``ErrorView`` in its place.
    """

    def __init__(self, core: CoreAccess, plots: PlotsBridge) -> None:
        self._core = core
        self._plots = plots

    def _newest(self, series: Series, t0: float, t1: float) -> tuple[SeriesSnapshot, int]:
        from zeroclaw_desktop.runtime.plot_analysis import newest, within_reach

        samples = self._plots.samples(*series, t0, t1)
        return within_reach(newest(samples, MAX_ANALYSED)), max(0, len(samples.time) - MAX_ANALYSED)

    def spectra(
        self, series: Sequence[Series], t0: float, t1: float, *, window: str, scaling: str, peaks: int = 5
    ) -> list[SpectrumView | ErrorView]:
        """Spectrum of each series.

        Args:
            window: ``rectangular``, ``hann``, ``hamming``, ``blackman`` or ``flattop``.
            scaling: ``amplitude``, ``rms``, ``decibel`` or ``density``.
            peaks: name at most so many for each.
        """
        return [self._spectrum(one, t0, t1, window, scaling, peaks) for one in series]

    def _spectrum(
        self, series: Series, t0: float, t1: float, window: str, scaling: str, peaks: int
    ) -> SpectrumView | ErrorView:
        from zeroclaw_desktop.runtime import plot_analysis as engine

        try:
            samples, left_out = self._newest(series, t0, t1)
            found = engine.spectrum(samples, window=window, scaling=scaling)  # type: ignore[arg-type]
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        steady = engine.is_constant(samples.value)
        named = () if steady else engine.find_peaks(found, window, scaling, peaks)  # type: ignore[arg-type]
        return SpectrumView(
            frequency=found.frequency,
            magnitude=found.magnitude,
            sample_rate=found.sample_rate,
            resolution=found.resolution,
            noise_bandwidth=found.noise_bandwidth,
            samples=round(found.sample_rate / found.resolution),
            filled=found.filled,
            left_out=left_out,
            steady=steady,
            peaks=tuple((peak.frequency, peak.magnitude) for peak in named),
        )

    def histograms(
        self, series: Sequence[Series], t0: float, t1: float, bins: int | None = None
    ) -> list[HistogramView | ErrorView]:
        """Histogram of each series, all in the same bins; None for as many as suit the samples."""
        from zeroclaw_desktop.runtime import plot_analysis as engine

        taken: list[tuple[SeriesSnapshot, int] | ErrorView] = []
        for one in series:
            try:
                taken.append(self._newest(one, t0, t1))
            except ZeroClawError as error:
                taken.append(error_view_of(error, self._core.language))
        usable = [one[0].value for one in taken if not isinstance(one, ErrorView)]
        found = iter(engine.histograms(usable, bins))
        views: list[HistogramView | ErrorView] = []
        for outcome in taken:
            if isinstance(outcome, ErrorView):
                views.append(outcome)
                continue
            samples, left_out = outcome
            counted = next(found)
            figures = engine.stats_of(samples.time, samples.value)
            views.append(
                HistogramView(
                    counted.edges,
                    counted.counts,
                    int(counted.counts.sum()),
                    figures.mean,
                    figures.deviation,
                    left_out,
                )
            )
        return views

    def pairs(
        self, x: Series, ys: Sequence[Series], t0: float, t1: float, most: int
    ) -> list[PairsView | ErrorView]:
        """Pair each of ``ys`` with ``x`` by time; of more than ``most`` pairs the newest are given."""
        from zeroclaw_desktop.runtime.plot_analysis import correlation, pair_xy

        views: list[PairsView | ErrorView] = []
        for y in ys:
            try:
                horizontal, vertical = self._newest(x, t0, t1), self._newest(y, t0, t1)
            except ZeroClawError as error:
                views.append(error_view_of(error, self._core.language))
                continue
            found = pair_xy(horizontal[0], vertical[0])
            surplus = max(0, len(found.x) - most)
            left_out = max(horizontal[1], vertical[1]) + surplus
            time, across, up = (part[surplus:] for part in found)
            views.append(PairsView(time, across, up, correlation(across, up), left_out))
        return views

    def export_table(self, path: str, names: Sequence[str], columns: Sequence[Any]) -> ErrorView | None:
        """Write columns of numbers as CSV; returns what went wrong."""
        from zeroclaw_desktop.runtime.plot_analysis import write_table_file

        try:
            write_table_file(Path(path), names, columns)
        except ZeroClawError as error:
            return error_view_of(error, self._core.language)
        return None
