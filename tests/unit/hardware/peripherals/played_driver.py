"""Hardware in memory behind a HostedBoard; implements Driver."""

from __future__ import annotations

from zeroclaw_desktop.hardware.peripherals.driver import (
    ANALOG_COMMANDS,
    I2C_COMMANDS,
    MODE_COMMANDS,
    PIN_COMMANDS,
    SPI_COMMANDS,
    WAVE_COMMANDS,
    DriverError,
)


class PlayedDriver:
    """Pins that a test drives; ``refusing`` holds pins that no longer obey."""

    firmware = ("played", "1.0")
    pace = 0.005
    commands = (
        *PIN_COMMANDS,
        *MODE_COMMANDS,
        *ANALOG_COMMANDS,
        *WAVE_COMMANDS,
        *I2C_COMMANDS,
        *SPI_COMMANDS,
    )

    def __init__(self) -> None:
        self.driven: dict[int, int] = {}
        self.volts: dict[int, int] = {}
        self.outputs: dict[int, int] = {}
        self.pulled: set[int] = set()
        self.waves: dict[int, tuple[float, float]] = {}
        self.refusing: set[int] = set()
        self.guarded = 0

    def level(self, pin: int) -> int:
        if pin in self.outputs:
            return self.outputs[pin]
        return self.driven.get(pin, int(pin in self.pulled))

    def _obey(self, pin: int) -> None:
        if pin in self.refusing:
            raise DriverError(f"Pin {pin} is stuck", "bus_fault")
        self.outputs.pop(pin, None)
        self.waves.pop(pin, None)
        self.pulled.discard(pin)

    def set_input(self, pin: int, *, pull_up: bool) -> None:
        self._obey(pin)
        if pull_up:
            self.pulled.add(pin)

    def set_output(self, pin: int, level: int) -> None:
        self._obey(pin)
        self.outputs[pin] = level

    def analog(self, pin: int) -> int:
        return self.volts.get(pin, 0)

    def wave(self, pin: int, hertz: float, duty: float) -> None:
        self._obey(pin)
        self.waves[pin] = (hertz, duty)

    def i2c_scan(self) -> list[int]:
        return [72]

    def i2c_read(self, address: int, register: bytes, count: int) -> bytes:
        if address != 72:
            raise DriverError("Nothing acknowledged the address", "no_device")
        return bytes(count)

    def i2c_write(self, address: int, data: bytes) -> None:
        self.i2c_read(address, b"", len(data))

    def spi_transfer(self, select: int, data: bytes, mode: int, hertz: int) -> bytes:
        return data

    def spi_leaves(self, select: int) -> dict[int, int]:
        return {select: 1}

    def alive(self) -> None:
        return None

    def guard(self, milliseconds: int) -> bool:
        self.guarded = milliseconds
        return True

    def interrupt(self) -> None:
        return None

    def close(self) -> None:
        return None
