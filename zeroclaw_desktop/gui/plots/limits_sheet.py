"""The sheet of all limits: what is watched, and a form to add or change one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.bridge.plot_views import ThresholdView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.form_sheet import FormSheet
from zeroclaw_desktop.gui.plots.limit_layer import limit_text
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import IconButton, SegmentedControl
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge

ABOVE, BELOW = "above", "below"


class LimitsSheet(FormSheet):
    """Limits on series; each crossing is a marker on the plot and an event on the bus.

    Args:
        host: page that it lies over.
        tools: bridge object that keeps the limits.
    """

    def __init__(self, host: QWidget, tools: PlotToolsBridge) -> None:
        self.series_box = ChoiceList()
        self.side = SegmentedControl(((ABOVE, ""), (BELOW, "")))
        self.limit = NumberField()
        self.hysteresis = NumberField()
        self.name_field = QLineEdit()
        super().__init__(host, (self.series_box, self.side, self.limit, self.hysteresis, self.name_field))
        self._tools = tools
        self._series: list[PlotSeries] = []
        self._explanation = Text(tone="muted", wrap=True)
        self._rows = QWidget()
        self._rows_body = column(gap=1, parent=self._rows)
        for place, part in enumerate((self._explanation, self._rows), start=1):
            self.panel.body.insertWidget(place, part)
        for field in (self.limit, self.hysteresis):
            field.number_changed.connect(self.check)
        self.name_field.textEdited.connect(self.check)
        self.series_box.activated.connect(self._suggest_name)
        tools.thresholds_changed.connect(self._show_limits)
        self.retranslate()

    def open_for(self, series: Sequence[PlotSeries], chosen: SeriesId | None, limit: float) -> None:
        """Show the limits and offer a new one.

        Args:
            series: those that may be watched.
            chosen: the one that the new limit is for; None for the first.
            limit: in its unit.
        """
        self._series = list(series)
        self.series_box.clear()
        several = len({one.series_id.source_id for one in series}) > 1
        for number, one in enumerate(series):
            text = f"{one.series_id.label} · {one.series_id.source_id}" if several else one.series_id.label
            self.series_box.addItem(text)
            if one.series_id == chosen:
                self.series_box.setCurrentIndex(number)
        self.limit.set_value(limit)
        self.hysteresis.set_value(0.0)
        self.show_fault(None)
        self._suggest_name()
        self._show_limits()
        self.open_sheet()
        self.limit.setFocus(Qt.FocusReason.PopupFocusReason)
        self.limit.selectAll()

    def save(self) -> None:
        """Watch the limit and stay open for the next one."""
        if not self.problem():
            fault = self.apply()
            self.show_fault(fault)
            if fault is None:
                self._suggest_name()

    def apply(self) -> ErrorView | None:
        """Watch the limit that the form describes; one of the same name is replaced."""
        limit, hysteresis = self.limit.value(), self.hysteresis.value()
        if limit is None or hysteresis is None:
            return None
        return self._tools.add_threshold(
            self.name_field.text().strip(),
            *self._series[self.series_box.currentIndex()].series_id,
            limit,
            above=self.side.current() == ABOVE,
            hysteresis=hysteresis,
        )

    def edit(self, view: ThresholdView) -> None:
        """Put a limit into the form."""
        at = next(
            (n for n, one in enumerate(self._series) if one.series_id == (view.source_id, view.label)), -1
        )
        self.series_box.setCurrentIndex(at)
        self.side.set_current(ABOVE if view.above else BELOW)
        self.limit.set_value(view.limit)
        self.hysteresis.set_value(view.hysteresis)
        self.name_field.setText(view.name)
        self.check()

    def _suggest_name(self) -> None:
        at = self.series_box.currentIndex()
        label = self._series[at].series_id.label if at >= 0 else ""
        taken = {view.name for view in self._tools.thresholds()}
        name, number = label, 2
        while name in taken:
            name, number = f"{label} {number}", number + 1
        self.name_field.setText(name)
        self.check()

    def problem(self) -> str:
        """A signal, two numbers, a name."""
        hysteresis = self.hysteresis.value()
        if self.series_box.currentIndex() < 0:
            return self.tr("There is no signal to watch yet.")
        if self.limit.value() is None:
            return self.tr("The limit must be a number.")
        if hysteresis is None or hysteresis < 0:
            return self.tr("The hysteresis must be a number of 0 or more.")
        return "" if self.name_field.text().strip() else self.tr("The limit needs a name.")

    def check(self) -> None:
        """Say also whether a limit is added or changed."""
        super().check()
        taken = {view.name for view in self._tools.thresholds()}
        known = self.name_field.text().strip() in taken
        self.save_button.setText(self.tr("Change the limit") if known else self.tr("Watch this limit"))

    def _show_limits(self) -> None:
        while item := self._rows_body.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        views = self._tools.thresholds()
        for view in views:
            self._rows_body.addWidget(self._row_of(view))
        self._rows.setVisible(bool(views))
        self.check()

    def _row_of(self, view: ThresholdView) -> QWidget:
        units = {one.series_id: one.unit for one in self._series}
        text = ElidedText(limit_text(view, view.limit, units.get(SeriesId(view.source_id, view.label), "")))
        state = Badge(
            self.tr("Alarm") if view.alarm else self.tr("In order"), "failed" if view.alarm else "live"
        )
        change = IconButton("settings", self.tr("Change {0}").format(view.name), small=True)
        change.clicked.connect(lambda: self.edit(view))
        remove = IconButton("delete", self.tr("Forget {0}").format(view.name), small=True)
        remove.clicked.connect(lambda: self._forget(view.name))
        line = QWidget()
        row(text, Text(view.label, "caption", "muted"), STRETCH, state, change, remove, parent=line)
        return line

    def _forget(self, name: str) -> None:
        self.show_fault(self._tools.remove_threshold(name))

    def retranslate(self) -> None:
        """Write all texts."""
        super().retranslate()
        self.set_title(self.tr("Limits"))
        self._explanation.setText(
            self.tr(
                "A crossed limit is marked on the plot and told at the foot of the window. It is watched as "
                "long as the program runs, also while another page is open, and is there again at the next "
                "start."
            )
        )
        self.name_fields(
            (
                self.tr("Signal"),
                self.tr("Alarm when"),
                self.tr("Limit"),
                self.tr("Hysteresis"),
                self.tr("Name"),
            )
        )
        self.side.set_texts([self.tr("at or above"), self.tr("at or below")])
        self.hysteresis.setToolTip(self.tr("How far the value must be back before the alarm ends"))
        self.cancel_button.setText(self.tr("Close"))
        self._show_limits()
