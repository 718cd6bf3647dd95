"""Series against one another: points or lines that fade with age, the newest point, readings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRect
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from zeroclaw_desktop.bridge.plot_analysis import PairsView
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
from zeroclaw_desktop.gui.plots.analysis.reduction import age_bands, band_pixels, distinct_pixels
from zeroclaw_desktop.gui.plots.curves import Columns, unbroken
from zeroclaw_desktop.gui.plots.line_painter import FINE_SEGMENTS, LinePainter
from zeroclaw_desktop.gui.plots.overlays import blended
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import space, theme

MOST_PAIRS = 100_000
"""Of all series together: more cannot be told apart on a screen."""
MOST_CONNECTED = 10_000
"""The same where they are connected."""
_BANDS = 8
_FAINTEST = 0.18
_REACH = 12
_BIG_DOTS = 5_000


def _tr(text: str) -> str:
    return QCoreApplication.translate("XYContent", text)


class XYContent:
    """One or more series over another one; see ``ChartContent``.

    Args:
        x: series of the horizontal axis.
        found: each series with its pairs, at least one pair in all.
        options: equal axes, trail, lines.
    """

    x_log = y_log = False
    x_exact = False
    free = True

    def __init__(
        self, x: PlotSeries, found: Sequence[tuple[PlotSeries, PairsView]], options: AnalysisOptions
    ) -> None:
        self.series = tuple(series for series, _ in found)
        self.equal = options.equal
        self._x = x
        self._views = [view for _, view in found]
        self._trail, self._lines = options.trail, options.lines
        self._unit = common_unit([series.unit for series in self.series])
        self._joined = [_joined(view.time) for view in self._views]
        self._x_ends, self._y_ends = (
            _ends([view.x for view in self._views]),
            _ends([view.y for view in self._views]),
        )
        self._painter = LinePainter()
        self.key: tuple[object, ...] = ("xy", x.series_id, options.equal)

    # what it says

    def names(self) -> tuple[str, str]:
        """See ``ChartContent``."""
        label = self.series[0].series_id.label if len(self.series) == 1 else _tr("Value")
        return _named(self._x.series_id.label, self._x.unit), _named(label, self._unit)

    def notes(self) -> list[str]:
        """See ``ChartContent``."""
        text = _tr("{0}: only the newest {1} pairs of this stretch are shown.")
        return [
            text.format(series.series_id.label, f"{len(view.x):,}")
            for series, view in zip(self.series, self._views, strict=True)
            if view.left_out
        ]

    def figures(self) -> list[SeriesFigures]:
        """See ``ChartContent``."""
        return [
            SeriesFigures(
                series,
                (
                    Figure(_tr("Pairs"), f"{len(view.x):,}"),
                    Figure(_tr("Correlation"), _correlation_text(view.correlation)),
                    Figure(_tr("Newest {0}").format(self._x.series_id.label), _last(view.x, self._x.unit)),
                    Figure(_tr("Newest {0}").format(series.series_id.label), _last(view.y, series.unit)),
                ),
            )
            for series, view in zip(self.series, self._views, strict=True)
        ]

    def x_text(self, value: float) -> str:
        """See ``ChartContent``."""
        return quantity_text(value, self._x.unit)

    # what it shows

    def x_range(self) -> tuple[float, float]:
        """See ``ChartContent``."""
        return self._x_ends

    def fit(self, frame: ChartFrame) -> tuple[float, float]:
        """See ``ChartContent``."""
        return self._y_ends

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """See ``ChartContent``."""
        for series, view, joined in zip(self.series, self._views, self._joined, strict=True):
            if not len(view.x):
                continue
            ink = theme().series_color(series.color_index)
            colors = [blended(ink, theme().color("surface"), share) for share in self._shares()]
            if self._lines:
                self._paint_lines(painter, frame, view, joined, colors)
            else:
                self._paint_dots(painter, frame, view, colors)
        for series, view in zip(self.series, self._views, strict=True):
            if len(view.x):
                _paint_newest(painter, frame.point(float(view.x[-1]), float(view.y[-1])), series.color_index)

    def _shares(self) -> list[float]:
        """Return how strong the colour of each band of ages is, the oldest first."""
        if not self._trail:
            return [1.0]
        return [float(share) for share in np.linspace(_FAINTEST, 1.0, _BANDS)]

    def _paint_dots(
        self, painter: QPainter, frame: ChartFrame, view: PairsView, colors: list[QColor]
    ) -> None:
        area, ratio = frame.area, frame.ratio
        size = round(area.width() * ratio), round(area.height() * ratio)
        x, y = frame.xs(view.x) - area.left() * ratio, frame.ys(view.y) - area.top() * ratio
        dot = max(2, round((3 if len(view.x) <= _BIG_DOTS else 2) * ratio))
        bands = band_pixels(x, y, age_bands(len(x), len(colors)), size, dot)
        inks = np.array([0, *map(QColor.rgb, colors)], dtype=np.uint32)
        pixels = np.ascontiguousarray(inks[bands])
        picture = QImage(pixels.data, *size, 4 * size[0], QImage.Format.Format_ARGB32_Premultiplied)
        painter.drawImage(QRect(area.topLeft(), area.size()), picture)

    def _paint_lines(
        self,
        painter: QPainter,
        frame: ChartFrame,
        view: PairsView,
        joined: np.ndarray[tuple[int], np.dtype[np.bool_]],
        colors: list[QColor],
    ) -> None:
        x, y = frame.xs(view.x), frame.ys(view.y)
        kept = distinct_pixels(x, y)
        breaks = np.concatenate(([0], np.cumsum(~joined)))[kept]
        lines = np.column_stack((x[kept][:-1], y[kept][:-1], x[kept][1:], y[kept][1:]))
        # A gap that a skipped point lay next to is still a gap.
        whole = breaks[:-1] == breaks[1:]
        bands = age_bands(len(lines), len(colors))
        fine = sum(len(one.x) for one in self._views) <= FINE_SEGMENTS
        painter.save()
        painter.scale(1 / frame.ratio, 1 / frame.ratio)
        for number, color in enumerate(colors, 1):
            self._painter.draw(painter, lines[whole & (bands == number)], color, fine=fine)
        painter.restore()

    def readings(self, frame: ChartFrame, at: QPointF) -> list[Reading]:
        """See ``ChartContent``: the point nearest to the pointer, when one is near."""
        best: tuple[float, Reading] | None = None
        for series, view in zip(self.series, self._views, strict=True):
            if not len(view.x):
                continue
            across, down = frame.xs(view.x) / frame.ratio - at.x(), frame.ys(view.y) / frame.ratio - at.y()
            distance = across**2 + down**2
            nearest = int(np.argmin(distance))
            if distance[nearest] > _REACH**2 or (best is not None and distance[nearest] >= best[0]):
                continue
            x, y = float(view.x[nearest]), float(view.y[nearest])
            text = f"{quantity_text(x, self._x.unit)}, {quantity_text(y, series.unit)}"
            best = float(distance[nearest]), Reading(frame.point(x, y), text, series.color_index)
        return [] if best is None else [best[1]]

    def table(self, frame: ChartFrame) -> Table:
        """See ``ChartContent``."""
        names, columns = [], []
        for series, view in zip(self.series, self._views, strict=True):
            across, down = frame.axis, frame.panel.range
            seen = (
                (view.x >= across.start)
                & (view.x <= across.end)
                & (view.y >= down.low)
                & (view.y <= down.high)
            )
            names += [
                f"{one.series_id.label}" + (f" [{one.unit}]" if one.unit else "") for one in (self._x, series)
            ]
            columns += [view.x[seen], view.y[seen]]
        return Table(tuple(names), tuple(columns))


def _named(label: str, unit: str) -> str:
    return _tr("{0} in {1}").format(label, unit) if unit else label


def _last(values: FloatArray, unit: str) -> str:
    return quantity_text(float(values[-1]), unit) if len(values) else "–"


def _correlation_text(correlation: float) -> str:
    return f"{correlation:.3f}".replace("-", "−") if np.isfinite(correlation) else "–"


def _joined(time: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return unbroken(Columns(time, time, time))


def _ends(rows: list[FloatArray]) -> tuple[float, float]:
    filled = [row for row in rows if len(row)]
    if not filled:
        return np.nan, np.nan
    return min(float(row.min()) for row in filled), max(float(row.max()) for row in filled)


def _paint_newest(painter: QPainter, at: QPointF, color_index: int) -> None:
    """Mark the newest point by a disc with a ring around it."""
    ink = theme().series_color(color_index)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(theme().color("surface"))
    painter.setPen(QPen(ink, 2))
    painter.drawEllipse(at, space(1.5), space(1.5))
    painter.setBrush(ink)
    painter.drawEllipse(at, space(0.5), space(0.5))
