"""The wires from the terminals of the parts to the pins on the board picture; lets every click through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.devices.terminal_line import DOT_STEPS, TerminalDot
from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.board_picture import BoardPicture

RESTING_OPACITY = 0.9
FAINT_OPACITY = 0.25
LABEL_STEPS = 90
FIRST_LANE, LANE_GAP, MOST_LANES = 12.0, 4.5, 6
"""Pixels from a pin to the first lane and between lanes; with more wires the lanes come closer."""
_FOLLOWED = (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Move, QEvent.Type.Show)


@dataclass(frozen=True)
class DrawnWire:
    """A wire that is there."""

    dot: TerminalDot
    pin: int


@dataclass(frozen=True)
class _Pulled:
    """The wire that is being dragged; see WiresOverlay.pull."""

    dot: TerminalDot
    place: QPointF
    color: str
    words: str


class WiresOverlay(QWidget):
    """Lies over a board's card.

    Args:
        card: what it lies over; it becomes the parent.
        picture: where the pins are.
    """

    def __init__(self, card: QWidget, picture: BoardPicture) -> None:
        super().__init__(card)
        self._card, self._picture = card, picture
        self._wires: tuple[DrawnWire, ...] = ()
        self._hovered: TerminalDot | None = None
        self._pulled: _Pulled | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        card.installEventFilter(self)
        picture.installEventFilter(self)
        theme().theme_changed.connect(self.update)
        self._follow()

    def set_wires(self, wires: Iterable[DrawnWire]) -> None:
        """Draw these wires."""
        self._wires = tuple(wires)
        self.update()

    def wires(self) -> tuple[DrawnWire, ...]:
        """The wires that are drawn."""
        return self._wires

    def bring_out(self, dot: TerminalDot | None) -> None:
        """Draw one wire stronger than the others."""
        self._hovered = dot
        self.update()

    def pull(self, dot: TerminalDot, place: QPoint, color: str = "", words: str = "") -> None:
        """Draw the wire that is being dragged.

        Args:
            place: where its end is, on the screen.
            color: token of the ring at its end; '' for none.
            words: what letting go there would do.
        """
        self._pulled = _Pulled(dot, QPointF(self.mapFromGlobal(place)), color, words)
        self.update()

    def words(self) -> str:
        """What stands beside the end that is being dragged."""
        return self._pulled.words if self._pulled is not None else ""

    def let_go(self) -> None:
        """Nothing is dragged any more."""
        self._pulled = None
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the card and the places of what is on it."""
        if event.type() in _FOLLOWED:
            self._follow()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw all wires, the one that is brought out last."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pulled = self._pulled.dot if self._pulled is not None else None
        out = pulled or self._hovered
        paths = [(wire.dot, path) for wire, path in self._laid_out() if wire.dot is not pulled]
        for dot, path in sorted(paths, key=lambda entry: entry[0] is out):
            strength = RESTING_OPACITY if out is None else 1.0 if dot is out else FAINT_OPACITY
            _draw(painter, path, dot.color(), strength)
        if self._pulled is not None:
            self._draw_pulled(painter, self._pulled)
        painter.end()

    def _laid_out(self) -> list[tuple[DrawnWire, QPainterPath]]:
        """The wires in lanes beside and above or below the board, so that the board can be read.

        The farther left a pin, the farther out its lane: no wire crosses the end of another one.
        """
        middle = self._picture_middle()
        ends = [(wire, self._pin_place(wire.pin)) for wire in self._wires if wire.dot.isVisible()]
        shown = [(wire, end) for wire, end in ends if end is not None]
        laid_out = []
        for above in (True, False):
            side = [(wire, end) for wire, end in shown if (end.y() < middle) is above]
            side.sort(key=lambda entry: -entry[1].x())
            gap = LANE_GAP * min(1.0, MOST_LANES / max(1, len(side)))
            for number, (wire, end) in enumerate(side):
                laid_out.append((wire, self._path(wire.dot, end, above, FIRST_LANE + number * gap)))
        return laid_out

    def _path(self, dot: TerminalDot, end: QPointF, above: bool, lane: float) -> QPainterPath:
        """Left from the dot, along the side of the board, across, to the pin."""
        begin = self._begin(dot)
        x = begin.x() - space(2.75) - lane * (1.0 if above else 0.6)
        y = end.y() - lane if above else end.y() + lane
        return _rounded([begin, QPointF(x, begin.y()), QPointF(x, y), QPointF(end.x(), y), end])

    def _begin(self, dot: TerminalDot) -> QPointF:
        """The left edge of a dot."""
        return QPointF(dot.mapTo(self._card, dot.center().toPoint())) - QPointF(DOT_STEPS * space(1), 0)

    def _draw_pulled(self, painter: QPainter, pulled: _Pulled) -> None:
        begin, end = self._begin(pulled.dot), pulled.place
        path = QPainterPath(begin)
        reach = max(space(8), abs(begin.x() - end.x()) * 0.4)
        path.cubicTo(QPointF(begin.x() - reach, begin.y()), QPointF(end.x() + reach, end.y()), end)
        _draw(painter, path, pulled.dot.color(), 1.0)
        if pulled.color:
            painter.setPen(QPen(theme().color(pulled.color), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(end, space(3), space(3))
        if pulled.words:
            self._draw_words(painter, pulled)

    def _draw_words(self, painter: QPainter, pulled: _Pulled) -> None:
        """A label beside the pointer, within the card."""
        painter.setFont(theme().font("body"))
        room = QRectF(0, 0, LABEL_STEPS * space(1), self.height())
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
        text = painter.boundingRect(room, flags, pulled.words)
        box = text.adjusted(-space(3), -space(2), space(3), space(2))
        box.moveTopLeft(pulled.place + QPointF(space(5), space(5)))
        box.moveRight(min(box.right(), self.width() - space(2)))
        if box.bottom() > self.height() - space(2):
            box.moveBottom(pulled.place.y() - space(5))
        painter.setPen(QPen(theme().color(pulled.color or "hairline_strong"), 1.5))
        painter.setBrush(theme().color("raised"))
        painter.drawRoundedRect(box, theme().radius("control"), theme().radius("control"))
        painter.setPen(theme().color("text"))
        painter.drawText(box.adjusted(space(3), space(2), -space(3), -space(2)), flags, pulled.words)

    def _pin_place(self, pin: int) -> QPointF | None:
        """Where a wire to a pin ends on the card."""
        inside = self._picture.wire_place(pin)
        return None if inside is None else QPointF(self._picture.mapTo(self._card, QPoint(0, 0))) + inside

    def _picture_middle(self) -> float:
        top = self._picture.mapTo(self._card, QPoint(0, 0)).y()
        return QRectF(0, top, 1, self._picture.height()).center().y()

    def _follow(self) -> None:
        self.setGeometry(self._card.rect())
        self.raise_()
        self.update()


def _rounded(corners: list[QPointF]) -> QPainterPath:
    """A line through corners that are rounded as far as their sides allow."""
    path = QPainterPath(corners[0])
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        into, out = QLineF(corner, before), QLineF(corner, after)
        radius = min(float(space(2)), into.length() / 2, out.length() / 2)
        into.setLength(radius)
        out.setLength(radius)
        path.lineTo(into.p2())
        path.quadTo(corner, out.p2())
    path.lineTo(corners[-1])
    return path


def _draw(painter: QPainter, path: QPainterPath, color: QColor, strength: float) -> None:
    """A wire with a light edge, so that it stands out from the board, and a dot at its end."""
    painter.setOpacity(strength)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme().color("surface"), 4.0))
    painter.drawPath(path)
    painter.setPen(QPen(color, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPath(path)
    painter.setBrush(color)
    painter.drawEllipse(path.currentPosition(), space(0.75), space(0.75))
    painter.setOpacity(1.0)
