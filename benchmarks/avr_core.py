"""How fast the simulated ATmega328P runs: busy and idle, in slices of a millisecond and in one piece.

The busy program is a loop of arithmetic, loads, stores and
branches; the idle one sleeps with timer 0 ticking every 1.024 ms, like a firmware that waits for commands.
"""

from __future__ import annotations

import statistics
import struct
import time
from typing import Any

from benchmarks._bench import row
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine

SLICE_CYCLES = 16_000
SIMULATED_SECONDS = 1
ROUNDS = 5

# Z = 0x200; loop: ld r0,Z; add r0,r16; st Z+,r0; inc r16; sbrs r31,3; rjmp loop; ldi r31,2; rjmp loop
BUSY = [0xE0E0, 0xE0F2, 0x8000, 0x0E00, 0x9201, 0x9503, 0xFFF3, 0xCFFA, 0xE0F2, 0xCFF8]
# timer 0: clk/64, overflow interrupt; idle sleep for ever; the vector of the overflow (0x40) returns
IDLE_START = [0xE003, 0xBD05, 0xE001, 0x9300, 0x006E, 0xBF03, 0x9478, 0x9588, 0xCFFE]
RETI = 0x9518


def measure(number: str, label: str, machine: AvrMachine, slice_cycles: int) -> dict[str, Any]:
    """Run for some simulated seconds, several times: MHz, and the share of one host core at real time."""
    speeds = []
    for _ in range(ROUNDS):
        start, first = time.perf_counter(), machine.cycle_count
        for _ in range(SIMULATED_SECONDS * AvrMachine.CLOCK_HZ // slice_cycles):
            machine.run(slice_cycles)
        speeds.append((machine.cycle_count - first) / (time.perf_counter() - start) / 1e6)
    median = statistics.median(speeds)
    share = AvrMachine.CLOCK_HZ / 1e6 / median * 100
    return row(number, label, speeds, "MHz", ratio=median / 16, note=f"{share:.2f} % of a core at real time")


def machine_with(words: list[int], vector_40: int = 0) -> AvrMachine:
    """A machine that runs words from 0x100 and has one word at the vector of timer 0's overflow."""
    machine = AvrMachine(boot_reset=False, wasm_path=firmware_path("prebuilt/avr.wasm"))
    machine.load_flash(struct.pack("<H", 0xC07F))
    machine.load_flash(struct.pack("<H", vector_40), 0x40)
    machine.load_flash(struct.pack(f"<{len(words)}H", *words), 0x100)
    machine.reset()
    return machine


def run() -> list[dict[str, Any]]:
    """Return the rows of the AVR core; the ratio is times real time."""
    rows = []
    for name, machine in (("busy", machine_with(BUSY)), ("idle", machine_with(IDLE_START, RETI))):
        rows.append(measure(f"avr.{name}", f"AVR core {name}, 1 ms slices", machine, SLICE_CYCLES))
        rows.append(measure(f"avr.{name}.1s", f"AVR core {name}, 1 s slices", machine, AvrMachine.CLOCK_HZ))
    return rows
