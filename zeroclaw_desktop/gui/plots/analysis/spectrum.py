"""Spectra over a frequency axis: the curves, their peaks, readings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from zeroclaw_desktop.bridge.plot_analysis import SpectrumView
from zeroclaw_desktop.gui.plots.analysis.axis import (
    common_unit,
    frequency_text,
    frequency_unit,
    places,
    quantity_text,
)
from zeroclaw_desktop.gui.plots.analysis.content import (
    ChartFrame,
    Figure,
    FloatArray,
    Reading,
    SeriesFigures,
    Table,
)
from zeroclaw_desktop.gui.plots.analysis.options import AnalysisOptions
from zeroclaw_desktop.gui.plots.analysis.reduction import Curve
from zeroclaw_desktop.gui.plots.curves import segments
from zeroclaw_desktop.gui.plots.line_painter import FINE_SEGMENTS, LinePainter
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import space, theme

_DEEPEST_DB = 120.0
_DEEPEST_DECADES = 12.0
_NOTHING = {"decibel": -200.0, "density": -20.0}
"""Place on the axis of a line without any height, where that has one."""
_LONGEST_UNIT = 6
"""Signs of a unit that have room in the list of peaks; the axis names longer ones."""
_REACH = 4
"""Logical pixels on both sides of the pointer in which the highest line is read."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("SpectrumContent", text)


class SpectrumContent:
    """Spectra of one or more series; see ``ChartContent``.

    Args:
        found: each series with its spectrum, at least one.
        options: scaling, frequency axis, peaks.
    """

    x_exact = True
    equal = free = False

    def __init__(self, found: Sequence[tuple[PlotSeries, SpectrumView]], options: AnalysisOptions) -> None:
        self.series = tuple(series for series, _ in found)
        self.x_log = options.log_frequency
        self.y_log = options.scaling == "density"
        self._scaling = options.scaling
        self._peaks = options.show_peaks
        self._views = [view for _, view in found]
        self._unit = common_unit([series.unit for series in self.series])
        self._hertz, self._hertz_name = frequency_unit(max(view.sample_rate / 2 for view in self._views))
        self.key: tuple[object, ...] = ("spectrum", options.scaling, self.x_log, self._hertz)
        self._curves = [self._curve(view) for view in self._views]
        self._lines = LinePainter()

    def _curve(self, view: SpectrumView) -> Curve:
        first = 1 if self.x_log else 0
        x = places(view.frequency[first:] / self._hertz, self.x_log)
        magnitude = view.magnitude[first:]
        if view.steady:
            # What rounding leaves of a constant is no signal.
            return Curve(x, np.full(len(x), _NOTHING.get(self._scaling, 0.0)))
        top = float(magnitude.max(initial=0.0 if self._scaling != "decibel" else -np.inf))
        if self.y_log:
            least = max(top * 10**-_DEEPEST_DECADES, np.finfo(np.float64).tiny)
            return Curve(x, np.log10(np.maximum(magnitude, least)))
        if self._scaling == "decibel":
            return Curve(x, np.maximum(magnitude, top - 2 * _DEEPEST_DB))
        return Curve(x, magnitude)

    # what it says

    def names(self) -> tuple[str, str]:
        """See ``ChartContent``."""
        return _tr("Frequency in {0}").format(self._hertz_name), self._magnitude_name()

    def _magnitude_name(self) -> str:
        name = {
            "amplitude": _tr("Amplitude"),
            "rms": _tr("RMS value"),
            "decibel": _tr("Amplitude"),
            "density": _tr("Power density"),
        }[self._scaling]
        unit = self._unit_of(self._unit)
        return _tr("{0} in {1}").format(name, unit) if unit else name

    def _unit_of(self, unit: str) -> str:
        if self._scaling == "decibel":
            return _tr("dB re 1 {0}").format(unit).strip() if unit else "dB"
        if self._scaling == "density":
            plain = unit.isalpha() or unit in ("%", "°C", "°F")
            return f"{unit}²/Hz" if plain else f"({unit})²/Hz" if unit else "1/Hz"
        return unit

    def _magnitude_text(self, magnitude: float, unit: str | None) -> str:
        """Return a height for a read-out; ``unit`` is that of the series, None to leave it out."""
        if self._scaling == "decibel":
            return quantity_text(round(magnitude, 2), "dB")
        return quantity_text(magnitude, "" if unit is None else self._unit_of(unit))

    def notes(self) -> list[str]:
        """See ``ChartContent``."""
        notes = []
        for series, view in zip(self.series, self._views, strict=True):
            name = series.series_id.label
            if view.steady:
                notes.append(_tr("{0} does not change in this stretch.").format(name))
                continue
            if view.filled:
                text = _tr(
                    "{0}: {1} of {2} samples were missing or unevenly spaced; they were put on an even grid."
                )
                notes.append(text.format(name, f"{view.filled:,}", f"{view.samples:,}"))
            if view.left_out:
                text = _tr("{0}: only the newest {1} samples of this stretch are analysed.")
                notes.append(text.format(name, f"{view.samples:,}"))
        return notes

    def figures(self) -> list[SeriesFigures]:
        """See ``ChartContent``."""
        return [self._figures_of(*pair) for pair in zip(self.series, self._views, strict=True)]

    def _figures_of(self, series: PlotSeries, view: SpectrumView) -> SeriesFigures:
        rows = [
            Figure(_tr("Samples"), f"{view.samples:,}"),
            Figure(_tr("Sample rate"), frequency_text(view.sample_rate)),
            Figure(_tr("Resolution"), frequency_text(view.resolution)),
            Figure(_tr("Noise bandwidth"), frequency_text(view.noise_bandwidth)),
        ]
        if self._peaks:
            for number, (frequency, magnitude) in enumerate(view.peaks, 1):
                name = f"{number}  {frequency_text(frequency, view.resolution / 20)}"
                unit = series.unit if len(self._unit_of(series.unit)) <= _LONGEST_UNIT else None
                rows.append(Figure(name, self._magnitude_text(magnitude, unit)))
            if not view.peaks:
                rows.append(Figure(_tr("No line stands out"), ""))
        return SeriesFigures(series, tuple(rows))

    def x_text(self, value: float) -> str:
        """See ``ChartContent``."""
        resolution = min(view.resolution for view in self._views)
        return frequency_text(value * self._hertz, resolution / 5)

    # what it shows

    def x_range(self) -> tuple[float, float]:
        """See ``ChartContent``."""
        filled = [curve.x for curve in self._curves if len(curve.x)]
        if not filled:
            return np.nan, np.nan
        return min(float(x[0]) for x in filled), max(float(x[-1]) for x in filled)

    def fit(self, frame: ChartFrame) -> tuple[float, float]:
        """See ``ChartContent``."""
        start, end, width = frame.axis.start, frame.axis.end, frame.axis.device_width
        frame.panel.columns = [curve.columns(start, end, width) for curve in self._curves]
        ends = [columns.extremes(start, end) for columns in frame.panel.columns]
        low = min((low for low, _ in ends if np.isfinite(low)), default=np.nan)
        high = max((high for _, high in ends if np.isfinite(high)), default=np.nan)
        if self._scaling == "decibel":
            return max(low, high - _DEEPEST_DB), high
        return (low, high) if self.y_log else (0.0, high if high > 0 else 1.0)

    def paint(self, painter: QPainter, frame: ChartFrame) -> None:
        """See ``ChartContent``."""
        scale = frame.panel.scale(frame.axis)
        lines = [segments(columns, scale) for columns in frame.panel.columns]
        fine = sum(len(batch) for batch in lines) <= FINE_SEGMENTS
        painter.save()
        painter.scale(1 / frame.ratio, 1 / frame.ratio)
        for series, columns, batch in zip(self.series, frame.panel.columns, lines, strict=True):
            ink = theme().series_color(series.color_index)
            self._lines.draw(painter, batch, ink, fine=fine and columns.sparse)
        painter.restore()
        if self._peaks:
            self._paint_peaks(painter, frame)

    def _paint_peaks(self, painter: QPainter, frame: ChartFrame) -> None:
        painter.setFont(theme().font("caption"))
        metrics = painter.fontMetrics()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, half = frame.area, space(1)
        for series, view in zip(self.series, self._views, strict=True):
            ink = theme().series_color(series.color_index)
            for number, (frequency, magnitude) in enumerate(view.peaks, 1):
                tip = frame.point(frequency / self._hertz, magnitude)
                if not area.left() <= tip.x() <= area.right() or tip.y() > area.bottom():
                    continue
                y = max(tip.y() - space(1), area.top() + 2.0 * half)
                corners = [QPointF(tip.x() - half, y - 1.5 * half), QPointF(tip.x() + half, y - 1.5 * half)]
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ink)
                painter.drawPolygon(QPolygonF([*corners, QPointF(tip.x(), y)]))
                painter.setPen(ink)
                painter.drawText(QPointF(tip.x() + 1.5 * half, y - half + metrics.ascent() / 2), str(number))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def readings(self, frame: ChartFrame, at: QPointF) -> list[Reading]:
        """See ``ChartContent``: of each series the highest line near the pointer."""
        left, right = frame.axis.moment(at.x() - _REACH), frame.axis.moment(at.x() + _REACH)
        found = []
        for series, view, curve in zip(self.series, self._views, self._curves, strict=True):
            x, y = curve.x, curve.y
            if not len(x) or view.steady:
                continue
            first, last = np.searchsorted(x, (left, right))
            line = (
                int(first + np.argmax(y[first:last]))
                if last > first
                else _nearest(x, frame.axis.moment(at.x()))
            )
            skipped = len(view.frequency) - len(x)
            frequency, magnitude = (
                float(view.frequency[line + skipped]),
                float(view.magnitude[line + skipped]),
            )
            dot = QPointF(frame.axis.x(float(x[line])), frame.panel.y(float(y[line])))
            height = self._magnitude_text(magnitude, series.unit)
            text = f"{frequency_text(frequency, view.resolution / 5)}  {height}"
            found.append(Reading(dot, text, series.color_index))
        return found

    def table(self, frame: ChartFrame) -> Table:
        """See ``ChartContent``."""
        names, columns = [], []
        for series, view, curve in zip(self.series, self._views, self._curves, strict=True):
            x = curve.x
            skipped = len(view.frequency) - len(x)
            first, last = np.searchsorted(x, (frame.axis.start, frame.axis.end))
            visible = slice(int(first) + skipped, int(last) + skipped + 1)
            unit = self._unit_of(series.unit)
            names += [f"{series.series_id.label} frequency [Hz]", f"{series.series_id.label} [{unit or '1'}]"]
            columns += [view.frequency[visible], view.magnitude[visible]]
        return Table(tuple(names), tuple(columns))


def _nearest(x: FloatArray, place: float) -> int:
    after = min(int(np.searchsorted(x, place)), len(x) - 1)
    before = max(0, after - 1)
    return before if abs(float(x[before]) - place) <= abs(float(x[after]) - place) else after
