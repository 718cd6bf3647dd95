"""The sheet about one series: colour, unit, scale, panel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.color_choice import ColorChoice
from zeroclaw_desktop.gui.plots.form_sheet import FormSheet
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.series_model import SeriesRow
from zeroclaw_desktop.gui.plots.ticks import needed_decimals, reading_text
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge

_MOST_UNIT = 12
_NEW_PANELS = 8


class SeriesSheet(FormSheet):
    """Changes how a series looks; the newest value is shown beside as it would be.

    Args:
        host: page that it lies over.
        views: bridge object that keeps the looks.
    """

    def __init__(self, host: QWidget, views: PlotViewsBridge) -> None:
        self.color = ColorChoice()
        self.unit = QLineEdit()
        self.unit.setMaxLength(_MOST_UNIT)
        self.factor = NumberField(1.0)
        self.offset = NumberField(0.0)
        self.panel_box = ChoiceList()
        self.preview = Text(role="mono")
        fields = (self.color, self.unit, self.factor, self.offset, self.panel_box, self.preview)
        super().__init__(host, fields)
        self._views = views
        self._id = SeriesId("", "")
        self._kept = SeriesLook()
        self._sent: float | None = None
        self._own_color = 0
        self.reset_button = Button("", "secondary", "undo")
        self.buttons.insertWidget(0, self.reset_button)
        self.unit.textEdited.connect(self.check)
        self.factor.number_changed.connect(self.check)
        self.offset.number_changed.connect(self.check)
        self.reset_button.clicked.connect(self.reset)
        self.retranslate()

    def open_for(self, series: SeriesRow, panels: Sequence[str]) -> None:
        """Show how a series looks now.

        Args:
            series: which.
            panels: names of the panels that series share already.
        """
        self._id = series.series_id
        self._kept = self._views.looks().get((self._id.source_id, self._id.label), SeriesLook())
        last, look = series.view.last, self._kept
        self._sent = None if last is None or not math.isfinite(last) else (last - look.offset) / look.factor
        self._own_color = series.color_index
        self.unit.setPlaceholderText(self._views.sent_unit(*self._id))
        self._fill_panels(panels)
        self._show(look)
        self.show_fault(None)
        self.set_title(self._id.label)
        self.open_sheet()
        self.unit.setFocus(Qt.FocusReason.PopupFocusReason)

    def reset(self) -> None:
        """Put everything back to what the board sends; nothing is kept before Save."""
        self._show(SeriesLook(visible=self._kept.visible))

    def problem(self) -> str:
        """A scale that can be undone."""
        usable = self._look() is not None
        return "" if usable else self.tr("The scale needs two numbers; the first cannot be 0.")

    def apply(self) -> ErrorView | None:
        """Keep the look."""
        look = self._look()
        return None if look is None else self._views.set_looks({(self._id.source_id, self._id.label): look})

    def check(self) -> None:
        """Show also what the newest value becomes."""
        super().check()
        look = self._look()
        if look is None or self._sent is None:
            self.preview.setText(reading_text(None, 0))
            return
        shown = self._sent * look.factor + look.offset
        unit = look.unit or self.unit.placeholderText()
        sent = f"{self._sent:.6g} {self.unit.placeholderText()}".strip()
        self.preview.setText(f"{sent} → {reading_text(shown, needed_decimals(shown))} {unit}".strip())

    def _show(self, look: SeriesLook) -> None:
        self.color.set_current(self._own_color if look.color is None else look.color)
        self.unit.setText(look.unit)
        self.factor.set_value(look.factor)
        self.offset.set_value(look.offset)
        self.panel_box.setCurrentIndex(max(0, self.panel_box.findData(look.panel)))
        self.check()

    def _fill_panels(self, panels: Sequence[str]) -> None:
        self.panel_box.clear()
        self.panel_box.addItem(self.tr("As the page says"), "")
        names = {*panels, self._kept.panel} - {""}
        names |= {str(number) for number in range(1, _NEW_PANELS + 1)}
        for name in sorted(names, key=lambda name: (len(name), name)):
            self.panel_box.addItem(self.tr("Panel {0}").format(name), name)

    def _look(self) -> SeriesLook | None:
        factor, offset = self.factor.value(), self.offset.value()
        if factor is None or offset is None or factor == 0:
            return None
        color = self.color.current()
        chose = self._kept.color is not None or color != self._own_color % 8
        return replace(
            self._kept,
            color=color if chose else None,
            unit=self.unit.text().strip(),
            factor=factor,
            offset=offset,
            panel=str(self.panel_box.currentData() or ""),
        )

    def retranslate(self) -> None:
        """Write all texts."""
        super().retranslate()
        self.name_fields(
            (
                self.tr("Colour"),
                self.tr("Unit"),
                self.tr("Scale: times"),
                self.tr("Scale: plus"),
                self.tr("Panel"),
                self.tr("Newest value"),
            )
        )
        self.reset_button.setText(self.tr("As the board sends it"))
