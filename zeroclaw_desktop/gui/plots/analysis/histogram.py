"""Histograms over a value axis: bars, mean and deviation, readings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from zeroclaw_desktop.bridge.plot_analysis import HistogramView
from zeroclaw_desktop.gui.plots.analysis.axis import common_unit, quantity_text
from zeroclaw_desktop.gui.plots.analysis.content import (
    ChartFrame,
    Figure,
    FloatArray,
    Reading,
    SeriesFigures,
    Table,
)
from zeroclaw_desktop.gui.plots.analysis.options import AnalysisOptions
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import space, theme

_VEIL = 0.28


def _tr(text: str) -> str:
    return QCoreApplication.translate("HistogramContent", text)


class HistogramContent:
    """Histograms of one or more series in the same bins; see ``ChartContent``.

    Args:
        found: each series with its histogram, at least one that counts something.
        options: count or share, marks.
    """

    x_log = y_log = False
    x_exact = True
    equal = free = False

    def __init__(self, found: Sequence[tuple[PlotSeries, HistogramView]], options: AnalysisOptions) -> None:
        self.series = tuple(series for series, _ in found)
        self._views = [view for _, view in found]
        self._share, self._marks = options.share, options.show_mean
        self._unit = common_unit([series.unit for series in self.series])
        self._edges: FloatArray = self._views[0].edges
        self._heights = [self._height(view) for view in self._views]
        self.key: tuple[object, ...] = ("histogram", options.share)

    def _height(self, view: HistogramView) -> FloatArray:
        counts = np.asarray(view.counts, dtype=np.float64)
        return 100 * counts / view.samples if self._share and view.samples else counts

    # what it says

    def names(self) -> tuple[str, str]:
        """See ``ChartContent``."""
        label = self.series[0].series_id.label if len(self.series) == 1 else _tr("Value")
        value = _tr("{0} in {1}").format(label, self._unit) if self._unit else label
        return value, _tr("Share of the samples in %") if self._share else _tr("Samples")

    def notes(self) -> list[str]:
        """See ``ChartContent``."""
        text = _tr("{0}: only the newest {1} samples of this stretch are counted.")
        return [
            text.format(series.series_id.label, f"{view.samples:,}")
            for series, view in zip(self.series, self._views, strict=True)
            if view.left_out
        ]

    def figures(self) -> list[SeriesFigures]:
        """See ``ChartContent``."""
        width = float(self._edges[1] - self._edges[0])
        return [
            SeriesFigures(
                series,
                (
                    Figure(_tr("Samples"), f"{view.samples:,}"),
                    Figure(_tr("Mean"), quantity_text(view.mean, series.unit, 5)),
                    Figure(_tr("Deviation σ"), quantity_text(view.deviation, series.unit)),
                    Figure(_tr("Bins"), f"{len(view.counts):,}"),
                    Figure(_tr("Bin width"), quantity_text(width, series.unit)),
                ),
            )
            for series, view in zip(self.series, self._views, strict=True)
        ]

    def x_text(self, value: float) -> str:
        """See ``ChartContent``: the bin under the pointer."""
        number = self._bin(value)
        if number is None:
            return quantity_text(value, self._unit)
        low, high = (quantity_text(float(edge), "") for edge in self._edges[number : number + 2])
        return f"{low} … {high} {self._unit}".strip()

    # what it shows

    def _bin(self, value: float) -> int | None:
        if not self._edges[0] <= value <= self._edges[-1]:
            return None
        return min(int(np.searchsorted(self._edges, value, side="right")) - 1, len(self._edges) - 2)

    def x_range(self) -> tuple[float, float]:
        """See ``ChartContent``."""
        low, high = float(self._edges[0]), float(self._edges[-1])
        air = 0.02 * (high - low)
        return low - air, high + air

    def fit(self, frame: ChartFrame) -> tuple[float, float]:
        """See ``ChartContent``."""
        first, last = np.searchsorted(self._edges, (frame.axis.start, frame.axis.end))
        visible = slice(max(0, int(first) - 1), max(int(first), int(last)))
        return 0.0, max(float(heights[visible].max(initial=0.0)) for heights in self._heights) or 1.0

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """See ``ChartContent``."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for series, heights in zip(self.series, self._heights, strict=True):
            ink = theme().series_color(series.color_index)
            outline = self._outline(frame, heights)
            veil = theme().series_color(series.color_index)
            veil.setAlphaF(_VEIL)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(veil)
            painter.drawPolygon(outline)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            pen = QPen(ink, 1)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPolyline(outline)
        if self._marks:
            for series, view in zip(self.series, self._views, strict=True):
                self._paint_mean(painter, frame, series, view)

    def _outline(self, frame: ChartFrame, heights: FloatArray) -> QPolygonF:
        """Return the steps of the bars from the left end of the ground to its right end."""
        x = np.rint(np.repeat(frame.xs(self._edges) / frame.ratio, 2))
        y = np.repeat(np.rint(frame.ys(heights) / frame.ratio), 2)
        ground = float(np.rint(frame.panel.y(0.0)))
        y = np.concatenate(([ground], y, [ground]))
        return QPolygonF([QPointF(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)])

    def _paint_mean(
        self, painter: QPainter, frame: ChartFrame, series: PlotSeries, view: HistogramView
    ) -> None:
        if not math.isfinite(view.mean):
            return
        ink, area = theme().series_color(series.color_index), frame.area
        painter.setFont(theme().font("caption"))
        metrics = painter.fontMetrics()
        places = [("μ", view.mean, Qt.PenStyle.SolidLine)]
        if view.deviation > 0:
            places += [
                ("−σ", view.mean - view.deviation, Qt.PenStyle.DashLine),
                ("+σ", view.mean + view.deviation, Qt.PenStyle.DashLine),
            ]
        for text, value, style in places:
            x = round(frame.axis.x(value))
            pen = QPen(ink, 1, style)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawLine(x, area.top(), x, area.bottom())
            box = metrics.boundingRect(text).width() + space(1)
            down = area.bottom() - space(1.5)
            painter.fillRect(x + 2, down - metrics.ascent(), box, metrics.height(), theme().color("surface"))
            painter.setPen(theme().color("text"))
            painter.drawText(x + 3, down, text)

    def readings(self, frame: ChartFrame, at: QPointF) -> list[Reading]:
        """See ``ChartContent``."""
        number = self._bin(frame.axis.moment(at.x()))
        if number is None:
            return []
        found = []
        for series, view, heights in zip(self.series, self._views, self._heights, strict=True):
            count, height = int(view.counts[number]), float(heights[number])
            text = f"{height:.2f} %" if self._share else f"{count:,}"
            found.append(Reading(QPointF(at.x(), frame.panel.y(height)), text, series.color_index))
        return found

    def table(self, frame: ChartFrame) -> Table:
        """See ``ChartContent``."""
        first, last = np.searchsorted(self._edges, (frame.axis.start, frame.axis.end))
        visible = slice(max(0, int(first) - 1), max(int(first), int(last)))
        suffix = f" [{self._unit}]" if self._unit else ""
        names, columns = (
            [f"from{suffix}", f"to{suffix}"],
            [self._edges[:-1][visible], self._edges[1:][visible]],
        )
        for series, heights in zip(self.series, self._heights, strict=True):
            names.append(f"{series.series_id.label} [%]" if self._share else series.series_id.label)
            columns.append(heights[visible])
        return Table(tuple(names), tuple(columns))
