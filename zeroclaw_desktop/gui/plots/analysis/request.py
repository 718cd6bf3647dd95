"""What to compute, and the computing itself, which runs in the worker's thread. No Qt is called there."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from zeroclaw_desktop.bridge.plot_analysis import HistogramView, PairsView, SpectrumView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.analysis.content import ChartContent
from zeroclaw_desktop.gui.plots.analysis.histogram import HistogramContent
from zeroclaw_desktop.gui.plots.analysis.options import HISTOGRAM, SPECTRUM, AnalysisOptions, Selection
from zeroclaw_desktop.gui.plots.analysis.spectrum import SpectrumContent
from zeroclaw_desktop.gui.plots.analysis.xy import MOST_CONNECTED, MOST_PAIRS, XYContent
from zeroclaw_desktop.gui.plots.panels import PlotSeries

View = TypeVar("View")


class Analyser(Protocol):
    """The part of ``PlotAnalysis`` that is used here; see there."""

    def spectra(
        self, series: Sequence[tuple[str, str]], t0: float, t1: float, *, window: str, scaling: str
    ) -> list[SpectrumView | ErrorView]:
        """Return the spectrum of each series."""

    def histograms(
        self, series: Sequence[tuple[str, str]], t0: float, t1: float, bins: int | None = None
    ) -> list[HistogramView | ErrorView]:
        """Return the histogram of each series."""

    def pairs(
        self, x: tuple[str, str], ys: Sequence[tuple[str, str]], t0: float, t1: float, most: int
    ) -> list[PairsView | ErrorView]:
        """Return the pairs of each series with ``x``."""


@dataclass(frozen=True)
class AnalysisRequest:
    """One computation.

    Attributes:
        options: the choices as they were.
        selection: of which series.
        start, end: seconds on the axis of the plots.
    """

    options: AnalysisOptions
    selection: Selection
    start: float
    end: float

    @classmethod
    def make(
        cls, options: AnalysisOptions, selection: Selection, start: float, end: float
    ) -> AnalysisRequest:
        """Return a request that later choices do not change."""
        return cls(dataclasses.replace(options), selection, start, end)


@dataclass
class Outcome:
    """What became of a request.

    Attributes:
        request: which.
        content: what to show; None when nothing can be shown.
        refusals: series that could not be used, and why.
        seconds: how long it took.
    """

    request: AnalysisRequest
    content: ChartContent | None = None
    refusals: list[tuple[PlotSeries, ErrorView]] = field(default_factory=list)
    seconds: float = 0.0


def compute(analyser: Analyser, request: AnalysisRequest) -> Outcome:
    """Compute what a request asks for."""
    begun = time.perf_counter()
    options, (x, series), span = request.options, request.selection, (request.start, request.end)
    ids: list[tuple[str, str]] = [one.series_id for one in series]
    outcome = Outcome(request)
    if options.kind == SPECTRUM:
        spectra = analyser.spectra(ids, *span, window=options.window, scaling=options.scaling)
        usable = outcome_of(outcome, series, spectra)
        outcome.content = SpectrumContent(usable, options) if usable else None
    elif options.kind == HISTOGRAM:
        counted = outcome_of(outcome, series, analyser.histograms(ids, *span, options.bins or None))
        filled = [pair for pair in counted if pair[1].samples]
        outcome.content = HistogramContent(filled, options) if filled else None
    elif x is not None and series:
        most = MOST_CONNECTED if options.lines else MOST_PAIRS
        pairs = analyser.pairs(x.series_id, ids, *span, most // len(series))
        paired = [pair for pair in outcome_of(outcome, series, pairs) if len(pair[1].x)]
        outcome.content = XYContent(x, paired, options) if paired else None
    outcome.seconds = time.perf_counter() - begun
    return outcome


def outcome_of(
    outcome: Outcome, series: Sequence[PlotSeries], views: Sequence[View | ErrorView]
) -> list[tuple[PlotSeries, View]]:
    """Return the series that have a result, and note the others in ``outcome``."""
    usable = []
    for one, view in zip(series, views, strict=True):
        if isinstance(view, ErrorView):
            outcome.refusals.append((one, view))
        else:
            usable.append((one, view))
    return usable
