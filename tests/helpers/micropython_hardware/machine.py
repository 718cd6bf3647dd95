"""MicroPython's module `machine` for tests, run by MicroPython itself: what is done to it goes to a file.

Names and behaviour after MicroPython's documentation, "machine: functions related to the hardware". The file
in MACHINE_LOG gets a line for each act; that in MACHINE_INPUTS has lines `level PIN 0|1`, `analog PIN VALUE`.
"""

import errno
import os

_state = {}


def _log(*words):
    with open(os.getenv("MACHINE_LOG"), "a") as file:
        file.write(" ".join(str(word) for word in words) + "\n")


def _input(kind, pin, default):
    with open(os.getenv("MACHINE_INPUTS")) as file:
        for line in file:
            words = line.split()
            if words[:2] == [kind, str(pin)]:
                return int(words[2])
    return default


class Pin:
    """A pin; without a mode it is left as it is."""

    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number = number
        if mode == Pin.OUT:
            latch = _state.get(number, 0) if value is None else value
            _state[number] = latch
            _log("output", number, latch)
        elif mode == Pin.IN:
            _state.pop(number, None)
            _log("pullup" if pull == Pin.PULL_UP else "input", number)

    def value(self, level=None):
        """Read, or set the latch."""
        if level is not None:
            _state[self.number] = level
            _log("output", self.number, level)
            return None
        return _state.get(self.number, _input("level", self.number, 0))


class ADC:
    """A converter of 16 bits."""

    def __init__(self, pin):
        self._pin = pin.number

    def read_u16(self):
        """0 to 65535."""
        return _input("analog", self._pin, 0)


class PWM:
    """A timer at a pin."""

    def __init__(self, pin, freq, duty_u16):
        self._pin = pin.number
        self.init(freq, duty_u16)

    def init(self, freq, duty_u16):
        """Frequency in hertz; duty in 65535ths."""
        _log("wave", self._pin, freq, duty_u16)

    def deinit(self):
        """The pin is free again."""
        _log("endwave", self._pin)


class Timer:
    """A timer that the test lets run out, by `Timer.made.callback(None)`."""

    PERIODIC = 1
    made = None

    def __init__(self, number):
        if number != 0:
            raise ValueError(number)

    def init(self, period, mode, callback):
        """Begin."""
        self.callback = callback
        Timer.made = self


class SoftI2C:
    """A bus with a thermometer at 72: register 0 holds 22.5 degrees."""

    def __init__(self, scl, sda, freq, timeout):
        _log("i2c", scl.number, sda.number, freq)

    def _at(self, address):
        if _input("level", 999, 0):
            raise OSError(errno.ETIMEDOUT)
        if address != 72:
            raise OSError(errno.ENODEV)

    def writeto(self, address, data, stop=True):
        """How many bytes were acknowledged."""
        self._at(address)
        _log("i2cwrite", address, bytes(data))
        return min(len(data), 3)

    def readfrom(self, address, count):
        """Bytes."""
        self._at(address)
        return (b"\x16\x80" * 16)[:count]


class SoftSPI:
    """A bus with a wire from out to in."""

    def __init__(self, baudrate, polarity, phase, sck, mosi, miso):
        _log("spi", baudrate, polarity, phase, sck.number, mosi.number, miso.number)

    def write_readinto(self, data, into):
        """Exchange bytes."""
        into[:] = data
