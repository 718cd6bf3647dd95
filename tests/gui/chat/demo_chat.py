"""Stand-ins for the chat and the plots of the bridge: real QObjects with real signals, driven by the test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy
from PySide6.QtCore import QObject, Signal

from tests.gui.demo_bridge import SIMULATOR, DemoBridge, simulated_board
from tests.helpers.execution import Door
from zeroclaw_desktop.bridge.approval_views import approval_view
from zeroclaw_desktop.bridge.views import ApprovalView, BoardView, ErrorView, SeriesView, ToolCallView
from zeroclaw_desktop.contracts.actions import ApprovalRequest, Permission, PinChange
from zeroclaw_desktop.contracts.boards import PinState
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.execution.approval_scope import rememberable, scope_of
from zeroclaw_desktop.execution.payloads import make_payload

SUGGESTIONS = ["Blink the LED three times", "Read A0", "Set pin 9 to 40 %", "Which pins are on?"]


class DemoChat(QObject):
    """A conversation without a model; ``calls`` notes what the page asked for."""

    user_message_added = Signal(str, str)
    answer_started = Signal(str)
    answer_delta = Signal(str, str)
    answer_finished = Signal(str, str)
    tool_call_changed = Signal(object)
    turn_state_changed = Signal(str)
    approval_requested = Signal(object)
    approval_closed = Signal(str, str)
    answer_failed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.offered = list(SUGGESTIONS)
        self.is_ready = True
        self._number = 0

    def send(self, text: str) -> None:
        if not self.is_ready:
            return
        self.calls.append(("send", text))
        self.say(text)
        self.turn_state_changed.emit("thinking")

    def say(self, text: str) -> None:
        """Let the person's words appear."""
        self._number += 1
        self.user_message_added.emit(f"m{self._number}", text)

    def answer(self, turn_id: str, *pieces: str, outcome: str = "done") -> None:
        """Let a whole answer appear."""
        self.answer_started.emit(turn_id)
        for piece in pieces:
            self.answer_delta.emit(turn_id, piece)
        self.answer_finished.emit(turn_id, outcome)

    def stop_turn(self) -> None:
        self.calls.append(("stop_turn",))

    def answer_approval(self, approval_id: str, decision: str) -> None:
        self.calls.append(("answer_approval", approval_id, decision))

    def suggestions(self) -> list[str]:
        return list(self.offered)


class DemoPlots(QObject):
    """Two analog inputs: a slow sine and a slow ramp."""

    series_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.known: list[SeriesView] = []
        self.time = 100.0
        self.silent_since: dict[str, float] = {}

    def add_demo_series(self) -> None:
        """Let a0 and a1 appear."""
        self.known = [
            SeriesView(SIMULATOR, "a0", "V", 2.4863, 900, 20.0),
            SeriesView(SIMULATOR, "a1", "V", 0.7251, 900, 20.0),
        ]
        self.series_changed.emit()

    def now(self) -> float:
        return self.time

    def generation(self) -> int:
        return round(self.time * 20)

    def series(self) -> list[SeriesView]:
        return list(self.known)

    def columns(
        self, source_id: str, label: str, t0: float, t1: float, columns: int
    ) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        times = numpy.linspace(t0, t1, columns)
        values = 2.5 + 1.2 * numpy.sin(times) if label == "a0" else 0.7 + 0.02 * (times - t0)
        values = numpy.where(times <= self.silent_since.get(label, t1), values, numpy.nan)
        return times, values - 0.02, values + 0.02

    def start_demo_signals(self) -> None:
        self.calls.append(("start_demo_signals",))
        self.add_demo_series()


class ChatWorld(DemoBridge):
    """The bridge as far as the Chat page uses it."""

    def __init__(self, *boards: BoardView) -> None:
        super().__init__(*boards)
        self.chat = DemoChat()
        self.plots = DemoPlots()


def blink_call(state: str = "running", **changes: Any) -> ToolCallView:
    """Return a call that blinks the LED."""
    facts: dict[str, Any] = {
        "call_id": "c1",
        "turn_id": "t1",
        "name": "led_blink",
        "title": "Blink the LED 3 times on pin 13",
        "arguments": {"pin": 13, "count": 3, "interval_ms": 500},
        "state": state,
    }
    return ToolCallView(**(facts | changes))


def approval(**changes: Any) -> ApprovalView:
    """Return the question whether pin 7 may go high."""
    facts: dict[str, Any] = {
        "approval_id": "a1",
        "turn_id": "t1",
        "sentence": "Set pin 7 high on Simulated Arduino Uno",
        "reason": "Pin 7 drives the relay that you named 'heater'.",
        "pins": ((7, "low", "high"),),
        "scope_once": "This one command, on this board, now.",
        "expires_in_s": 120.0,
    }
    return ApprovalView(**(facts | changes))


def rememberable_approval(language: Language = "en", **changes: Any) -> ApprovalView:
    """Return the question of the assistant's write to raw pin 7, as the core's bridge words it."""
    door = Door()
    door.boards.pins["uno"] = {7: PinState(7, "output", level=0)}
    payload = make_payload("digital_write", {"pin": 7, "value": 1}, source="agent")
    shown = scope_of(door.executor.prepare(payload), door.boards.pins["uno"])
    request = ApprovalRequest(
        *("a1", payload, Permission.ROOT, Permission.SKILL, (PinChange(7, 0, 1),), 120.0, "uno"),
        *(shown, shown.risk, rememberable(shown)),
    )
    words = {"en": ("low", "high"), "zh": ("低", "高")}[language]
    view = approval_view(request, "t1", "Arduino Uno", ((7, *words),), language)
    return replace(view, **changes)


NO_BOARD = ErrorView(
    title="No board is connected.",
    not_done="Nothing was sent; the LED did not blink.",
    next_step="Start the simulated Arduino Uno or plug in a board.",
    action="start_simulator",
    raw="BoardNotConnectedError: no current board",
    code="0x12",
)

__all__ = ["NO_BOARD", "SIMULATOR", "SUGGESTIONS", "ChatWorld", "approval", "blink_call", "simulated_board"]
