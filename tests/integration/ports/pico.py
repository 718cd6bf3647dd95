"""The Pico as the vectors need it: pins after its data sheet, PWM and ADC after the RP2040's."""

from __future__ import annotations

from dataclasses import replace

from tests.integration.ports.board_map import BoardMap
from tests.integration.ports.wires import Wires
from tests.unit.firmware.vectors import FIRMWARE

PICO_IMAGE = FIRMWARE / "prebuilt" / "zeroclaw-raspberry-pi-pico.uf2"
SDA, SCL, MISO, SCK, MOSI = 4, 5, 16, 18, 19
LED = 25
#: 0 and 1 are UART0, 23 is the mode of the power supply; 24 and 29 show how the board is fed.
GPIO = [pin for pin in range(30) if pin not in (0, 1, 23)]
INPUT_ONLY = {24, 29}
DRIVEN = [pin for pin in GPIO if pin not in INPUT_ONLY]
PICO = BoardMap(
    # GP20 and GP21 share a PWM slice; all others that are used at the same time are on slices of their own.
    pins={0: 1, 1: 0, 2: 2, 3: 7, 4: 9, 5: 8, 6: 10, 7: 14, 8: 12, 9: 20, 10: 21, 11: MOSI, 12: MISO}
    | {13: SCK, 14: 26, 15: 3, 16: 28, 17: 27, 18: SDA, 19: SCL},
    pin_count=30,
    channels={0: 0, 1: 1, 2: 2, 3: 1, 4: 2, 5: 2},
    analog_pins={0: 26, 1: 27, 2: 28, 3: 27, 4: 28, 5: 28},
    channel_count=4,
    adc_bits=12,
    firmware="zeroclaw-pico",
    version="1.1.0",
    capabilities={
        "gpio": GPIO,
        "led_pin": LED,
        "adc": [0, 1, 2, 3],
        "adc_bits": 12,
        "pwm": DRIVEN,
        "servo": DRIVEN,
        "i2c": [SDA, SCL],
        "spi": [MISO, SCK, MOSI],
        "uart": GPIO,
        "proto": 1,
        "board": "raspberry-pi-pico",
        "line_max": 255,
        "subscriptions": 8,
    },
    is_made=frozenset({"shared_servo_timer", "one_tone"}),
    skipped={
        ("commands", "pwm_write", 5): "every pin has PWM",
        ("commands", "servo_write", 8): "every pin has PWM, so every pin takes a servo",
        ("motors", "arguments of the motor commands", 3): "every pin has PWM",
    },
)

#: As soon as USB is the line, GP0 and GP1 are pins like others.
ON_USB = {
    "gpio": sorted([0, 1, *GPIO]),
    "pwm": sorted([0, 1, *DRIVEN]),
    "servo": sorted([0, 1, *DRIVEN]),
    "uart": sorted([0, 1, *GPIO]),
}
PICO_ON_USB = replace(PICO, capabilities={**PICO.capabilities, **ON_USB})


def pico_wires() -> Wires:
    """What is wired to it in the tests."""
    return Wires(30, sda=SDA, scl=SCL, miso=MISO, mosi=MOSI)
