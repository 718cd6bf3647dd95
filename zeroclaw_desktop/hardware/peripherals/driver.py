"""What stands between a board that this program answers for and the hardware: pins and buses, one by one.

All methods run on the thread of the board's line and return when the thing is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from zeroclaw_desktop.foundation.errors import ZeroClawError

PIN_COMMANDS = ("gpio_read", "gpio_write")
MODE_COMMANDS = ("pin_mode",)
ANALOG_COMMANDS = ("adc_read",)
WAVE_COMMANDS = ("pwm_write", "servo_write", "servo_detach", "tone", "no_tone")
I2C_COMMANDS = ("i2c_scan", "i2c_read", "i2c_write")
SPI_COMMANDS = ("spi_transfer",)
ANALOG_STEPS_BITS = 16
"""What ``analog`` gives is a fraction of the reference in 65536ths."""


class DriverError(ZeroClawError):
    """The hardware did not do it.

    Args:
        reply_code: what the reply to the request says, one of SPEC.md, Errors.
    """

    def __init__(self, message: str, reply_code: str = "unsupported") -> None:
        super().__init__(message)
        self.reply_code = reply_code


class Driver(Protocol):
    """The hardware of one board. Methods raise DriverError when it says no, PortError when it has gone."""

    @property
    def firmware(self) -> tuple[str, str]:
        """Name and version of what carries the commands out, for ``capabilities``."""

    @property
    def commands(self) -> Sequence[str]:
        """Commands of the protocol, among the tuples above, that it can do."""

    @property
    def pace(self) -> float:
        """Seconds from one look at the inputs to the next, so that looking leaves time for commands."""

    def level(self, pin: int) -> int:
        """Level at a pin, 0 or 1; changes nothing."""

    def set_input(self, pin: int, *, pull_up: bool) -> None:
        """Make a pin an input."""

    def set_output(self, pin: int, level: int) -> None:
        """Make a pin a plain output with a level; a wave on it ends."""

    def analog(self, pin: int) -> int:
        """Voltage at a pin, 0 to 65535 of the reference."""

    def wave(self, pin: int, hertz: float, duty: float) -> None:
        """Square wave on a pin until ``set_output`` or ``set_input``.

        Args:
            duty: share of the time that it is high, 0 to 1.
        """

    def i2c_scan(self) -> list[int]:
        """7-bit addresses that answer."""

    def i2c_read(self, address: int, register: bytes, count: int) -> bytes:
        """Write ``register`` unless it is empty, then read."""

    def i2c_write(self, address: int, data: bytes) -> None:
        """Write bytes."""

    def spi_transfer(self, select: int, data: bytes, mode: int, hertz: int) -> bytes:
        """Exchange bytes with the device whose select pin is ``select``."""

    def spi_leaves(self, select: int) -> Mapping[int, int]:
        """Pins that a transfer leaves as plain outputs of ours, with levels; the safe state is for them."""

    def alive(self) -> None:
        """Find out whether the hardware is still there; raises PortError when it has gone."""

    def guard(self, milliseconds: int) -> bool:
        """Let the hardware make its outputs safe by itself when nothing is asked of it for so long; 0: off.

        Returns:
            Whether it can.
        """

    def interrupt(self) -> None:
        """Break off what is under way, because a stop waits; any thread. Short things may go on."""

    def close(self) -> None:
        """Let go of it; never raises. What state the pins keep is said where the driver is made."""
