"""Puts the analysis below the time plot, or beside it where there is room in width; opens and closes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QSplitter, QWidget

from zeroclaw_desktop.gui.plots.analysis.options import HISTOGRAM, KINDS, SPECTRUM, XY
from zeroclaw_desktop.gui.plots.analysis.pane import AnalysisPane
from zeroclaw_desktop.gui.theme import icon, space, theme

if TYPE_CHECKING:
    from zeroclaw_desktop.gui.widgets.page_memory import PageMemory

KEYS = {SPECTRUM: "Ctrl+Shift+F", HISTOGRAM: "Ctrl+Shift+H", XY: "Ctrl+Shift+X"}
_ICONS = {SPECTRUM: "analyse", HISTOGRAM: "histogram", XY: "xy"}
_WIDE = 1.6
"""Width over height from which two plots beside each other are better than below each other ..."""
_LEAST_WIDTH = 350
"""... provided that there are so many grid steps of width."""


class AnalysisSplitter(QSplitter):
    """The time plot and the analysis pane, which is hidden at first, with a handle between them.

    Args:
        plot: the time plot.
        pane: the analysis.
        menu: gets the entries that open the kinds.
    """

    toggled = Signal(bool)
    """The pane was opened or closed."""

    def __init__(self, plot: QWidget, pane: AnalysisPane, menu: QMenu) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._plot, self.pane, self._menu = plot, pane, menu
        self.setChildrenCollapsible(False)
        self.setHandleWidth(space(3))
        self.addWidget(plot)
        self.addWidget(pane)
        for part in (0, 1):
            self.setStretchFactor(part, 1)
        self._fresh = True
        pane.hide()
        pane.closed.connect(self.close_pane)
        theme().theme_changed.connect(self._fill_menu)
        self._fill_menu()

    def bind_keys(self, page: QWidget) -> None:
        """Let the keys of the kinds work anywhere on a page."""
        for kind, keys in KEYS.items():
            shortcut = QShortcut(QKeySequence(keys), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda wanted=kind: self.toggle(wanted))

    def is_open(self) -> bool:
        """Return whether the analysis is shown."""
        return self.pane.isVisibleTo(self)

    def open_pane(self, kind: str) -> None:
        """Show the analysis of this kind."""
        self.pane.set_kind(kind)
        self.pane.show()
        if self._fresh:
            self._fresh = False
            self.setSizes([1_000, 1_000])
        self.pane.chart.setFocus(Qt.FocusReason.OtherFocusReason)
        self.toggled.emit(True)

    def close_pane(self) -> None:
        """Give the whole room to the time plot."""
        self.pane.hide()
        self._plot.setFocus(Qt.FocusReason.OtherFocusReason)
        self.toggled.emit(False)

    def toggle(self, kind: str) -> None:
        """Show the analysis of this kind; close it when it is shown already."""
        if self.is_open() and self.pane.options.kind == kind:
            self.close_pane()
        else:
            self.open_pane(kind)

    def layout_state(self) -> dict[str, Any]:
        """Return what a saved layout holds of the analysis, as plain JSON values."""
        return {**self.pane.state(), "open": self.is_open(), "sizes": self.sizes() if self.is_open() else []}

    def restore_layout(self, state: object) -> None:
        """Take over what ``layout_state`` gave; what is missing or unusable is as at first."""
        known = state if isinstance(state, dict) else {}
        self.pane.restore(known)
        self.pane.setVisible(known.get("open") is True)
        sizes = known.get("sizes")
        if isinstance(sizes, list) and len(sizes) == 2 and all(isinstance(size, int) for size in sizes):
            self._fresh = not all(size > 0 for size in sizes)
            if not self._fresh:
                self.setSizes(sizes)
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
