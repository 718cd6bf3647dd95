"""Devices on the buses of the simulated Uno: a thermometer and a memory on I2C, a loop-back wire on SPI.

They stand behind ``AvrMachine.attach_i2c`` and ``AvrMachine.spi_transfer``, where the real firmware talks to
them, and behind the buses of the simplified board. Sources: TI SNIS153 (LM75), Atmel 0336 (AT24C32).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

LM75_ADDRESS = 0x48
EEPROM_ADDRESS = 0x50
EEPROM_BYTES = 4096
EEPROM_PAGE = 32
WRITE_CYCLE_SECONDS = 0.005
"""A typical AT24C32 acknowledges nothing for so long after a write."""
_LM75_STEP = 0.5
_LM75_LOW, _LM75_HIGH = -55.0, 125.0
_LM75_CONFIGURATION = 1


class I2cDevice(Protocol):
    """A device on the two-wire bus; its calls come while the board runs, on the same thread."""

    def begin(self, *, is_read: bool) -> bool:
        """The device was addressed; return whether it acknowledges."""

    def write(self, value: int) -> bool:
        """Take a byte from the master; return whether it is acknowledged."""

    def read(self) -> int:
        """Return the next byte for the master, 0 to 255."""

    def end(self) -> None:
        """Stop condition or a new start after this device was addressed."""


class Lm75:
    """A thermometer with the registers temperature, configuration, hysteresis and over-temperature.

    Temperatures are 9-bit two's complement numbers of 0.5 degrees, aligned to the high end of 16 bits.
    """

    def __init__(self, celsius: float = 22.5) -> None:
        self.celsius = celsius
        self._pointer = 0
        self._configuration = 0
        self._limits = {2: 0x4B00, 3: 0x5000}  # 75 and 80 degrees, the values after power-on
        self._written: list[int] = []
        self._place = 0

    def _register(self) -> bytes:
        if self._pointer == _LM75_CONFIGURATION:
            return bytes([self._configuration])
        if self._pointer:
            return self._limits[self._pointer].to_bytes(2, "big")
        bounded = max(_LM75_LOW, min(_LM75_HIGH, self.celsius))
        return (round(bounded / _LM75_STEP) << 7 & 0xFFFF).to_bytes(2, "big")

    def begin(self, *, is_read: bool) -> bool:
        """See I2cDevice."""
        self._place = 0
        self._written = []
        return True

    def write(self, value: int) -> bool:
        """The first byte selects a register, the others go into it."""
        if not self._written:
            self._pointer = value & 3
        self._written.append(value)
        if self._pointer == _LM75_CONFIGURATION and len(self._written) == 2:
            self._configuration = value
        elif self._pointer in self._limits and len(self._written) == 3:
            self._limits[self._pointer] = (self._written[1] << 8 | value) & 0xFF80
        return True

    def read(self) -> int:
        """The bytes of the register, over and over."""
        content = self._register()
        value = content[self._place % len(content)]
        self._place += 1
        return value

    def end(self) -> None:
        """See I2cDevice."""


class Eeprom24C32:
    """A memory of 4096 bytes with addresses of two bytes and pages of 32.

    A write is kept at the end of the transfer; until its write cycle is over the device acknowledges nothing.

    Args:
        seconds: the board's time.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self.content = bytearray(b"\xff" * EEPROM_BYTES)
        self._seconds = seconds
        self._busy_until = 0.0
        self._address = 0
        self._received = 0
        self._pending: dict[int, int] = {}

    def begin(self, *, is_read: bool) -> bool:
        """See I2cDevice."""
        self._received = 0
        return self._seconds() >= self._busy_until

    def write(self, value: int) -> bool:
        """Two bytes of address, then data that wraps around within its page."""
        if self._received < 2:
            self._address = (self._address << 8 | value) % EEPROM_BYTES
        else:
            self._pending[self._address] = value
            page = self._address - self._address % EEPROM_PAGE
            self._address = page + (self._address + 1) % EEPROM_PAGE
        self._received += 1
        return True

    def read(self) -> int:
        """The byte at the address, which moves on and wraps around at the end of the memory."""
        value = self.content[self._address]
        self._address = (self._address + 1) % EEPROM_BYTES
        return value

    def end(self) -> None:
        """Write what has come in."""
        if not self._pending:
            return
        for address, value in self._pending.items():
            self.content[address] = value
        self._pending = {}
        self._busy_until = self._seconds() + WRITE_CYCLE_SECONDS


def spi_loopback(value: int) -> int:
    """A wire from MOSI to MISO: what is sent comes back in the same byte."""
    return value
