"""Puts the analysis below the time plot, or beside it where there is room in width; opens and closes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QSplitter, QWidget

from zeroclaw_desktop.gui.plots.analysis.options import HISTOGRAM, KINDS, SPECTRUM, XY
from zeroclaw_desktop.gui.plots.frame import TimeAxis
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import icon, space, theme

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
    from zeroclaw_desktop.gui.plots.analysis.pane import AnalysisPane
    from zeroclaw_desktop.gui.widgets.page_memory import PageMemory

KEYS = {SPECTRUM: "Ctrl+Shift+F", HISTOGRAM: "Ctrl+Shift+H", XY: "Ctrl+Shift+X"}
_ICONS = {SPECTRUM: "analyse", HISTOGRAM: "histogram", XY: "xy"}
_WIDE = 1.6
"""Width over height from which two plots beside each other are better than below each other ..."""
_LEAST_WIDTH = 350
"""... provided that there are so many grid steps of width."""


class AnalysisSplitter(QSplitter):
    """The time plot and, once it was opened, the analysis pane, with a handle between them.

    Args:
        plot: the time plot.
        menu: gets the entries that open the kinds.
        plots, tools: bridges for the pane.
    """

    toggled = Signal(bool)
    """The pane was opened or closed."""
    saved = Signal(str)
    told = Signal(str)
    failed = Signal(object)
    """These three are passed on from the pane."""

    def __init__(self, plot: QWidget, menu: QMenu, plots: PlotsBridge, tools: PlotToolsBridge) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._plot, self._menu = plot, menu
        self._plots, self._tools = plots, tools
        self._pane: AnalysisPane | None = None
        self._series: list[PlotSeries] = []
        self._state: dict[str, Any] = {}
        self._fresh = True
        self.setChildrenCollapsible(False)
        self.setHandleWidth(space(3))
        self.addWidget(plot)
        theme().theme_changed.connect(self._fill_menu)
        self._fill_menu()

    def pane(self) -> AnalysisPane:
        """Return the pane, made on first use: most visits of the page go without it."""
        if self._pane is None:
            from zeroclaw_desktop.gui.plots.analysis.pane import AnalysisPane

            pane = self._pane = AnalysisPane(self._plots, self._tools)
            pane.hide()
            pane.restore(self._state)
            pane.set_series(self._series)
            self.addWidget(pane)
            for part in (0, 1):
                self.setStretchFactor(part, 1)
            pane.closed.connect(self.close_pane)
            pane.saved.connect(self.saved)
            pane.told.connect(self.told)
            pane.failed.connect(self.failed)
        return self._pane

    # what the page says

    def set_series(self, series: Sequence[PlotSeries]) -> None:
        """Offer the series that are visible in the time plot."""
        self._series = list(series)
        if self._pane is not None:
            self._pane.set_series(series)

    def advance(self, axis: TimeAxis) -> None:
        """Analyse the stretch of a time axis. Call it at frame rate."""
        if self._pane is not None:
            self._pane.set_span(axis.start, axis.end, axis.live)
            self._pane.refresh()

    def bind_keys(self, page: QWidget) -> None:
        """Let the keys of the kinds work anywhere on a page."""
        for kind, keys in KEYS.items():
            shortcut = QShortcut(QKeySequence(keys), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda wanted=kind: self.toggle(wanted))

    def is_open(self) -> bool:
        """Return whether the analysis is shown."""
        return self._pane is not None and self._pane.isVisibleTo(self)

    def open_pane(self, kind: str = "") -> None:
        """Show the analysis of this kind; of the last one without."""
        pane = self.pane()
        pane.set_kind(kind)
        pane.show()
        if self._fresh:
            self._fresh = False
            self.setSizes([1_000, 1_000])
        pane.chart.setFocus(Qt.FocusReason.OtherFocusReason)
        self.toggled.emit(True)

    def close_pane(self) -> None:
        """Give the whole room to the time plot."""
        if self._pane is not None:
            self._pane.hide()
        self._plot.setFocus(Qt.FocusReason.OtherFocusReason)
        self.toggled.emit(False)

    def toggle(self, kind: str) -> None:
        """Show the analysis of this kind; close it when it is shown already."""
        if self.is_open() and self.pane().options.kind == kind:
            self.close_pane()
        else:
            self.open_pane(kind)

    def layout_state(self) -> dict[str, Any]:
        """Return what a saved layout holds of the analysis, as plain JSON values."""
        choices = self._state if self._pane is None else self._pane.state()
        return {**choices, "open": self.is_open(), "sizes": self.sizes() if self.is_open() else []}

    def restore_layout(self, state: object) -> None:
        """Take over what ``layout_state`` gave; what is missing or unusable is as at first."""
        self._state = dict(state) if isinstance(state, dict) else {}
        if self._pane is not None:
            self._pane.restore(self._state)
        if self._state.get("open") is True:
            self.pane().show()
            self.setSizes(_usable_sizes(self._state.get("sizes")) or [1_000, 1_000])
            self._fresh = False
        elif self._pane is not None:
            self._pane.hide()
        self.toggled.emit(self.is_open())

    def restore(self, memory: PageMemory) -> None:
        """Take over what the person had chosen before."""
        try:
            self.restore_layout(json.loads(memory.text("analysis", "{}")))
        except ValueError:
            self.restore_layout({})

    def remember(self, memory: PageMemory) -> None:
        """Keep what the person has chosen."""
        memory.set_text("analysis", json.dumps(self.layout_state()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn when the shape asks for it; the shares of the two stay."""
        wide = self.width() > max(_WIDE * self.height(), space(_LEAST_WIDTH))
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if wanted != self.orientation():
            shares = self.sizes()
            self.setOrientation(wanted)
            if self.is_open():
                self.setSizes(shares if all(shares) else [1_000, 1_000])
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._fill_menu()
        super().changeEvent(event)

    def _fill_menu(self) -> None:
        names = {SPECTRUM: self.tr("Spectrum (FFT)"), HISTOGRAM: self.tr("Histogram"), XY: self.tr("X-Y")}
        self._menu.clear()
        for kind in KINDS:
            text = f"{names[kind]}\t{KEYS[kind]}"
            action = QAction(icon(_ICONS[kind], "text_muted"), text, self._menu)
            action.triggered.connect(lambda _=False, wanted=kind: self.toggle(wanted))
            self._menu.addAction(action)


def _usable_sizes(raw: object) -> list[int]:
    """Return the sizes of the two plots in pixels; [] when there are none that can be used."""
    found = [size for size in raw if isinstance(size, int) and size > 0] if isinstance(raw, list) else []
    return found if len(found) == 2 else []
