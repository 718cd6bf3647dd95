"""The analysis pane: asks for what is visible in the time plot to be computed, and shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.analysis.chart import Chart
from zeroclaw_desktop.gui.plots.analysis.controls import AnalysisControls
from zeroclaw_desktop.gui.plots.analysis.figures import FigureList
from zeroclaw_desktop.gui.plots.analysis.options import KINDS, XY, AnalysisOptions, select
from zeroclaw_desktop.gui.plots.analysis.pictures import image_of, write_png, write_svg
from zeroclaw_desktop.gui.plots.analysis.request import AnalysisRequest, Outcome, compute
from zeroclaw_desktop.gui.plots.analysis.worker import AnalysisWorker
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import icon, space, theme
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_new_file
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge

REFRESH_S = 0.1
"""Least time between two results: digits that change faster cannot be read."""
LATE_S = 1.0
REST = 2.0
"""After a computation the worker rests for so many times what it took, so that a core stays free."""
_LEAST_WITH_FIGURES = 170
"""Grid steps of width from which the list of figures stands beside the chart."""


class AnalysisPane(QWidget):
    """Spectrum, histogram or X-Y of the stretch of time that ``set_span`` tells.

    Args:
        plots: tells when samples came.
        tools: its ``analysis`` computes.
    """

    closed = Signal()
    """The person closed it; the page hides it."""
    changed = Signal()
    """A choice was made that ``state`` holds."""
    saved = Signal(str)
    """Path of a file that was written."""
    told = Signal(str)
    """A sentence about something that went well."""
    failed = Signal(object)
    """An ``ErrorView``."""

    def __init__(self, plots: PlotsBridge, tools: PlotToolsBridge) -> None:
        super().__init__()
        self._plots, self._tools = plots, tools
        self.options = AnalysisOptions()
        self._visible_series: list[PlotSeries] = []
        self._span, self._live = (0.0, 0.0), True
        self._asked: tuple[int, AnalysisRequest] | None = None
        self._outcome: Outcome | None = None
        self._next = 0.0
        self._folder = ""
        self._worker, self._writer = AnalysisWorker(self), AnalysisWorker(self)
        self._worker.finished.connect(self._take)
        self._writer.finished.connect(self._written)
        self._writing = ""
        self.controls = AnalysisControls(self.options)
        self.controls.changed.connect(self._choose)
        self.controls.closed.connect(self.closed)
        self.chart = Chart()
        self.chart.menu_requested.connect(self._open_menu)
        self.figures = FigureList()
        self.message = Text(role="body", tone="muted", wrap=True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.notes = ElidedText(role="caption", tone="muted")
        self._lay_out()
        theme().theme_changed.connect(self._retranslate)
        self._retranslate()

    def _lay_out(self) -> None:
        shown = QWidget()
        body = row(self.chart, self.figures, gap=3, parent=shown)
        body.setAlignment(self.chart, Qt.AlignmentFlag(0))
        body.setAlignment(self.figures, Qt.AlignmentFlag(0))
        empty = QWidget()
        column(STRETCH, self.message, STRETCH, margins=(6,), parent=empty)
        self._pages = QStackedLayout()
        self._pages.addWidget(empty)
        self._pages.addWidget(shown)
        whole = column(self.controls, gap=1.5, parent=self)
        whole.addLayout(self._pages, 1)
        whole.addWidget(self.notes)
        self.setMinimumSize(space(90), space(56))

    # what the page says

    def set_series(self, series: Sequence[PlotSeries]) -> None:
        """Offer the series that are visible in the time plot, in order of appearance."""
        if list(series) != self._visible_series:
            self._visible_series = list(series)
            self._show_series()
            self._ask_anew()

    def set_span(self, start: float, end: float, live: bool) -> None:
        """Analyse the samples from ``start`` to ``end`` (seconds on the axis of the plots).

        Args:
            start: of the visible stretch.
            end: of it.
            live: whether it moves along with the present.
        """
        self._span, self._live = (start, end), live

    def set_kind(self, kind: str) -> None:
        """Show ``spectrum``, ``histogram`` or ``xy``; other words are ignored."""
        if kind in KINDS and kind != self.options.kind:
            self.options.kind = kind
            self.controls.show_options(self.options)
            self._choose()

    def state(self) -> dict[str, Any]:
        """Return the choices as plain JSON values, for ``restore``."""
        return self.options.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over choices; what is missing or unusable in ``state`` is as at first."""
        self.options = AnalysisOptions.from_state(state)
        self.controls.show_options(self.options)
        self._choose()

    def refresh(self) -> None:
        """Let what is visible be computed anew when something changed. Call it at frame rate."""
        if not self.isVisible() or self._worker.busy or time.monotonic() < self._next:
            return
        selection = select(self.options, self._visible_series)
        if not selection.series:
            self._show_message(self._what_is_missing())
            return
        request = AnalysisRequest.make(self.options, selection, *self._span)
        # What comes now does not change a stretch that is over; samples may be late by less than a second.
        over = not self._live and self._span[1] < self._plots.now() - LATE_S
        asked = (0 if over else self._plots.generation()), request
        if asked == self._asked:
            return
        self._asked = asked
        analysis = self._tools.analysis
        self._worker.start(lambda: compute(analysis, request))

    # files and clipboard

    def copy_image(self) -> None:
        """Put the chart on the clipboard as a picture."""
        QGuiApplication.clipboard().setImage(image_of(self.chart))
        self.told.emit(self.tr("The picture is on the clipboard."))

    def copy_figures(self) -> None:
        """Put the figures beside the chart on the clipboard as text."""
        QGuiApplication.clipboard().setText(self.figures.text())
        self.told.emit(self.tr("The figures are on the clipboard."))

    def export_png(self, path: str) -> None:
        """Write the chart as a PNG picture with twice the screen's resolution."""
        self._tell_picture(path, write_png(self.chart, path))

    def export_svg(self, path: str) -> None:
        """Write the chart as an SVG drawing."""
        self._tell_picture(path, write_svg(self.chart, path))

    def export_csv(self, path: str) -> None:
        """Write the numbers of what is shown as CSV; ``saved`` or ``failed`` tells what became of it."""
        content, frame = self.chart.content(), self.chart.frame()
        if content is None or frame is None or self._writer.busy:
            return
        table, analysis = content.table(frame), self._tools.analysis
        self._writing = path
        self._writer.start(lambda: (analysis.export_table(path, table.names, table.columns),))

    def busy(self) -> bool:
        """Whether something is being computed or written."""
        return self._worker.busy or self._writer.busy

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        """Compute at once."""
        super().showEvent(event)
        self._ask_anew()

    def hideEvent(self, event: QHideEvent) -> None:
        """Keep nothing of long windows in memory while nobody sees it."""
        super().hideEvent(event)
        self._outcome = None
        self.chart.set_content(None)
        self._asked = None

    def resizeEvent(self, event: Any) -> None:
        """Show the list of figures where there is room."""
        super().resizeEvent(event)
        self.figures.setVisible(self.width() >= space(_LEAST_WITH_FIGURES))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # inside

    def _choose(self) -> None:
        self._show_series()
        self._ask_anew()
        self.changed.emit()

    def _show_series(self) -> None:
        self.controls.show_series(self._visible_series, select(self.options, self._visible_series))

    def _ask_anew(self) -> None:
        self._asked = None
        self._next = 0.0
        self.refresh()

    def _take(self, outcome: object) -> None:
        if not isinstance(outcome, Outcome):
            # The job failed, which is in the log. Not again before something changes.
            return
        self._next = time.monotonic() + max(REFRESH_S, REST * outcome.seconds)
        request = outcome.request
        wanted = AnalysisRequest.make(
            self.options, select(self.options, self._visible_series), request.start, request.end
        )
        if not self.isVisible():
            return
        if request != wanted:
            # Chosen while it was computed.
            self._ask_anew()
            return
        self._outcome = outcome
        self._show_outcome()

    def _show_outcome(self) -> None:
        outcome = self._outcome
        if outcome is None:
            return
        refusals = [f"{series.series_id.label}: {error.title}" for series, error in outcome.refusals]
        if outcome.content is None:
            if outcome.refusals:
                _, error = outcome.refusals[0]
                self._show_message(" ".join([*refusals, error.next_step]))
            elif outcome.request.options.kind == XY:
                self._show_message(self.tr("In this stretch of time the two series have no pair of values."))
            else:
                self._show_message(self.tr("There are no samples in this stretch of time."))
            return
        self._pages.setCurrentIndex(1)
        self.chart.set_content(outcome.content)
        self.figures.set_figures(outcome.content.figures())
        self.notes.set_text("  ".join([*refusals, *outcome.content.notes()]))

    def _show_message(self, text: str) -> None:
        if text == self.message.text() and self._pages.currentIndex() == 0:
            return
        self.chart.set_content(None)
        self.figures.set_figures([])
        self.notes.set_text("")
        self.message.setText(text)
        self._pages.setCurrentIndex(0)

    def _what_is_missing(self) -> str:
        if self.options.kind == XY and self._visible_series:
            return self.tr("X-Y needs two visible series. Show another one in the list of series.")
        return self.tr("No series is visible. Show one in the list of series.")

    def _tell_picture(self, path: str, written: bool) -> None:
        if written:
            self.saved.emit(path)
            return
        self.failed.emit(
            ErrorView(
                title=self.tr("The picture could not be written."),
                not_done=self.tr("Nothing was saved."),
                next_step=self.tr("Choose a folder that you may write to."),
                raw=path,
                code="picture_not_written",
            )
        )

    def _written(self, result: object) -> None:
        fault = result[0] if isinstance(result, tuple) else None
        if isinstance(fault, ErrorView):
            self.failed.emit(fault)
        elif isinstance(result, tuple):
            self.saved.emit(self._writing)

    def _open_menu(self, at: QPoint) -> None:
        self.controls.menu.popup(at)

    def _ask(self, suffix: str, kind: str, then: Callable[[str], object]) -> None:
        def write(path: str) -> None:
            self._folder = str(Path(path).parent)
            then(path)

        kinds = f"{kind} (*.{suffix})"
        ask_new_file(self, self.tr("Export"), f"{self.options.kind}.{suffix}", kinds, write, self._folder)

    def _retranslate(self) -> None:
        menu = self.controls.menu
        menu.clear()
        csv, png, svg = self.tr("CSV files"), self.tr("PNG pictures"), self.tr("SVG drawings")
        entries = (
            ("copy", self.tr("Copy as picture"), self.copy_image),
            ("copy", self.tr("Copy the figures as text"), self.copy_figures),
            ("image", self.tr("Picture (PNG)…"), lambda: self._ask("png", png, self.export_png)),
            ("image", self.tr("Drawing (SVG)…"), lambda: self._ask("svg", svg, self.export_svg)),
            ("export", self.tr("CSV of what is shown…"), lambda: self._ask("csv", csv, self.export_csv)),
        )
        for name, text, deed in entries:
            action = QAction(icon(name, "text_muted"), text, menu)
            action.triggered.connect(lambda _=False, do=deed: do())
            menu.addAction(action)
        self._show_outcome()
        self._ask_anew()
