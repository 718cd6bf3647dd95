"""Cursors, figures, limits and the trigger of a plots page."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.plot_views import MeasureRow, ThresholdView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.cursor_layer import CursorLayer
from zeroclaw_desktop.gui.plots.cursors import CursorPair
from zeroclaw_desktop.gui.plots.limit_layer import LimitLayer
from zeroclaw_desktop.gui.plots.limits_sheet import LimitsSheet
from zeroclaw_desktop.gui.plots.measure_panel import MeasurePanel
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.series_model import SeriesModel
from zeroclaw_desktop.gui.plots.series_sheet import SeriesSheet
from zeroclaw_desktop.gui.plots.trigger_bar import TriggerBar
from zeroclaw_desktop.gui.plots.trigger_control import TriggerChoice, TriggerControl
from zeroclaw_desktop.gui.plots.trigger_layer import TriggerLayer

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

MEASURE_EVERY = 15
"""Frames between two questions for figures."""
LIMITS_EVERY = 6


class PlotInstruments(QObject):
    """Adds instruments to a canvas.

    Args:
        page: sheets lie over it.
        bridge: its ``plots``, ``plot_tools``, ``plot_measure`` and ``plot_views`` are used.
        canvas: the plot.
        model: the series.
    """

    changed = Signal()
    """An instrument was switched on or off."""
    failed = Signal(object)
    """An ``ErrorView`` of what could not be kept."""

    def __init__(self, page: QWidget, bridge: AppBridge, canvas: PlotCanvas, model: SeriesModel) -> None:
        super().__init__(page)
        self._page = page
        self._bridge = bridge
        self._canvas = canvas
        self._model = model
        self._frame = 0
        self._series_sheet: SeriesSheet | None = None
        self._limits_sheet: LimitsSheet | None = None
        self.cursors = CursorPair()
        self.trigger = TriggerControl(bridge.plots, bridge.plot_tools.trigger, lambda: canvas.view.window_s)
        self.limits = LimitLayer(self._move_limit)
        self.trigger_bar = TriggerBar(self.trigger)
        self.measure_panel = MeasurePanel()
        self.trigger_bar.hide()
        self.measure_panel.hide()
        canvas.add_layer(self.limits)
        canvas.add_layer(TriggerLayer(self.trigger, self.trigger_bar.move_level))
        canvas.add_layer(CursorLayer(self.cursors, self._ask_for_figures))
        self.trigger_bar.closed.connect(lambda: self.show_trigger(False))
        self.trigger_bar.armed.connect(canvas.update)
        self.measure_panel.closed.connect(lambda: self.show_figures(False))
        bridge.plot_measure.measured.connect(self._take_figures)
        bridge.plot_tools.thresholds_changed.connect(self._take_limits)
        bridge.plot_tools.threshold_crossed.connect(self._take_limits)
        bridge.plot_views.looks_changed.connect(self._take_looks)
        self._take_looks()
        self._take_limits()

    # what a person does

    def show_cursors(self, shown: bool) -> None:
        """Put the cursors into the visible stretch, with the figures between them, or take them away."""
        if shown:
            self.cursors.show_in(self._canvas.axis())
            self.measure_panel.show()
        self.cursors.shown = shown
        self._canvas.update()
        self._ask_for_figures()
        self.changed.emit()

    def show_figures(self, shown: bool) -> None:
        """Show or hide the table of figures."""
        self.measure_panel.setVisible(shown)
        self._ask_for_figures()
        self.changed.emit()

    def show_trigger(self, shown: bool, series_id: SeriesId | None = None) -> None:
        """Switch the trigger on (for ``series_id`` or what it had before) or off."""
        if shown:
            self._choose_signal(series_id)
            self.trigger.arm()
            self.trigger_bar.set_series(self._model.plotted())
        elif self.trigger.on:
            self.trigger.off()
            self._canvas.resume()
        self.trigger_bar.setVisible(shown)
        self._canvas.update()
        self.changed.emit()

    def open_limits(self, series_id: SeriesId | None = None) -> None:
        """Open the sheet of limits, for a signal when one is given."""
        if self._limits_sheet is None:
            self._limits_sheet = LimitsSheet(self._page, self._bridge.plot_tools)
        plotted = self._model.plotted()
        chosen = series_id or (plotted[0].series_id if plotted else None)
        self._limits_sheet.open_for(plotted, chosen, self._newest(chosen))

    def open_series(self, series_id: SeriesId) -> None:
        """Open the sheet about a series."""
        row = self._model.row_of(series_id)
        if row is None:
            return
        if self._series_sheet is None:
            self._series_sheet = SeriesSheet(self._page, self._bridge.plot_views)
        self._series_sheet.open_for(row, sorted({one.panel for one in self._model.rows() if one.panel}))

    def keep_visibility(self) -> None:
        """Keep which series are shown, for the next start; a fault is only logged by the runtime."""
        looks = self._bridge.plot_views.looks()
        changed: dict[tuple[str, str], SeriesLook] = {}
        for row in self._model.rows():
            key = (row.series_id.source_id, row.series_id.label)
            look = looks.get(key, SeriesLook())
            if look.visible != row.visible:
                changed[key] = replace(look, visible=row.visible)
        if changed:
            self._bridge.plot_views.set_looks(changed)

    # each frame

    def advance(self) -> None:
        """Look at the trigger, now and then at limits and figures; call it at frame rate before painting."""
        self._frame += 1
        span = self.trigger.advance()
        if span is not None:
            self._canvas.show_span(*span)
        elif self.trigger.wants_free_run() and not self._canvas.view.following:
            self.trigger.fired_at = None
            self._canvas.resume()
        if self.trigger.on and self._frame % LIMITS_EVERY == 0:
            self.trigger_bar.show_state()
        if self._frame % LIMITS_EVERY == 0:
            self._take_limits()
        if self._frame % MEASURE_EVERY == 0:
            self._ask_for_figures()

    # for layouts

    def state(self) -> dict[str, Any]:
        """Return what is on, as plain values."""
        return {
            "cursors": self.cursors.shown,
            "figures": self.measure_panel.isVisibleTo(self._page),
            "trigger": {**self.trigger.choice.state(), "on": self.trigger.on},
        }

    def restore(self, state: Any) -> None:
        """Switch on what ``state`` gave; what is not usable is left out."""
        kept = state if isinstance(state, dict) else {}
        self.show_figures(kept.get("figures") is True)
        self.show_cursors(kept.get("cursors") is True)
        trigger = kept.get("trigger")
        self.trigger.choice = TriggerChoice.of(trigger)
        self.show_trigger(isinstance(trigger, dict) and trigger.get("on") is True)

    # inside

    def _choose_signal(self, series_id: SeriesId | None) -> None:
        """Take a signal with its newest value as level, unless the trigger has one that is still there."""
        choice = self.trigger.choice
        if series_id is None and choice.series_id is not None and self._model.row_of(choice.series_id):
            return
        shown = [one.series_id for one in self._model.plotted()]
        wanted = series_id or (shown[0] if shown else None)
        self.trigger.choice = replace(choice, series_id=wanted, level=self._newest(wanted))

    def _newest(self, series_id: SeriesId | None) -> float:
        """The newest value of a signal on three digits, a first guess for a level; 0 without one."""
        row = None if series_id is None else self._model.row_of(series_id)
        last = None if row is None else row.view.last
        return 0.0 if last is None or not math.isfinite(last) else float(f"{last:.3g}")

    def _ask_for_figures(self) -> None:
        if not self.measure_panel.isVisible():
            return
        axis = self._canvas.axis()
        cursors = self.cursors.times(axis) if self.cursors.shown else None
        start, end = (axis.start, axis.end) if cursors is None else (min(cursors), max(cursors))
        self.measure_panel.show_stretch(axis.end - axis.start, cursors)
        names = [(one.series_id.source_id, one.series_id.label) for one in self._model.plotted()]
        self._bridge.plot_measure.measure(names, start, end, cursors)

    def _take_figures(self, rows: list[MeasureRow]) -> None:
        if self.measure_panel.isVisible():
            self.measure_panel.take(rows, self._model.colors())

    def _take_limits(self, _crossed: object = None) -> None:
        views = self._bridge.plot_tools.thresholds()
        if views != self.limits.views:
            self.limits.views = views
            self._model.set_alarms({SeriesId(view.source_id, view.label) for view in views if view.alarm})
            self._canvas.update()

    def _take_looks(self) -> None:
        self._model.set_looks(self._bridge.plot_views.looks())
        self._canvas.redraw()

    def _move_limit(self, view: ThresholdView, limit: float) -> None:
        fault: ErrorView | None = self._bridge.plot_tools.add_threshold(
            view.name, view.source_id, view.label, limit, above=view.above, hysteresis=view.hysteresis
        )
        if fault is not None:
            self.failed.emit(fault)
