"""The menu of what is seen and measured: instruments, locks of axes, layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.instruments import PlotInstruments
from zeroclaw_desktop.gui.plots.layout_sheet import LayoutSheet
from zeroclaw_desktop.gui.plots.range_sheet import RangeSheet
from zeroclaw_desktop.gui.theme import icon

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge


class ViewMenu(QMenu):
    """Filled each time that it opens, so that its ticks are true.

    Args:
        page: sheets lie over it.
        canvas: the plot.
        instruments: what measures.
        views: bridge object that keeps layouts.
        present: returns the layout that is seen now.
    """

    layout_chosen = Signal(str)
    """Name of the layout to show."""
    layout_saved = Signal(str)
    failed = Signal(object)
    """An ``ErrorView``."""

    def __init__(
        self,
        page: QWidget,
        canvas: PlotCanvas,
        instruments: PlotInstruments,
        views: PlotViewsBridge,
        present: Callable[[], dict[str, Any]],
    ) -> None:
        super().__init__(page)
        self._page = page
        self._canvas = canvas
        self._instruments = instruments
        self._views = views
        self._present = present
        self._current = ""
        self._range_sheet: RangeSheet | None = None
        self._layout_sheet: LayoutSheet | None = None
        actions().guard(self)
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Write the entries as things are now."""
        self.clear()
        it, canvas = self._instruments, self._canvas
        self._tick(self.tr("Cursors"), "C", it.cursors.shown, it.show_cursors)
        self._tick(self.tr("Figures"), "M", it.measure_panel.isVisible(), it.show_figures)
        self._tick(self.tr("Trigger"), "T", it.trigger.on, it.show_trigger)
        self._deed(self.tr("Limits…"), "L", "warning", it.open_limits)
        self.addSeparator()
        self._tick(self.tr("Lock the time axis"), "", canvas.time_locked, canvas.lock_time)
        self._tick(self.tr("Lock the value axes"), "", canvas.values_locked, canvas.lock_values)
        self._deed(self.tr("Range of a value axis…"), "", "", self.open_range)
        self._deed(self.tr("Previous view"), "Backspace", "undo", canvas.back)
        self.addSeparator()
        self._add_layouts()
        self._deed(self.tr("Save the layout…"), "", "", self.open_save)

    def open_range(self) -> None:
        """Open the sheet of value ranges."""
        if self._range_sheet is None:
            self._range_sheet = RangeSheet(self._page, self._canvas)
        self._range_sheet.open_now()

    def open_save(self) -> None:
        """Open the sheet that saves the layout."""
        if self._layout_sheet is None:
            self._layout_sheet = LayoutSheet(self._page, self._views, self._present, self._take_saved)
        self._layout_sheet.open_now(self._current)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.fill()
        super().changeEvent(event)

    def _add_layouts(self) -> None:
        names = self._views.layouts()
        for name in names:
            self._tick(name.replace("&", "&&"), "", name == self._current, partial(self._choose, name))
        if names:
            submenu = self.addMenu(self.tr("Forget a layout"))
            actions().guard(submenu)
            for name in names:
                entry = submenu.addAction(name.replace("&", "&&"))
                entry.triggered.connect(partial(self._forget, name))

    def _choose(self, name: str, _on: bool = True) -> None:
        self._current = name
        self.layout_chosen.emit(name)

    def _take_saved(self, name: str) -> None:
        self._current = name
        self.layout_saved.emit(name)

    def _forget(self, name: str, _on: bool = False) -> None:
        fault: ErrorView | None = self._views.remove_layout(name)
        if name == self._current:
            self._current = ""
        if fault is not None:
            self.failed.emit(fault)

    def _tick(self, text: str, keys: str, on: bool, deed: Callable[[bool], object]) -> None:
        entry = QAction(f"{text}\t{keys}" if keys else text, self)
        entry.setCheckable(True)
        entry.setChecked(on)
        entry.triggered.connect(deed)
        self.addAction(entry)

    def _deed(self, text: str, keys: str, icon_name: str, deed: Callable[[], object]) -> None:
        entry = QAction(f"{text}\t{keys}" if keys else text, self)
        if icon_name:
            entry.setIcon(icon(icon_name, "text_muted"))
        entry.triggered.connect(lambda _=False: deed())
        self.addAction(entry)


def passing_menu(owner: QWidget, entries: Sequence[tuple[str, str, Callable[[], object]]]) -> QMenu:
    """Return a menu that forgets itself when it closes.

    Args:
        owner: widget that it belongs to.
        entries: icon (or ''), text, deed; an empty text is a line.
    """
    menu = QMenu(owner)
    actions().guard(menu)
    for icon_name, text, deed in entries:
        if not text:
            menu.addSeparator()
            continue
        entry = QAction(text, menu)
        if icon_name:
            entry.setIcon(icon(icon_name, "text_muted"))
        entry.triggered.connect(lambda _=False, do=deed: do())
        menu.addAction(entry)
    menu.aboutToHide.connect(menu.deleteLater)
    return menu
