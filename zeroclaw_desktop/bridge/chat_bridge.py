"""The chat for the window: turns, tool-call cards, approvals."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.approval_views import ANSWERS, approval_view, outcome_words
from zeroclaw_desktop.bridge.board_views import board_title
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of, fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence, pin_value, value_line
from zeroclaw_desktop.bridge.views import ToolCallView
from zeroclaw_desktop.contracts.actions import (
    ActionResult,
    ActionState,
    ActionTransition,
    ApprovalOutcome,
    PinChange,
)
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall
from zeroclaw_desktop.contracts.events import ApprovalClosed, ApprovalOpened

if TYPE_CHECKING:
    from zeroclaw_desktop.agent.turn import TurnState
    from zeroclaw_desktop.runtime.runtime import Runtime

_SUGGESTIONS = {
    "en": ("Blink the LED three times", "Read A0", "Turn the servo to 90 degrees", "What can you do?"),
    "zh": ("让LED闪烁3次", "读取A0", "把舵机转到90度", "你能做什么？"),
}
_STATES = {
    ActionState.PENDING: "pending",
    ActionState.VALIDATED: "validated",
    ActionState.RUNNING: "running",
    ActionState.COMPLETED: "completed",
    ActionState.FAILED: "failed",
    ActionState.CANCELLED: "cancelled",
}
_REFUSED = (0x13, 0x18, 0x19, 0x1C, 0x34)


class ChatBridge(QObject):
    """One chat. Implements agent.turn.TurnObserver."""

    user_message_added = Signal(str, str)
    answer_started = Signal(str)
    answer_delta = Signal(str, str)
    answer_finished = Signal(str, str)
    tool_call_changed = Signal(object)
    turn_state_changed = Signal(str)
    approval_requested = Signal(object)
    approval_closed = Signal(str, str)
    answer_failed = Signal(str, object)

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        self._cards: dict[str, ToolCallView] = {}
        self._started: set[str] = set()
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime
        runtime.bus.subscribe(ActionTransition, self._action_moved)
        runtime.bus.subscribe(ApprovalOpened, self._approval_opened)
        runtime.bus.subscribe(ApprovalClosed, self._approval_closed)

    # -- what the page does ---------------------------------------------------------------------------
    def send(self, text: str) -> None:
        """Send a message of the person."""
        if self._runtime is None or not text.strip():
            return
        self.user_message_added.emit(f"message-{uuid.uuid4().hex[:8]}", text)
        self._core.start(self._turn(self._runtime, text), "chat turn")

    async def _turn(self, runtime: Runtime, text: str) -> None:
        try:
            result = await runtime.chat.send(text, self)
            self._start(result.turn_id)
            if result.fault is not None:
                self.answer_failed.emit(result.turn_id, error_view_of(result.fault, self._core.language))
            self.answer_finished.emit(result.turn_id, result.outcome)
        finally:
            # Whatever happened, the page must let the person write again; a turn that waits goes on.
            self.turn_state_changed.emit("executing" if runtime.chat.busy else "idle")

    def stop_turn(self) -> None:
        """Stop the running turn and what it started."""
        if self._runtime is not None:
            self._runtime.chat.cancel()

    def answer_approval(self, approval_id: str, decision: str) -> None:
        """Answer a question: ``once``, ``hour``, ``session`` or ``deny``."""
        outcome = ANSWERS.get(decision, ApprovalOutcome.DENIED)
        if self._runtime is not None:
            self._runtime.approvals.answer(approval_id, outcome)

    def suggestions(self) -> list[str]:
        """Sentences to begin with."""
        return list(_SUGGESTIONS[self._core.language])

    # -- TurnObserver ---------------------------------------------------------------------------------
    def state_changed(self, turn_id: str, state: TurnState) -> None:
        """See TurnObserver."""
        self._start(turn_id)
        self.turn_state_changed.emit(state)

    def text_came(self, turn_id: str, text: str) -> None:
        """See TurnObserver."""
        self._start(turn_id)
        self.answer_delta.emit(turn_id, text)

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        """See TurnObserver."""
        title = action_sentence(call.name, call.arguments, self._core.language)
        self._show(ToolCallView(f"{turn_id}.{call.call_id}", turn_id, call.name, title, dict(call.arguments)))

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        """See TurnObserver: what the execution layer did not report itself."""
        card = self._cards.get(f"{turn_id}.{call.call_id}")
        if card is None or card.state not in ("pending", "running"):
            return
        status = str(answer.data.get("status", "failed"))
        states = {"ok": "completed", "skipped": "cancelled", "cancelled": "cancelled"}
        self._show(
            replace(card, state=states.get(status, "failed"), result=value_line(answer.data.get("result")))
        )

    def _start(self, turn_id: str) -> None:
        if turn_id not in self._started:
            self._started.add(turn_id)
            self.answer_started.emit(turn_id)

    def _show(self, card: ToolCallView) -> None:
        self._cards[card.call_id] = card
        self.tool_call_changed.emit(card)

    # -- events of the core ---------------------------------------------------------------------------
    def _action_moved(self, transition: ActionTransition) -> None:
        card = self._cards.get(transition.payload.task_id)
        if card is None:
            return
        result = transition.result
        if result is None:
            self._show(replace(card, state=_STATES[transition.state]))
            return
        state = "refused" if result.error_code in _REFUSED else _STATES[transition.state]
        error = fault_view(result.faults[0], self._core.language) if result.faults else None
        if result.state is ActionState.CANCELLED:
            error = None
        self._show(
            replace(
                card,
                state=state,
                duration_ms=result.elapsed_ms,
                result=value_line(result.value),
                pins=self._pins(result),
                error=error,
                board=self._board_name(result.device_id),
                dry_run=result.dry_run,
                receipt=self._receipt(result.task_id),
            )
        )

    def _receipt(self, task_id: str) -> int:
        return self._runtime.journal_keeper.receipt_of(task_id) if self._runtime is not None else 0

    def _board_name(self, board_id: str) -> str:
        boards = self._runtime.roster.boards() if self._runtime is not None else ()
        found = next((board for board in boards if board.board_id == board_id), None)
        return board_title(found, self._core.language) if found is not None else ""

    def _pins(self, result: ActionResult) -> tuple[tuple[int, str, str], ...]:
        return tuple(self._pin_row(change) for change in result.commanded)

    def _pin_row(self, change: PinChange) -> tuple[int, str, str]:
        language = self._core.language
        before = pin_value(change.before, change.mode, language)
        return change.pin, before, pin_value(change.after, change.mode, language)

    def _approval_opened(self, event: ApprovalOpened) -> None:
        request, language = event.request, self._core.language
        task_id = request.payload.task_id
        turn_id = task_id.split(".")[0]
        card = self._cards.get(task_id)
        if card is not None:
            self._show(replace(card, state="waiting"))
        self.turn_state_changed.emit("awaiting_approval")
        board = self._board_name(request.device_id)
        pins = tuple(self._pin_row(change) for change in request.changes)
        self.approval_requested.emit(approval_view(request, turn_id, board, pins, language))

    def _approval_closed(self, event: ApprovalClosed) -> None:
        self.approval_closed.emit(event.approval_id, outcome_words(event.outcome, self._core.language))
        self.turn_state_changed.emit("executing")
