"""What lies over the curves: legends, action markers, the crosshair with its values, the zoom box."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from zeroclaw_desktop.bridge.views import MarkerView
from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.ticks import needed_decimals, reading_text
from zeroclaw_desktop.gui.theme import space, theme

_MARKER_ROLES = {
    "action": "accent_ink",
    "flash": "simulated_ink",
    "stop": "danger_ink",
    "alarm": "warn_ink",
    "alarm_over": "live_ink",
    "sop": "live_ink",
}
_LEAST_LABEL = 7
"""Grid steps of room below which a marker's text is left out."""
_MOST_TAGS = 6


def blended(color: QColor, ground: QColor, share: float) -> QColor:
    """Return the opaque mix of ``share`` of a colour with the ground it lies on."""
    return QColor(
        round(color.red() * share + ground.red() * (1 - share)),
        round(color.green() * share + ground.green() * (1 - share)),
        round(color.blue() * share + ground.blue() * (1 - share)),
    )


def paint_legend(
    painter: QPainter,
    frame: PanelFrame,
    colors: Sequence[QColor],
    fixed_text: str,
    ground_role: str = "surface",
) -> None:
    """Write the names of a panel's series at its upper left, as many as fit, on a ground of their own.

    Args:
        painter: active, in logical pixels.
        frame: the panel.
        colors: of its series.
        fixed_text: added when the value axis does not follow the data.
        ground_role: colour of what lies behind.
    """
    painter.setFont(theme().font("label"))
    metrics = painter.fontMetrics()
    swatch, gap = space(2), space(1.5)
    x, y = frame.area.left() + space(2), frame.area.top() + space(1)
    room = frame.area.right() - space(30)
    if frame.area.height() < metrics.height() + space(2):
        y = frame.area.top() + (frame.area.height() - metrics.height()) // 2
    ground = theme().color(ground_role)
    for number, (series, color) in enumerate(zip(frame.panel.series, colors, strict=True)):
        text = series.series_id.label
        width = swatch + gap + metrics.horizontalAdvance(text)
        left = len(frame.panel.series) - number
        if x + width > room and left > 1:
            text, width = f"+{left}", metrics.horizontalAdvance(f"+{left}")
            painter.fillRect(QRect(x - 2, y, width + 4, metrics.height()), ground)
            painter.setPen(theme().color("text_muted"))
            painter.drawText(x, y + metrics.ascent(), text)
            return
        painter.fillRect(QRect(x - 2, y, width + 4, metrics.height()), ground)
        painter.fillRect(QRect(x, y + metrics.height() // 2 - 1, swatch, 3), color)
        painter.setPen(theme().color("text"))
        painter.drawText(x + swatch + gap, y + metrics.ascent(), text)
        x += width + space(3)
    if not frame.range.automatic:
        width = metrics.horizontalAdvance(fixed_text)
        painter.fillRect(QRect(x - 2, y, width + 4, metrics.height()), ground)
        painter.setPen(theme().color("text_muted"))
        painter.drawText(x, y + metrics.ascent(), fixed_text)


def paint_markers(
    painter: QPainter, markers: Sequence[MarkerView], axis: TimeAxis, lane: QRect, top: int
) -> None:
    """Draw what happened: a stem through all panels, a shape and a text in the strip above them.

    Args:
        painter: active, in logical pixels.
        markers: in order of time.
        axis: the time axis.
        lane: rectangle of the panels.
        top: upper edge of the strip.
    """
    shown = [marker for marker in markers if axis.start <= marker.t <= axis.end]
    places = [axis.x(marker.t) for marker in shown]
    painter.setFont(theme().font("caption"))
    free_from = float(axis.left)
    for number, marker in enumerate(shown):
        ink = theme().color(_MARKER_ROLES.get(marker.kind, "text_muted"))
        x = places[number]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        pen = QPen(blended(ink, theme().color("surface"), 0.6), 1, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLine(round(x), lane.top(), round(x), lane.bottom())
        _paint_marker_shape(painter, QPointF(x, lane.top() - space(1.5)), marker.kind, ink)
        after = places[number + 1] if number + 1 < len(places) else float(axis.left + axis.width)
        painter.setPen(ink)
        free_from = _paint_marker_text(painter, marker.text, QPointF(x, top), free_from, after)


def _paint_marker_text(painter: QPainter, text: str, at: QPointF, free_from: float, free_to: float) -> float:
    """Write beside a marker: at its right, at its left where only that has room; return where room begins."""
    metrics = painter.fontMetrics()
    gap, whole = space(2), metrics.horizontalAdvance(text)
    baseline = round(at.y()) + metrics.ascent()
    room = math.floor(free_to - at.x()) - 2 * gap
    if whole > room and at.x() - free_from - 2 * gap >= whole:
        painter.drawText(round(at.x()) - gap - whole, baseline, text)
    elif room >= space(_LEAST_LABEL):
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(round(at.x()) + gap, baseline, shown)
        return at.x() + gap + metrics.horizontalAdvance(shown)
    return at.x()


def _paint_marker_shape(painter: QPainter, foot: QPointF, kind: str, ink: QColor) -> None:
    """Draw the shape of a kind: flag for an action, diamond for flashing, square for stop, disc otherwise."""
    half = space(1)
    x, y = foot.x(), foot.y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    if kind == "action":
        corners = [QPointF(x - half, y - half), QPointF(x + half, y - half), QPointF(x, y + half)]
        painter.drawPolygon(QPolygonF(corners))
    elif kind == "flash":
        corners = [QPointF(x, y - half), QPointF(x + half, y), QPointF(x, y + half), QPointF(x - half, y)]
        painter.drawPolygon(QPolygonF(corners))
    elif kind == "stop":
        painter.drawRect(QRectF(x - half, y - half, 2 * half, 2 * half))
    else:
        painter.drawEllipse(foot, half, half)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_crosshair(
    painter: QPainter,
    frames: Sequence[PanelFrame],
    axis: TimeAxis,
    lane: QRect,
    at: QPointF,
    colors: Sequence[Sequence[QColor]],
) -> None:
    """Draw the line under the pointer and, in each panel, the values there.

    Args:
        painter: active, in logical pixels.
        frames: the panels.
        axis: the time axis.
        lane: rectangle of the panels.
        at: the pointer, inside the lane.
        colors: of each panel's series.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    pen = QPen(theme().color("text_faint"), 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.drawLine(round(at.x()), lane.top(), round(at.x()), lane.bottom())
    for frame, inks in zip(frames, colors, strict=True):
        if frame.columns:
            if frame.area.contains(at.toPoint()):
                painter.setPen(pen)
                painter.drawLine(frame.area.left(), round(at.y()), frame.area.right(), round(at.y()))
            _paint_values(painter, frame, axis, at.x(), inks)


def _paint_values(
    painter: QPainter, frame: PanelFrame, axis: TimeAxis, x: float, inks: Sequence[QColor]
) -> None:
    found = []
    for series, columns, ink in zip(frame.panel.series, frame.columns, inks, strict=True):
        reading = columns.reading(axis.moment(x))
        if reading is not None and math.isfinite(reading[1]) and abs(axis.x(reading[0]) - x) < space(10):
            text = range_text(*reading[1:]) + (f" {series.unit}" if series.unit else "")
            found.append((frame.y((reading[1] + reading[2]) / 2), text, ink, reading[0]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for y, _, ink, moment in found:
        if frame.area.top() <= y <= frame.area.bottom():
            painter.setPen(QPen(theme().color("surface"), 1.5))
            painter.setBrush(ink)
            painter.drawEllipse(QPointF(axis.x(moment), y), space(1), space(1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(theme().font("mono_small"))
    metrics = painter.fontMetrics()
    if len(found) > min(_MOST_TAGS, frame.area.height() // (metrics.height() + space(1))):
        return
    for top, text, ink in spread_tags([(y, text, ink) for y, text, ink, _ in found], frame.area, metrics):
        width = metrics.horizontalAdvance(text) + space(3)
        left = x + space(3) if x + space(3) + width < frame.area.right() else x - space(3) - width
        box = QRectF(left, top, width, metrics.height() + space(0.5))
        paint_pill(painter, box, text, ink)


def spread_tags(
    tags: list[tuple[float, str, QColor]], area: QRect, metrics: QFontMetrics
) -> list[tuple[float, str, QColor]]:
    """Move the tags apart, each at most as far as it must, and keep them inside the panel.

    Args:
        tags: (middle in pixels, text, colour).
        area: of the panel.
        metrics: of the font of the texts.

    Returns:
        (upper edge, text, colour) from top to bottom.
    """
    height = metrics.height() + space(1)
    placed: list[tuple[float, str, QColor]] = []
    free = float(area.top())
    for number, (y, text, ink) in enumerate(sorted(tags, key=lambda tag: tag[0])):
        last = area.bottom() - height * (len(tags) - number)
        top = max(free, min(y - height / 2, last))
        placed.append((top, text, ink))
        free = top + height
    return placed


def paint_pill(painter: QPainter, box: QRectF, text: str, ink: QColor) -> None:
    """Write a text on a raised ground with a coloured edge at its left."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme().color("hairline_strong"), 1))
    painter.setBrush(theme().color("raised"))
    painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.fillRect(QRectF(box.left() + 1, box.top() + 2, 3, box.height() - 4), ink)
    painter.setPen(theme().color("text"))
    painter.drawText(box.adjusted(space(1), 0, 0, 0), int(Qt.AlignmentFlag.AlignCenter), text)


def paint_moment(painter: QPainter, x: float, text: str, lane: QRect) -> None:
    """Write the time under the pointer below the panels, around the logical pixel ``x``."""
    painter.setFont(theme().font("mono_small"))
    width = painter.fontMetrics().horizontalAdvance(text) + space(4)
    left = min(max(x - width / 2, 0.0), lane.width() - width - 1.0)
    box = QRectF(left, lane.bottom() + space(0.5), width, space(5))
    paint_pill(painter, box, text, theme().color("text_faint"))


def paint_zoom_box(painter: QPainter, box: QRectF) -> None:
    """Draw the rectangle that a box zoom will show."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    ink = theme().color("accent")
    veil = theme().color("accent")
    veil.setAlphaF(0.12)
    painter.fillRect(box, veil)
    painter.setPen(QPen(ink, 1))
    painter.drawRect(box)


def range_text(low: float, high: float) -> str:
    """Return a value, or both ends where a column holds more than one that differ in what is written."""
    if low == high:
        return reading_text(low, needed_decimals(low))
    decimals = min(6, max(needed_decimals(low, 4), needed_decimals(high, 4)))
    first, last = reading_text(low, decimals), reading_text(high, decimals)
    return first if first == last else f"{first} … {last}"
