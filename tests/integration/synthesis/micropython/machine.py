"""MicroPython's module `machine` for the tests, which the tests play; after MicroPython's documentation.

What is done to a pin is printed as lines that begin with `#`: `#pin 9 1`, `#pwm 5 32768`. What is read comes
from the dictionaries, which `played.py` may fill.
"""

levels = {}
volts = {}
FULL_SCALE_VOLTS = 3.3


class Pin:
    """A digital pin."""

    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number
        self.mode = mode
        if value is not None:
            self.value(value)

    def value(self, level=None):
        """Read or write."""
        if level is None:
            return levels.get(self.number, 1)
        assert self.mode == self.OUT, "the pin is no output"
        levels[self.number] = int(level)
        print(f"#pin {self.number} {int(level)}")


class PWM:
    """A pin with PWM."""

    def __init__(self, pin, freq, duty_u16):
        self.number = pin.number
        assert freq > 0
        self.duty_u16(duty_u16)

    def duty_u16(self, duty):
        """Set the share of time that it is high, of 65535."""
        assert isinstance(duty, int)
        assert 0 <= duty <= 65535
        print(f"#pwm {self.number} {duty}")


class ADC:
    """An analog input."""

    ATTN_11DB = 3

    def __init__(self, pin):
        self.number = pin.number

    def atten(self, range_of):
        """Choose the range."""
        assert range_of == self.ATTN_11DB

    def read_u16(self):
        """The voltage, of 65535 at full scale."""
        return int(volts.get(self.number, 0) / FULL_SCALE_VOLTS * 65535 + 0.5)


class SoftI2C:
    """A bus with two devices."""

    def __init__(self, scl, sda, freq):
        assert scl.number != sda.number
        assert freq == 100000

    def scan(self):
        """Addresses that answer."""
        return [0x3C, 0x68]
