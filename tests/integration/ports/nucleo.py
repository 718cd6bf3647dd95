"""The Nucleo-F401RE as the vectors need it: pins after UM1724, ADC and timers after DS10086."""

from __future__ import annotations

from tests.integration.ports.board_map import BoardMap
from tests.integration.ports.wires import Wires
from tests.unit.firmware.vectors import FIRMWARE

NUCLEO_IMAGE = FIRMWARE / "prebuilt" / "zeroclaw-nucleo-f401re.hex"
SDA, SCL, SCK, MISO, MOSI = 25, 24, 5, 6, 7
#: 2 and 3 are the line to the ST-LINK, 13 and 14 the debug port, 46 and 47 the crystal; 27, 48 and 49 are no
#: pins.
RESERVED = {2, 3, 13, 14, 27, 46, 47, 48, 49}
GPIO = [pin for pin in range(51) if pin not in RESERVED]
#: Table 9 of DS10086: what timers 1 to 4 reach.
TIMER_PINS = [0, 1, 5, 6, 7, 8, 9, 10, 11, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 38, 39, 40, 41]
ANALOG_PINS = {0: 0, 1: 1, 2: 4, 3: 16, 4: 33, 5: 32}
NUCLEO = BoardMap(
    # PB6 and PB7 hang on timer 4; PC10 and PC11 on no timer.
    pins={0: 3, 1: 2, 2: 10, 3: 19, 4: 42, 5: 20, 6: 26, 7: 8, 8: 43, 9: 22, 10: 23, 11: MOSI, 12: MISO}
    | {13: SCK, 14: 0, 15: 1, 16: 4, 17: 16, 18: SDA, 19: SCL},
    pin_count=51,
    channels={channel: channel for channel in range(6)},
    analog_pins=ANALOG_PINS,
    channel_count=14,
    adc_bits=12,
    firmware="zeroclaw-stm32",
    version="1.1.0",
    capabilities={
        "gpio": GPIO,
        "led_pin": 5,
        "adc": list(range(14)),
        "adc_bits": 12,
        "pwm": TIMER_PINS,
        "servo": TIMER_PINS,
        "i2c": sorted([SDA, SCL]),
        "spi": [SCK, MISO, MOSI],
        "uart": GPIO,
        "proto": 1,
        "board": "nucleo-f401re",
        "line_max": 255,
        "subscriptions": 8,
    },
    is_made=frozenset({"shared_servo_timer", "one_tone"}),
    skipped={("commands", "adc_read", 8): "the pin of the LED, PA5, has an ADC"},
)


def nucleo_wires() -> Wires:
    """What is wired to it in the tests."""
    return Wires(51, sda=SDA, scl=SCL, miso=MISO, mosi=MOSI)
