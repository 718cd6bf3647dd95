"""The shipped firmware binary on the product's AVR core, with a clock that only the test moves."""

from __future__ import annotations

import json
from typing import Any

from tests.helpers.bus_devices import RefusingDevice
from tests.unit.firmware.vectors import FIRMWARE, PinState
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, ResetCause
from zeroclaw_desktop.hardware.simulator.virtual_devices import (
    EEPROM_ADDRESS,
    LM75_ADDRESS,
    Eeprom24C32,
    Lm75,
    spi_loopback,
)

PREBUILT = FIRMWARE / "prebuilt"
CYCLES_PER_MS = AvrMachine.CLOCK_HZ // 1000
QUIET_MS = 5  # longer than the time of one character, shorter than any event period in the tests


class SimulatedUno:
    """An Uno with one or more of the prebuilt images.

    Args:
        images: file names in firmware/prebuilt.
        boot_reset: whether it starts in the bootloader.
    """

    def __init__(self, *images: str, boot_reset: bool = False) -> None:
        self.machine = AvrMachine(boot_reset=boot_reset, wasm_path=PREBUILT / "avr.wasm")
        for image in images:
            self.machine.load_hex((PREBUILT / image).read_text(encoding="ascii"))
        self._partial = b""
        self.thermometer = Lm75()
        self.attach_devices()

    def attach_devices(self) -> None:
        """Put fresh devices on the buses, those that vectors/README.md names."""
        self.thermometer.celsius = 22.5
        self.memory = Eeprom24C32(lambda: self.machine.cycle_count / AvrMachine.CLOCK_HZ)
        self.machine.attach_i2c(LM75_ADDRESS, self.thermometer)
        self.machine.attach_i2c(EEPROM_ADDRESS, self.memory)
        self.machine.attach_i2c(0x60, RefusingDevice())
        self.machine.spi_transfer = spi_loopback

    def reset(self, cause: ResetCause = ResetCause.POWER_ON) -> None:
        """Restart the chip."""
        self.machine.reset(cause)
        self._partial = b""

    def advance(self, milliseconds: float) -> list[bytes]:
        """Let time pass; returns the whole lines that the board sent."""
        self.machine.run(round(milliseconds * CYCLES_PER_MS))
        *lines, self._partial = (self._partial + self.machine.uart_transmitted()).split(b"\n")
        return lines

    def exchange(self, data: bytes, *, at_least: int = 0, limit_ms: int = 200) -> list[bytes]:
        """Send bytes and run until the line has been quiet for some ms and at_least lines have come."""
        accepted = self.machine.uart_receive(data)
        assert accepted == len(data)
        lines: list[bytes] = []
        quiet = waited = passed = 0
        while quiet < QUIET_MS or (len(lines) < at_least and waited < limit_ms):
            before = len(self._partial)
            new = self.advance(1)
            lines += new
            busy = bool(new) or len(self._partial) != before or self.machine.uart_input_waiting > 0
            quiet = 0 if busy else quiet + 1
            waited += not busy
            passed += 1
            assert passed < 10_000, "the line is never quiet: use exchange_for"
        return lines

    def exchange_for(self, data: bytes, milliseconds: int) -> list[bytes]:
        """Send bytes and run for a time; returns the lines that came back. For a line that is never quiet."""
        assert self.machine.uart_receive(data) == len(data)
        return self.advance(milliseconds)

    def ask(self, command: str, **arguments: object) -> Any:
        """Send one request and return its result; asserts that it succeeded."""
        request = json.dumps({"id": 1, "cmd": command, "args": arguments}).encode() + b"\n"
        replies = [
            value for line in self.exchange(request, at_least=1) if "id" in (value := json.loads(line))
        ]
        assert len(replies) == 1
        assert replies[0]["ok"], replies[0]
        return replies[0]["result"]

    def pins(self) -> dict[int, PinState]:
        """Return the pins as the board's own `state` tells them."""
        state = self.ask("state")
        values = {**state["pwm"], **state["servo"], **state["tone"]}
        return {
            pin: PinState(state["mode"][pin], int(state["level"][pin]), values.get(str(pin), 0))
            for pin in range(2, 20)
        }

    def wires(self) -> dict[int, PinState]:
        """Return the pins as the chip's ports have them, without asking the firmware."""
        modes, levels = self.machine.pin_modes(), self.machine.pin_levels()
        letters = {"input": "i", "input_pullup": "u", "output": "o"}
        return {pin: PinState(letters[modes[pin]], levels[pin], 0) for pin in range(2, 20)}

    def registers_of_outputs(self) -> bytes:
        """Return everything that decides what the pins do: ports, directions, timer modes and compare values.

        The addresses are those of data sheet section 30. Pin 8 (PORTB bit 0) is left out: the vectors play
        tones there, which change it all the time.
        """
        read = self.machine.read_data
        port_b = read(0x25, 1)[0] & 0xFE
        ports = bytes([port_b]) + read(0x24, 1) + read(0x27, 2) + read(0x2A, 2)
        timers = read(0x44, 2) + read(0x47, 2) + read(0x80, 2) + read(0x88, 4) + read(0xB0, 2) + read(0xB3, 2)
        return ports + timers


def started_firmware() -> SimulatedUno:
    """The protocol firmware, started, its boot line read."""
    uno = SimulatedUno("zeroclaw-arduino-uno.hex")
    assert uno.exchange(b"", at_least=1)
    return uno
