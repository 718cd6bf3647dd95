"""The card of one tool call: sentence, arguments, state, duration, pins before and after, result or fault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent

from zeroclaw_desktop.gui.chat.entries import FINAL_STATES, ToolEntry
from zeroclaw_desktop.gui.chat.pin_changes import PinChanges
from zeroclaw_desktop.gui.chat.text_block import TextBlock
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import FoldButton
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import ToolCallView

_BADGES = {
    "pending": "off",
    "validated": "off",
    "waiting": "waits",
    "running": "busy",
    "completed": "live",
    "failed": "failed",
    "refused": "failed",
    "cancelled": "off",
}


class ToolCard(Card):
    """Shows a ``ToolCallView``; it is marked while the call runs."""

    action_requested = Signal(str)
    """Key of the next step after a fault."""
    call_pointed = Signal(object)
    """The call under the pointer; None when the pointer leaves."""

    def __init__(self) -> None:
        super().__init__(padding=3, gap=2)
        self._call: ToolCallView | None = None
        self._title = Text(role="strong", wrap=True)
        self.badge = Badge()
        self.dry_run_badge = Badge("", "waits")
        self.dry_run_badge.hide()
        self._duration = Text(role="mono_small", tone="muted")
        self._arguments = ElidedText("", "mono_small", "muted")
        self._arguments.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pin_changes = PinChanges()
        self.result = TextBlock("mono_small")
        self.error_card = ErrorCard()
        self.error_card.action_requested.connect(self.action_requested)
        self._raw = TextBlock("mono_small")
        self.fold = FoldButton("", self._raw)
        head = row(self._title, self._duration, self.dry_run_badge, self.badge, gap=2)
        head.setStretch(0, 1)
        self.receipt = Text(role="mono_small", tone="muted")
        self.receipt.hide()
        foot = row(self._arguments, self.receipt, self.fold)
        foot.setStretch(0, 1)
        for part in (self.pin_changes, self.result, self.error_card):
            part.hide()
        self.body.addLayout(column(head, foot, gap=0.5))
        for item in (self.pin_changes, self.result, self.error_card, self._raw):
            self.body.addWidget(item)
        self._retranslate()

    def call(self) -> ToolCallView | None:
        """Return the view that is shown."""
        return self._call

    def show_entry(self, entry: ToolEntry) -> None:
        """Show the call as it stands now."""
        call = entry.call
        self._call = call
        self.set_selected(call.state == "running")
        self._title.setText(call.title or call.name)
        self._arguments.set_text(f"{call.name}({_listed(call)})")
        self.dry_run_badge.setVisible(call.dry_run)
        self.pin_changes.set_changes(call.pins if call.state in FINAL_STATES else ())
        show_result = bool(call.result) and call.error is None
        if show_result and self.result.toPlainText() != call.result:
            self.result.set_plain(call.result)
        self.result.setVisible(show_result)
        if call.error is not None:
            self.error_card.set_error(call.error)
        self.error_card.setVisible(call.error is not None)
        self.receipt.setVisible(bool(call.receipt))
        self._raw.set_plain(_raw_text(call))
        self._retranslate()

    def reset(self) -> None:
        """Fold the details, so that the widget can show another call."""
        self.fold.setChecked(False)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Point at this call."""
        if self._call is not None:
            self.call_pointed.emit(self._call)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        self.call_pointed.emit(None)
        super().leaveEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.fold.setText(self.tr("Details"))
        self.dry_run_badge.set_state(self.tr("Dry run"), "waits")
        self.dry_run_badge.setToolTip(self.tr("Everything was checked, nothing was sent to the board."))
        if self._call is None:
            return
        word = self._state_text(self._call.state)
        self.badge.set_state(word, _BADGES.get(self._call.state, "off"))
        self._duration.setText(_duration_text(self._call.duration_ms))
        self.receipt.setText(self.tr("Receipt {0}").format(self._call.receipt))
        self.receipt.setToolTip(self.tr("Its number in the chain of receipts; see zeroclaw audit."))
        self.setAccessibleName(f"{self._call.title}. {word}")

    def _state_text(self, state: str) -> str:
        return {
            "pending": self.tr("Queued"),
            "validated": self.tr("Queued"),
            "waiting": self.tr("Waiting"),
            "running": self.tr("Running"),
            "completed": self.tr("Done"),
            "failed": self.tr("Failed"),
            "refused": self.tr("Refused"),
            "cancelled": self.tr("Cancelled"),
        }.get(state, state)


def _listed(call: ToolCallView) -> str:
    return ", ".join(f"{name}={_literal(value)}" for name, value in call.arguments.items())


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _duration_text(milliseconds: float | None) -> str:
    if milliseconds is None:
        return ""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.1f} ms"
    return f"{milliseconds / 1000:.1f} s"


def _raw_text(call: ToolCallView) -> str:
    facts = {
        "call_id": call.call_id,
        "name": call.name,
        "arguments": dict(call.arguments),
        "state": call.state,
        "permission": call.permission,
        "result": call.result,
        "receipt": call.receipt,
    }
    return json.dumps(facts, ensure_ascii=False, indent=2, default=str)
