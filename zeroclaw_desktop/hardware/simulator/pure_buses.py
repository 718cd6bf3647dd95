"""I2C and SPI masters of the simplified Uno (SPEC.md, Buses), with the same virtual devices as the AVR core.

Lines are looked at as a whole: a line that something outside holds low is stuck, everything else is a clean
transfer. Checks and their order: firmware/arduino/bus.c.
"""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode, Pins
from zeroclaw_desktop.hardware.simulator.virtual_devices import I2cDevice

SDA_PIN, SCL_PIN = I2C_PINS = (18, 19)
SS_PIN = 10
MOSI_PIN, MISO_PIN, SCK_PIN = SPI_PINS = (11, 12, 13)
NOTHING_DRIVES = 0xFF
"""What a master reads from a data line that nobody pulls low."""
_TIMED = (PinMode.PWM, PinMode.SERVO, PinMode.TONE)


class BusError(Exception):
    """A transfer could not be made; ``code`` is the protocol's (SPEC.md, Errors)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class I2cBus:
    """The two-wire bus and the devices on it."""

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self._devices: dict[int, I2cDevice] = {}

    def attach(self, address: int, device: I2cDevice | None) -> None:
        """Connect a device at a 7-bit address, or remove it (None)."""
        if device is None:
            self._devices.pop(address, None)
        else:
            self._devices[address] = device

    def transfer(self, address: int, out: bytes, count: int) -> bytes:
        """Write bytes, then read ``count`` after a repeated start; with neither it writes the bare address.

        Raises:
            BusError: conflict, bus_fault, no_device or no_ack.
        """
        if not all(self._pins.is_input(pin) for pin in I2C_PINS):
            raise BusError("conflict")
        if any(self._pins.is_held_low(pin) for pin in I2C_PINS):
            raise BusError("bus_fault")
        device = self._devices.get(address)
        if device is None:
            raise BusError("no_device")
        if out or not count:
            self._write(device, out)
        return self._read(device, count) if count else b""

    @staticmethod
    def _write(device: I2cDevice, out: bytes) -> None:
        if not device.begin(is_read=False):
            raise BusError("no_device")
        refused = next((True for value in out if not device.write(value)), False)
        device.end()
        if refused:
            raise BusError("no_ack")

    @staticmethod
    def _read(device: I2cDevice, count: int) -> bytes:
        if not device.begin(is_read=True):
            raise BusError("no_device")
        data = bytes(device.read() & 0xFF for _ in range(count))
        device.end()
        return data


class SpiBus:
    """The SPI bus.

    Attributes:
        exchange: what the selected device answers to a byte; None when nothing is connected.
    """

    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self.exchange: Callable[[int], int] | None = None

    def transfer(self, select: int, data: bytes) -> bytes:
        """Exchange bytes with the device that a pin selects; the pins end as SPEC.md says.

        Raises:
            BusError: unsupported, conflict or bus_fault; nothing changed.
        """
        if select in SPI_PINS:
            raise BusError("unsupported")
        if any(self._pins.mode(pin) in _TIMED for pin in (select, *SPI_PINS)):
            raise BusError("conflict")
        if select != SS_PIN and self._pins.is_input(SS_PIN) and self._pins.is_held_low(SS_PIN):
            raise BusError("bus_fault")
        for pin, level in ((SCK_PIN, 0), (MOSI_PIN, 0), (select, 1), (select, 0)):
            self._pins.write(pin, level)
        if not self._pins.is_input(MISO_PIN):
            self._pins.set_mode(MISO_PIN, PinMode.INPUT)
        answer = bytes(
            NOTHING_DRIVES if self.exchange is None else self.exchange(value) & 0xFF for value in data
        )
        self._pins.write(select, 1)
        return answer
