"""The strip over the chart: kind, series, and the choices of the kind; breaks into two rows when narrow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QMenu, QSizePolicy, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.plots.analysis.options import (
    BINS,
    HISTOGRAM,
    KINDS,
    SCALINGS,
    SPECTRUM,
    WINDOWS,
    XY,
    AnalysisOptions,
    Selection,
)
from zeroclaw_desktop.gui.plots.analysis.series_menu import SeriesMenuButton
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton, MenuButton, SegmentedControl
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row

_FLAGS = {
    "log_frequency": SPECTRUM,
    "show_peaks": SPECTRUM,
    "share": HISTOGRAM,
    "show_mean": HISTOGRAM,
    "equal": XY,
    "trail": XY,
    "lines": XY,
}


class AnalysisControls(QFrame):
    """Shows and changes the options that it was given.

    Args:
        options: changed in place.
    """

    changed = Signal()
    """A choice was made."""
    closed = Signal()

    def __init__(self, options: AnalysisOptions) -> None:
        super().__init__()
        self._options = options
        self._visible_series: list[PlotSeries] = []
        self._selection = Selection(None, ())
        self._one_row = False
        self.kind = SegmentedControl([(kind, "") for kind in KINDS])
        self.kind.chosen.connect(self._choose_kind)
        self.series_button = SeriesMenuButton()
        self.series_button.chosen.connect(self._choose_series)
        self.x_box = _choice(self._choose_x)
        self.window_box = _choice(self._choose_window)
        self.scaling_box = _choice(self._choose_scaling)
        self.bins_box = _choice(self._choose_bins)
        self.flags = {name: self._flag(name) for name in _FLAGS}
        self.menu = QMenu(self)
        actions().guard(self.menu)
        self.menu_button = MenuButton("more")
        self.menu_button.take_menu(self.menu)
        self.close_button = IconButton("close")
        self.close_button.clicked.connect(self.closed)
        self._head, self._choices, self._tail = QWidget(), QWidget(), QWidget()
        row(self.kind, parent=self._head)
        boxes = (self.x_box, self.series_button, self.window_box, self.scaling_box, self.bins_box)
        row(*boxes, *self.flags.values(), STRETCH, gap=1.5, parent=self._choices)
        row(self.menu_button, self.close_button, gap=1, parent=self._tail)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(2))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._retranslate()
        self._arrange(one_row=True)

    def show_options(self, options: AnalysisOptions) -> None:
        """Show and change other options from now on."""
        self._options = options
        self._show()

    def show_series(self, visible: Sequence[PlotSeries], selection: Selection) -> None:
        """Show what may be analysed and what is."""
        self._selection = selection
        if self._options.kind == XY and selection.x is not None:
            others = [one for one in visible if one.series_id != selection.x.series_id]
            self.series_button.set_series(others, selection.series)
        else:
            self.series_button.set_series(visible, selection.series)
        if list(visible) != self._visible_series:
            self._visible_series = list(visible)
            self.x_box.clear()
            self.x_box.addItems([self.tr("X: {0}").format(one.series_id.label) for one in visible])
        self.x_box.setCurrentIndex(-1 if selection.x is None else self._visible_series.index(selection.x))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use one row where it fits."""
        super().resizeEvent(event)
        self._arrange(one_row=self._width_of_one_row() <= self.width())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # inside

    def _flag(self, name: str) -> Button:
        button = Button("", "ghost")
        button.setCheckable(True)
        button.toggled.connect(lambda on, flag=name: self._choose_flag(flag, on))
        return button

    def _choose_kind(self, kind: str) -> None:
        self._options.kind = kind
        self._show()
        self.changed.emit()

    def _choose_series(self, ids: list[object]) -> None:
        chosen = [one.series_id for one in self._visible_series if one.series_id in ids]
        if self._options.kind == XY:
            self._options.ys = chosen
        else:
            self._options.chosen = chosen
        self.changed.emit()

    def _choose_x(self, at: int) -> None:
        self._options.x = self._visible_series[at].series_id
        self._options.ys = [one for one in self._options.ys if one != self._options.x]
        self.changed.emit()

    def _choose_window(self, at: int) -> None:
        self._options.window = WINDOWS[at]
        self.changed.emit()

    def _choose_scaling(self, at: int) -> None:
        self._options.scaling = SCALINGS[at]
        self.changed.emit()

    def _choose_bins(self, at: int) -> None:
        self._options.bins = int(self.bins_box.itemData(at))
        self._show()
        self.changed.emit()

    def _choose_flag(self, name: str, on: bool) -> None:
        if getattr(self._options, name) != on:
            setattr(self._options, name, on)
            self.changed.emit()

    def _show(self) -> None:
        options, kind = self._options, self._options.kind
        self.kind.set_current(kind)
        self.x_box.setVisible(kind == XY)
        for box in (self.window_box, self.scaling_box):
            box.setVisible(kind == SPECTRUM)
        self.bins_box.setVisible(kind == HISTOGRAM)
        for name, of_kind in _FLAGS.items():
            self.flags[name].setVisible(kind == of_kind)
            self.flags[name].setChecked(getattr(options, name))
        self.window_box.setCurrentIndex(WINDOWS.index(options.window))
        self.scaling_box.setCurrentIndex(SCALINGS.index(options.scaling))
        # A saved layout may name another number than those to choose from.
        numbers = sorted({*BINS, options.bins})
        self.bins_box.clear()
        for number in numbers:
            text = self.tr("{0} bins").format(number) if number else self.tr("Bins: automatic")
            self.bins_box.addItem(text, number)
        self.bins_box.setCurrentIndex(numbers.index(options.bins))
        lead = self.tr("Y:") if kind == XY else ""
        name = self.tr("Series of the vertical axis") if kind == XY else self.tr("Series that are analysed")
        self.series_button.set_lead(lead, name)
        self._arrange(one_row=self._width_of_one_row() <= self.width())

    def _width_of_one_row(self) -> int:
        return sum(part.sizeHint().width() for part in (self._head, self._choices, self._tail)) + 2 * space(3)

    def _arrange(self, *, one_row: bool) -> None:
        if one_row == self._one_row:
            return
        self._one_row = one_row
        for part in (self._head, self._choices, self._tail):
            self._grid.removeWidget(part)
        self._grid.addWidget(self._head, 0, 0)
        if one_row:
            self._grid.addWidget(self._choices, 0, 1)
        else:
            self._grid.addWidget(self._choices, 1, 0, 1, 4)
        self._grid.addWidget(self._tail, 0, 3)
        self._grid.setColumnStretch(2, 1)
        self.updateGeometry()

    def _retranslate(self) -> None:
        self.kind.set_texts([self.tr("Spectrum"), self.tr("Histogram"), self.tr("X-Y")])
        windows = ("Hann", "Hamming", "Blackman", self.tr("Flat top"), self.tr("Rectangular"))
        scalings = (self.tr("Amplitude"), self.tr("RMS"), self.tr("dB"), self.tr("Density"))
        for box, texts in ((self.window_box, windows), (self.scaling_box, scalings)):
            box.clear()
            box.addItems(texts)
        self._name(self.window_box, self.tr("Window function: how much a line spreads"))
        self._name(self.scaling_box, self.tr("What the height of a line means"))
        self._name(self.bins_box, self.tr("Number of bins"))
        self._name(self.x_box, self.tr("Series of the horizontal axis"))
        for name, (text, tip) in {
            "log_frequency": (self.tr("Log axis"), self.tr("Frequency axis in powers of ten")),
            "show_peaks": (self.tr("Peaks"), self.tr("Mark the highest lines")),
            "share": (self.tr("Share"), self.tr("Show the share of the samples instead of their number")),
            "show_mean": (self.tr("Mean, σ"), self.tr("Mark the mean and one standard deviation around it")),
            "equal": (self.tr("Equal axes"), self.tr("Make a unit as long on both axes")),
            "trail": (self.tr("Fade"), self.tr("Let older points fade")),
            "lines": (self.tr("Lines"), self.tr("Connect the points")),
        }.items():
            self.flags[name].setText(text)
            self.flags[name].setToolTip(tip)
        self.menu_button.set_name(self.tr("Copy or save the analysis"))
        self.close_button.set_name(self.tr("Close the analysis"))
        visible, self._visible_series = self._visible_series, []
        self._show()
        self.show_series(visible, self._selection)

    @staticmethod
    def _name(box: ChoiceList, name: str) -> None:
        box.setToolTip(name)
        box.setAccessibleName(name)


def _choice(choose: object) -> ChoiceList:
    box = ChoiceList()
    box.activated.connect(choose)
    return box
