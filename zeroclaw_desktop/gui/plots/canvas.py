"""The plot itself: one widget that paints all panels, and the view that mouse and keys change."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QMouseEvent,
    QPaintDevice,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.bridge.views import MarkerView
from zeroclaw_desktop.gui.plots.backdrop import Backdrop, gutter_width
from zeroclaw_desktop.gui.plots.crosshair import moment_text, readings_at
from zeroclaw_desktop.gui.plots.curve_painter import CurvePainter, curve_colors
from zeroclaw_desktop.gui.plots.frame import PanelFrame, SampleSource, TimeAxis, fill, make_axis
from zeroclaw_desktop.gui.plots.gestures import PlotGestures
from zeroclaw_desktop.gui.plots.layers import Grip, Layer
from zeroclaw_desktop.gui.plots.overlays import (
    paint_crosshair,
    paint_legend,
    paint_markers,
    paint_moment,
    paint_zoom_box,
)
from zeroclaw_desktop.gui.plots.panels import (
    OVERLAY,
    PlotSeries,
    SeriesId,
    place_panels,
    plan_panels,
    total_height,
)
from zeroclaw_desktop.gui.plots.time_view import TimeView
from zeroclaw_desktop.gui.plots.value_range import ValueRange
from zeroclaw_desktop.gui.plots.view_history import ViewHistory
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

_LEAST_PANEL = 14
_PANEL_GAP = 2
_DIMMED = 0.28
_STILL_PULL_S = 0.05
"""While the view does not move by a whole pixel, new samples change only its last column."""


class PlotCanvas(QWidget):
    """Panels with curves over one time axis.

    Args:
        source: where samples come from.
    """

    view_changed = Signal()
    """Window length, following or a value range changed by hand."""
    pointer_moved = Signal()
    """The crosshair moved, appeared or vanished."""
    menu_requested = Signal(QPoint)
    """A right click, in global pixels."""
    content_height_changed = Signal(int, int)
    """Height that all panels take, and height that is visible; for a scroll bar."""

    def __init__(self, source: SampleSource) -> None:
        super().__init__()
        self._source = source
        self.view = TimeView()
        self._series: list[PlotSeries] = []
        self._mode = OVERLAY
        self._highlighted: SeriesId | None = None
        self._ranges: dict[tuple[str, ...], ValueRange] = {}
        self._frames: list[PanelFrame] = []
        self._markers: list[MarkerView] = []
        self._rates: dict[SeriesId, float] = {}
        self._axis = TimeAxis(0.0, 1.0, True, 0, 1, 1.0)
        self._drawn: tuple[object, ...] = ()
        self._next_pull = 0.0
        self._replaying = False
        self._scroll = 0
        self._gutter = 0
        self._pointer: QPointF | None = None
        self._backdrop = Backdrop()
        self._curves = CurvePainter()
        self._layers: list[Layer] = []
        self._grip: Grip | None = None
        self._history: ViewHistory = ViewHistory()
        self.time_locked = False
        self.values_locked = False
        self._gestures = PlotGestures(self)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        FocusRing(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.CrossCursor)
        theme().theme_changed.connect(self._redress)
        self._retranslate()

    def set_series(self, series: Sequence[PlotSeries], mode: str) -> None:
        """Show these series; ranges of panels that stay are kept."""
        panels_before = [frame.panel.key for frame in self._frames]
        self._series = list(series)
        self._mode = mode
        panels = plan_panels(self._series, mode)
        self._ranges = {panel.key: self._ranges.get(panel.key, ValueRange()) for panel in panels}
        self._frames = [PanelFrame(panel, QRect(), self._ranges[panel.key]) for panel in panels]
        if panels_before != [panel.key for panel in panels]:
            self._gutter = 0
        self._place()
        self.redraw()

    def set_rates(self, rates: Mapping[SeriesId, float]) -> None:
        """Take over how many samples a second each series brings; of a silent one the last rate is kept."""
        self._rates.update({series_id: rate for series_id, rate in rates.items() if rate > 0})

    def set_highlighted(self, series_id: SeriesId | None) -> None:
        """Draw one series in full and the others dimmed; None draws all in full."""
        if series_id != self._highlighted:
            self._highlighted = series_id
            self.update()

    def set_scroll(self, pixels: int) -> None:
        """Move the panels up by this many pixels."""
        if pixels != self._scroll:
            self._scroll = pixels
            self._place()
            self.redraw()

    def set_replaying(self, replaying: bool) -> None:
        """Say that what is followed is the position in a recording."""
        self._replaying = replaying
        self._retranslate()
        self.follow()

    def refresh(self) -> bool:
        """Pull and paint when there is something new; returns whether there was. Call it at frame rate."""
        axis = self._make_axis()
        state = (self._source.generation(), axis)
        now = time.monotonic()
        if state == self._drawn or (axis == self._axis and self._drawn and now < self._next_pull):
            return False
        self._drawn = state
        self._backdrop.clock_offset = self._source.wall_offset()
        self._next_pull = now + _STILL_PULL_S
        self._axis = axis
        self._fill(axis)
        self._markers = self._source.markers(axis.start, axis.end)
        self._widen_gutter()
        self.update()
        if self._pointer is not None:
            self.pointer_moved.emit()
        return True

    def redraw(self) -> None:
        """Pull and paint now, whether or not something is new."""
        self._drawn = ()
        self.refresh()

    # the view

    def axis(self) -> TimeAxis:
        """Return the time axis of the frame that is shown."""
        return self._axis

    def frames(self) -> list[PanelFrame]:
        """Return the panels of the frame that is shown."""
        return list(self._frames)

    def hold(self) -> None:
        """Freeze the view; samples go on arriving behind it."""
        now = self._source.now()
        self.view.hold(now)
        self._changed()

    def follow(self) -> None:
        """Follow the present with values that fit by themselves."""
        self._remember("follow")
        self.view.follow()
        self.fit_values()

    def resume(self) -> None:
        """Follow the present and leave the value axes as they are."""
        self.view.follow()
        self._changed()

    def fit_values(self) -> None:
        """Let the value axes of all panels follow the data again, unless they are locked."""
        if not self.values_locked:
            for value_range in self._ranges.values():
                value_range.set_automatic()
        self._changed()

    def set_window(self, seconds: float) -> None:
        """Show this length of time."""
        self._remember("set_window")
        self.view.set_window(seconds)
        self._changed()

    def show_span(self, start: float, end: float) -> None:
        """Hold exactly this stretch (seconds of the telemetry clock), whatever is locked."""
        self.view.show(start, end)
        self._changed()

    def zoom(self, factor: float, anchor_s: float | None = None) -> None:
        """Show ``factor`` times as much time, around ``anchor_s`` (the middle when None)."""
        if self.time_locked:
            return
        self._remember("zoom")
        middle = (self._axis.start + self._axis.end) / 2
        self.view.zoom(factor, middle if anchor_s is None else anchor_s)
        self._changed()

    def pan(self, seconds: float) -> None:
        """Move the view in time; it no longer follows."""
        if self.time_locked:
            return
        self._remember("pan")
        now = self._source.now()
        self.view.pan(seconds, now)
        self._changed()

    def zoom_values(self, frame: PanelFrame, factor: float, y: float) -> None:
        """Show ``factor`` times as many values in a panel; the value at pixel ``y`` stays."""
        if self.values_locked:
            return
        self._remember("zoom_values")
        self._range_of(frame).zoom(factor, frame.value(y))
        self._changed()

    def pan_values(self, frame: PanelFrame, pixels: float) -> None:
        """Move a panel's values down by ``pixels``."""
        if self.values_locked:
            return
        self._remember("pan_values")
        kept = self._range_of(frame)
        kept.pan(pixels / max(1, frame.area.height()) * (kept.high - kept.low))
        self._changed()

    def set_value_range(self, frame: PanelFrame, low: float, high: float) -> None:
        """Show exactly these values in a panel; an empty range is ignored."""
        self._remember("set_value_range")
        self._range_of(frame).set_manual(low, high)
        self._changed()

    def zoom_to_box(self, box: QRectF, frame: PanelFrame) -> None:
        """Show what lies in a box: its times, and its values when it is higher than a flat stroke."""
        self._remember("zoom_to_box")
        start, end = self._axis.moment(box.left()), self._axis.moment(box.right())
        if box.width() > space(1) and not self.time_locked:
            self.view.show(start, end)
        if box.height() > space(3) and not self.values_locked:
            high, low = frame.value(box.top()), frame.value(box.bottom())
            self._range_of(frame).set_manual(low, high)
        self._changed()

    def back(self) -> None:
        """Show again what was visible before the last zoom or move."""
        before = self._history.back(self._ranges)
        if before is not None:
            self.view = before
            self._changed()

    def lock_time(self, locked: bool) -> None:
        """Let gestures and keys leave the time axis alone, or not."""
        self.time_locked = locked

    def lock_values(self, locked: bool) -> None:
        """Fix all value axes as they are, or let them follow the data again."""
        self.values_locked = locked
        for value_range in self._ranges.values():
            if locked:
                value_range.set_manual(value_range.low, value_range.high)
            else:
                value_range.set_automatic()
        self._changed()

    def add_layer(self, layer: Layer) -> None:
        """Draw something over the curves; of two at one place the later one is taken by the hand."""
        self._layers.append(layer)

    def panel_at(self, at: QPointF) -> PanelFrame | None:
        """Return the panel whose height holds the point (its value axis included), None between panels."""
        y = round(at.y())
        return next((one for one in self._frames if one.area.top() <= y <= one.area.bottom()), None)

    def pointer_moment(self) -> float | None:
        """Return the time under the pointer, None when it is not over the panels."""
        return None if self._pointer is None else self._axis.moment(self._pointer.x())

    def readings(self) -> dict[SeriesId, tuple[float, float]]:
        """Return (low, high) of each series under the pointer; empty without one."""
        return readings_at(self._frames, self.pointer_moment())

    def moment_text(self) -> str:
        """Return the time under the pointer for a person, '' without one."""
        moment = self.pointer_moment()
        return "" if moment is None else moment_text(moment, self._axis, self._backdrop.clock_offset)

    def paint_on(self, device: QPaintDevice, ratio: float, *, vector: bool = False) -> None:
        """Paint the plot without the crosshair elsewhere; arguments as in ``pictures``."""
        kept, axis = self._pointer, self._axis
        self._pointer = None
        self._axis = make_axis((axis.start, axis.end), False, axis.left, axis.width, ratio)
        self._fill(self._axis)
        painter = QPainter(device)
        self._paint(painter, vector=vector)
        painter.end()
        self._pointer = kept
        self.redraw()

    def sizeHint(self) -> QSize:
        """Ask for a good part of a page."""
        return QSize(space(160), space(100))

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(space(60), space(40))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame that was pulled last."""
        painter = QPainter(self)
        self._paint(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the panels anew."""
        super().resizeEvent(event)
        self._place()
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.update()
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        self._grip = self._grip_at(event.position()) if plain else None
        if self._grip is not None:
            return
        self._gestures.press(event)
        if self._gestures.dragging():
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the crosshair and go on with a gesture."""
        inside = self._lane().contains(event.position().toPoint()) and event.position().x() >= self._axis.left
        self._pointer = event.position() if inside else None
        if self._grip is not None:
            self._grip.move(event.position(), self._axis)
        elif event.buttons():
            self._gestures.move(event)
        else:
            grip = self._grip_at(event.position())
            self.setCursor(Qt.CursorShape.CrossCursor if grip is None else grip.shape)
        self.update()
        self.pointer_moved.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a gesture; a right click that did not move opens the menu."""
        if self._grip is not None:
            grip, self._grip = self._grip, None
            grip.drop()
            self.update()
            return
        dragged = self._gestures.release(event)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.update()
        if event.button() == Qt.MouseButton.RightButton and not dragged:
            self.menu_requested.emit(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Follow the present again."""
        self.follow()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu by the keyboard's menu key; the mouse goes through the gestures."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(self.mapToGlobal(self.rect().center()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom where the pointer is."""
        self._gestures.wheel(event)
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Let the page show its controls."""
        self.pointer_moved.emit()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Take the crosshair away."""
        self._pointer = None
        self.update()
        self.pointer_moved.emit()
        super().leaveEvent(event)

    # inside

    def _grip_at(self, at: QPointF) -> Grip | None:
        found = (layer.grip_at(at, self._frames, self._axis) for layer in reversed(self._layers))
        return next((grip for grip in found if grip is not None), None)

    def _remember(self, kind: str) -> None:
        self._history.before_change(kind, self.view, self._ranges)

    def _changed(self) -> None:
        self.redraw()
        self.view_changed.emit()

    def _range_of(self, frame: PanelFrame) -> ValueRange:
        return self._ranges.get(frame.panel.key, frame.range)

    def _make_axis(self) -> TimeAxis:
        left = self._gutter or space(12)
        width = max(1, self.width() - left - space(3))
        span = self.view.span(self._source.now())
        return make_axis(span, self.view.following, left, width, self.devicePixelRatioF())

    def _lane(self) -> QRect:
        top, bottom = space(6), space(6)
        return QRect(0, top, self.width(), max(1, self.height() - top - bottom))

    def _place(self) -> None:
        lane = self._lane()
        left = self._gutter or space(12)
        least = min(space(_LEAST_PANEL), lane.height())
        strips = place_panels(len(self._frames), lane.height(), least, space(_PANEL_GAP))
        whole = total_height(strips)
        self._scroll = max(0, min(self._scroll, whole - lane.height()))
        width = max(1, self.width() - left - space(3))
        for frame, strip in zip(self._frames, strips, strict=True):
            frame.area = QRect(left, lane.top() + strip.top - self._scroll, width, strip.height)
        self.content_height_changed.emit(whole, lane.height())

    def _fill(self, axis: TimeAxis) -> None:
        fill(self._source, self._frames, axis, self._lane(), self._rates)

    def _widen_gutter(self) -> None:
        wanted = gutter_width(self._frames)
        if wanted > self._gutter:
            self._gutter = wanted
            self._place()
            self._axis = self._make_axis()
            self._fill(self._axis)

    def _paint(self, painter: QPainter, *, vector: bool = False) -> None:
        axis, lane = self._axis, self._lane()
        if vector:
            self._backdrop.paint(painter, self.size(), self._frames, axis, lane)
        else:
            painter.drawPixmap(0, 0, self._backdrop.picture(self.size(), self._frames, axis, lane))
        colors = curve_colors(self._frames, self._highlighted)
        painter.save()
        painter.setClipRect(lane)
        self._curves.paint(painter, self._frames, axis, colors, self._highlighted)
        painter.restore()
        paint_markers(painter, self._markers, axis, lane, space(0.5))
        painter.save()
        painter.setClipRect(lane)
        for frame, inks in zip(self._frames, colors, strict=True):
            if frame.columns:
                paint_legend(painter, frame, inks, self._fixed_text)
        for layer in self._layers:
            layer.paint(painter, self._frames, axis, lane)
        painter.restore()
        if self._pointer is not None and not self._gestures.dragging():
            paint_crosshair(painter, self._frames, axis, lane, self._pointer, colors)
            paint_moment(painter, self._pointer.x(), self.moment_text(), lane)
        box = self._gestures.box()
        if box is not None:
            paint_zoom_box(painter, box)

    def _redress(self) -> None:
        self._backdrop.forget()
        self._gutter = 0
        self._place()
        self.redraw()

    def _retranslate(self) -> None:
        self._fixed_text = self.tr("fixed scale")
        self._backdrop.now_text = self.tr("position") if self._replaying else self.tr("now")
        self._backdrop.forget()
        self.setAccessibleName(self.tr("Plot"))
        self.setAccessibleDescription(
            self.tr("Space pauses, plus and minus zoom, arrows move, F follows the present.")
        )
