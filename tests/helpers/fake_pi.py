"""A fake of what the kernel of a Raspberry Pi gives: character device, I2C, SPI and PWM. For tests only.

Kernels without GPIO (virtual machines, containers) have no chip, and neither gpio-sim nor gpio-mockup can be
loaded there. This stands in the place of the *modules* gpiod, smbus2 and spidev: the same names, arguments
and errors as their documentation has, so far as the driver uses them. What a real chip does it cannot show.
"""

from __future__ import annotations

import errno
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from zeroclaw_desktop.hardware.peripherals.raspberry_driver import PiLibraries


class Direction(Enum):
    AS_IS = 1
    INPUT = 2
    OUTPUT = 3


class Bias(Enum):
    AS_IS = 1
    DISABLED = 3
    PULL_UP = 4


class Value(Enum):
    INACTIVE = 0
    ACTIVE = 1


class LineSettings:
    def __init__(
        self,
        direction: Direction = Direction.AS_IS,
        bias: Bias = Bias.AS_IS,
        output_value: Value = Value.INACTIVE,
    ) -> None:
        self.direction, self.bias, self.output_value = direction, bias, output_value


class FakePi:
    """A Pi with a header chip in ``folder``; ``libraries`` is for the driver.

    Attributes:
        lines: settings of each line that a program holds.
        driven: levels that something outside puts on a line.
        kernel: lines that the kernel uses itself.
        written: what came over I2C.
    """

    def __init__(self, folder: Path, label: str = "pinctrl-bcm2711") -> None:
        self.lines: dict[int, LineSettings] = {}
        self.driven: dict[int, int] = {}
        self.kernel: set[int] = set()
        self.written: list[tuple[int, bytes]] = []
        self.labels = {"gpiochip0": label}
        devices, self.pwm = folder / "dev", folder / "pwm"
        devices.mkdir()
        for name in ("gpiochip0", "i2c-1", "spidev0.0"):
            (devices / name).touch()
        self.chip = str(devices / "gpiochip0")
        self.devices = devices
        (self.pwm / "pwmchip0" / "pwm0").mkdir(parents=True)
        for name in ("period", "duty_cycle", "enable"):
            (self.pwm / "pwmchip0" / "pwm0" / name).touch()
        line = SimpleNamespace(Direction=Direction, Bias=Bias, Value=Value)
        gpiod = SimpleNamespace(
            __version__="2.5.0",
            line=line,
            LineSettings=LineSettings,
            Chip=self._open,
            request_lines=self._request,
        )
        smbus2 = SimpleNamespace(SMBus=lambda bus: _Bus(self, bus), i2c_msg=_Message)
        spidev = SimpleNamespace(SpiDev=_Spi)
        self.libraries = PiLibraries(gpiod, smbus2, spidev, devices, self.pwm)

    def level(self, pin: int) -> int:
        """Electrical level of a line."""
        held = self.lines.get(pin)
        if held is not None and held.direction is Direction.OUTPUT:
            return held.output_value.value
        return self.driven.get(pin, int(held is not None and held.bias is Bias.PULL_UP))

    def wave(self) -> tuple[int, int, str]:
        """Period and duty in nanoseconds, and whether it is on, of the PWM channel 0."""
        folder = self.pwm / "pwmchip0" / "pwm0"
        period, duty = (int((folder / name).read_text()) for name in ("period", "duty_cycle"))
        return period, duty, (folder / "enable").read_text()

    def _known(self, path: str) -> str:
        if not Path(path).exists():
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return self.labels[Path(path).name]

    def _open(self, path: str) -> Any:
        return _Chip(self._known(path))

    def _request(self, path: str, config: dict[int, LineSettings], consumer: str) -> Any:
        self._known(path)
        (pin,) = config
        if pin in self.kernel or pin in self.lines:
            raise OSError(errno.EBUSY, "Device or resource busy")
        assert consumer
        self.lines[pin] = config[pin]
        return _Request(self, pin)


class _Chip:
    def __init__(self, label: str) -> None:
        self._label = label

    def __enter__(self) -> _Chip:
        return self

    def __exit__(self, *_fault: object) -> None:
        return None

    def get_info(self) -> Any:
        return SimpleNamespace(label=self._label)


class _Request:
    def __init__(self, pi: FakePi, pin: int) -> None:
        self._pi, self._pin = pi, pin

    def reconfigure_lines(self, config: dict[int, LineSettings]) -> None:
        self._pi.lines.update(config)

    def get_value(self, pin: int) -> Value:
        assert pin == self._pin
        return Value(self._pi.level(pin))

    def release(self) -> None:
        del self._pi.lines[self._pin]


class _Message:
    """smbus2.i2c_msg."""

    def __init__(self, address: int, data: bytes, reads: int) -> None:
        self.address, self.data, self.reads = address, data, reads

    @staticmethod
    def write(address: int, data: bytes) -> _Message:
        return _Message(address, bytes(data), 0)

    @staticmethod
    def read(address: int, count: int) -> _Message:
        return _Message(address, b"", count)

    def __iter__(self) -> Any:
        return iter(self.data)

    def __bytes__(self) -> bytes:
        return self.data


class _Bus:
    """A bus with a thermometer at 72."""

    def __init__(self, pi: FakePi, number: int) -> None:
        assert number == 1
        self._pi = pi

    def __enter__(self) -> _Bus:
        return self

    def __exit__(self, *_fault: object) -> None:
        return None

    def _at(self, address: int) -> None:
        if address != 72:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")

    def write_quick(self, address: int) -> None:
        self._at(address)

    def read_byte(self, address: int) -> int:
        self._at(address)
        return 0x16

    def i2c_rdwr(self, *messages: _Message) -> None:
        for message in messages:
            self._at(message.address)
            if message.reads:
                message.data = (b"\x16\x80" * 16)[: message.reads]
            else:
                self._pi.written.append((message.address, message.data))


class _Spi:
    """A bus with a wire from out to in."""

    def open(self, bus: int, device: int) -> None:
        assert (bus, device) in ((0, 0), (0, 1))

    def xfer2(self, data: list[int]) -> list[int]:
        return list(data)

    def close(self) -> None:
        return None
