"""What a saved layout of the plots holds, and how it is shown again.

Plain values by name, so that a layout can be kept as JSON; what is missing or not usable is left as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.analysis.splitter import AnalysisSplitter
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.instruments import PlotInstruments
from zeroclaw_desktop.gui.plots.panels import MODES, SeriesId
from zeroclaw_desktop.gui.plots.series_model import SeriesModel
from zeroclaw_desktop.gui.plots.toolbar import PlotToolbar

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge


class LaidOut(Protocol):
    """The parts of a plots page that a layout is about."""

    canvas: PlotCanvas
    model: SeriesModel
    toolbar: PlotToolbar
    instruments: PlotInstruments
    views: PlotViewsBridge
    plots_side: AnalysisSplitter

    def mode(self) -> str:
        """Return how panels are formed."""

    def set_mode(self, mode: str) -> None:
        """Form panels in another way."""


def layout_of(page: LaidOut) -> dict[str, Any]:
    """Return what a page shows now."""
    rows = page.model.rows()
    return {
        "window_s": page.canvas.view.window_s,
        "mode": page.mode(),
        "list": page.toolbar.list_button.isChecked(),
        "time_locked": page.canvas.time_locked,
        "values_locked": page.canvas.values_locked,
        "series": [
            {
                "source": row.series_id.source_id,
                "label": row.series_id.label,
                "visible": row.visible,
                "color": row.color_index,
                "panel": row.panel,
            }
            for row in rows
        ],
        "instruments": page.instruments.state(),
        "analysis": page.plots_side.layout_state(),
    }


def apply_layout(page: LaidOut, layout: dict[str, Any]) -> None:
    """Show a layout; series that it does not name stay as they are, scales and units always do."""
    window, mode = layout.get("window_s"), layout.get("mode")
    if isinstance(window, int | float):
        page.canvas.set_window(float(window))
    if mode in MODES:
        page.set_mode(str(mode))
    if isinstance(layout.get("list"), bool):
        page.toolbar.list_button.setChecked(layout["list"])
    page.canvas.lock_time(layout.get("time_locked") is True)
    if page.canvas.values_locked != (layout.get("values_locked") is True):
        page.canvas.lock_values(not page.canvas.values_locked)
    _apply_series(page, layout.get("series"))
    page.instruments.restore(layout.get("instruments"))
    page.plots_side.restore_layout(layout.get("analysis"))
    page.canvas.follow()


def _apply_series(page: LaidOut, rows: Any) -> None:
    looks, visible = {}, {}
    known = page.views.looks()
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, dict):
            continue
        key = str(row.get("source", "")), str(row.get("label", ""))
        color = row.get("color")
        looks[key] = replace(
            known.get(key, SeriesLook()),
            color=color if isinstance(color, int) else None,
            panel=str(row.get("panel", "")),
            visible=row.get("visible") is not False,
        )
        visible[SeriesId(*key)] = looks[key].visible
    if looks:
        page.views.set_looks(looks)
        page.model.set_visible(visible)
