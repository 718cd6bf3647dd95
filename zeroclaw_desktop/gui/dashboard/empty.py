"""No dashboard, or one without tiles: what this page is for, and one button that works without hardware."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.theme import space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import EmptyState


class EmptyDashboard(EmptyState):
    """Offers a dashboard of the board that is there, or an empty one."""

    def __init__(self) -> None:
        super().__init__(SampleDashboard())
        self.blank_button = Button("", "ghost", "add")
        self.body.insertWidget(self.body.count() - 1, self.blank_button)
        self.body.setAlignment(self.blank_button, Qt.AlignmentFlag.AlignHCenter)
        self._board = ""
        self._waiting = False
        self._retranslate()

    def show_board(self, name: str) -> None:
        """Name the board that the button is about; '' when none is connected."""
        self._board = name
        self._retranslate()

    def set_waiting(self, waiting: bool) -> None:
        """Say that the board is being asked."""
        self._waiting = waiting
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        if self._waiting:
            action = self.tr("Making it…")
        elif self._board:
            action = self.tr("Dashboard of {0}").format(self._board)
        else:
            action = self.tr("Start the simulator and make its dashboard")
        self.set_texts(
            self.tr("Tiles show what boards measure, and switch what they move."),
            action,
            self.tr("Series of the Plots page and every registered command can become a tile."),
        )
        self.button.setEnabled(not self._waiting)
        self.blank_button.setText(self.tr("Begin with an empty one"))


class SampleDashboard(QWidget):
    """Four small tiles, as an example of what will stand here."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(self.sizeHint())
        theme().theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """A small card."""
        return QSize(space(96), space(40))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the example."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        gap = space(2)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        half = (whole.height() - gap) / 2
        wide = whole.width() * 0.56
        narrow = whole.width() - wide - gap
        self._paint_plot(painter, QRectF(whole.left(), whole.top(), wide, whole.height()))
        self._paint_gauge(painter, QRectF(whole.left() + wide + gap, whole.top(), narrow, half))
        self._paint_switch(painter, QRectF(whole.left() + wide + gap, whole.top() + half + gap, narrow, half))
        painter.end()

    @staticmethod
    def _paint_card(painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme().color("hairline"), 1))
        painter.setBrush(theme().color("surface"))
        painter.drawRoundedRect(box, space(2), space(2))

    def _paint_plot(self, painter: QPainter, box: QRectF) -> None:
        self._paint_card(painter, box)
        inner = box.adjusted(space(3), space(4), -space(3), -space(4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for number, (height, speed) in enumerate(((0.35, 11.0), (0.18, 23.0))):
            line = QPolygonF()
            for step in range(81):
                part = step / 80
                up = 0.55 - 0.3 * number + height * math.sin(part * speed) * (0.4 + 0.6 * part)
                line.append(
                    QPointF(inner.left() + part * inner.width(), inner.bottom() - up * inner.height())
                )
            painter.setPen(QPen(theme().series_color(number), 2))
            painter.drawPolyline(line)

    def _paint_gauge(self, painter: QPainter, box: QRectF) -> None:
        self._paint_card(painter, box)
        radius = box.height() * 0.36
        center = QPointF(box.center().x(), box.center().y() + radius * 0.3)
        arc = QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius)
        for start, length, role in ((210, 170, "live"), (40, 70, "warn")):
            painter.setPen(QPen(theme().color(role), space(1.5)))
            painter.drawArc(arc, start * 16, -length * 16)
        angle = math.radians(75)
        way = QPointF(math.cos(angle), -math.sin(angle))
        painter.setPen(QPen(theme().color("text"), 2))
        painter.drawLine(center, center + way * (radius * 0.75))

    def _paint_switch(self, painter: QPainter, box: QRectF) -> None:
        self._paint_card(painter, box)
        height = space(5)
        track = QRectF(box.left() + space(5), box.center().y() - height / 2, height * 2, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("accent"))
        painter.drawRoundedRect(track, height / 2, height / 2)
        painter.setBrush(theme().color("on_accent"))
        knob = height / 2 - 3
        painter.drawEllipse(QPointF(track.right() - height / 2, track.center().y()), knob, knob)
        painter.setBrush(theme().color("live"))
        lamp = QPointF(box.right() - space(8), box.center().y())
        painter.drawEllipse(lamp, space(2.5), space(2.5))
