"""Paints the curves of all panels, in full or dimmed beside the one that is pointed at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from zeroclaw_desktop.gui.plots.curves import segments
from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.line_painter import FINE_SEGMENTS, LinePainter
from zeroclaw_desktop.gui.plots.overlays import blended
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.theme import theme

_DIMMED = 0.28


def curve_colors(frames: Sequence[PanelFrame], highlighted: SeriesId | None) -> list[list[QColor]]:
    """Return the colours of each panel's series; those beside a highlighted one are dimmed."""
    ground = theme().color("surface")
    result = []
    for frame in frames:
        inks = []
        for series in frame.panel.series:
            ink = theme().series_color(series.color_index)
            if highlighted not in (None, series.series_id):
                ink = blended(ink, ground, _DIMMED)
            inks.append(ink)
        result.append(inks)
    return result


class CurvePainter:
    """Draws what the panels hold; the highlighted series lies on top."""

    def __init__(self) -> None:
        self._lines = LinePainter()

    def paint(
        self,
        painter: QPainter,
        frames: Sequence[PanelFrame],
        axis: TimeAxis,
        colors: Sequence[Sequence[QColor]],
        highlighted: SeriesId | None,
    ) -> None:
        """Draw all curves.

        Args:
            painter: active, in logical pixels.
            frames: panels with their columns.
            axis: the time axis.
            colors: of each panel's series.
            highlighted: the series that lies on top, None for none.
        """
        batches = []
        for frame, inks in zip(frames, colors, strict=True):
            for series, columns, ink in zip(frame.panel.series, frame.columns, inks, strict=False):
                lines = segments(columns, frame.scale(axis))
                batches.append((series.series_id == highlighted, frame.area, lines, ink, columns.sparse))
        fine = sum(len(lines) for _, _, lines, _, _ in batches) <= FINE_SEGMENTS
        for _, area, lines, ink, sparse in sorted(batches, key=lambda batch: batch[0]):
            painter.save()
            painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
            painter.scale(1 / axis.ratio, 1 / axis.ratio)
            self._lines.draw(painter, lines, ink, fine=fine and sparse)
            painter.restore()
