"""What a person chose for the plots: looks of series and layouts; kept by the runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_views import PlotViews
    from zeroclaw_desktop.runtime.runtime import Runtime


class PlotViewsBridge(QObject):
    """Looks of series by (source, label), layouts by name.

    Whatever can fail returns an ``ErrorView``, None when it went well.
    """

    looks_changed = Signal()
    layouts_changed = Signal()

    def __init__(self, core: CoreAccess, plots: PlotsBridge) -> None:
        super().__init__()
        self._core = core
        self._plots = plots
        self._views: PlotViews | None = None
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._views = runtime.plot_views
        self.looks_changed.emit()
        self.layouts_changed.emit()

    # -- looks ----------------------------------------------------------------------------------------
    def looks(self) -> dict[tuple[str, str], SeriesLook]:
        """Every look that was chosen, by (source, label)."""
        if self._views is None:
            return {}
        return {(key.source_id, key.label): look for key, look in self._views.looks().items()}

    def set_looks(self, looks: Mapping[tuple[str, str], SeriesLook]) -> ErrorView | None:
        """Change the looks of series; the scale holds for all that came before as well."""
        views = self._views
        if views is None:
            return None
        from zeroclaw_desktop.runtime.plot_analysis import SeriesKey

        fault = self._core.fault_of(
            lambda: views.set_looks({SeriesKey(*key): look for key, look in looks.items()})
        )
        if self._plots.store is not None:
            views.dress(self._plots.store)
        self.looks_changed.emit()
        return fault

    def sent_unit(self, source_id: str, label: str) -> str:
        """The unit that the board itself says; '' when it says none."""
        store = self._plots.store
        try:
            return "" if store is None else store.sent_unit((source_id, label))
        except ZeroClawError:
            return ""

    # -- layouts --------------------------------------------------------------------------------------
    def layouts(self) -> list[str]:
        """Names of the layouts in alphabetical order."""
        return [] if self._views is None else self._views.layouts()

    def layout(self, name: str) -> dict[str, Any] | None:
        """What was saved under a name, None when there is none."""
        return None if self._views is None else self._views.layout(name)

    def save_layout(self, name: str, layout: Mapping[str, Any]) -> ErrorView | None:
        """Save a layout, over one of the same name."""
        views = self._views
        return None if views is None else self._change_layouts(lambda: views.save_layout(name, layout))

    def remove_layout(self, name: str) -> ErrorView | None:
        """Forget a layout."""
        views = self._views
        return None if views is None else self._change_layouts(lambda: views.remove_layout(name))

    def _change_layouts(self, action: Callable[[], object]) -> ErrorView | None:
        fault = self._core.fault_of(action)
        self.layouts_changed.emit()
        return fault
