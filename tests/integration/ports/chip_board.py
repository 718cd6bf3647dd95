"""A firmware on a simulated chip as the vectors' runner needs it: the part that all chips share."""

from __future__ import annotations

import json
from typing import Any, Protocol

from tests.integration.ports.board_map import BoardMap
from tests.integration.ports.vector_runner import answers
from tests.integration.ports.wires import I2cTarget, RefusingDevice, Wires
from tests.unit.firmware.vectors import PinState
from zeroclaw_desktop.hardware.simulator.virtual_devices import (
    EEPROM_ADDRESS,
    LM75_ADDRESS,
    Eeprom24C32,
    Lm75,
)

QUIET_MS = 2
LIMIT_MS = 3000
MOSI, MISO = 11, 12
"""Of the Uno; a wire joins them, so a timer at one moves the other."""


class Chip(Protocol):
    """The simulated chip."""

    wires: Wires

    def run_ms(self, milliseconds: int) -> bytes:
        """Let so much of the chip's time pass; return what it sent."""

    def receive(self, data: bytes) -> None:
        """Put bytes on the line to the chip."""

    @property
    def seconds(self) -> float:
        """The chip's time."""

    @property
    def is_line_busy(self) -> bool:
        """Whether bytes are still on their way to the chip."""

    def set_analog(self, pin: int, value: int) -> None:
        """Set the reading of the ADC at a pin."""

    def output_state(self) -> object:
        """All registers that decide what the pins do."""


class ChipBoard:
    """See vector_runner.VectorBoard.

    Args:
        chip: started.
        board: whose numbers are used.
    """

    def __init__(self, chip: Chip, board: BoardMap) -> None:
        self.chip = chip
        self.board = board
        self._partial = b""

    def attach_devices(self) -> None:
        """Put fresh devices on the buses, those that vectors/README.md names."""
        targets: dict[int, I2cTarget] = {
            LM75_ADDRESS: Lm75(),
            EEPROM_ADDRESS: Eeprom24C32(lambda: self.chip.seconds),
            0x60: RefusingDevice(),
        }
        self.chip.wires.bus.targets = targets
        self.chip.wires.driven.clear()

    def _lines(self, sent: bytes) -> list[bytes]:
        *lines, self._partial = (self._partial + sent).split(b"\n")
        return lines

    def advance(self, milliseconds: int) -> list[bytes]:
        """See VectorBoard."""
        return self._lines(self.chip.run_ms(milliseconds))

    def exchange(self, data: bytes, at_least: int = 0) -> list[bytes]:
        """See VectorBoard."""
        self.chip.receive(data)
        lines: list[bytes] = []
        quiet = waited = 0
        while quiet < QUIET_MS or answers(lines) < at_least:
            sent = self.chip.run_ms(1)
            lines += self._lines(sent)
            quiet = 0 if sent or self._partial or self.chip.is_line_busy else quiet + 1
            waited += 1
            assert waited < LIMIT_MS, f"no answer to {data[:80]!r}: {lines}"
        return lines

    def exchange_for(self, data: bytes, milliseconds: int) -> list[bytes]:
        """Send bytes and let time pass; return the lines that came. For a line that is never quiet."""
        self.chip.receive(data)
        return self.advance(milliseconds)

    def ask(self, command: str, **arguments: object) -> Any:
        """Send one request and return its result; asserts that it succeeded."""
        request = json.dumps({"id": 1, "cmd": command, "args": arguments}).encode() + b"\n"
        values = [json.loads(line) for line in self.exchange(request, 1)]
        (reply,) = [value for value in values if "id" in value]
        assert reply["ok"], reply
        return reply["result"]

    def drive(self, pin: int, level: int | None) -> None:
        """See VectorBoard."""
        self.chip.wires.drive(pin, level)

    def set_analog(self, channel: int, value: int) -> None:
        """See VectorBoard."""
        uno_channel = next(uno for uno, own in self.board.channels.items() if own == channel)
        self.chip.set_analog(self.board.analog_pins[uno_channel], self.board.analog(value))

    def pins(self) -> dict[int, PinState]:
        """See VectorBoard; asserts that a plain pin is at the chip as the firmware says."""
        state = self.ask("state")
        values = {**state["pwm"], **state["servo"], **state["tone"]}
        seen = self.wires()
        pins = {}
        for pin, mode in enumerate(state["mode"]):
            if mode != "-":
                pins[pin] = PinState(mode, int(state["level"][pin]), values.get(str(pin), 0))
                moves = pin == self.board.pins[MISO] and state["mode"][self.board.pins[MOSI]] in "pst"
                if mode in "iuo" and not moves:
                    assert (mode, pins[pin].level) == (seen[pin].mode, seen[pin].level), f"pin {pin}"
        return pins

    def wires(self) -> dict[int, PinState]:
        """See VectorBoard."""
        return {
            number: PinState(
                "o" if pin.is_output else "u" if pin.pull_up else "i", self.chip.wires.level(number), 0
            )
            for number, pin in enumerate(self.chip.wires.pins)
        }

    def outputs(self) -> object:
        """See VectorBoard."""
        return self.chip.output_state()
