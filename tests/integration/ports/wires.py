"""What is wired to the pins of a simulated chip: drivers, pull-ups, I2C devices, a loop on SPI."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class I2cTarget(Protocol):
    """A device on the bus; virtual_devices has some."""

    def begin(self, *, is_read: bool) -> bool:
        """Addressed; returns whether it acknowledges."""

    def write(self, value: int) -> bool:
        """Takes a byte; returns whether it acknowledges."""

    def read(self) -> int:
        """Gives a byte."""

    def end(self) -> None:
        """Stop, or a start anew."""


class RefusingDevice:
    """Acknowledges its address and one byte, refuses more, reads as zeros (see vectors/README.md)."""

    def __init__(self) -> None:
        self._taken = 0

    def begin(self, *, is_read: bool) -> bool:
        self._taken = 0
        return True

    def write(self, value: int) -> bool:
        self._taken += 1
        return self._taken == 1

    def read(self) -> int:
        return 0

    def end(self) -> None:
        """Nothing is kept."""


@dataclass
class ChipPin:
    """What the chip does with a pin."""

    is_output: bool = False
    latch: int = 0
    pull_up: bool = False


class I2cBus:
    """The devices' half of the bus after UM10204: watches both lines and pulls SDA (section 3.1)."""

    def __init__(self, targets: dict[int, I2cTarget]) -> None:
        self.targets = targets
        self.pulls_sda = False
        self._scl = self._sda = 1
        self._target: I2cTarget | None = None
        self._phase = "idle"  # idle, address, write, read
        self._bits = 0
        self._byte = 0

    def see(self, scl: int, sda: int) -> None:
        """Both lines after a change."""
        was_scl, was_sda = self._scl, self._sda
        self._scl, self._sda = scl, sda
        if was_scl and scl and was_sda != sda:
            self._stop() if sda else self._start()
        elif not was_scl and scl:
            self._clock_rose(sda)
        elif was_scl and not scl:
            self._clock_fell()

    def _start(self) -> None:
        if self._target is not None:
            self._target.end()
        self._target, self._phase, self._bits, self._byte = None, "address", 0, 0
        self.pulls_sda = False

    def _stop(self) -> None:
        if self._target is not None:
            self._target.end()
        self._target, self._phase, self.pulls_sda = None, "idle", False

    def _clock_rose(self, sda: int) -> None:
        if self._phase == "idle":
            return
        if self._bits < 8 and self._phase != "read":
            self._byte = self._byte << 1 | sda
        elif self._bits == 8 and self._phase == "read" and sda:
            self._phase = "idle"  # the master wants no more
        self._bits += 1

    def _clock_fell(self) -> None:
        if self._phase == "idle" or (self._phase == "address" and self._bits == 0):
            self.pulls_sda = False
            return
        if self._bits == 8 and self._phase != "read":
            self.pulls_sda = self._take_byte()
        elif self._bits == 9:
            self._bits = 0
            self._next_byte()
        elif self._phase == "read":
            self.pulls_sda = self._bits < 8 and not self._byte >> (7 - self._bits) & 1

    def _take_byte(self) -> bool:
        """Returns whether the byte is acknowledged."""
        byte, self._byte = self._byte & 0xFF, 0
        if self._phase == "write":
            assert self._target is not None
            return self._target.write(byte)
        self._target = self.targets.get(byte >> 1)
        if self._target is None or not self._target.begin(is_read=bool(byte & 1)):
            self._target, self._phase = None, "idle"
            return False
        self._phase = "will read" if byte & 1 else "write"
        return True

    def _next_byte(self) -> None:
        if self._phase in ("will read", "read"):
            assert self._target is not None
            self._phase, self._byte = "read", self._target.read()
            self.pulls_sda = not self._byte >> 7 & 1
        else:
            self.pulls_sda = False


class Wires:
    """The levels at a chip's pins.

    Args:
        pin_count: pins of the chip.
        sda, scl: pins of the I2C bus.
        miso, mosi: pins that a wire joins.
    """

    def __init__(self, pin_count: int, *, sda: int, scl: int, miso: int, mosi: int) -> None:
        self.pins = [ChipPin() for _ in range(pin_count)]
        self.driven: dict[int, int] = {}
        self.bus = I2cBus({})
        self.joined = (sda, scl, miso, mosi)
        """Pins whose level depends on others."""
        self.listener: Callable[[int], None] = lambda pin: None
        """Told which pin is driven anew from outside."""
        self._sda, self._scl, self._miso, self._mosi = sda, scl, miso, mosi

    def level(self, pin: int) -> int:
        """The level at a pin: who drives it, else its pull-up, else low."""
        own = self.pins[pin]
        if own.is_output:
            return own.latch
        if pin in self.driven:
            return self.driven[pin]
        if pin == self._sda and self.bus.pulls_sda:
            return 0
        if pin == self._miso and self.pins[self._mosi].is_output:
            return self.pins[self._mosi].latch
        return int(own.pull_up)

    def changed(self) -> None:
        """To be called when the chip has changed a pin: the devices look at their lines."""
        self.bus.see(self.level(self._scl), self.level(self._sda))

    def drive(self, pin: int, level: int | None) -> None:
        """Drive a pin from outside, or let it go."""
        if level is None:
            self.driven.pop(pin, None)
        else:
            self.driven[pin] = level
        self.changed()
        self.listener(pin)
