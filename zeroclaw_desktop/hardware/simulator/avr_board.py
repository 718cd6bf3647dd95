"""The simulated Arduino Uno with the real firmware: the AVR core behind the SimulatedMachine interface."""

from __future__ import annotations

from pathlib import Path

from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, ResetCause
from zeroclaw_desktop.hardware.simulator.machine import PIN_COUNT, Snapshot
from zeroclaw_desktop.hardware.simulator.virtual_devices import (
    EEPROM_ADDRESS,
    LM75_ADDRESS,
    Eeprom24C32,
    Lm75,
    spi_loopback,
)

MAX_BACKLOG_BYTES = 16_384
"""What the line holds for the board: 1.4 s at 115200 baud; endless writing must not fill the memory."""
_CAUSES = {"power": ResetCause.POWER_ON, "external": ResetCause.EXTERNAL, "brownout": ResetCause.BROWN_OUT}


class AvrBoard:
    """An Uno with boot loader and firmware in its flash.

    On its buses: an LM75 thermometer at 0x48, a 24C32 memory at 0x50, and a wire from MOSI to MISO.

    Args:
        core: path of ``avr.wasm``.
        images: Intel HEX files put into the flash, in order.
    """

    kind = "avr"

    def __init__(self, core: Path, images: list[Path]) -> None:
        self._machine = AvrMachine(boot_reset=True, wasm_path=core)
        for image in images:
            self._machine.load_hex(image.read_text(encoding="ascii"))
        self._owed = 0.0
        self._backlog = b""
        self._edges_dropped = 0
        self._thermometer = Lm75()
        self._attach_devices()
        self._machine.reset(ResetCause.POWER_ON)

    def _attach_devices(self) -> None:
        machine = self._machine
        memory = Eeprom24C32(lambda: machine.cycle_count / AvrMachine.CLOCK_HZ)
        machine.attach_i2c(LM75_ADDRESS, self._thermometer)
        machine.attach_i2c(EEPROM_ADDRESS, memory)
        machine.spi_transfer = spi_loopback

    def advance(self, seconds: float) -> None:
        """See SimulatedMachine."""
        self._owed += seconds * AvrMachine.CLOCK_HZ
        if self._backlog:
            taken = self._machine.uart_receive(self._backlog)
            self._backlog = self._backlog[taken:]
        if self._owed >= 1:
            self._owed -= self._machine.run(int(self._owed))

    def reset(self, cause: str) -> None:
        """See SimulatedMachine."""
        self._backlog = b""
        self._machine.reset(_CAUSES[cause])

    def receive(self, data: bytes) -> None:
        """See SimulatedMachine."""
        waiting = self._backlog + data
        taken = self._machine.uart_receive(waiting)
        self._backlog = waiting[taken : taken + MAX_BACKLOG_BYTES]  # the rest overruns, as in a USB chip

    def transmitted(self) -> bytes:
        """See SimulatedMachine."""
        return self._machine.uart_transmitted()

    def drive_pin(self, pin: int, level: int | None) -> None:
        """See SimulatedMachine."""
        self._machine.drive_pin(pin, level)

    def short_pin(self, pin: int, level: int | None) -> None:
        """See SimulatedMachine."""
        self._machine.short_pin(pin, level)

    def set_volts(self, channel: int, volts: float | None) -> None:
        """See SimulatedMachine."""
        self._machine.set_analog(channel, volts)

    def set_room(self, celsius: float) -> None:
        """See SimulatedMachine."""
        self._thermometer.celsius = celsius

    def snapshot(self) -> Snapshot:
        """See SimulatedMachine."""
        pwm = {pin: state for pin in range(PIN_COUNT) if (state := self._machine.pwm(pin)) is not None}
        return Snapshot(tuple(self._machine.pin_levels()), tuple(self._machine.pin_modes()), pwm)

    def take_edges(self) -> tuple[list[tuple[float, int, int]], int]:
        """See SimulatedMachine."""
        clock = AvrMachine.CLOCK_HZ
        edges = [(cycle / clock, pin, level) for cycle, pin, level in self._machine.take_edges()]
        lost = self._machine.edges_dropped - self._edges_dropped
        self._edges_dropped = self._machine.edges_dropped
        return edges, lost
