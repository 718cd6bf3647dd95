"""Simulated boards for the window: which there are, the parts around them, the faults one can provoke."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.board_views import kind_views
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.simulator_views import (
    BenchView,
    PartKindView,
    PinChoiceView,
    bench_view,
    part_kind_views,
    pin_choices,
)
from zeroclaw_desktop.bridge.views import BoardKindView
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.benches import BoardProcess, LiveBench, Note
    from zeroclaw_desktop.runtime.runtime import Runtime

Do = Callable[[str, Coroutine[Any, Any, Any], str], None]


class SimulatorBridge(QObject):
    """The benches of the simulated boards. They are no hardware: what is done here needs no permission.

    Args:
        do: runs a coroutine and tells what went wrong with it on the board's card.
        choose: makes a board the current one.
    """

    add_failed = Signal(object)
    """ErrorView: why a board could not be added."""
    bench_changed = Signal(str)
    """The parts or the wires of a board changed; what they show comes with ``pins_changed``."""

    def __init__(self, core: CoreAccess, do: Do, choose: Callable[[str], None]) -> None:
        super().__init__()
        self._core = core
        self._do = do
        self._choose = choose
        self._runtime: Runtime | None = None
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        self._runtime = runtime

    # -- boards ---------------------------------------------------------------------------------------
    def kinds(self) -> list[BoardKindView]:
        """Kinds of boards that can be simulated, families together."""
        from zeroclaw_desktop.runtime.simulators import simulated_kinds

        return kind_views(simulated_kinds())

    def add_board(self, kind: str) -> None:
        """Add one more simulated board and make it the current one."""
        self.add_boards((kind,))

    def add_boards(self, kinds: Sequence[str]) -> None:
        """Add several, one after the other; the first one becomes the current one."""
        if self._runtime is not None:
            self._core.start(self._add(self._runtime, kinds), "simulator")

    async def _add(self, runtime: Runtime, kinds: Sequence[str]) -> None:
        for number, kind in enumerate(kinds):
            try:
                board_id = await runtime.simulators.add(kind)
            except ZeroClawError as error:
                self.add_failed.emit(error_view_of(error, self._core.language))
                continue
            if number == 0:
                self._choose(board_id)

    # -- what there is --------------------------------------------------------------------------------
    def bench(self, board_id: str) -> BenchView | None:
        """The parts of a board and its faults; None when it is not simulated."""
        if self._runtime is None:
            return None
        return bench_view(self._runtime, board_id, self._core.language)

    def part_kinds(self) -> list[PartKindView]:
        """Kinds of parts that can be added."""
        return part_kind_views(self._core.language)

    def pin_choices(self, board_id: str, part_id: str, terminal: str) -> list[PinChoiceView]:
        """Every pin for a terminal, with the reason where it may not be wired there."""
        live = self._live(board_id)
        has_part = live is not None and live.bench.part(part_id) is not None
        return pin_choices(live, part_id, terminal, self._core.language) if live and has_part else []

    # -- changes that can be taken back; each returns why it was not done, or '' ---------------------------
    def add_part(self, board_id: str, kind: str) -> str:
        """Put a part on the bench."""
        live = self._live(board_id)
        return self._done(board_id, live.add(kind)) if live is not None else ""

    def remove_part(self, board_id: str, part_id: str) -> str:
        """Take a part off the bench."""
        live = self._live(board_id)
        if live is None:
            return ""
        live.remove(part_id)
        return self._done(board_id, None)

    def wire(self, board_id: str, part_id: str, terminal: str, pin: int | None) -> str:
        """Wire a terminal to a pin, or to nothing."""
        live = self._live(board_id)
        return self._done(board_id, live.wire(part_id, terminal, pin)) if live is not None else ""

    def set_setting(self, board_id: str, part_id: str, key: str, choice: str) -> str:
        """Make a choice of a part."""
        live = self._live(board_id)
        return self._done(board_id, live.set_setting(part_id, key, choice)) if live is not None else ""

    def undo(self, board_id: str) -> None:
        """Take the last change back."""
        live = self._live(board_id)
        if live is not None and live.undo():
            self._done(board_id, None)

    def _done(self, board_id: str, refusal: Note | None) -> str:
        if refusal is not None:
            return refusal.text(self._core.language)
        if self._runtime is not None:
            self._runtime.simulators.keep(board_id)
        self._put(board_id)
        self.bench_changed.emit(board_id)
        return ""

    # -- what a hand does -----------------------------------------------------------------------------
    def turn(self, board_id: str, part_id: str, value: float) -> None:
        """Turn a knob or warm a thermometer."""
        live = self._live(board_id)
        if live is not None:
            live.turn(part_id, value)
            self._put(board_id)

    def close_contact(self, board_id: str, part_id: str, closed: bool) -> None:
        """Press a button or block the shaft of a motor; or let go."""
        live = self._live(board_id)
        if live is not None:
            live.close(part_id, closed)
            self._put(board_id)

    def _put(self, board_id: str) -> None:
        process = self._process(board_id)
        if process is not None:
            self._do(board_id, process.put_on_pins(), "virtual parts")

    # -- faults ---------------------------------------------------------------------------------------
    def set_fault(self, board_id: str, kind: str, active: bool) -> None:
        """Begin or end a fault that lasts."""
        if self._runtime is not None and self._process(board_id) is not None:
            self._do(board_id, self._runtime.simulators.set_fault(board_id, kind, active), kind)

    def set_stuck(self, board_id: str, pin: int, level: int | None) -> None:
        """Tie a pin to ground (0) or supply (1); None ends that."""
        process = self._process(board_id)
        if process is not None:
            self._do(board_id, process.set_stuck(pin, level), "stuck pin")

    def inject_fault(self, board_id: str, kind: str) -> None:
        """Cause a fault of a moment."""
        process = self._process(board_id)
        if process is not None:
            self._do(board_id, process.inject_fault(kind), kind)

    def _live(self, board_id: str) -> LiveBench | None:
        return self._runtime.simulators.bench(board_id) if self._runtime is not None else None

    def _process(self, board_id: str) -> BoardProcess | None:
        return self._runtime.simulators.find(board_id) if self._runtime is not None else None
