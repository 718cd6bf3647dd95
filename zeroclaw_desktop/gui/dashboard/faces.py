"""Painted faces of tiles: gauge, bar, number, lamp; each paints only when its state has changed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.dashboard.zones import GOOD, Zone, share
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.badges import draw_shape

_INKS = {"very_low": "danger", "low": "warn", GOOD: "live", "high": "warn", "very_high": "danger"}
_SHAPES = {"very_low": "cross", "low": "triangle", "high": "triangle", "very_high": "cross"}
_START, _SWEEP = 210.0, 240.0
"""The arc of a gauge: degrees, counter-clockwise from three o'clock, and how far it goes clockwise."""
_CENTER = int(Qt.AlignmentFlag.AlignCenter)


class Face(QWidget):
    """A face over a state; ``set_state`` paints when the state differs from the one before."""

    def __init__(self) -> None:
        super().__init__()
        self._state: object = None
        self.paints = 0
        """How often it was painted; for measuring."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().theme_changed.connect(self.update)

    def set_state(self, state: object) -> bool:
        """Show a state; returns whether it is another one."""
        if state == self._state:
            return False
        self._state = state
        self.update()
        return True

    def state(self) -> object:
        """What is shown."""
        return self._state

    def minimumSizeHint(self) -> QSize:
        """Fit into the smallest tile."""
        return QSize(space(10), space(6))

    def sizeHint(self) -> QSize:
        """Take what there is."""
        return QSize(space(30), space(15))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the state."""
        if self._state is None:
            return
        self.paints += 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter, QRectF(self.rect()))
        painter.end()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint into the area."""


def fitted(role: str, text: str, width: float, height: float) -> QFont:
    """The font of a role, as large as the text may be in a box; never smaller than a caption."""
    font = QFont(theme().font(role))
    font.setPixelSize(100)
    needed = QFontMetricsF(font)
    across = max(1.0, needed.horizontalAdvance(text or "0"))
    least = theme().font("caption").pixelSize()
    font.setPixelSize(max(least, int(min(100 * width / across, 100 * height / needed.height()))))
    return font


@dataclass(frozen=True)
class ScaleState:
    """What a gauge or a bar shows.

    Attributes:
        text: the value with its decimals; unit: behind it.
        low_text, high_text: ends of the scale.
        zone: kind of the zone that the value is in; zone_text: its name.
        fresh: whether the value is what is there now; an old one is grey.
    """

    value: float | None
    text: str
    unit: str
    low: float
    high: float
    low_text: str
    high_text: str
    zones: tuple[Zone, ...]
    zone: str
    zone_text: str
    fresh: bool

    @property
    def outside(self) -> bool:
        """Whether the value is beyond the scale."""
        return self.value is not None and not self.low <= self.value <= self.high


def _ink(kind: str, fresh: bool) -> QColor:
    return theme().color(_INKS[kind] if fresh else "hairline_strong")


class GaugeFace(Face):
    """A dial: coloured zones along the arc, a hand, the value and the name of its zone."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint arc, marks, hand and texts."""
        state = self._state
        assert isinstance(state, ScaleState)
        caption = QFontMetricsF(theme().font("caption")).height()
        radius = min(area.width() / 2 - space(1), (area.height() - caption) / 1.5)
        center = QPointF(area.center().x(), area.top() + radius + 1)
        thick = max(4.0, radius * 0.13)
        self._paint_arc(painter, state, center, radius - thick / 2, thick)
        if state.value is not None:
            self._paint_hand(painter, state, center, radius - thick)
        below = center.y() + radius * 0.18
        box = QRectF(area.left(), below, area.width(), max(1.0, area.bottom() - below - caption))
        shown = f"{state.text} {state.unit}".strip()
        painter.setPen(theme().color("text" if state.fresh else "text_disabled"))
        painter.setFont(fitted("mono", shown, radius * 1.15, min(box.height(), radius * 0.5)))
        painter.drawText(box, _CENTER, shown)
        self._paint_foot(painter, state, area, caption, center, radius)

    def _paint_arc(
        self, painter: QPainter, state: ScaleState, center: QPointF, radius: float, thick: float
    ) -> None:
        box = QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius)
        for zone in state.zones:
            start = share(zone.start, state.low, state.high)
            length = share(zone.end, state.low, state.high) - start
            color = _ink(zone.kind, state.fresh) if len(state.zones) > 1 else theme().color("hairline_strong")
            pen = QPen(color, thick)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawArc(box, round((_START - start * _SWEEP) * 16), -round(length * _SWEEP * 16))
            if start > 0:
                self._paint_mark(painter, center, radius, thick, start)

    @staticmethod
    def _paint_mark(painter: QPainter, center: QPointF, radius: float, thick: float, at: float) -> None:
        """A gap and a notch where one zone ends: the zones are told apart without their colours."""
        angle = math.radians(_START - at * _SWEEP)
        way = QPointF(math.cos(angle), -math.sin(angle))
        painter.setPen(QPen(theme().color("surface"), 3))
        painter.drawLine(center + way * (radius - thick / 2), center + way * (radius + thick / 2))
        painter.setPen(QPen(theme().color("text_muted"), 1.5))
        painter.drawLine(center + way * (radius - thick), center + way * (radius - thick / 2 - 1))

    @staticmethod
    def _paint_hand(painter: QPainter, state: ScaleState, center: QPointF, length: float) -> None:
        angle = math.radians(_START - share(state.value or 0.0, state.low, state.high) * _SWEEP)
        way = QPointF(math.cos(angle), -math.sin(angle))
        pen = QPen(theme().color("text" if state.fresh else "text_disabled"), 2.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(center + way * (length * 0.35), center + way * (length - 2))

    @staticmethod
    def _paint_foot(
        painter: QPainter,
        state: ScaleState,
        area: QRectF,
        caption: float,
        center: QPointF,
        radius: float,
    ) -> None:
        line = QRectF(center.x() - radius, area.bottom() - caption, 2 * radius, caption)
        painter.setFont(theme().font("caption"))
        painter.setPen(theme().color("text_faint"))
        painter.drawText(
            line, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), state.low_text
        )
        painter.drawText(
            line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), state.high_text
        )
        paint_zone_word(painter, state, line)


def paint_zone_word(painter: QPainter, state: ScaleState, line: QRectF) -> None:
    """The name of the zone with its shape, in the middle of a line; nothing while all is well."""
    if not state.zone_text or not state.fresh:
        return
    width = QFontMetricsF(theme().font("caption")).horizontalAdvance(state.zone_text)
    ink = theme().color("danger_ink" if state.zone.startswith("very") else "warn_ink")
    left = line.center().x() - (width + space(4)) / 2
    draw_shape(painter, QPointF(left + space(1), line.center().y()), space(1), _SHAPES[state.zone], ink)
    painter.setPen(ink)
    painter.setFont(theme().font("caption"))
    text = QRectF(left + space(4), line.top(), width + 1, line.height())
    painter.drawText(text, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), state.zone_text)


class BarFace(Face):
    """A level: the value above a bar with its zones."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint value, bar, marks and ends."""
        state = self._state
        assert isinstance(state, ScaleState)
        caption = QFontMetricsF(theme().font("caption")).height()
        thick = max(6.0, min(space(4), area.height() * 0.18))
        shown = f"{state.text} {state.unit}".strip()
        room = max(1.0, area.height() - caption - thick - space(1.5))
        painter.setPen(theme().color("text" if state.fresh else "text_disabled"))
        painter.setFont(fitted("mono", shown, area.width(), min(room, float(space(11)))))
        painter.drawText(QRectF(area.left(), area.top(), area.width(), room), _CENTER, shown)
        bar = QRectF(area.left(), area.bottom() - caption - thick - space(0.5), area.width(), thick)
        self._paint_bar(painter, state, bar)
        line = QRectF(area.left(), area.bottom() - caption, area.width(), caption)
        painter.setFont(theme().font("caption"))
        painter.setPen(theme().color("text_faint"))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft), state.low_text)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignRight), state.high_text)
        paint_zone_word(painter, state, line)

    @staticmethod
    def _paint_bar(painter: QPainter, state: ScaleState, bar: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("hairline"))
        painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2)
        if state.value is not None:
            kind = state.zone if len(state.zones) > 1 else ""
            ink = _ink(kind, state.fresh) if kind else theme().color("accent")
            if not state.fresh:
                ink = theme().color("hairline_strong")
            filled = QRectF(bar)
            filled.setWidth(max(bar.height(), bar.width() * share(state.value, state.low, state.high)))
            painter.setBrush(ink)
            painter.drawRoundedRect(filled, bar.height() / 2, bar.height() / 2)
        painter.setPen(QPen(theme().color("text_muted"), 1.5))
        for zone in state.zones[1:]:
            x = bar.left() + bar.width() * share(zone.start, state.low, state.high)
            painter.drawLine(QPointF(x, bar.top() - space(0.5)), QPointF(x, bar.bottom()))


@dataclass(frozen=True)
class NumberState:
    """What a number shows.

    Attributes:
        figures: least, mean and most of the window in words, longest first; the first that fits is shown.
        points: (0..1 across, 0..1 up) of the small line, low and high of each column in turn.
    """

    text: str
    unit: str
    figures: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    fresh: bool


class NumberFace(Face):
    """A large value, its unit, figures of the window, a small line of it."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint line, value and figures."""
        state = self._state
        assert isinstance(state, NumberState)
        caption = QFontMetricsF(theme().font("caption")).height()
        box = QRectF(area)
        if state.figures:
            line = QRectF(area.left(), area.bottom() - caption, area.width(), caption)
            box.setBottom(line.top())
            painter.setFont(theme().font("caption"))
            painter.setPen(theme().color("text_muted"))
            metrics = QFontMetricsF(painter.font())
            fitting = (one for one in state.figures if metrics.horizontalAdvance(one) <= line.width())
            painter.drawText(line, _CENTER, next(fitting, ""))
        if state.points:
            high = min(float(space(10)), box.height() * 0.35)
            self._paint_line(painter, state, QRectF(box.left(), box.bottom() - high, box.width(), high))
            box.setBottom(box.bottom() - high)
        self._paint_value(painter, state, box)

    @staticmethod
    def _paint_value(painter: QPainter, state: NumberState, box: QRectF) -> None:
        unit_font = theme().font("lead")
        unit_width = QFontMetricsF(unit_font).horizontalAdvance(state.unit) + (space(1) if state.unit else 0)
        font = fitted(
            "mono", state.text, max(1.0, box.width() - unit_width), min(box.height(), float(space(14)))
        )
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(state.text)
        left = box.center().x() - (width + unit_width) / 2
        baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
        painter.setPen(theme().color("text" if state.fresh else "text_disabled"))
        painter.setFont(font)
        painter.drawText(QPointF(left, baseline), state.text)
        if state.unit:
            painter.setPen(theme().color("text_muted" if state.fresh else "text_disabled"))
            painter.setFont(unit_font)
            painter.drawText(QPointF(left + width + space(1), baseline), state.unit)

    @staticmethod
    def _paint_line(painter: QPainter, state: NumberState, area: QRectF) -> None:
        inner = area.adjusted(1, 3, -1, -3)
        line = QPolygonF(
            [
                QPointF(inner.left() + x * inner.width(), inner.bottom() - y * inner.height())
                for x, y in state.points
            ]
        )
        painter.setPen(QPen(theme().color("accent" if state.fresh else "hairline_strong"), 1.5))
        painter.drawPolyline(line)


@dataclass(frozen=True)
class LampState:
    """What a lamp shows: on, off, or None when nobody knows; ``text`` says it."""

    on: bool | None
    text: str
    fresh: bool


class LampFace(Face):
    """An LED: a filled disc with rays when on, a ring when off, a dash when nobody knows; and the word."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint lamp and word."""
        state = self._state
        assert isinstance(state, LampState)
        radius = max(6.0, min(area.height() / 2 - space(1.5), area.width() / 6, float(space(9))))
        words = QFontMetricsF(theme().font("lead"))
        width = words.horizontalAdvance(state.text)
        left = max(area.left(), area.center().x() - (2 * radius + space(4) + width) / 2)
        center = QPointF(left + radius + space(1), area.center().y())
        self._paint_lamp(painter, state, center, radius * 0.8)
        begin = center.x() + radius + space(3)
        box = QRectF(begin, area.top(), max(1.0, area.right() - begin), area.height())
        painter.setPen(theme().color("text" if state.fresh else "text_disabled"))
        painter.setFont(theme().font("lead"))
        shown = words.elidedText(state.text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

    @staticmethod
    def _paint_lamp(painter: QPainter, state: LampState, center: QPointF, radius: float) -> None:
        if state.on is None or not state.fresh:
            painter.setPen(QPen(theme().color("hairline_strong"), 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(center, radius, radius)
            return
        if not state.on:
            painter.setPen(QPen(theme().color("text_faint"), 2))
            painter.setBrush(theme().color("sunken"))
            painter.drawEllipse(center, radius, radius)
            return
        painter.setPen(QPen(theme().color("live"), 1.5))
        for step in range(8):
            angle = step * math.pi / 4
            way = QPointF(math.cos(angle), math.sin(angle))
            painter.drawLine(center + way * (radius * 1.12), center + way * (radius * 1.3))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("live"))
        painter.drawEllipse(center, radius, radius)
        painter.setBrush(theme().color("live_soft"))
        painter.drawEllipse(center - QPointF(radius * 0.3, radius * 0.3), radius * 0.22, radius * 0.22)
