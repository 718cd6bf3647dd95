"""A scripted stand-in of the simulator's bridge: real benches around boards whose pins a test sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.simulator_views import (
    BenchView,
    PartKindView,
    PinChoiceView,
    bench_view_of,
    part_kind_views,
    pin_choices,
)
from zeroclaw_desktop.bridge.views import BoardKindView, PinView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import LiveBench
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import Note
from zeroclaw_desktop.hardware.simulator.circuit.readings import Probe
from zeroclaw_desktop.hardware.simulator.machine import Snapshot

Waves = dict[int, tuple[float, float]]


class DemoSimulator(QObject):
    """The parts of ``bridge.SimulatorBridge`` that the panel uses.

    Args:
        pins: the pins of a board, as the test has set them.
        calls: where the calls are noted.
    """

    language: Language = "en"
    """Language of the texts; pictures in Chinese set it for all."""
    bench_changed = Signal(str)
    add_failed = Signal(object)

    def __init__(
        self,
        pins: Callable[[str], list[PinView]],
        calls: list[tuple[Any, ...]],
        kinds: list[BoardKindView],
    ) -> None:
        super().__init__()
        self._pins = pins
        self._calls = calls
        self._kinds = kinds
        self.benches: dict[str, LiveBench] = {}
        self.waves: Waves = {}
        """Square waves that the boards drive: pin -> (hertz, duty)."""
        self.faults: tuple[str, ...] = ()
        self.stuck: dict[int, int] = {}

    def add_bench(self, board_id: str, kind: str) -> None:
        """Give a simulated board its bench."""
        self.benches.setdefault(board_id, LiveBench(board_catalog()[kind]))

    def kinds(self) -> list[BoardKindView]:
        return self._kinds

    def add_board(self, kind: str) -> None:
        self._calls.append(("add_board", kind))

    def bench(self, board_id: str) -> BenchView | None:
        live = self.benches.get(board_id)
        if live is None:
            return None
        readings = live.readings(Probe(self._snapshot(board_id), self.stuck))
        return bench_view_of(live, readings, self.faults, self.stuck, self.language)

    def _snapshot(self, board_id: str) -> Snapshot:
        pins = {pin.number: pin for pin in self._pins(board_id)}
        places = range(max((*pins, 60)) + 1)
        outputs = ("output", "pwm", "servo")
        modes = ["output" if pin in pins and pins[pin].mode in outputs else "input" for pin in places]
        modes = [
            "input_pullup" if pin in pins and pins[pin].mode == "input_pullup" else mode
            for pin, mode in enumerate(modes)
        ]
        levels = [pins[pin].level or 0 if pin in pins else 0 for pin in places]
        duties = {pin.number: (490.0, pin.duty) for pin in pins.values() if pin.duty is not None}
        return Snapshot(tuple(levels), tuple(modes), {}, {**duties, **self.waves})

    def part_kinds(self) -> list[PartKindView]:
        return part_kind_views(self.language)

    def pin_choices(self, board_id: str, part_id: str, terminal: str) -> list[PinChoiceView]:
        return pin_choices(self.benches[board_id], part_id, terminal, self.language)

    def add_part(self, board_id: str, kind: str) -> str:
        return self._done(board_id, self.benches[board_id].add(kind))

    def remove_part(self, board_id: str, part_id: str) -> str:
        self.benches[board_id].remove(part_id)
        return self._done(board_id, None)

    def wire(self, board_id: str, part_id: str, terminal: str, pin: int | None) -> str:
        return self._done(board_id, self.benches[board_id].wire(part_id, terminal, pin))

    def set_setting(self, board_id: str, part_id: str, key: str, choice: str) -> str:
        return self._done(board_id, self.benches[board_id].set_setting(part_id, key, choice))

    def undo(self, board_id: str) -> None:
        self.benches[board_id].undo()
        self.bench_changed.emit(board_id)

    def turn(self, board_id: str, part_id: str, value: float) -> None:
        self._calls.append(("turn", part_id, round(value, 3)))
        self.benches[board_id].turn(part_id, value)
        self.bench_changed.emit(board_id)

    def close_contact(self, board_id: str, part_id: str, closed: bool) -> None:
        self._calls.append(("close_contact", part_id, closed))
        self.benches[board_id].close(part_id, closed)
        self.bench_changed.emit(board_id)

    def set_fault(self, board_id: str, kind: str, active: bool) -> None:
        self._calls.append(("set_fault", kind, active))
        others = tuple(fault for fault in self.faults if fault != kind)
        self.faults = (*others, kind) if active else others
        self.bench_changed.emit(board_id)

    def set_stuck(self, board_id: str, pin: int, level: int | None) -> None:
        self._calls.append(("set_stuck", pin, level))
        self.stuck = {number: held for number, held in self.stuck.items() if number != pin}
        if level is not None:
            self.stuck[pin] = level
        self.bench_changed.emit(board_id)

    def inject_fault(self, board_id: str, kind: str) -> None:
        self._calls.append(("inject_fault", kind))

    def _done(self, board_id: str, refusal: Note | None) -> str:
        self.bench_changed.emit(board_id)
        return refusal.text(self.language) if refusal is not None else ""
