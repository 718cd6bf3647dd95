"""What lies still behind the curves: panels, grid, axis texts. Painted once and kept until it changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPixmap

from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.ticks import ago_text, clock_text, multiples, round_step, tick_text, time_step
from zeroclaw_desktop.gui.theme import space, theme

_LONGEST_UNIT_ON_TICKS = 4


class Backdrop:
    """Keeps the picture of grid and axes.

    Attributes:
        now_text: what the right end of a live axis is called.
        clock_offset: add it to a telemetry time to get seconds since 1970.
    """

    def __init__(self) -> None:
        self.now_text = ""
        self.clock_offset = 0.0
        self._key: tuple[object, ...] = ()
        self._picture = QPixmap()

    def picture(self, size: QSize, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect) -> QPixmap:
        """Return the picture, painted anew only when something on it changed.

        Args:
            size: of the canvas, in logical pixels.
            frames: panels with their places and ranges.
            axis: the time axis.
            lane: rectangle that all panels may use; the axis texts stand below it.
        """
        key = self._key_of(size, frames, axis, lane)
        if key != self._key:
            self._key = key
            self._paint(size, frames, axis, lane)
        return self._picture

    def forget(self) -> None:
        """Paint anew next time: the theme or the language changed."""
        self._key = ()

    def _key_of(
        self, size: QSize, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect
    ) -> tuple[object, ...]:
        time = (axis.end - axis.start,) if axis.live else (axis.start, axis.end)
        panels = tuple(
            (frame.area.getRect(), frame.panel.unit, frame.range.low, frame.range.high) for frame in frames
        )
        return size.width(), size.height(), axis.ratio, axis.left, axis.live, time, panels, lane.getRect()

    def _paint(self, size: QSize, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect) -> None:
        self._picture = QPixmap(size * axis.ratio)
        self._picture.setDevicePixelRatio(axis.ratio)
        painter = QPainter(self._picture)
        self.paint(painter, size, frames, axis, lane)
        painter.end()

    def paint(
        self, painter: QPainter, size: QSize, frames: Sequence[PanelFrame], axis: TimeAxis, lane: QRect
    ) -> None:
        """Paint it without keeping it, as lines and texts; arguments as for ``picture``."""
        painter.fillRect(QRect(0, 0, size.width(), size.height()), theme().color("window"))
        metrics = QFontMetrics(theme().font("caption"))
        ticks = time_ticks(axis, self.now_text, self.clock_offset)
        painter.save()
        painter.setClipRect(QRect(0, lane.top(), size.width(), lane.height()))
        for frame in frames:
            if frame.area.intersects(lane):
                marks = [(frame.y(value), text) for value, text in value_ticks(frame, metrics.height())]
                paint_grid(painter, frame.area, [x for x, _ in ticks], marks)
        painter.restore()
        paint_tick_texts(painter, ticks, axis.left + axis.width, lane.bottom() + space(1))


def paint_tick_texts(painter: QPainter, ticks: Sequence[tuple[float, str]], right: float, top: float) -> None:
    """Write the texts of a horizontal axis below it; those that would touch the one before are left out.

    Args:
        painter: active, in logical pixels.
        ticks: (pixel, text) from left to right.
        right: pixel that no text may pass.
        top: upper edge of the texts.
    """
    font = theme().font("caption")
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(theme().color("text_muted"))
    free_from = 0.0
    for x, text in ticks:
        width = metrics.horizontalAdvance(text)
        place = min(x - width / 2, right - width)
        if place < free_from:
            continue
        area = QRectF(place, top, width + 2, metrics.height() + 2)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        free_from = place + width + space(2)


def time_ticks(axis: TimeAxis, now_text: str, clock_offset: float) -> list[tuple[float, str]]:
    """Return (logical pixel, text) of the ticks on a time axis.

    A live axis counts back from the present and so stands still; a held one shows the time of day.
    """
    span = axis.end - axis.start
    step = time_step(span, max(2, axis.width // 110))
    if axis.live:
        texts = [(at, now_text if at == 0 else ago_text(at, step)) for at in multiples(-span, 0, step)]
        return [(axis.left + axis.width * (1 + at / span), text) for at, text in texts]
    moments = multiples(axis.start + clock_offset, axis.end + clock_offset, step)
    return [(axis.x(at - clock_offset), clock_text(at, step)) for at in moments]


def value_ticks(frame: PanelFrame, line_height: int) -> list[tuple[float, str]]:
    """Return (value, text) of the ticks on a panel's value axis, with the unit where it is short."""
    most = max(2, min(8, frame.area.height() // (2 * line_height)))
    low, high = frame.range.low, frame.range.high
    step = round_step(high - low, most)
    unit = frame.panel.unit
    after = f" {unit}" if unit and len(unit) <= _LONGEST_UNIT_ON_TICKS else ""
    return [(value, tick_text(value, step) + after) for value in multiples(low, high, step)]


def gutter_width(frames: Sequence[PanelFrame]) -> int:
    """Return the room that the longest value text needs at the left of the panels, in logical pixels."""
    metrics = QFontMetrics(theme().font("caption"))
    widths = [
        metrics.horizontalAdvance(text)
        for frame in frames
        for _, text in value_ticks(frame, metrics.height())
    ]
    # In steps, so that a digit more does not move the plot.
    step = space(4)
    return -(-(max(widths, default=0) + space(3)) // step) * step


def paint_grid(
    painter: QPainter, area: QRect, xs: Sequence[float], marks: Sequence[tuple[float, str]]
) -> None:
    """Paint the ground and the grid of a plot, and the texts of its value axis at its left.

    Args:
        painter: active, in logical pixels.
        area: of the plot.
        xs: pixels of the upright lines.
        marks: (pixel, text) of the level lines.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(area, theme().color("surface"))
    font = theme().font("caption")
    metrics = QFontMetrics(font)
    painter.setFont(font)
    pen = QPen(theme().color("hairline"), 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    for x in xs:
        if area.left() < x < area.right():
            painter.drawLine(round(x), area.top(), round(x), area.bottom())
    ticks = [(round(y), text) for y, text in marks]
    for y, _ in ticks:
        painter.drawLine(area.left(), y, area.right(), y)
    painter.drawRect(area.adjusted(0, 0, -1, -1))
    painter.setPen(theme().color("text_muted"))
    half = metrics.height() // 2
    right = area.left() - space(1.5)
    for y, text in ticks:
        # A text at the very edge moves inwards, so that neighbouring panels' texts do not touch.
        top = min(max(y - half, area.top() - 2), area.bottom() + 2 - metrics.height())
        box = QRect(0, top, right, metrics.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
