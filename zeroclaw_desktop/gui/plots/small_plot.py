"""A small plot for other pages: the canvas of this page without its gestures and its list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.panels import OVERLAY, PlotSeries, SeriesId
from zeroclaw_desktop.gui.theme import space

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge


class _Canvas(PlotCanvas):
    """Leaves wheel, clicks and keys to the page around it."""

    def __init__(self, plots: PlotsBridge) -> None:
        super().__init__(plots)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def minimumSizeHint(self) -> QSize:
        """Fit into a tile."""
        return QSize(space(30), space(24))


class SmallPlot:
    """Curves of the last seconds; see ``LivePlot``.

    Args:
        plots: where samples come from.
    """

    def __init__(self, plots: PlotsBridge) -> None:
        self._plots = plots
        self._series: tuple[tuple[str, str], ...] = ()
        self._units: tuple[str | None, ...] | None = None
        self.canvas = _Canvas(plots)

    @property
    def widget(self) -> QWidget:
        """What is put into a layout."""
        return self.canvas

    def show_series(self, series: Sequence[tuple[str, str]], window_s: float) -> None:
        """Show these (source, label) series over the last ``window_s`` seconds."""
        self._series = tuple(series)
        self._units = None
        self._take_units()
        self.canvas.set_window(window_s)

    def refresh(self) -> bool:
        """Draw what is new; returns whether there was anything."""
        self._take_units()
        return self.canvas.refresh()

    def _take_units(self) -> None:
        """Panels are formed by unit, which may come with a later sample; a series that never came waits."""
        found = [self._plots.newest_of(*key) for key in self._series]
        known = tuple(None if one is None else one[3] for one in found)
        if known == self._units:
            return
        self._units = known
        shown = [
            PlotSeries(SeriesId(*key), unit, number)
            for number, (key, unit) in enumerate(zip(self._series, known, strict=True))
            if unit is not None
        ]
        self.canvas.set_series(shown, OVERLAY)
