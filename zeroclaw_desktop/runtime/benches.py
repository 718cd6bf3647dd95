"""What the rooms above know of the benches of simulated boards: the document, its parts, what they show."""

from __future__ import annotations

from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.hardware.simulator.circuit.bench import Bench, Part
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import LiveBench
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import Note, PartKind, part_kinds
from zeroclaw_desktop.hardware.simulator.circuit.readings import Reading

__all__ = ["Bench", "BoardProcess", "LiveBench", "Note", "Part", "PartKind", "Reading", "part_kinds"]
