"""What a person chose in the analysis pane, and which of the visible series that means. Qt-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId

SPECTRUM, HISTOGRAM, XY = KINDS = ("spectrum", "histogram", "xy")
WINDOWS = ("hann", "hamming", "blackman", "flattop", "rectangular")
SCALINGS = ("amplitude", "rms", "decibel", "density")
BINS = (0, 10, 20, 50, 100, 200, 500)
"""Numbers of bins to choose from; 0 for as many as suit the samples."""
MOST_BINS = 1_000
_FLAGS = ("log_frequency", "show_peaks", "share", "show_mean", "equal", "trail", "lines")


@dataclass
class AnalysisOptions:
    """The choices of all three kinds, so that each is found again as it was left.

    Attributes:
        kind: ``spectrum``, ``histogram`` or ``xy``.
        chosen: series of spectrum and histogram; empty for the first visible one.
        x, ys: series of the axes of X-Y; None and empty for the first visible ones.
        window, scaling: of the spectrum.
        log_frequency: the frequency axis counts in powers of ten.
        show_peaks: mark the highest lines.
        bins: how many, 0 for as many as suit the samples.
        share: show the share of samples in a bin, not their number.
        show_mean: mark the mean and one standard deviation on both sides.
        equal: a unit is as long on both axes.
        trail: older points fade.
        lines: connect the points.
    """

    kind: str = SPECTRUM
    chosen: list[SeriesId] = field(default_factory=list)
    x: SeriesId | None = None
    ys: list[SeriesId] = field(default_factory=list)
    window: str = WINDOWS[0]
    scaling: str = SCALINGS[0]
    log_frequency: bool = False
    show_peaks: bool = True
    bins: int = 0
    share: bool = False
    show_mean: bool = True
    equal: bool = False
    trail: bool = True
    lines: bool = False

    def state(self) -> dict[str, Any]:
        """Return all choices as plain JSON values."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in _FLAGS}
        kept |= {"kind": self.kind, "window": self.window, "scaling": self.scaling, "bins": self.bins}
        kept |= {"chosen": [list(one) for one in self.chosen], "ys": [list(one) for one in self.ys]}
        kept["x"] = None if self.x is None else list(self.x)
        return kept

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> AnalysisOptions:
        """Return the choices that ``state`` gave; what is missing or no possible choice is as at first."""
        made = cls()
        for name, known in (("kind", KINDS), ("window", WINDOWS), ("scaling", SCALINGS)):
            if state.get(name) in known:
                setattr(made, name, state[name])
        for name in _FLAGS:
            if isinstance(state.get(name), bool):
                setattr(made, name, state[name])
        bins = state.get("bins")
        if isinstance(bins, int) and not isinstance(bins, bool) and 0 <= bins <= MOST_BINS:
            made.bins = bins
        made.chosen, made.ys = _series_ids(state.get("chosen")), _series_ids(state.get("ys"))
        made.x = next(iter(_series_ids([state.get("x")])), None)
        return made


def _series_ids(raw: object) -> list[SeriesId]:
    found = []
    for entry in raw if isinstance(raw, list | tuple) else ():
        if (
            isinstance(entry, list | tuple)
            and len(entry) == 2
            and all(isinstance(part, str) for part in entry)
        ):
            found.append(SeriesId(*entry))
    return found


class Selection(NamedTuple):
    """The series that are analysed.

    Attributes:
        x: of the horizontal axis of X-Y; None for the other kinds.
        series: the others, in order of appearance.
    """

    x: PlotSeries | None
    series: tuple[PlotSeries, ...]


def select(options: AnalysisOptions, visible: Sequence[PlotSeries]) -> Selection:
    """Return what to analyse of the visible series: the chosen ones, else the first.

    X-Y needs two different series; with fewer visible ones its ``series`` are empty.
    """
    if options.kind != XY:
        chosen = tuple(one for one in visible if one.series_id in options.chosen)
        return Selection(None, chosen or tuple(visible[:1]))
    x = next((one for one in visible if one.series_id == options.x), None)
    if x is None:
        x = next((one for one in visible if one.series_id not in options.ys), None)
    others = [one for one in visible if x is not None and one.series_id != x.series_id]
    chosen = tuple(one for one in others if one.series_id in options.ys)
    return Selection(x, chosen or tuple(others[:1]))
