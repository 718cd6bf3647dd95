"""The numbers of the board; a board that is not known here gets its own file in this one's place.

NAME: key of the board. PIN_COUNT: pin numbers. GPIO: pins for use. INPUT_ONLY: those without an output
driver. NO_PULL_UP. LED: or None. ANALOG: pin of each channel, None where there is none. ADC_OPTIONS: for
machine.ADC. PWM, SERVO, TONE: pins that can. I2C: sda and scl. SPI: out, in and clock. pin_id(): what
machine.Pin takes. timer_of(): (timer, channel) behind a pin, None where each pin has its own. reserved():
what a pin is for that is not in GPIO.
"""

import sys

import machine

INPUT_ONLY = NO_PULL_UP = ()
LED = None
ADC_OPTIONS = {}


def pin_id(number):
    """What machine.Pin takes."""
    return number


def timer_of(_number):
    """Each pin has a timer of its own."""


if sys.platform == "rp2":
    import os

    _RADIO = "W" in os.uname().machine.split("with")[0]
    NAME = "raspberry-pi-pico-w" if _RADIO else "raspberry-pi-pico"
    PIN_COUNT = 30
    GPIO = tuple(pin for pin in range(30) if pin != 23 and not (_RADIO and pin in (24, 25, 29)))
    INPUT_ONLY = NO_PULL_UP = (24, 29)
    LED = None if _RADIO else 25
    ANALOG = (26, 27, 28) if _RADIO else (26, 27, 28, 29)
    PWM = SERVO = TONE = tuple(pin for pin in GPIO if pin not in INPUT_ONLY)
    I2C = {"sda": 4, "scl": 5}
    SPI = {"out": 19, "in": 16, "clock": 18}

    def timer_of(number):
        """RP2040 data sheet, section 4.5.2: slice and channel."""
        return number // 2 % 8, number % 2

    def reserved(_number):
        """The line to the host is on USB, so no pin is taken by it."""
        return "radio" if _RADIO else "power supply"

elif sys.platform == "esp32":
    NAME = "esp32"
    PIN_COUNT = 40
    _MEMORY = (6, 7, 8, 9, 10, 11)
    _SERIAL = (1, 3)
    _ABSENT = (20, 24, 28, 29, 30, 31, 37, 38)
    GPIO = tuple(pin for pin in range(40) if pin not in _MEMORY + _SERIAL + _ABSENT)
    INPUT_ONLY = NO_PULL_UP = (34, 35, 36, 39)
    LED = 2
    ADC_OPTIONS = {"atten": machine.ADC.ATTN_11DB}  # else its range ends at 1 V
    # Channel n is channel n of ADC1, or channel n - 10 of ADC2.
    ANALOG = (36, None, None, 39, 32, 33, 34, 35, None, None, 4, 0, 2, 15, 13, 12, 14, 27, 25, 26)
    PWM = SERVO = TONE = tuple(pin for pin in GPIO if pin not in INPUT_ONLY)
    I2C = {"sda": 21, "scl": 22}
    SPI = {"out": 23, "in": 19, "clock": 18}

    def reserved(number):
        """ESP32-WROOM-32 data sheet, section 2.2."""
        if number in _SERIAL:
            return "serial line"
        return "memory of the module" if number in _MEMORY else "not on this board"

else:
    raise ImportError("zc_board.py does not know this board: write one with its pins")
