"""Draws limits across the panel of their series and lets the hand move them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from zeroclaw_desktop.bridge.plot_views import ThresholdView
from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.layers import frame_of, near
from zeroclaw_desktop.gui.plots.overlays import paint_pill
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.ticks import needed_decimals, reading_text
from zeroclaw_desktop.gui.theme import space, theme


def limit_text(view: ThresholdView, limit: float, unit: str) -> str:
    """Return a limit for a person: ``hot ≥ 30 °C``."""
    sign = "≥" if view.above else "≤"
    return f"{view.name} {sign} {reading_text(limit, needed_decimals(limit))} {unit}".rstrip()


class _LimitGrip:
    """A limit in the hand; the rest of the program hears of it when it is let go."""

    shape = Qt.CursorShape.SizeVerCursor

    def __init__(self, layer: LimitLayer, view: ThresholdView, frame: PanelFrame) -> None:
        self._layer = layer
        self._view = view
        self._frame = frame

    def move(self, at: QPointF, axis: TimeAxis) -> None:
        """Follow the hand, rounded to what one pixel can tell apart."""
        area = self._frame.area
        y = min(max(at.y(), area.top()), area.bottom())
        step = (self._frame.range.high - self._frame.range.low) / max(1, area.height())
        digits = max(0, -int(f"{step:e}".split("e")[1]))
        self._layer.held = (self._view.name, round(self._frame.value(y), digits))

    def drop(self) -> None:
        """Tell the new limit."""
        held, self._layer.held = self._layer.held, None
        if held is not None:
            self._layer.dropped(self._view, held[1])


class LimitLayer:
    """A dashed line for each limit, its name at the right; an alarm is drawn in the colour of danger.

    Args:
        dropped: called with the limit that the hand moved and its new value, in the unit of its series.

    Attributes:
        views: the limits.
        held: (name, value) of the one in the hand.
    """

    def __init__(self, dropped: Callable[[ThresholdView, float], None]) -> None:
        self.views: list[ThresholdView] = []
        self.held: tuple[str, float] | None = None
        self.dropped = dropped

    def limit_of(self, view: ThresholdView) -> float:
        """Return where a limit is drawn."""
        return self.held[1] if self.held is not None and self.held[0] == view.name else view.limit

    def paint(self, painter: QPainter, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect) -> None:
        """Draw every limit whose series is shown; one out of range stands at the edge with an arrow."""
        painter.setFont(theme().font("caption"))
        for view in self.views:
            frame = frame_of(frames, SeriesId(view.source_id, view.label))
            if frame is None or not frame.area.intersects(lane):
                continue
            ink = theme().color("danger_ink" if view.alarm else "warn_ink")
            limit = self.limit_of(view)
            y = frame.y(limit)
            inside = frame.area.top() <= y <= frame.area.bottom()
            if inside:
                pen = QPen(ink, 1, Qt.PenStyle.DashLine)
                pen.setCosmetic(True)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                painter.setPen(pen)
                painter.drawLine(frame.area.left(), round(y), frame.area.right(), round(y))
            arrow = "" if inside else (" ↑" if y < frame.area.top() else " ↓")
            text = limit_text(view, limit, _unit(frame, view)) + arrow
            metrics = painter.fontMetrics()
            width, height = metrics.horizontalAdvance(text) + space(3), metrics.height()
            top = min(max(y - height / 2, frame.area.top() + 1), frame.area.bottom() - height - 1)
            paint_pill(painter, QRectF(frame.area.right() - width - space(1), top, width, height), text, ink)

    def grip_at(self, at: QPointF, frames: Sequence[PanelFrame], axis: TimeAxis) -> _LimitGrip | None:
        """Return the limit whose line or name is near a point."""
        for view in self.views:
            frame = frame_of(frames, SeriesId(view.source_id, view.label))
            if frame is not None and frame.area.contains(at.toPoint()) and near(frame.y(view.limit) - at.y()):
                return _LimitGrip(self, view, frame)
        return None


def _unit(frame: PanelFrame, view: ThresholdView) -> str:
    wanted = SeriesId(view.source_id, view.label)
    return next((series.unit for series in frame.panel.series if series.series_id == wanted), "")
