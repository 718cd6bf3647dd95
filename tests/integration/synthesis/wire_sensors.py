"""Sensors on one wire, played from their data sheets against the simulated chip."""

from __future__ import annotations

from tests.integration.synthesis.sketch_bench import CYCLES_PER_MICROSECOND, RunningSketch

STEP = 16
"""Cycles between two looks at the line: one microsecond."""


class WireWatcher:
    """Runs a sketch microsecond by microsecond while a sensor talks."""

    def __init__(self, sketch: RunningSketch, pin: int) -> None:
        self.sketch = sketch
        self.pin = pin
        self.release()

    def release(self) -> None:
        """Let the pull-up make the line high."""
        self.sketch.machine.drive_pin(self.pin, 1)

    def hold(self) -> None:
        """Pull the line low."""
        self.sketch.machine.drive_pin(self.pin, 0)

    def is_held_by_chip(self) -> bool:
        """Whether the chip drives the line low; the sensor itself must not."""
        return self.sketch.machine.pin_levels()[self.pin] == 0

    def wait(self, microseconds: float) -> None:
        """Let time pass."""
        end = self.sketch.machine.cycle_count + round(microseconds * CYCLES_PER_MICROSECOND)
        while self.sketch.machine.cycle_count < end:
            self.sketch.advance(STEP)

    def wait_for_low(self, step: int = STEP, limit: float = 5.0) -> None:
        """Run in steps of some cycles until the chip holds the line; fails after ``limit`` seconds of it."""
        end = self.sketch.seconds + limit
        while not self.is_held_by_chip():
            assert self.sketch.seconds < end, "the chip never pulls the line low"
            self.sketch.advance(step)

    def low_time(self, step: int = STEP) -> float:
        """Wait for the chip to pull the line low and let go again; microseconds that it held it.

        Args:
            step: cycles between looks while nothing happens; much shorter than the pulse.
        """
        self.wait_for_low(step)
        begun = next(when for when, level in reversed(self.sketch.changes(self.pin)) if level == 0)
        while self.is_held_by_chip():
            self.sketch.advance(STEP)
        return self.sketch.machine.cycle_count / CYCLES_PER_MICROSECOND - begun


COARSE = 1_600
"""A tenth of a millisecond: for pulses that last longer."""


def answer_as_dht(wire: WireWatcher, data: bytes) -> float:
    """Wait for a start signal and answer with five bytes (data sheet of the AM2302, section 7).

    Returns:
        Length of the start signal in microseconds.
    """
    started = wire.low_time(COARSE)
    wire.wait(30)
    wire.hold()
    wire.wait(80)
    wire.release()
    wire.wait(80)
    for byte in data:
        for bit in range(7, -1, -1):
            wire.hold()
            wire.wait(50)
            wire.release()
            wire.wait(70 if byte >> bit & 1 else 26)
    wire.hold()
    wire.wait(50)
    wire.release()
    return started


class Thermometer:
    """A DS18B20 on a line of its own (data sheet, "1-Wire Signaling" and "Memory")."""

    def __init__(self, wire: WireWatcher, scratchpad: bytes) -> None:
        self._wire = wire
        self._scratchpad = scratchpad

    def reset(self) -> float:
        """Wait for a reset pulse and answer with presence; length of the pulse in microseconds."""
        length = self._wire.low_time(COARSE)
        self._wire.wait(30)
        self._wire.hold()
        self._wire.wait(120)
        self._wire.release()
        return length

    def receive(self) -> int:
        """A byte from the master, lowest bit first: a slot that is low for less than 15 us is a 1."""
        value = 0
        for bit in range(8):
            value |= (self._wire.low_time() < 15) << bit
        return value

    def send(self, value: int) -> None:
        """A byte to the master: for a 0 the line is held for 30 us after the slot has begun."""
        for bit in range(8):
            if value >> bit & 1:
                self._wire.low_time()
                continue
            self._wire.wait_for_low()
            self._wire.hold()
            self._wire.wait(30)
            self._wire.release()

    def serve_reading(self) -> tuple[list[int], list[float]]:
        """Convert once and give the scratchpad; the commands that came and the reset pulses."""
        resets = [self.reset()]
        commands = [self.receive(), self.receive()]
        resets.append(self.reset())
        commands += [self.receive(), self.receive()]
        for byte in self._scratchpad:
            self.send(byte)
        return commands, resets
