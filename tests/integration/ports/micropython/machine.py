"""MicroPython's module `machine` for the tests: pins, converters and buses that the test plays.

Names and behaviour after MicroPython's documentation, "machine: functions related to the hardware".
"""

import errno

PWRON_RESET, HARD_RESET, WDT_RESET, SOFT_RESET = 1, 2, 3, 5

pins = {}
"""By number: [mode, latch, pull, driven from outside or None, PWM object or None]."""
analog = {}
cause = PWRON_RESET
resets = 0
mosi = miso = None


def reset():
    """Restart the board; the driver looks at `resets`."""
    global resets
    resets += 1


def reset_cause():
    """Why it started."""
    return cause


def level(number):
    """The level at a pin."""
    mode, latch, pull, driven, timer = pins[number]
    if timer is not None:
        return 0
    if mode == Pin.OUT:
        return latch
    if driven is not None:
        return driven
    if number == miso and mosi in pins and pins[mosi][0] == Pin.OUT:
        return pins[mosi][1]
    return int(pull == Pin.PULL_UP)


class Pin:
    """A pin; without a mode it is left as it is."""

    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number = number
        state = pins.setdefault(number, [Pin.IN, 0, None, None, None])
        if mode != -1:
            assert state[4] is None, "a timer has the pin"
            if value is not None:
                state[1] = value
            state[0] = mode
            state[2] = None if pull in (-1, None) else pull

    def value(self, new=None):
        """Read, or set the latch."""
        if new is None:
            return level(self.number)
        pins[self.number][1] = new


class ADC:
    """The converter takes the pin away from its mode."""

    def __init__(self, pin):
        self.number = pin.number
        pins[pin.number][0:3] = [None, 0, None]

    def read_u16(self):
        """16 bits, the 12 of the converter repeated as the ports do it."""
        value = analog.get(self.number, 0)
        return value << 4 | value >> 8


class PWM:
    """A timer at a pin."""

    def __init__(self, pin, freq, duty_u16=None, duty_ns=None):
        self.number = pin.number
        assert pins[self.number][4] is None
        pins[self.number][4] = self
        self.init(freq, duty_u16, duty_ns)

    def init(self, freq, duty_u16=None, duty_ns=None):
        """Frequency in hertz; duty in 65535ths or nanoseconds."""
        self.hertz = freq
        self.duty = duty_u16 if duty_ns is None else duty_ns

    def freq(self, hertz):
        """Another frequency."""
        self.hertz = hertz

    def deinit(self):
        """The pin is free again, low."""
        pins[self.number][4] = None
        pins[self.number][0:2] = [Pin.IN, 0]


class _Thermometer:
    """An LM75 at 22.5 degrees."""

    def __init__(self):
        self._pointer = 0

    def write(self, data):
        if data:
            self._pointer = data[0] & 3
        return len(data)

    def read(self, count):
        register = (b"\x16\x80", b"\0\0", b"\x4b\0", b"\x50\0")[self._pointer]
        return bytes(register[i % 2] for i in range(count))


class _Memory:
    """A 24C32."""

    def __init__(self):
        self._bytes = bytearray(b"\xff" * 4096)
        self._place = 0

    def write(self, data):
        for index, byte in enumerate(data):
            if index < 2:
                self._place = (self._place << 8 | byte) % 4096
            else:
                self._bytes[self._place] = byte
                self._place = self._place // 32 * 32 + (self._place + 1) % 32
        return len(data)

    def read(self, count):
        found = bytes(self._bytes[(self._place + i) % 4096] for i in range(count))
        self._place = (self._place + count) % 4096
        return found


class _Refusing:
    """Takes one byte."""

    def write(self, data):
        return min(1, len(data))

    def read(self, count):
        return bytes(count)


devices = {}


def attach_devices():
    """Fresh ones, those that vectors/README.md names."""
    devices.clear()
    devices.update({72: _Thermometer(), 80: _Memory(), 96: _Refusing()})


class SoftI2C:
    """The master; both pins become open-drain."""

    def __init__(self, scl, sda, freq, timeout):
        assert freq == 100000
        self._lines = (scl.number, sda.number)
        for number in self._lines:
            pins[number][0:3] = [Pin.IN, 1, Pin.PULL_UP]

    def _device(self, address):
        if not all(level(number) for number in self._lines):
            raise OSError(errno.ETIMEDOUT)
        if address not in devices:
            raise OSError(errno.ENODEV)
        return devices[address]

    def writeto(self, address, data, stop=True):
        """Returns how many bytes were acknowledged."""
        return self._device(address).write(data)

    def readfrom(self, address, count):
        """Returns bytes."""
        return self._device(address).read(count)

    def stop(self):
        """A stop condition."""


class SoftSPI:
    """The master; sck and mosi become outputs."""

    def __init__(self, baudrate, polarity, phase, sck, mosi, miso):
        assert 125000 <= baudrate <= 8000000
        self._out = mosi.number
        pins[sck.number][0:2] = [Pin.OUT, polarity]
        pins[mosi.number][0] = Pin.OUT
        pins[miso.number][0] = Pin.IN

    def write_readinto(self, data, into):
        """The wire between mosi and miso brings everything back."""
        into[:] = data
        pins[self._out][1] = data[-1] & 1
