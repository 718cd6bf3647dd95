"""The chart that spectrum, histogram and X-Y share: axes, grid, zoom, crosshair, pictures of itself."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.plots.analysis.axis import axis_ticks, fine_ticks, value_at
from zeroclaw_desktop.gui.plots.analysis.content import ChartContent, ChartFrame
from zeroclaw_desktop.gui.plots.backdrop import paint_grid, paint_tick_texts
from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.gestures import PlotGestures
from zeroclaw_desktop.gui.plots.overlays import paint_legend, paint_pill, paint_zoom_box, spread_tags
from zeroclaw_desktop.gui.plots.panels import Panel
from zeroclaw_desktop.gui.plots.value_range import ValueRange
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

_X_TOLERANCE = 0.02
"""Share of its length by which the data may move on an exact axis before the axis follows."""
_ZOOM_STEP = 0.5
_PAN_STEP = 0.15
_MOST_TAGS = 6
_TICK, _LOG_TICK = 22, 10
"""Grid steps of width for each tick."""
_HIGH = 64
_LEAST_GUTTER = 14


class Chart(QWidget):
    """One plot over two number axes."""

    menu_requested = Signal(QPoint)
    """A right click, in global pixels."""

    def __init__(self) -> None:
        super().__init__()
        self._content: ChartContent | None = None
        self._x, self._y = ValueRange(), ValueRange()
        self._gutter = 0
        self._frame: ChartFrame | None = None
        self._picture = QPixmap()
        self._pointer: QPointF | None = None
        self._dragged_to = QPointF()
        self._drags_both = False
        self._gestures = PlotGestures(self)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        FocusRing(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.CrossCursor)
        theme().theme_changed.connect(self._redress)
        self._retranslate()

    # what is shown

    def set_content(self, content: ChartContent | None) -> None:
        """Show another result; ranges chosen by hand stay while it is of the same sort."""
        before = self._content.key if self._content is not None else None
        if content is None or content.key != before:
            self._x, self._y = ValueRange(), ValueRange()
            self._gutter = 0
        self._content = content
        self._settle()

    def content(self) -> ChartContent | None:
        """Return what is shown."""
        return self._content

    def frame(self) -> ChartFrame | None:
        """Return the axes as they are shown; None without a content."""
        return self._frame

    # the view, as ``GestureTarget`` says

    def axis(self) -> TimeAxis:
        """Return the horizontal axis."""
        if self._frame is not None:
            return self._frame.axis
        return TimeAxis(0.0, 1.0, False, 0, max(1, self.width()), 1.0)

    def panel_at(self, at: QPointF) -> PanelFrame | None:
        """Return the panel when the point is at its height."""
        panel = self._frame.panel if self._frame is not None else None
        return panel if panel is not None and panel.area.top() <= at.y() <= panel.area.bottom() else None

    def pan(self, seconds: float) -> None:
        """Move the view along the horizontal axis."""
        self._freeze()
        self._x.pan(seconds)
        self._settle()

    def zoom(self, factor: float, anchor_s: float | None = None) -> None:
        """Show ``factor`` times as much around a place, or around the middle."""
        self._freeze()
        axis, content = self.axis(), self._content
        self._x.zoom(factor, (axis.start + axis.end) / 2 if anchor_s is None else anchor_s)
        if content is not None and content.free and self._frame is not None:
            panel = self._frame.panel
            pointed = anchor_s is not None and self._pointer is not None
            y = self._pointer.y() if pointed and self._pointer is not None else panel.area.center().y()
            self._y.zoom(factor, panel.value(y))
        self._settle()

    def pan_values(self, frame: PanelFrame, pixels: float) -> None:
        """Move the view along the vertical axis."""
        self._freeze()
        self._y.pan(pixels / max(1, frame.area.height()) * (frame.range.high - frame.range.low))
        self._settle()

    def zoom_values(self, frame: PanelFrame, factor: float, y: float) -> None:
        """Show ``factor`` times as many values; the one at pixel ``y`` stays."""
        if self._content is not None and self._content.equal:
            self.zoom(factor)
            return
        self._y.zoom(factor, frame.value(y))
        self._settle()

    def zoom_to_box(self, box: QRectF, frame: PanelFrame) -> None:
        """Show what lies in a box; a flat one leaves the values, a narrow one the horizontal axis."""
        axis = self.axis()
        if box.width() > space(1):
            self._x.set_manual(axis.moment(box.left()), axis.moment(box.right()))
        if box.height() > space(3):
            self._y.set_manual(frame.value(box.bottom()), frame.value(box.top()))
        self._settle()

    def fit(self) -> None:
        """Show everything, and follow the data again."""
        self._x.set_automatic()
        self._y.set_automatic()
        self._settle()

    def zoomed(self) -> bool:
        """Return whether a range was chosen by hand."""
        return not (self._x.automatic and self._y.automatic)

    # pictures

    def paint_picture(self, painter: QPainter, ratio: float) -> None:
        """Paint the chart without the crosshair, for a file or the clipboard.

        Args:
            painter: active, in logical pixels.
            ratio: device pixels for each logical one.
        """
        frame = self._make_frame(ratio)
        painter.fillRect(self.rect(), theme().color("window"))
        if frame is not None and self._content is not None:
            self._content.fit(frame)
            self._paint_all(painter, frame)

    # Qt

    def sizeHint(self) -> QSize:
        """Ask for a good part of a page."""
        return QSize(space(100), space(50))

    def minimumSizeHint(self) -> QSize:
        """Stay readable."""
        return QSize(space(50), space(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the kept picture, and the crosshair over it."""
        painter = QPainter(self)
        if self._frame is None:
            painter.fillRect(self.rect(), theme().color("window"))
        else:
            painter.drawPixmap(0, 0, self._picture)
            if self._pointer is not None and not self._gestures.dragging():
                self._paint_crosshair(painter, self._frame, self._pointer)
            box = self._gestures.box()
            if box is not None:
                paint_zoom_box(painter, box)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Paint anew in the new size."""
        super().resizeEvent(event)
        self._settle()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._settle()
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a gesture."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._gestures.press(event)
        self._dragged_to = event.position()
        self._drags_both = event.position().x() >= self.axis().left
        if self._gestures.dragging():
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the crosshair and go on with a gesture."""
        at, frame = event.position(), self._frame
        self._pointer = at if frame is not None and frame.area.contains(at.toPoint()) else None
        if event.buttons():
            self._gestures.move(event)
            free = self._content is not None and self._content.free
            if free and frame is not None and self._gestures.moved and self._gestures.dragging():
                if self._drags_both:
                    self.pan_values(frame.panel, at.y() - self._dragged_to.y())
                self._dragged_to = at
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a gesture; a right click that did not move opens the menu."""
        dragged = self._gestures.release(event)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.update()
        if event.button() == Qt.MouseButton.RightButton and not dragged:
            self.menu_requested.emit(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything again."""
        self.fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu by the keyboard's menu key; the mouse goes through the gestures."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(self.mapToGlobal(self.rect().center()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom where the pointer is."""
        self._gestures.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Take the crosshair away."""
        self._pointer = None
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plus and minus zoom, arrows move, F and Home fit; all else goes to the page."""
        axis = self.axis()
        step = (axis.end - axis.start) * _PAN_STEP
        deeds = {
            Qt.Key.Key_Plus: lambda: self.zoom(_ZOOM_STEP),
            Qt.Key.Key_Equal: lambda: self.zoom(_ZOOM_STEP),
            Qt.Key.Key_Minus: lambda: self.zoom(1 / _ZOOM_STEP),
            Qt.Key.Key_Left: lambda: self.pan(-step),
            Qt.Key.Key_Right: lambda: self.pan(step),
            Qt.Key.Key_F: self.fit,
            Qt.Key.Key_Home: self.fit,
        }
        deed = deeds.get(Qt.Key(event.key()))
        if deed is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            deed()

    # inside

    def _freeze(self) -> None:
        """Go on by hand from what is visible: equal axes show more than the two ranges say."""
        frame = self._frame
        if frame is not None and self._content is not None and self._content.equal:
            self._x.set_manual(frame.axis.start, frame.axis.end)
            self._y.set_manual(frame.panel.range.low, frame.panel.range.high)

    def _settle(self) -> None:
        """Let the ranges follow the data, and paint the picture that is kept."""
        content = self._content
        self._frame = None
        if content is not None and self.width() > space(20) and self.height() > space(16):
            self._follow_x(content)
            self._frame = self._fitted_frame(content, self.devicePixelRatioF())
            if self._frame is not None:
                self._paint_kept(self._frame)
        self.update()

    def _fitted_frame(self, content: ChartContent, ratio: float) -> ChartFrame | None:
        """Return the frame with its values fitted to what is visible."""
        before = self._make_frame(ratio)
        if before is None:
            return None
        self._y.adapt(*content.fit(before))
        widened = self._widen_gutter()
        frame = self._make_frame(ratio)
        if frame is not None and widened:
            content.fit(frame)
        elif frame is not None:
            frame.panel.columns = before.panel.columns
        return frame

    def _follow_x(self, content: ChartContent) -> None:
        low, high = content.x_range()
        if not (self._x.automatic and math.isfinite(low) and math.isfinite(high) and high > low):
            if not content.x_exact:
                self._x.adapt(low, high)
            return
        if not content.x_exact:
            self._x.adapt(low, high)
            return
        slack = _X_TOLERANCE * (high - low)
        if abs(self._x.low - low) > slack or abs(self._x.high - high) > slack:
            self._x.low, self._x.high = low, high

    def _make_frame(self, ratio: float) -> ChartFrame | None:
        content = self._content
        if content is None:
            return None
        left = max(self._gutter, space(_LEAST_GUTTER))
        below = space(10.5 if self._names_below() else 6.5)
        area = QRect(left, space(6), self.width() - left - space(3), self.height() - space(6) - below)
        if area.width() < 2 or area.height() < 2:
            return None
        x, y = (self._x.low, self._x.high), (self._y.low, self._y.high)
        if content.equal:
            x, y = _equalled(x, y, area)
        shown = ValueRange()
        shown.low, shown.high = y
        shown.automatic = not self.zoomed()
        axis = TimeAxis(*x, False, area.left(), area.width(), ratio)
        return ChartFrame(
            axis, PanelFrame(Panel((), "", content.series), area, shown), content.x_log, content.y_log
        )

    def _names_below(self) -> bool:
        """Return whether there is height enough for a line of its own for the name of the axis."""
        return self.height() >= space(_HIGH)

    def _marks(self, frame: ChartFrame) -> list[tuple[float, str]]:
        line = QFontMetrics(theme().font("caption")).height()
        most = max(2, min(8, frame.area.height() // (2 * line)))
        values = frame.panel.range
        ticks = axis_ticks(values.low, values.high, frame.y_log, most)
        return [(frame.panel.y(place), text) for place, text in ticks]

    def _widen_gutter(self) -> bool:
        """Make room for the longest value text; returns whether there was too little."""
        frame = self._make_frame(1.0)
        if frame is None:
            return False
        metrics = QFontMetrics(theme().font("caption"))
        widest = max((metrics.horizontalAdvance(text) for _, text in self._marks(frame)), default=0)
        # In steps, so that a digit more does not move the plot.
        step = space(4)
        wanted = -(-(widest + space(3)) // step) * step
        widened = wanted > max(self._gutter, space(_LEAST_GUTTER))
        self._gutter = max(self._gutter, wanted)
        return widened

    def _paint_kept(self, frame: ChartFrame) -> None:
        self._picture = QPixmap(self.size() * frame.ratio)
        self._picture.setDevicePixelRatio(frame.ratio)
        self._picture.fill(theme().color("window"))
        painter = QPainter(self._picture)
        self._paint_all(painter, frame)
        painter.end()

    def _paint_all(self, painter: QPainter, frame: ChartFrame) -> None:
        content = self._content
        if content is None:
            return
        area, metrics = frame.area, QFontMetrics(theme().font("caption"))
        x_name, y_name = content.names()
        axis = frame.axis
        most = max(2, area.width() // space(_LOG_TICK if frame.x_log else _TICK))
        ticks = axis_ticks(axis.start, axis.end, frame.x_log, most)
        fine = [axis.x(place) for place in fine_ticks(axis.start, axis.end)] if frame.x_log else []
        pixels = [(axis.x(place), text) for place, text in ticks]
        paint_grid(painter, area, [*(x for x, _ in pixels), *fine], self._marks(frame))
        top = area.bottom() + space(1)
        name_left = area.right() - metrics.horizontalAdvance(x_name)
        if self._names_below():
            paint_tick_texts(painter, pixels, area.right() + space(2), top)
            top += space(4)
        else:
            near = name_left - space(2)
            texts = [(x, text) for x, text in pixels if x + metrics.horizontalAdvance(text) / 2 < near]
            paint_tick_texts(painter, texts, near, top)
        painter.setPen(theme().color("text_muted"))
        painter.drawText(QPointF(name_left, top + metrics.ascent() + 1), x_name)
        shown = metrics.elidedText(y_name, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(QPointF(area.left(), area.top() - space(1.5)), shown)
        self._paint_legend(painter, frame, content, area.left() + metrics.horizontalAdvance(shown))
        painter.save()
        painter.setClipRect(area)
        content.paint(painter, frame)
        painter.restore()

    def _paint_legend(self, painter: QPainter, frame: ChartFrame, content: ChartContent, left: int) -> None:
        """Name the series over the plot, after the name of the axis: peaks at the left stay in sight."""
        colors = [theme().series_color(series.color_index) for series in content.series]
        room = QRect(left + space(2), 0, frame.area.right() + space(30) - left, frame.area.top())
        strip = PanelFrame(frame.panel.panel, room, frame.panel.range)
        paint_legend(painter, strip, colors, self._fixed_text, "window")

    def _paint_crosshair(self, painter: QPainter, frame: ChartFrame, at: QPointF) -> None:
        content, area = self._content, frame.area
        if content is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        pen = QPen(theme().color("text_faint"), 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLine(round(at.x()), area.top(), round(at.x()), area.bottom())
        painter.drawLine(area.left(), round(at.y()), area.right(), round(at.y()))
        readings = list(content.readings(frame, at))[:_MOST_TAGS]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for reading in readings:
            if area.contains(reading.at.toPoint()):
                painter.setPen(QPen(theme().color("surface"), 1.5))
                painter.setBrush(theme().series_color(reading.color_index))
                painter.drawEllipse(reading.at, space(1), space(1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(theme().font("mono_small"))
        metrics = painter.fontMetrics()
        tags = [(one.at.y(), one.text, theme().series_color(one.color_index)) for one in readings]
        for top, text, ink in spread_tags(tags, area, metrics):
            width = metrics.horizontalAdvance(text) + space(3)
            left = at.x() + space(3)
            if left + width >= area.right():
                left = max(area.left(), at.x() - space(3) - width)
            paint_pill(painter, QRectF(left, top, width, metrics.height() + space(0.5)), text, ink)
        text = content.x_text(value_at(frame.axis.moment(at.x()), frame.x_log))
        width = metrics.horizontalAdvance(text) + space(4)
        left = min(max(at.x() - width / 2, 0.0), self.width() - width - 1.0)
        box = QRectF(left, area.bottom() + space(0.5), width, space(5))
        paint_pill(painter, box, text, theme().color("text_faint"))

    def _redress(self) -> None:
        self._gutter = 0
        self._settle()

    def _retranslate(self) -> None:
        self._fixed_text = self.tr("zoomed, double click to fit")
        self.setAccessibleName(self.tr("Analysis"))


def _equalled(
    x: tuple[float, float], y: tuple[float, float], area: QRect
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Widen one of two ranges about its middle, so that a unit is as long on both axes."""
    width, height = area.width(), max(1, area.height() - 1)
    pixel = max((x[1] - x[0]) / width, (y[1] - y[0]) / height)
    middles = (x[0] + x[1]) / 2, (y[0] + y[1]) / 2
    halves = pixel * width / 2, pixel * height / 2
    return (middles[0] - halves[0], middles[0] + halves[0]), (middles[1] - halves[1], middles[1] + halves[1])
