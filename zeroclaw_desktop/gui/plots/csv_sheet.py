"""The sheet that says how CSV is written: separators, times, form."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.plot_export_bridge import CsvForm
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.form_sheet import FormSheet
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text

SEPARATORS = (",", ";", "\t")


def form_of(kept: dict[str, object]) -> CsvForm:
    """Return the form that was kept, as far as it can be understood and used."""
    delimiter = kept.get("delimiter", ",")
    chosen = str(delimiter) if delimiter in SEPARATORS else ","
    return CsvForm(
        long=kept.get("long") is True,
        delimiter=chosen,
        decimal_comma=kept.get("decimal_comma") is True and chosen != ",",
        iso_time=kept.get("iso_time") is True,
    )


class CsvSheet(FormSheet):
    """Asks how CSV is written.

    Args:
        host: page that it lies over.
        chosen: called with what was chosen.
    """

    def __init__(self, host: QWidget, chosen: Callable[[CsvForm], None]) -> None:
        self.separator, self.decimal, self.time, self.shape = (ChoiceList() for _ in range(4))
        super().__init__(host, (self.separator, self.decimal, self.time, self.shape))
        self._chosen = chosen
        self.example = Text(role="mono_small", tone="muted", wrap=True)
        self.panel.body.insertWidget(self.panel.body.count() - 3, self.example)
        for box in (self.separator, self.decimal, self.time, self.shape):
            box.activated.connect(self.check)
        self.retranslate()

    def open_with(self, form: CsvForm) -> None:
        """Ask, beginning with a form."""
        self.separator.setCurrentIndex(SEPARATORS.index(form.delimiter))
        self.decimal.setCurrentIndex(int(form.decimal_comma))
        self.time.setCurrentIndex(int(form.iso_time))
        self.shape.setCurrentIndex(int(form.long))
        self.show_fault(None)
        self.check()
        self.open_sheet()
        self.separator.setFocus()

    def form_now(self) -> CsvForm:
        """Return what is chosen now."""
        return CsvForm(
            long=self.shape.currentIndex() == 1,
            delimiter=SEPARATORS[max(0, self.separator.currentIndex())],
            decimal_comma=self.decimal.currentIndex() == 1,
            iso_time=self.time.currentIndex() == 1,
        )

    def problem(self) -> str:
        """A comma cannot mean two things."""
        form = self.form_now()
        if form.decimal_comma and form.delimiter == ",":
            return self.tr("A comma cannot separate cells and decimals at once. Choose another separator.")
        return ""

    def check(self) -> None:
        """Show also what a line will look like."""
        super().check()
        form = self.form_now()
        seconds = "12.05" if not form.decimal_comma else "12,05"
        moment = "2026-03-01T08:30:12.050000Z" if form.iso_time else seconds
        value = "23,5" if form.decimal_comma else "23.5"
        cells = [moment, "uno", "temp", "°C", value] if form.long else [moment, value, "512"]
        self.example.setText((" → " if form.delimiter == "\t" else form.delimiter).join(cells))

    def apply(self) -> ErrorView | None:
        """Hand it over."""
        self._chosen(self.form_now())
        return None

    def retranslate(self) -> None:
        """Write all texts."""
        super().retranslate()
        self.set_title(self.tr("Form of CSV files"))
        self.name_fields(
            (self.tr("Between cells"), self.tr("Decimals"), self.tr("Time"), self.tr("Rows and columns"))
        )
        choices = (
            (self.separator, (self.tr("Comma ,"), self.tr("Semicolon ;"), self.tr("Tab"))),
            (self.decimal, (self.tr("Point: 1.5"), self.tr("Comma: 1,5"))),
            (self.time, (self.tr("Seconds"), self.tr("Date and time (ISO 8601, UTC)"))),
            (self.shape, (self.tr("A column for each series"), self.tr("A row for each sample"))),
        )
        for box, texts in choices:
            at = max(0, box.currentIndex())
            box.clear()
            box.addItems(texts)
            box.setCurrentIndex(at)
