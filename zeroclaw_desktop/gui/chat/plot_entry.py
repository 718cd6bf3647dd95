"""A small live plot in the transcript, pinned there from the Plots page or a dashboard."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.chat.entries import PlotEntry
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.dashboards_bridge import DashboardsBridge
    from zeroclaw_desktop.gui.widgets.live_plot import LivePlot, MakePlot

FRAME_MS = 100
_HEIGHT = 44
"""Grid steps of the plot."""


@dataclass(frozen=True)
class PlotPins:
    """Where pinned plots are kept, and how they are drawn."""

    dashboards: DashboardsBridge
    make_plot: MakePlot


class PlotMessage(Card):
    """The plot with its names; says so when nothing comes.

    Args:
        pins: where values come from.
    """

    removed = Signal(str)

    def __init__(self, pins: PlotPins) -> None:
        super().__init__(padding=3, gap=1)
        self.setProperty("kind", "plain")
        self._pins = pins
        self._entry: PlotEntry | None = None
        self._plot: LivePlot | None = None
        self._body = column(gap=1)
        self.title = ElidedText("", "label", "muted")
        self.open_button = IconButton("plots", small=True)
        self.open_button.clicked.connect(lambda: actions().open_page("plots"))
        self.close_button = IconButton("close", small=True)
        self.close_button.clicked.connect(self._remove)
        head = row(self.title, self.open_button, self.close_button, gap=1)
        head.setStretch(0, 1)
        self.state = Text("", "body", "muted", wrap=True)
        self.body.addLayout(head)
        self.body.addLayout(self._body)
        self.body.addWidget(self.state)
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.refresh)
        self._retranslate()

    def show_entry(self, entry: PlotEntry) -> None:
        """Show a plot, or that it was taken out."""
        self._entry = entry
        if entry.removed:
            self._drop_plot()
        elif self._plot is None:
            self._plot = self._pins.make_plot()
            self._plot.widget.setFixedHeight(space(_HEIGHT))
            self._body.addWidget(self._plot.widget)
        if self._plot is not None:
            self._plot.show_series(entry.series, entry.window_s)
        for button in (self.open_button, self.close_button):
            button.setVisible(not entry.removed)
        self._retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Draw what is new, and say whether anything comes."""
        entry = self._entry
        if entry is None:
            return
        if entry.removed:
            self.state.setText(self.tr("The plot was taken out."))
            self.state.show()
            return
        if self._plot is not None:
            self._plot.refresh()
        values = self._pins.dashboards.values
        readings = [values.reading({"source": one[0], "label": one[1]}) for one in entry.series]
        words = ""
        if not any(reading.fresh for reading in readings):
            ages = [reading.age_s for reading in readings if reading.age_s is not None]
            words = self.tr("no data since the program started")
            if ages:
                moment = time.strftime("%H:%M:%S", time.localtime(time.time() - min(ages)))
                words = self.tr("no data since {0}").format(moment)
        if self._plot is not None:
            came = any(reading.state != "missing" and reading.age_s is not None for reading in readings)
            if self._plot.widget.isHidden() == came:
                self._plot.widget.setVisible(came)
        if words != self.state.text():
            self.state.setText(words)
        if self.state.isHidden() == bool(words):
            self.state.setVisible(bool(words))

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the telemetry."""
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks."""
        self._timer.stop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _drop_plot(self) -> None:
        if self._plot is not None:
            widget, self._plot = self._plot.widget, None
            self._body.removeWidget(widget)
            widget.hide()
            widget.deleteLater()

    def _remove(self) -> None:
        if self._entry is not None:
            self.removed.emit(self._entry.plot_id)

    def _retranslate(self) -> None:
        self.open_button.set_name(self.tr("Open plots"))
        self.close_button.set_name(self.tr("Take the plot out of the chat"))
        if self._entry is not None:
            names = ", ".join(label for _, label in self._entry.series)
            window = self.tr("last {0} s").format(f"{self._entry.window_s:g}")
            self.title.set_text(f"{names}  ·  {window}")
