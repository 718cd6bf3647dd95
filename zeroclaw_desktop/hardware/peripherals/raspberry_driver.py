"""The 40-pin header of the Raspberry Pi that the app runs on: gpiod, smbus2, spidev and the kernel's PWM.

The kernel lets go of the lines when this program ends in whatever way; what a pin does then is the kernel's
(an input, on a usual Raspberry Pi OS). While it runs, the board's line makes the outputs safe when the app
hangs.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.errors import PortError, PortMissingError
from zeroclaw_desktop.hardware.peripherals.driver import (
    I2C_COMMANDS,
    MODE_COMMANDS,
    PIN_COMMANDS,
    SPI_COMMANDS,
    WAVE_COMMANDS,
    DriverError,
)
from zeroclaw_desktop.hardware.peripherals.raspberry_pwm import PwmChannels
from zeroclaw_desktop.hardware.transport.open_errors import explain_open_failure

CONSUMER = "zeroclaw"
HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Names of the chip behind the header: up to the Pi 3, of the Pi 4, of the Pi 5."""
I2C_BUS = 1
SELECT_DEVICES = {8: 0, 7: 1}
"""CE0 and CE1: pin to device of the bus spidev0."""
READ_TO_SCAN = (*range(0x30, 0x38), *range(0x50, 0x60))
"""Addresses that a bare address may change (SPEC.md, Buses)."""
_ABSENT = (errno.EREMOTEIO, errno.ENXIO, errno.ENODEV)


@dataclass(frozen=True)
class PiLibraries:
    """What the driver uses; the tests put a documented fake in the place of the kernel.

    Attributes:
        gpiod: the module of libgpiod 2.
        smbus2, spidev: the modules; None where they are not installed.
        devices: folder of the device files.
        pwm: folder of the kernel's PWM chips.
    """

    gpiod: Any
    smbus2: Any = None
    spidev: Any = None
    devices: Path = Path("/dev")
    pwm: Path = Path("/sys/class/pwm")


def load_libraries() -> PiLibraries:
    """Import what is installed.

    Raises:
        PortMissingError: gpiod is not, which nothing works without.
    """
    try:
        import gpiod
    except ImportError as error:
        raise PortMissingError(
            "The library gpiod is not installed.",
            hint="Install the extra 'raspberry-pi': pip install 'zeroclaw-desktop[raspberry-pi]'",
            code="gpio_library",
            details={"port": "gpiod"},
        ) from error
    found: dict[str, Any] = {}
    with contextlib.suppress(ImportError):
        import smbus2

        found["smbus2"] = smbus2
    with contextlib.suppress(ImportError):
        import spidev

        found["spidev"] = spidev
    return PiLibraries(gpiod, **found)


class RaspberryPiDriver:
    """Implements Driver.

    Args:
        chip: path of the character device (``/dev/gpiochip0``); where that is not the header's and another
            one is, the other is taken.

    Raises:
        PortError: there is no such chip, or it may not be opened.
    """

    pace = 0.005

    def __init__(self, chip: str, profile: BoardProfile, libraries: PiLibraries) -> None:
        self._libraries = libraries
        self._line = libraries.gpiod.line
        self._chip = self._header_chip(chip)
        self._lines: dict[int, Any] = {}
        self._pwm = PwmChannels(libraries.pwm, self._label)
        devices = libraries.devices
        self._has_i2c = libraries.smbus2 is not None and (devices / f"i2c-{I2C_BUS}").exists()
        self._has_spi = libraries.spidev is not None and (devices / "spidev0.0").exists()
        self._bus_pins = {
            pin.number
            for pin in profile.pins
            if (self._has_i2c and "i2c" in pin.functions) or (self._has_spi and "spi" in pin.functions)
        }
        self._has_pwm = self._pwm.present and any("pwm" in pin.functions for pin in profile.pins)

    def _header_chip(self, wanted: str) -> str:
        label = self._label_of(wanted)
        if label not in HEADER_LABELS:
            for path in sorted(self._libraries.devices.glob("gpiochip*")):
                with contextlib.suppress(PortError):
                    other = self._label_of(str(path))
                    if other in HEADER_LABELS:
                        self._label = other
                        return str(path)
        self._label = label
        return wanted

    def _label_of(self, path: str) -> str:
        try:
            with self._libraries.gpiod.Chip(path) as chip:
                return str(chip.get_info().label)
        except OSError as error:
            raise explain_open_failure(path, error) from error

    @property
    def firmware(self) -> tuple[str, str]:
        """See Driver."""
        return "gpiod", str(self._libraries.gpiod.__version__)

    @property
    def commands(self) -> tuple[str, ...]:
        """See Driver: what needs a bus or a PWM chip is there when the kernel has it."""
        offered: tuple[str, ...] = (*PIN_COMMANDS, *MODE_COMMANDS)
        offered += WAVE_COMMANDS if self._has_pwm else ()
        offered += I2C_COMMANDS if self._has_i2c else ()
        return offered + (SPI_COMMANDS if self._has_spi else ())

    # -- pins -----------------------------------------------------------------------------------------
    def _configure(self, pin: int, **settings: Any) -> None:
        """Take a line, or change the one that we have; raises DriverError when somebody else has it."""
        if pin in self._bus_pins:
            raise DriverError(f"Pin {pin} belongs to a bus of the kernel (raspi-config)", "conflict")
        config = {pin: self._libraries.gpiod.LineSettings(**settings)}
        try:
            if pin in self._lines:
                self._lines[pin].reconfigure_lines(config)
            else:
                self._lines[pin] = self._libraries.gpiod.request_lines(
                    self._chip, config=config, consumer=CONSUMER
                )
        except OSError as error:
            if error.errno == errno.EBUSY:
                raise DriverError(
                    f"Pin {pin} is in use by the kernel or another program", "conflict"
                ) from error
            if error.errno in (errno.ENOENT, errno.ENODEV):
                raise explain_open_failure(self._chip, error) from error
            raise DriverError(f"Pin {pin}: {error.strerror or error}", "bus_fault") from error

    def level(self, pin: int) -> int:
        """See Driver."""
        if self._pwm.owns(pin):
            return self._pwm.level(pin)
        line = self._lines.get(pin)
        if line is None:
            raise DriverError(f"Pin {pin} was not made an input or output")
        try:
            return int(line.get_value(pin) == self._line.Value.ACTIVE)
        except OSError as error:
            raise DriverError(f"Pin {pin}: {error.strerror or error}", "bus_fault") from error

    def set_input(self, pin: int, *, pull_up: bool) -> None:
        """See Driver."""
        self._pwm.let_go(pin)
        bias = self._line.Bias.PULL_UP if pull_up else self._line.Bias.DISABLED
        self._configure(pin, direction=self._line.Direction.INPUT, bias=bias)

    def set_output(self, pin: int, level: int) -> None:
        """See Driver. A pin that has carried a wave stays with its PWM channel, at rest or at full duty."""
        if self._pwm.owns(pin):
            self._pwm.hold(pin, level)
            return
        value = self._line.Value.ACTIVE if level else self._line.Value.INACTIVE
        self._configure(pin, direction=self._line.Direction.OUTPUT, output_value=value)

    def wave(self, pin: int, hertz: float, duty: float) -> None:
        """See Driver; the kernel's PWM needs the pin as its overlay has set it up."""
        if pin in self._lines:
            raise DriverError(
                f"Pin {pin} was used as a plain pin, which ends its PWM until a restart", "conflict"
            )
        self._pwm.start(pin, hertz, duty)

    def analog(self, pin: int) -> int:
        """See Driver."""
        raise DriverError(f"Pin {pin} has no ADC: a Raspberry Pi has none")

    # -- buses ----------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def _bus(self) -> Iterator[Any]:
        try:
            with self._libraries.smbus2.SMBus(I2C_BUS) as bus:
                yield bus
        except OSError as error:
            if error.errno in _ABSENT:
                raise DriverError("Nothing acknowledged the address", "no_device") from error
            raise DriverError(f"I2C: {error.strerror or error}", "bus_fault") from error

    def i2c_scan(self) -> list[int]:
        """See Driver."""
        found = []
        with self._bus() as bus:
            for address in range(8, 120):
                try:
                    bus.read_byte(address) if address in READ_TO_SCAN else bus.write_quick(address)
                except OSError as error:
                    if error.errno in (*_ABSENT, errno.EBUSY, errno.EIO):
                        continue
                    raise
                found.append(address)
        return found

    def i2c_read(self, address: int, register: bytes, count: int) -> bytes:
        """See Driver."""
        message = self._libraries.smbus2.i2c_msg
        answer = message.read(address, count)
        with self._bus() as bus:
            bus.i2c_rdwr(*([message.write(address, register)] if register else []), answer)
        return bytes(answer)

    def i2c_write(self, address: int, data: bytes) -> None:
        """See Driver."""
        with self._bus() as bus:
            bus.i2c_rdwr(self._libraries.smbus2.i2c_msg.write(address, data))

    def spi_transfer(self, select: int, data: bytes, mode: int, hertz: int) -> bytes:
        """See Driver; the kernel drives the select pin, which is CE0 or CE1."""
        if select not in SELECT_DEVICES:
            raise DriverError("The select pin must be CE0 (8) or CE1 (7)")
        device = self._libraries.spidev.SpiDev()
        try:
            device.open(0, SELECT_DEVICES[select])
            device.mode, device.max_speed_hz = mode, hertz
            return bytes(device.xfer2(list(data)))
        except OSError as error:
            raise DriverError(f"SPI: {error.strerror or error}", "bus_fault") from error
        finally:
            device.close()

    def spi_leaves(self, select: int) -> dict[int, int]:
        """See Driver; the kernel keeps its pins."""
        return {}

    # -- life -----------------------------------------------------------------------------------------
    def alive(self) -> None:
        """See Driver."""
        if not Path(self._chip).exists():
            raise PortMissingError(f"The chip {self._chip} has gone.", details={"port": self._chip})

    def guard(self, milliseconds: int) -> bool:
        """See Driver; the pins are this program's, so the board's line watches."""
        return milliseconds == 0

    def interrupt(self) -> None:
        """See Driver; everything here is short."""

    def close(self) -> None:
        """See Driver."""
        for line in self._lines.values():
            with contextlib.suppress(OSError):
                line.release()
        self._lines.clear()
        self._pwm.close()
