"""The line at the foot of the window: board, assistant, sharing, telemetry; each part opens its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QToolButton

from zeroclaw_desktop.gui.theme import icon, size, space, theme
from zeroclaw_desktop.gui.widgets.badges import draw_shape, kind_of_board_state
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import StatusView

_SHAPES = {"live": ("disc", "live"), "busy": ("half", "accent"), "failed": ("cross", "danger_ink")}


def state_icon(board_state: str) -> QIcon:
    """Return a small picture of a board's state: shape and colour."""
    return shape_icon(*_SHAPES.get(kind_of_board_state(board_state), ("ring", "text_muted")))


def shape_icon(shape: str, ink: str) -> QIcon:
    """Return a state's shape in a token colour as a small picture."""
    edge = size("icon_small")
    picture = QPixmap((edge + space(1)) * 2, edge * 2)
    picture.setDevicePixelRatio(2)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_shape(painter, QPointF(edge / 2, edge / 2), space(1), shape, theme().color(ink))
    painter.end()
    return QIcon(picture)


class StatusPart(QToolButton):
    """One part of the status bar."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "status")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(size("icon_small") + space(1), size("icon_small")))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedHeight(size("status_bar") - space(1.5))

    def show_part(self, text: str, picture: QIcon) -> None:
        """Show a text; an empty one hides the part."""
        self.setText(text)
        self.setIcon(picture)
        self.setAccessibleName(text)
        self.setVisible(bool(text))


class StatusBar(QFrame):
    """Shows a ``StatusView``."""

    page_chosen = Signal(str)
    question_chosen = Signal()
    """The person wants to see the question that waits."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status_bar")
        self.setFixedHeight(size("status_bar"))
        self._status: StatusView | None = None
        self._waiting = self._interrupted = 0
        self.board, self.model, self.telemetry = StatusPart(), StatusPart(), StatusPart()
        self.shared, self.question = StatusPart(), StatusPart()
        self.recording, self.alarm = StatusPart(), StatusPart()
        self.alarm.setProperty("kind", "waits")
        self.question.setProperty("kind", "waits")
        self.question.clicked.connect(self.question_chosen)
        self.interrupted = StatusPart()
        self.interrupted.setProperty("kind", "waits")
        for part, key in self._pages():
            part.clicked.connect(lambda _=False, page=key: self.page_chosen.emit(page))
        left = (self.board, self.model, self.shared, self.question, self.interrupted)
        row(*left, STRETCH, self.alarm, self.recording, self.telemetry, gap=1, margins=(1.5, 0), parent=self)
        theme().theme_changed.connect(self._refresh)
        self.show_waiting(0)
        self.show_interrupted(0)

    def _pages(self) -> list[tuple[StatusPart, str]]:
        settings = [(self.model, "settings"), (self.shared, "settings")]
        return [
            (self.board, "devices"),
            *settings,
            (self.telemetry, "plots"),
            (self.recording, "plots"),
            (self.alarm, "plots"),
            (self.interrupted, "activity"),
        ]

    def show_waiting(self, number: int) -> None:
        """Say how many questions wait for the person; 0 says nothing."""
        self._waiting = number
        text = self.tr("Waits for your answer") if number == 1 else self.tr("{0} questions wait for you")
        self.question.show_part(text.format(number) if number else "", shape_icon("triangle", "warn_ink"))

    def show_interrupted(self, number: int) -> None:
        """Say how many interrupted tasks wait for a decision; 0 says nothing."""
        self._interrupted = number
        text = self.tr("1 interrupted task") if number == 1 else self.tr("{0} interrupted tasks")
        self.interrupted.show_part(text.format(number) if number else "", shape_icon("half", "warn_ink"))

    def retranslate(self) -> None:
        """Follow the language; the other parts come as texts from the bridge."""
        self.show_waiting(self._waiting)
        self.show_interrupted(self._interrupted)

    def show_status(self, status: StatusView) -> None:
        """Show another status."""
        self._status = status
        self._refresh()

    def _refresh(self) -> None:
        if self._status is None:
            return
        self.board.show_part(self._status.board_text, state_icon(self._status.board_state))
        self.show_waiting(self._waiting)
        self.show_interrupted(self._interrupted)
        edge = size("icon_small")
        model = icon("model", "text_muted", edge, gap=space(1), disabled=False)
        self.model.show_part(self._status.model_text, model)
        mark = ("triangle", "warn_ink") if self._status.shared_alarm else ("disc", "live")
        self.shared.show_part(self._status.shared_text, shape_icon(*mark))
        mark = ("triangle", "warn_ink") if self._status.recording_alarm else ("disc", "danger_ink")
        self.recording.show_part(self._status.recording_text, shape_icon(*mark))
        self.alarm.show_part(self._status.alarm_text, shape_icon("triangle", "warn_ink"))
        telemetry = icon("plots", "text_muted", edge, gap=space(1), disabled=False)
        self.telemetry.show_part(self._status.telemetry_text, telemetry)
