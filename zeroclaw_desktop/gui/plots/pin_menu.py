"""Series that a person pins to another page: as a tile of a dashboard, or as a small plot in the chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Signal
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.theme import icon

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge


class PinMenu(QMenu):
    """``Pin`` with a list of dashboards and the chat; filled each time that it opens.

    Args:
        owner: widget that it belongs to.
        bridge: its ``dashboards`` are used once the menu opens.
        canvas: the plot; its window goes with the series.
        visible: returns the series that are plotted.
    """

    pinned = Signal()
    """Series were put into the chat."""

    def __init__(
        self,
        owner: QWidget,
        bridge: AppBridge,
        canvas: PlotCanvas,
        visible: Callable[[], Sequence[PlotSeries]],
    ) -> None:
        super().__init__(owner)
        self._bridge = bridge
        self._canvas = canvas
        self._visible = visible
        self._chosen: tuple[SeriesId, ...] = ()
        actions().guard(self)
        self.aboutToShow.connect(self.fill)

    def choose(self, series: Sequence[SeriesId]) -> None:
        """Say which series are meant; none means all that are plotted."""
        self._chosen = tuple(series)

    def choose_at(self, at: QPoint) -> None:
        """Mean the series of the panel at a point in global pixels; beside the panels, all of them."""
        frame = self._canvas.panel_at(QPointF(self._canvas.mapFromGlobal(at)))
        self.choose([one.series_id for one in frame.panel.series] if frame is not None else ())

    def series(self) -> list[tuple[str, str]]:
        """The (source, label) of each series that is meant."""
        chosen = self._chosen or tuple(one.series_id for one in self._visible())
        return [(one.source_id, one.label) for one in chosen]

    def fill(self) -> None:
        """Write the entries as things are now."""
        self.clear()
        self.setTitle(self.tr("Pin"))
        for dashboard in self._bridge.dashboards.book().dashboards:
            name = self.tr("To the dashboard “{0}”").format(dashboard.name).replace("&", "&&")
            entry = self.addAction(icon("dashboard", "text_muted"), name)
            entry.triggered.connect(partial(self._to_dashboard, dashboard.dashboard_id))
        if not self._bridge.dashboards.book().dashboards:
            entry = self.addAction(icon("dashboard", "text_muted"), self.tr("To a new dashboard"))
            entry.triggered.connect(partial(self._to_dashboard, ""))
        entry = self.addAction(icon("chat", "text_muted"), self.tr("To the chat"))
        entry.triggered.connect(self._to_chat)

    def _to_dashboard(self, dashboard_id: str, _on: bool = False) -> None:
        window = self._canvas.view.window_s
        detail = self._bridge.dashboards.pin_detail(self.series(), window, dashboard_id)
        actions().open_page("dashboard", detail)

    def _to_chat(self) -> None:
        self._bridge.dashboards.pin_to_chat(self.series(), self._canvas.view.window_s)
        self.pinned.emit()
