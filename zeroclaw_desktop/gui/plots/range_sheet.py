"""The sheet that sets the value axis of a panel to exact ends."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.form_sheet import FormSheet
from zeroclaw_desktop.gui.plots.frame import PanelFrame
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.number_field import NumberField


class RangeSheet(FormSheet):
    """Takes the lowest and highest value of a panel.

    Args:
        host: page that it lies over.
        canvas: whose panels they are.
    """

    def __init__(self, host: QWidget, canvas: PlotCanvas) -> None:
        self.panel_box = ChoiceList()
        self.low, self.high = NumberField(), NumberField()
        super().__init__(host, (self.panel_box, self.low, self.high))
        self._canvas = canvas
        self._frames: Sequence[PanelFrame] = ()
        self.panel_box.activated.connect(self._show_range)
        self.low.number_changed.connect(self.check)
        self.high.number_changed.connect(self.check)
        self.retranslate()

    def open_now(self) -> None:
        """Offer the panels that are shown."""
        self._frames = self._canvas.frames()
        self.panel_box.clear()
        for frame in self._frames:
            self.panel_box.addItem(", ".join(series.series_id.label for series in frame.panel.series))
        self._show_range()
        self.show_fault(None)
        self.open_sheet()
        self.low.setFocus(Qt.FocusReason.PopupFocusReason)
        self.low.selectAll()

    def problem(self) -> str:
        """Two numbers, the second above the first."""
        low, high = self.low.value(), self.high.value()
        if self.panel_box.currentIndex() < 0:
            return self.tr("No panel is shown.")
        if low is None or high is None:
            return self.tr("Both ends must be numbers.")
        return "" if low < high else self.tr("The upper end must be above the lower one.")

    def apply(self) -> ErrorView | None:
        """Set the axis."""
        low, high = self.low.value(), self.high.value()
        if low is not None and high is not None:
            self._canvas.set_value_range(self._frames[self.panel_box.currentIndex()], low, high)
        return None

    def retranslate(self) -> None:
        """Write all texts."""
        super().retranslate()
        self.set_title(self.tr("Range of a value axis"))
        self.name_fields((self.tr("Panel"), self.tr("From"), self.tr("To")))

    def _show_range(self) -> None:
        at = self.panel_box.currentIndex()
        if at >= 0:
            self.low.set_value(self._frames[at].range.low)
            self.high.set_value(self._frames[at].range.high)
        self.check()
