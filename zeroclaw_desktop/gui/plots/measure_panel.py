"""The table under the plot: figures of the visible stretch, or of the one between the cursors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QTableView

from zeroclaw_desktop.bridge.plot_views import MeasureRow
from zeroclaw_desktop.gui.plots.measure_model import MeasureModel
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.ticks import duration_text
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

_MOST_ROWS = 6
"""Series that are seen at once; for more the table scrolls."""


class MeasureTable(QTableView):
    """Read only; Ctrl+C copies the whole table."""

    def __init__(self, model: MeasureModel) -> None:
        super().__init__()
        self._measures = model
        self.setModel(model)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setStyleSheet("QTableView { border: none; background: transparent; }")
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        FocusRing(self)
        theme().theme_changed.connect(self.fit)
        model.modelReset.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Give each column the room that its figures need and stand as high as the rows are."""
        metrics = self.fontMetrics()
        line = metrics.height() + space(2)
        self.verticalHeader().setDefaultSectionSize(line)
        header = self.horizontalHeader()
        least = metrics.horizontalAdvance("\u2212000.0000") + space(4)
        for number, key in enumerate(self._measures.keys()):
            header.setSectionResizeMode(number, QHeaderView.ResizeMode.Interactive)
            head = header.sectionSizeHint(number) + space(2)
            contents = self.sizeHintForColumn(number) + space(3)
            self.setColumnWidth(number, max(least, head, contents if key == "series" else 0))
        rows = min(_MOST_ROWS, max(1, self._measures.rowCount()))
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(header.sizeHint().height() + rows * line + bar)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy; arrows scroll; the rest goes to the page."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._measures.text())
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
        else:
            event.ignore()


class MeasurePanel(Card):
    """Heading with the stretch that is measured, table, copy, close."""

    closed = Signal()

    def __init__(self) -> None:
        self.model = MeasureModel()
        self.stretch = Text(role="label")
        self.copy_button = IconButton("copy", small=True)
        self.close_button = IconButton("close", small=True)
        super().__init__(
            row(self.stretch, STRETCH, self.copy_button, self.close_button, margins=(3, 1, 1, 0)),
            padding=0,
            gap=0,
        )
        self.table = MeasureTable(self.model)
        self.body.addWidget(self.table)
        self.copy_button.clicked.connect(self.copy)
        self.close_button.clicked.connect(self.closed)
        self._cursors: tuple[float, float] | None = None
        self._window_s = 0.0
        self._retranslate()

    def copy(self) -> None:
        """Put the table on the clipboard, with tabs between the columns."""
        QGuiApplication.clipboard().setText(self.model.text())

    def show_stretch(self, window_s: float, cursors: tuple[float, float] | None) -> None:
        """Say what is measured.

        Args:
            window_s: length of the visible stretch in seconds.
            cursors: times of both cursors in seconds; None when there are none.
        """
        self._window_s, self._cursors = window_s, cursors
        self.model.set_cursors(cursors is not None)
        if cursors is None:
            self.stretch.setText(self.tr("Visible stretch: {0}").format(duration_text(window_s)))
            return
        distance = cursors[1] - cursors[0]
        frequency = f" · 1/Δt {1 / abs(distance):.5g} Hz" if distance else ""
        self.stretch.setText(
            self.tr("Between A and B: Δt {0}").format(duration_text(abs(distance))) + frequency
        )

    def take(self, rows: Sequence[MeasureRow], colors: Mapping[SeriesId, int]) -> None:
        """Show figures; see ``MeasureModel.take``."""
        before = self.model.rowCount()
        self.model.take(rows, colors)
        if self.model.rowCount() != before:
            self.table.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.copy_button.set_name(self.tr("Copy the figures as a table"))
        self.close_button.set_name(self.tr("Close the figures"))
        self.table.setAccessibleName(self.tr("Figures of the series"))
        self.model.heads = {
            "series": self.tr("Series"),
            "at_a": "A",
            "at_b": "B",
            "difference": "B − A",
            "slope": self.tr("Slope"),
            "minimum": self.tr("Min"),
            "maximum": self.tr("Max"),
            "mean": self.tr("Mean"),
            "deviation": self.tr("Std dev"),
            "rms": "RMS",
            "peak_to_peak": self.tr("Peak-peak"),
            "rate": self.tr("Rate/Hz"),
            "count": self.tr("Samples"),
            "gaps": self.tr("Gaps"),
        }
        self.model.hints = {
            "at_a": self.tr("Value of the sample nearest to cursor A"),
            "at_b": self.tr("Value of the sample nearest to cursor B"),
            "difference": self.tr("Value at B minus value at A"),
            "slope": self.tr("Change of the value in a second, from A to B"),
            "mean": self.tr("Arithmetic mean"),
            "deviation": self.tr("Standard deviation: how far the values are from their mean"),
            "rms": self.tr("Root of the mean square"),
            "peak_to_peak": self.tr("Greatest minus smallest value"),
            "rate": self.tr("Samples in a second"),
            "gaps": self.tr("Samples without a value, such as nan"),
        }
        self.show_stretch(self._window_s, self._cursors)
        self.table.fit()
