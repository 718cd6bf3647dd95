"""The numbers of the board that the test plays: an Uno's, with timers as on an RP2040."""

NAME = "played-board"
PIN_COUNT = 20
GPIO = tuple(range(2, 20))
INPUT_ONLY = NO_PULL_UP = ()
LED = 13
ADC_OPTIONS = {}
ANALOG = (14, 15, 16, 17, 18, 19)
PWM = (3, 5, 6, 9, 10, 11)
SERVO = (9, 10)
TONE = GPIO
I2C = {"sda": 18, "scl": 19}
SPI = {"out": 11, "in": 12, "clock": 13}


def pin_id(number):
    """What machine.Pin takes."""
    return number


def timer_of(number):
    """9 and 10 share a timer."""
    return (1, number) if number in (9, 10) else None


def reserved(_number):
    """0 and 1."""
    return "serial line"
