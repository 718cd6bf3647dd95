"""The sheet about one series: colour, unit, scale, panel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.color_choice import ColorChoice
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.series_model import SeriesRow
from zeroclaw_desktop.gui.plots.ticks import needed_decimals, reading_text
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField
from zeroclaw_desktop.gui.widgets.surfaces import Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge

_MOST_UNIT = 12
_NEW_PANELS = 8


class SeriesSheet(Sheet):
    """Changes how a series looks; the newest value is shown beside as it would be.

    Args:
        host: page that it lies over.
        views: bridge object that keeps the looks.
    """

    def __init__(self, host: QWidget, views: PlotViewsBridge) -> None:
        super().__init__(host)
        self._views = views
        self._id = SeriesId("", "")
        self._kept = SeriesLook()
        self._sent: float | None = None
        self._own_color = 0
        self.color = ColorChoice()
        self.unit = QLineEdit()
        self.unit.setMaxLength(_MOST_UNIT)
        self.factor = NumberField(1.0)
        self.offset = NumberField(0.0)
        self.panel_box = ChoiceList()
        self.preview = Text(role="mono")
        self.problem = Text(tone="danger", wrap=True)
        self.error = ErrorCard()
        self.reset_button = Button("", "secondary", "undo")
        self.cancel_button = Button("", "secondary")
        self.save_button = Button("", "primary")
        self._labels = [Text(tone="muted") for _ in range(6)]
        form = QFormLayout()
        form.setHorizontalSpacing(space(4))
        form.setVerticalSpacing(space(3))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        fields = (self.color, self.unit, self.factor, self.offset, self.panel_box, self.preview)
        for label, field in zip(self._labels, fields, strict=True):
            form.addRow(label, field)
        self.panel.body.addLayout(form)
        for part in (self.problem, self.error):
            self.panel.body.addWidget(part)
        self.panel.body.addLayout(row(self.reset_button, STRETCH, self.cancel_button, self.save_button))
        self.unit.textEdited.connect(self._check)
        self.factor.number_changed.connect(self._check)
        self.offset.number_changed.connect(self._check)
        self.reset_button.clicked.connect(self.reset)
        self.cancel_button.clicked.connect(self.close_sheet)
        self.save_button.clicked.connect(self.save)
        self._retranslate()

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
        self.error.hide()
        self.set_title(self._id.label)
        self.open_sheet()
        self.unit.setFocus(Qt.FocusReason.PopupFocusReason)

    def reset(self) -> None:
        """Put everything back to what the board sends; nothing is kept before Save."""
        self._show(SeriesLook(visible=self._kept.visible))

    def save(self) -> None:
        """Keep the look and close; what cannot be kept is said in place."""
        look = self._look()
        if look is None:
            return
        fault = self._views.set_looks({(self._id.source_id, self._id.label): look})
        if fault is None:
            self.close_sheet()
            return
        self.error.set_error(fault, offer_action=False)
        self.error.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter saves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.save_button.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._check()
        super().changeEvent(event)

    def _show(self, look: SeriesLook) -> None:
        self.color.set_current(self._own_color if look.color is None else look.color)
        self.unit.setText(look.unit)
        self.factor.set_value(look.factor)
        self.offset.set_value(look.offset)
        self.panel_box.setCurrentIndex(max(0, self.panel_box.findData(look.panel)))
        self._check()

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

    def _check(self) -> None:
        look = self._look()
        self.save_button.setEnabled(look is not None)
        self.problem.setVisible(look is None)
        self.problem.setText(
            "" if look is not None else self.tr("The scale needs two numbers; it cannot be 0.")
        )
        if look is None or self._sent is None:
            self.preview.setText(reading_text(None, 0))
            return
        shown = self._sent * look.factor + look.offset
        unit = look.unit or self.unit.placeholderText()
        sent = f"{self._sent:.6g} {self.unit.placeholderText()}".strip()
        self.preview.setText(f"{sent} → {reading_text(shown, needed_decimals(shown))} {unit}".strip())

    def _retranslate(self) -> None:
        texts = (
            self.tr("Colour"),
            self.tr("Unit"),
            self.tr("Scale: times"),
            self.tr("Scale: plus"),
            self.tr("Panel"),
            self.tr("Newest value"),
        )
        fields: tuple[QWidget, ...] = (self.unit, self.factor, self.offset, self.panel_box)
        for label, text in zip(self._labels, texts, strict=True):
            label.setText(text)
        for field, text in zip(fields, texts[1:], strict=False):
            field.setAccessibleName(text)
        self.reset_button.setText(self.tr("As the board sends it"))
        self.cancel_button.setText(self.tr("Cancel"))
        self.save_button.setText(self.tr("Save"))
