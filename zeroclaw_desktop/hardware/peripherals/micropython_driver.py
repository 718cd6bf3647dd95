"""Pins and buses of a board that runs plain MicroPython: each command is a line for its raw prompt."""

from __future__ import annotations

import ast
import errno
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.errors import NoHandshakeError
from zeroclaw_desktop.hardware.peripherals.driver import (
    ANALOG_COMMANDS,
    I2C_COMMANDS,
    MODE_COMMANDS,
    PIN_COMMANDS,
    SPI_COMMANDS,
    WAVE_COMMANDS,
    DriverError,
)
from zeroclaw_desktop.hardware.peripherals.raw_repl import RawRepl
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

FULL_U16 = 65_535
_ABSENT = (errno.ENODEV, errno.EIO)
MAX_SAID = 80
_IDENTIFY = "import sys;print('=',(sys.implementation[0],sys.implementation[1][:3],sys.platform))"


class MicroPythonDriver:
    """Implements Driver. When it is closed the pins stay as they are: its line makes them safe before.

    Raises:
        PortError, NoHandshakeError: see RawRepl.
    """

    pace = 0.02

    def __init__(self, port: str, settings: PortSettings, profile: BoardProfile) -> None:
        self._repl = RawRepl(port, settings)
        try:
            name, version, platform = self._value(_IDENTIFY)
            self._firmware = (str(name), f"{'.'.join(str(part) for part in version)} ({platform})")
            trouble = self._repl.run(firmware_path("raw_repl/prompt.py").read_text(encoding="utf-8"))[1]
            if trouble:
                raise NoHandshakeError(
                    f"MicroPython on {port} lacks what is needed: {_last_line(trouble)}",
                    hint="Put a newer MicroPython on the board.",
                    code="no_micropython",
                    details={"port": port},
                )
        except BaseException:
            self._repl.close()
            raise
        sda, scl = profile.pin_named("SDA"), profile.pin_named("SCL")
        self._i2c = (sda.number, scl.number) if sda is not None and scl is not None else None
        spi = profile.wiring.spi
        self._spi = (spi.clock_pin, spi.out_pin, spi.in_pin) if spi is not None else None
        self._analog = any("analog" in pin.functions for pin in profile.pins)

    @property
    def firmware(self) -> tuple[str, str]:
        """See Driver."""
        return self._firmware

    @property
    def commands(self) -> tuple[str, ...]:
        """See Driver."""
        offered: tuple[str, ...] = (*PIN_COMMANDS, *MODE_COMMANDS, *WAVE_COMMANDS)
        offered += ANALOG_COMMANDS if self._analog else ()
        offered += I2C_COMMANDS if self._i2c is not None else ()
        return offered + (SPI_COMMANDS if self._spi is not None else ())

    # -- the prompt -----------------------------------------------------------------------------------
    def _value(self, code: str) -> Any:
        """What the code answers; raises DriverError for what went wrong on the board."""
        printed, trouble = self._repl.run(code)
        if trouble:
            raise DriverError(_last_line(trouble))
        said = [line for line in printed.splitlines() if line[:2] in ("= ", "! ")]
        if not said:
            raise DriverError("the board gave no answer", "bus_fault")
        kind, text = said[-1][0], said[-1][2:]
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise DriverError("the board's answer is not understood", "bus_fault") from error
        if kind == "!":
            if value in _ABSENT:
                raise DriverError("Nothing acknowledged the address", "no_device")
            raise DriverError(f"OSError {value}", "bus_fault")
        return value

    def _call(self, function: str, *arguments: Any) -> Any:
        words = ",".join((function, *(repr(argument) for argument in arguments)))
        return self._value(f"z({words})")

    def interrupt(self) -> None:
        """See Driver."""
        self._repl.interrupt()

    def alive(self) -> None:
        """See Driver."""
        self._call("alive")

    def guard(self, milliseconds: int) -> bool:
        """See Driver: a timer of the board looks whether the prompt is used."""
        return bool(self._call("guard", milliseconds))

    def close(self) -> None:
        """See Driver."""
        self._repl.close()

    # -- pins -----------------------------------------------------------------------------------------
    def level(self, pin: int) -> int:
        """See Driver."""
        return int(bool(self._call("level", pin)))

    def set_input(self, pin: int, *, pull_up: bool) -> None:
        """See Driver."""
        self._call("as_input", pin, int(pull_up))

    def set_output(self, pin: int, level: int) -> None:
        """See Driver."""
        self._call("as_output", pin, level)

    def analog(self, pin: int) -> int:
        """See Driver."""
        return int(self._call("analog", pin)) & FULL_U16

    def wave(self, pin: int, hertz: float, duty: float) -> None:
        """See Driver."""
        self._call("wave", pin, round(hertz), round(duty * FULL_U16))

    # -- buses ----------------------------------------------------------------------------------------
    def _wires(self) -> tuple[int, int]:
        if self._i2c is None:
            raise DriverError("the board file names no I2C pins")
        return self._i2c

    def i2c_scan(self) -> list[int]:
        """See Driver."""
        return [int(address) for address in self._call("i2c_scan", *self._wires())]

    def i2c_read(self, address: int, register: bytes, count: int) -> bytes:
        """See Driver."""
        return bytes(self._call("i2c_read", *self._wires(), address, register, count))

    def i2c_write(self, address: int, data: bytes) -> None:
        """See Driver."""
        if int(self._call("i2c_write", *self._wires(), address, data)) < len(data):
            raise DriverError("The device refused a byte", "no_ack")

    def spi_transfer(self, select: int, data: bytes, mode: int, hertz: int) -> bytes:
        """See Driver."""
        if self._spi is None:
            raise DriverError("the board file names no SPI pins")
        return bytes(self._call("spi", self._spi, select, data, mode, hertz))

    def spi_leaves(self, select: int) -> dict[int, int]:
        """See Driver."""
        return {self._spi[0]: 0, self._spi[1]: 0, select: 1} if self._spi is not None else {}


def _last_line(trouble: str) -> str:
    """The sentence of a traceback."""
    lines = [line.strip() for line in trouble.splitlines() if line.strip()]
    return lines[-1][:MAX_SAID] if lines else "it failed"
