"""The Plots page without any curve: what it is for, and one button that brings the first one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF, QShowEvent
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.feedback import EmptyState, ErrorCard
from zeroclaw_desktop.gui.widgets.layout import column

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

PATIENCE_MS = 8_000
"""How long the button says that it waits for the first value before it may be pressed again."""


class EmptyPlot(QWidget):
    """Teaches what becomes a curve.

    Args:
        bridge: its ``plots`` starts the signals, its ``devices`` tells the current board and refusals.
    """

    def __init__(self, bridge: AppBridge) -> None:
        super().__init__()
        self._plots, self._devices = bridge.plots, bridge.devices
        self.state = EmptyState(SamplePicture())
        self.state.action_triggered.connect(self.begin)
        self.error = ErrorCard(dismissible=True)
        self.error.dismissed.connect(self.error.hide)
        self.error.setMaximumWidth(size("sheet_width"))
        self.error.hide()
        self.state.body.insertWidget(self.state.body.count() - 1, self.error)
        self.state.body.setAlignment(self.error, Qt.AlignmentFlag.AlignHCenter)
        layout = column(gap=0, parent=self)
        layout.addWidget(self.state, 1)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._end_wait)
        self._devices.boards_changed.connect(self._retranslate)
        self._devices.current_board_changed.connect(lambda _: self._retranslate())
        self._devices.command_failed.connect(self._take_failure)
        self._retranslate()

    def begin(self) -> None:
        """Show live signals of the current board; without one, the simulated board starts first."""
        self.error.hide()
        self._patience.start()
        self._plots.start_demo_signals()
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _take_failure(self, _board_id: str, error: ErrorView) -> None:
        if self._patience.isActive():
            self._end_wait()
            self.error.set_error(error, offer_action=False)
            self.error.show()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin afresh: curves that came and were cleared leave no waiting behind."""
        super().showEvent(event)
        self._end_wait()

    def _end_wait(self) -> None:
        self._patience.stop()
        self._retranslate()

    def _retranslate(self) -> None:
        waiting = self._patience.isActive()
        if waiting:
            action = self.tr("Waiting for the first value…")
        elif self._devices.current_board_id():
            action = self.tr("Show live signals of the board")
        else:
            action = self.tr("Start the simulator and show its signals")
        self.state.set_texts(
            self.tr("Every number that a board prints becomes a curve by itself."),
            action,
            self.tr("Lines such as temp:23.5, light=512, CSV, Teleplot and JSON are understood."),
        )
        self.state.button.setEnabled(not waiting)


class SamplePicture(QWidget):
    """Three small curves and a marker, as an example of what will stand here."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(self.sizeHint())
        theme().theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """A small card."""
        return QSize(space(96), space(36))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the example."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(theme().color("hairline"), 1))
        painter.setBrush(theme().color("surface"))
        painter.drawRoundedRect(area, space(2), space(2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for part in (0.25, 0.5, 0.75):
            y = round(area.top() + part * area.height()) + 0.5
            painter.drawLine(QPointF(area.left() + 1, y), QPointF(area.right() - 1, y))
        for number in range(3):
            painter.setPen(QPen(theme().series_color(number), 2))
            painter.drawPolyline(_example_curve(area, number))
        marker = area.left() + area.width() * 0.62
        painter.setPen(QPen(theme().color("accent"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(marker, area.top() + space(2)), QPointF(marker, area.bottom() - 1))
        painter.setPen(theme().color("accent_ink"))
        painter.setFont(theme().font("caption"))
        painter.drawText(QPointF(marker + space(1), area.top() + space(4)), "led_blink")
        painter.end()


def _example_curve(area: QRectF, number: int) -> QPolygonF:
    points = QPolygonF()
    for step in range(121):
        part = step / 120
        if number == 0:
            value = 0.68 + 0.14 * math.sin(part * 14)
        elif number == 1:
            value = 0.46 - 0.2 * math.exp(-part * 4) + 0.02 * math.sin(part * 60)
        else:
            value = 0.14 if part < 0.62 or int(part * 24) % 2 else 0.3
        x = area.left() + 2 + part * (area.width() - 4)
        points.append(QPointF(x, area.bottom() - value * area.height()))
    return points
