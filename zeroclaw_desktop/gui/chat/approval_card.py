"""The question that only a person may answer: what will move, who asks and why, and how far a yes goes.

A card stands above the input box and never takes the keyboard. Its buttons do nothing for the first moment
after it appears and after its window comes to the front, so that a click or key that was meant for something
else cannot answer it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.chat.pin_changes import PinChanges
from zeroclaw_desktop.gui.theme import size, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ApprovalView

GUARD_MS = 300
"""How long a new card ignores every click and key."""
_ANSWER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class GuardedButton(Button):
    """A button that acts only when a press began after its guard had run out.

    Args:
        guard_ms: how long it ignores presses after ``rearm``.
    """

    answered = Signal()

    def __init__(self, role: str, icon_name: str, guard_ms: int) -> None:
        super().__init__("", role, icon_name)
        self._guard_ms = guard_ms
        self._since = QElapsedTimer()
        self._since.start()
        self.clicked.connect(self._pass_on)

    def rearm(self) -> None:
        """Start the guard again."""
        self._since.restart()
        self.setDown(False)

    def is_guarded(self) -> bool:
        """Tell whether presses are ignored now."""
        return self._since.elapsed() < self._guard_ms

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click unless the guard runs."""
        if self.is_guarded():
            event.accept()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Begin a press by Enter or space; a key that is held down does not count."""
        key = Qt.Key(event.key())
        if key not in _ANSWER_KEYS:
            super().keyPressEvent(event)
        elif not self.is_guarded() and not event.isAutoRepeat():
            if key == Qt.Key.Key_Space:
                super().keyPressEvent(event)
            else:
                self.click()

    def _pass_on(self) -> None:
        if not self.is_guarded():
            self.answered.emit()


class ApprovalCard(Card):
    """One question.

    Args:
        approval: what is asked.
        guard_ms: how long clicks and keys are ignored.
    """

    answered = Signal(str, str)
    """Approval id; ``once``, ``hour``, ``session`` or ``deny``."""
    rules_requested = Signal()
    """The person wants to see the remembered answers."""

    def __init__(self, approval: ApprovalView, guard_ms: int = GUARD_MS) -> None:
        super().__init__(padding=3, gap=2)
        self.approval = approval
        self._granted_s = approval.expires_in_s
        self._left_s = max(0, round(approval.expires_in_s))
        self._since = QElapsedTimer()
        self._since.start()
        self._answered = False
        self._rules = 0
        icon = IconLabel("ask", "warn_ink", size("icon"))
        self._lead = ElidedText("", "label", "muted")
        self._countdown = Text(role="mono_small", tone="muted")
        self._sentence = Text(approval.sentence, "lead", wrap=True)
        self._reason = Text(approval.reason, "body", "muted", wrap=True)
        self._risk = Text(approval.risk, "body", "muted", wrap=True)
        self._again = Text(approval.again, "strong", wrap=True)
        self._scope = Text(approval.scope_once, "caption", "muted", wrap=True)
        self._longer = Text("", "caption", "muted", wrap=True)
        self.pin_changes = PinChanges(approval.pins)
        self.deny_button = GuardedButton("secondary", "close", guard_ms)
        self.allow_button = GuardedButton("primary", "check", guard_ms)
        self.hour_button = GuardedButton("secondary", "", guard_ms)
        self.session_button = GuardedButton("secondary", "", guard_ms)
        self.rules_button = Button("", "ghost", compact=True)
        self.rules_button.clicked.connect(self.rules_requested)
        self._answers = {
            "deny": self.deny_button,
            "session": self.session_button,
            "hour": self.hour_button,
            "once": self.allow_button,
        }
        for decision, button in self._answers.items():
            button.answered.connect(partial(self._answer, decision))
        head = row(icon, self._lead, self._countdown)
        why = column(self._reason, self._risk, gap=0.5)
        scopes = column(self._scope, self._longer, gap=0.5)
        buttons = row(self.rules_button, *self._answers.values(), gap=2)
        buttons.insertStretch(1, 1)
        parts = column(head, self._again, self._sentence, why, self.pin_changes, scopes, buttons, gap=2)
        self.body.addLayout(parts)
        # Only now: a part that is shown before it has a parent is a window and takes the keyboard.
        self._again.setVisible(bool(approval.again))
        self._reason.setVisible(bool(approval.reason))
        self._risk.setVisible(bool(approval.risk))
        self._scope.setVisible(bool(approval.scope_once))
        self._longer.setVisible(bool(approval.scope_remembered or approval.remembered_ends))
        self.hour_button.setVisible(bool(approval.scope_remembered))
        self.session_button.setVisible(bool(approval.scope_remembered))
        self.rules_button.hide()
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._count_down)
        self._window: QWidget | None = None
        self._retranslate()

    def buttons(self) -> list[GuardedButton]:
        """Return the answers that it offers, in the order of the tab key."""
        longer = (self.hour_button, self.session_button)
        offered = bool(self.approval.scope_remembered)
        return [button for button in self._answers.values() if offered or button not in longer]

    def show_rules(self, number: int) -> None:
        """Offer the list of remembered answers when there are any."""
        self._rules = number
        self.rules_button.setVisible(bool(number))
        self._retranslate()

    def seconds_left(self) -> int:
        """Return the seconds until the question lapses."""
        return self._left_s

    def showEvent(self, event: QShowEvent) -> None:
        """Start the guard and the countdown."""
        super().showEvent(event)
        self._rearm()
        self._count_down()
        if self._left_s:
            self._timer.start()
        if self._window is not self.window():
            self._window = self.window()
            self._window.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the height that the texts need at this width: the transcript gives way, not the question."""
        super().resizeEvent(event)
        if (layout := self.layout()) is not None:
            self.setMinimumHeight(layout.totalHeightForWidth(self.width()))

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks; the time goes on and is shown right again at the next sight."""
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the amber rim of what waits for the person."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().color("warn"), 1.5))
        radius = theme().radius("card")
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Guard again when the window comes to the front: that click was meant for the window."""
        if event.type() == QEvent.Type.WindowActivate:
            self._rearm()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _rearm(self) -> None:
        for button in self._answers.values():
            button.rearm()

    def _answer(self, decision: str) -> None:
        if not self._answered:
            self._answered = True
            self._set_open(False)
            self.answered.emit(self.approval.approval_id, decision)

    def _count_down(self) -> None:
        self._left_s = max(0, round(self._granted_s - self._since.elapsed() / 1000))
        if not self._left_s:
            self._timer.stop()
            self._set_open(False)
        self._retranslate()

    def _set_open(self, opened: bool) -> None:
        for button in self._answers.values():
            button.setEnabled(opened)

    def _longer_text(self) -> str:
        """Return what an answer for longer covers and when it ends, or that it is never remembered."""
        covers, ends = self.approval.scope_remembered, self.approval.remembered_ends
        return self.tr("For longer: {0}. {1}").format(covers, ends) if covers else ends

    def _retranslate(self) -> None:
        board = self.approval.board
        asked = self.tr("May this be done on {0}?").format(board) if board else self.tr("May this be done?")
        if self.approval.asked_by:
            by = self.tr("Asked by: {0}").format(self.approval.asked_by)
            asked = f"{asked}  ·  {by}"
        self._lead.set_text(asked)
        minutes, seconds = divmod(self._left_s, 60)
        left = self.tr("{0} left").format(f"{minutes}:{seconds:02d}")
        self._countdown.setText(left if self._left_s else self.tr("No time left; nothing was done"))
        self.deny_button.setText(self.tr("Deny"))
        self.allow_button.setText(self.tr("Allow once"))
        self.hour_button.setText(self.tr("Allow for an hour"))
        self.session_button.setText(self.tr("Allow until closed"))
        self.session_button.setToolTip(self.tr("Until ZeroClaw closes"))
        self.rules_button.setText(self.tr("Remembered answers: {0}").format(self._rules))
        once, longer = self.approval.scope_once, self._longer_text()
        self._scope.setText(self.tr("Once: {0}").format(once) if longer and once else once)
        self._longer.setText(longer)
        self.allow_button.setAccessibleDescription(once)
        for button in (self.hour_button, self.session_button):
            button.setAccessibleDescription(longer)
        self.setAccessibleName(self.tr("Approval: {0}").format(self.approval.sentence))
