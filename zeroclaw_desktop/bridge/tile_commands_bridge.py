"""Orders of dashboard tiles: through the one door as ``manual``, followed until they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.command_views import (
    CommandView,
    command_views,
    limited_range,
    order_problems,
    pins_are,
    pins_left,
    value_read_back,
)
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import fault_view
from zeroclaw_desktop.bridge.sentences import action_sentence, value_line
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.actions import ActionResult, ActionTransition
    from zeroclaw_desktop.contracts.events import ApprovalClosed, ApprovalOpened
    from zeroclaw_desktop.runtime.runtime import Runtime

_REFUSED = frozenset((*range(0x01, 0x30), 0x34))
"""Codes of faults that were found before anything was done."""


@dataclass(frozen=True)
class Order:
    """What a tile sends."""

    board_id: str
    command: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class RequestView:
    """The last order of a tile.

    Attributes:
        state: ``''`` (none yet), ``sent``, ``waiting`` (for a person's approval), ``running``, ``done``,
            ``refused``, ``failed`` or ``cancelled``.
        order: what was sent.
        text: the answer of the board in one line.
        error: why it did not complete.
        number: how many orders the tile has ended so far; changes with each.
    """

    state: str = ""
    order: Order | None = None
    text: str = ""
    error: ErrorView | None = None
    dry_run: bool = False
    number: int = 0

    @property
    def busy(self) -> bool:
        """Whether it has not ended."""
        return self.state in ("sent", "waiting", "running")


class TileCommandsBridge(QObject):
    """Runs what tiles ask for; one order of a tile at a time, and of those that wait only the latest."""

    request_changed = Signal(str)
    """Tile whose request has changed."""
    commands_changed = Signal()
    """Boards came or went, and with them commands."""

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._runtime: Runtime | None = None
        self._commands: tuple[Language, list[CommandView]] | None = None
        """As they were asked for last; forgotten whenever boards change."""
        self._requests: dict[str, RequestView] = {}
        self._next: dict[str, Order] = {}
        self._tasks: dict[str, str] = {}
        """Tile by task."""
        self._questions: dict[str, str] = {}
        """Tile by approval."""
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.contracts import events
        from zeroclaw_desktop.contracts.actions import ActionTransition

        self._runtime = runtime
        runtime.bus.subscribe(ActionTransition, self._moved)
        runtime.bus.subscribe(events.ApprovalOpened, self._asked)
        runtime.bus.subscribe(events.ApprovalClosed, self._answered)
        runtime.bus.subscribe(events.BoardsChanged, lambda _event: self._boards_changed())
        self._boards_changed()

    def _boards_changed(self) -> None:
        self._commands = None
        self.commands_changed.emit()

    # -- what there is --------------------------------------------------------------------------------
    def commands(self) -> list[CommandView]:
        """Commands that connected boards can do."""
        language = self._core.language
        if self._commands is None or self._commands[0] != language:
            found = command_views(self._runtime, language) if self._runtime is not None else []
            self._commands = (language, found)
        return self._commands[1]

    def sentence(self, order: Order) -> str:
        """What an order does, in words."""
        return action_sentence(order.command, order.params, self._core.language)

    def problems(self, order: Order) -> list[ErrorView]:
        """Why the door would refuse an order."""
        if self._runtime is None:
            return []
        return order_problems(self._runtime, order.board_id, order.command, order.params, self._core.language)

    def range_of(self, order: Order, parameter: str) -> tuple[float | None, float | None]:
        """Range of a numeric parameter, with the limits of the pin; (None, None) when nothing is known."""
        view = next((one for one in self.commands() if one.name == order.command), None)
        param = view.param(parameter) if view is not None else None
        if self._runtime is None or param is None:
            return None, None
        return limited_range(self._runtime, order.board_id, param, order.params, order.command)

    def is_on(self, on: Order, off: Order) -> bool | None:
        """What the board confirmed of two orders: the first, the second, or None when neither is known.

        Pins that were read back tell it, whoever moved them; a command that leaves no pin in a known state
        is told by the order that completed last.
        """
        if self._runtime is None:
            return None
        for order, meaning in ((on, True), (off, False)):
            wanted = pins_left(self._runtime, order.board_id, order.command, order.params)
            if wanted is not None and pins_are(self._runtime, order.board_id, wanted):
                return meaning
        return None

    def value_of(self, order: Order, parameter: str) -> float | None:
        """The value of a parameter as its pin was read back; None when it is about no pin that was."""
        if self._runtime is None:
            return None
        return value_read_back(self._runtime, order.board_id, order.command, order.params, parameter)

    def leaves_pins(self, order: Order) -> bool:
        """Whether an order leaves pins in a state that can be read back."""
        runtime = self._runtime
        if runtime is None:
            return False
        return pins_left(runtime, order.board_id, order.command, order.params) is not None

    def request(self, tile_id: str) -> RequestView:
        """The last order of a tile."""
        return self._requests.get(tile_id, RequestView())

    # -- what can be done -----------------------------------------------------------------------------
    def send(self, tile_id: str, order: Order) -> None:
        """Send an order for a tile; while one runs, the latest waits for its end, others are dropped."""
        runtime = self._runtime
        if runtime is None:
            return
        before = self.request(tile_id)
        if before.busy:
            self._next[tile_id] = order
            return
        self._set(tile_id, RequestView("sent", order, number=before.number))
        self._core.start(self._send(runtime, tile_id, order), f"tile {order.command}")

    async def _send(self, runtime: Runtime, tile_id: str, order: Order) -> None:
        tasks: list[str] = []

        def announce(task_id: str) -> None:
            tasks.append(task_id)
            self._tasks[task_id] = tile_id

        try:
            result = await runtime.run_manual(order.command, order.params, order.board_id, announce)
        finally:
            for task_id in tasks:
                self._tasks.pop(task_id, None)
        self._end(tile_id, order, result)

    def _end(self, tile_id: str, order: Order, result: ActionResult) -> None:
        number = self.request(tile_id).number + 1
        error = fault_view(result.faults[0], self._core.language) if result.faults else None
        states = {"COMPLETED": "done", "CANCELLED": "cancelled"}
        state = states.get(result.state.value, "refused" if result.error_code in _REFUSED else "failed")
        text = value_line(result.value)
        self._set(tile_id, RequestView(state, order, text, error, result.dry_run, number))
        waiting = self._next.pop(tile_id, None)
        if waiting is not None and state == "done":
            self.send(tile_id, waiting)

    def _moved(self, transition: ActionTransition) -> None:
        tile_id = self._tasks.get(transition.payload.task_id)
        if tile_id is not None and transition.state.value == "RUNNING":
            self._set(tile_id, replace(self.request(tile_id), state="running"))

    def _asked(self, event: ApprovalOpened) -> None:
        tile_id = self._tasks.get(event.request.payload.task_id)
        if tile_id is not None:
            self._questions[event.request.approval_id] = tile_id
            self._set(tile_id, replace(self.request(tile_id), state="waiting"))

    def _answered(self, event: ApprovalClosed) -> None:
        tile_id = self._questions.pop(event.approval_id, None)
        if tile_id is not None and self.request(tile_id).state == "waiting":
            self._set(tile_id, replace(self.request(tile_id), state="sent"))

    def _set(self, tile_id: str, view: RequestView) -> None:
        self._requests[tile_id] = view
        self.request_changed.emit(tile_id)
