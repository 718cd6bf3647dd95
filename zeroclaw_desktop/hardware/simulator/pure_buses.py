"""I2C and SPI masters of the simplified board (SPEC.md, Buses), with the virtual devices of the AVR core.

Lines are looked at as a whole: a line that something outside holds low is stuck, everything else is a clean
transfer. Checks and their order: firmware/arduino/bus.c.
"""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.hardware.simulator.pure_model import PureModel
from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode, Pins
from zeroclaw_desktop.hardware.simulator.virtual_devices import I2cDevice

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

    def __init__(self, pins: Pins, model: PureModel) -> None:
        self._pins = pins
        self._lines = model.i2c_pins
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
        if not all(self._pins.is_input(pin) for pin in self._lines):
            raise BusError("conflict")
        if any(self._pins.is_held_low(pin) for pin in self._lines):
            raise BusError("bus_fault")
        device = self._devices.get(address) if self._lines else None
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

    def __init__(self, pins: Pins, model: PureModel) -> None:
        self._pins = pins
        self._lines = model.spi_pins
        self._slave_select = model.select_pin
        self.exchange: Callable[[int], int] | None = None

    def transfer(self, select: int, data: bytes) -> bytes:
        """Exchange bytes with the device that a pin selects; the pins end as SPEC.md says.

        Raises:
            BusError: unsupported, conflict or bus_fault; nothing changed.
        """
        if select in self._lines or not self._lines:
            raise BusError("unsupported")
        if any(self._pins.mode(pin) in _TIMED for pin in (select, *self._lines)):
            raise BusError("conflict")
        own = self._slave_select
        if own not in (None, select) and self._pins.is_input(own) and self._pins.is_held_low(own):
            raise BusError("bus_fault")
        data_out, data_in, clock = self._lines
        for pin, level in ((clock, 0), (data_out, 0), (select, 1), (select, 0)):
            self._pins.write(pin, level)
        if not self._pins.is_input(data_in):
            self._pins.set_mode(data_in, PinMode.INPUT)
        answer = bytes(
            NOTHING_DRIVES if self.exchange is None else self.exchange(value) & 0xFF for value in data
        )
        self._pins.write(select, 1)
        return answer
