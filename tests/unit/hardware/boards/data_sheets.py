"""What data sheets and user guides say of the boards that ship, written down apart from the board files.

Sources: Arduino AVR core 1.8.7 (``boards.txt``, ``pins_arduino.h``); Espressif's user guides of the boards
and data sheets of the chips; ESP8266 Arduino core, variant ``nodemcu``; ST UM1724, AN2606, DS10086, DS10314,
DS5319; data sheets of the Raspberry Pi Pico, RP2040, RP2350; Raspberry Pi documentation, "GPIO";
ArduinoCore-zephyr, variant of the Uno Q.
"""

from __future__ import annotations

from dataclasses import dataclass, field


def numbers(text: str) -> list[int]:
    """``2-4, 7`` as numbers; ``PA5`` counts as 16 for each port before it, and 5."""
    found: list[int] = []
    for item in filter(None, text.replace(" ", "").split(",")):
        first, _, last = item.partition("-")
        ports = {letter: place * 16 for place, letter in enumerate("ABCD")}
        base = ports[first[1]] if first.startswith("P") else 0
        start, end = (int(part.lstrip("PABCD")) for part in (first, last or first))
        found += range(base + start, base + end + 1)
    return found


@dataclass(frozen=True)
class Sheet:
    """One board.

    Attributes:
        pins: all that the board file must list; ``analog``, ``pwm``: what they can do.
        reserved: never to be driven; ``strapping``: looked at when the chip starts; ``input_only``.
        off_header: pins of the file that no header brings out.
        names: number by another name of the pin.
        spi: data out, data in, clock.
        methods: ways of flashing, best first.
        flash, ram, boot: bytes of the program memory, the work memory, the boot loader in the program memory.
        adc: bits.
        dtr: whether the port must hold DTR for the board to talk.
    """

    chip: str
    flash: int
    ram: int
    pins: str
    analog: str
    pwm: str
    methods: str
    volts: float
    milliamps: tuple[float, float]
    adc: int = 12
    boot: int = 0
    led: int | None = None
    reserved: str = ""
    strapping: str = ""
    input_only: str = ""
    off_header: str = ""
    usb: str = ""
    i2c: str = ""
    spi: tuple[int, int, int] = (0, 0, 0)
    names: dict[str, int] = field(default_factory=dict)
    dtr: bool = False


K, M = 1024, 1024 * 1024
_ESP = "esptool mpremote arduino-cli"
_NUCLEO_NAMES = {
    **{"A0": 0, "A1": 1, "A2": 4, "A3": 16, "A4": 33, "A5": 32},
    **{"D0": 3, "D1": 2, "D2": 10, "D3": 19, "D4": 21, "D5": 20, "D6": 26, "D7": 8, "D8": 9, "D9": 39},
    **{"D10": 22, "D11": 7, "D12": 6, "D13": 5, "D14": 25, "D15": 24, "PC13": 45, "PD2": 50},
}
_F4_PWM = "PA0-1, PA5-11, PA15, PB0-1, PB3-10, PC6-9"


def _nano() -> Sheet:
    return Sheet(
        "ATmega328P", 32 * K, 2 * K, "0-21", "14-21", "3, 5, 6, 9-11", "avrdude arduino-cli", 5.0, (20, 200),
        adc=10, boot=2 * K, led=13, reserved="0, 1", i2c="18, 19", spi=(11, 12, 13),
        names={"A0": 14, "A7": 21, "D13": 13, "SDA": 18, "SCL": 19},
    )  # fmt: skip


def _nucleo(chip: str, flash: int, ram: int, pwm: str, methods: str, total: float, more: str = "") -> Sheet:
    return Sheet(
        chip, flash, ram, f"PA0-15, PB0-10, {more}PB12-15, PC0-15, PD2", "PA0-1, PA4-7, PB0-1, PC0-5", pwm,
        methods, 3.3, (25, total), led=5, reserved="PA2-3, PA13-14, PC14-15", strapping="PB2",
        usb="0483:374b 0483:3752", i2c="PB8, PB9", spi=(7, 6, 5), names=_NUCLEO_NAMES,
    )  # fmt: skip


def _pico(chip: str, flash: int, ram: int, total: float, usb: str, *, wireless: bool = False) -> Sheet:
    return Sheet(
        chip, flash, ram, "0-29", "26-28" if wireless else "26-29",
        "0-22, 26-28" if wireless else "0-22, 25-28",
        "uf2 mpremote arduino-cli", 3.3, (12, total), led=None if wireless else 25,
        reserved="23-25, 29" if wireless else "23", input_only="" if wireless else "24, 29",
        off_header="23-25, 29", usb=usb, i2c="4, 5", spi=(19, 16, 18),
        names={"GP0": 0, "GP28": 28, "A0": 26, "A2": 28}, dtr=True,
    )  # fmt: skip


SHEETS = {
    "arduino-uno": Sheet(
        "ATmega328P", 32 * K, 2 * K, "0-19", "14-19", "3, 5, 6, 9-11", "avrdude arduino-cli", 5.0, (20, 200),
        adc=10, boot=512, led=13, reserved="0, 1", usb="2341:0043 2341:0001 2341:0243 2341:006a 2a03:0043",
        i2c="18, 19", spi=(11, 12, 13), names={"A0": 14, "A5": 19, "D7": 7},
    ),
    "arduino-mega": Sheet(
        "ATmega2560", 256 * K, 8 * K, "0-69", "54-69", "2-13, 44-46", "avrdude arduino-cli", 5.0, (20, 200),
        adc=10, boot=8 * K, led=13, reserved="0, 1",
        usb="2341:0010 2341:0042 2341:0210 2341:0242 2a03:0010 2a03:0042", i2c="20, 21", spi=(51, 50, 52),
        names={"A0": 54, "A15": 69, "D53": 53, "SDA": 20, "SCL": 21, "TX1": 18, "RX3": 15},
    ),
    "arduino-nano": _nano(),
    "arduino-nano-old": _nano(),
    "arduino-leonardo": Sheet(
        "ATmega32U4", 32 * K, 2560, "0-23", "4, 6, 8-10, 12, 18-23", "3, 5, 6, 9-11, 13",
        "avrdude arduino-cli", 5.0, (20, 200), adc=10, boot=4 * K, led=13, off_header="17",
        usb="2341:0036 2341:8036 2a03:0036 2a03:8036", i2c="2, 3", spi=(16, 14, 15),
        names={"A0": 18, "A5": 23, "A6": 4, "A7": 6, "A8": 8, "A9": 9, "A10": 10, "A11": 12}, dtr=True,
    ),
    "arduino-uno-q": Sheet(
        "STM32U585 + QRB2210", 2 * M, 786 * K, "0-21", "14-19", "3, 5, 6, 9-11", "", 3.3, (20, 120), adc=14,
        i2c="20, 21", spi=(11, 12, 13), names={"A0": 14, "A5": 19, "SDA": 20, "SCL": 21},
    ),
    "esp32": Sheet(
        "ESP32 (WROOM-32)", 4 * M, 328 * K, "0-19, 21-23, 25-27, 32-36, 39",
        "0, 2, 4, 12-15, 25-27, 32-36, 39",
        "0, 2, 4, 5, 12-19, 21-23, 25-27, 32, 33", _ESP, 3.3, (20, 1200), led=2, reserved="1, 3, 6-11",
        strapping="0, 2, 5, 12, 15", input_only="34-36, 39", i2c="21, 22", spi=(23, 19, 18),
        names={"VP": 36, "VN": 39, "GPIO5": 5, "IO33": 33, "A0": 36, "A3": 39, "A4": 32, "A10": 4, "A19": 26},
    ),
    "esp32-s2": Sheet(
        "ESP32-S2", 4 * M, 320 * K, "0-21, 26, 33-46", "1-20", "0-18, 21, 33-42", _ESP, 3.3, (20, 1500),
        reserved="26, 43, 44", strapping="0, 45, 46", input_only="46", usb="303a:0002", i2c="8, 9",
        spi=(35, 37, 36), names={"TX": 43, "RX": 44, "A0": 1, "A19": 20},
    ),
    "esp32-s3": Sheet(
        "ESP32-S3", 8 * M, 480 * K, "0-21, 35-48", "1-18", "0-18, 21, 38-42, 45-48", _ESP, 3.3, (20, 1500),
        reserved="19, 20, 35-37, 43, 44", strapping="0, 3, 45, 46", usb="303a:1001", i2c="8, 9",
        spi=(11, 13, 12), names={"TX": 43, "RX": 44, "A0": 1, "A17": 18},
    ),
    "esp32-c3": Sheet(
        "ESP32-C3", 4 * M, 384 * K, "0-10, 18-21", "0-4", "0-10", _ESP, 3.3, (20, 1000), reserved="20, 21",
        strapping="2, 8, 9", usb="303a:1001", i2c="8, 9", spi=(6, 5, 4), names={"TX": 21, "RX": 20, "A4": 4},
    ),
    "esp32-c6": Sheet(
        "ESP32-C6", 8 * M, 512 * K, "0-13, 15-23", "0-6", "0-11, 15, 18-23", _ESP, 3.3, (20, 1000),
        reserved="12, 13, 16, 17", strapping="4, 5, 8, 9, 15", usb="303a:1001", i2c="22, 23",
        spi=(19, 20, 21), names={"TX": 16, "RX": 17, "A6": 6},
    ),
    "esp8266": Sheet(
        "ESP8266", 4 * M, 80 * K, "0-17", "17", "0, 2, 4, 5, 12-15", _ESP, 3.3, (12, 0), adc=10, led=2,
        reserved="1, 3, 6-11", strapping="0, 2, 15", i2c="4, 5", spi=(13, 12, 14),
        names={
            **{"D0": 16, "D1": 5, "D2": 4, "D3": 0, "D4": 2, "D5": 14, "D6": 12, "D7": 13, "D8": 15},
            **{"A0": 17, "RX": 3, "TX": 1, "SD3": 10},
        },
    ),
    "nucleo-f401re": _nucleo(
        "STM32F401RE", 512 * K, 96 * K, _F4_PWM,
        "stm32-mass-storage st-flash openocd pyocd stm32-uart mpremote arduino-cli", 120,
    ),
    "nucleo-f411re": _nucleo(
        "STM32F411RE", 512 * K, 128 * K, _F4_PWM,
        "stm32-mass-storage st-flash openocd pyocd stm32-uart mpremote arduino-cli", 120,
    ),
    "nucleo-f103rb": _nucleo(
        "STM32F103RB", 128 * K, 20 * K, "PA0-1, PA6-11, PB0-1, PB6-9",
        "stm32-mass-storage st-flash openocd pyocd stm32-uart arduino-cli", 150, "PB11, ",
    ),
    "raspberry-pi-pico": _pico("RP2040", 2 * M, 264 * K, 50, "2e8a:000a 2e8a:0005"),
    "raspberry-pi-pico-w": _pico(
        "RP2040", 2 * M, 264 * K, 50, "2e8a:f00a 2e8a:000a 2e8a:0005", wireless=True
    ),
    "raspberry-pi-pico-2": _pico("RP2350", 4 * M, 520 * K, 100, "2e8a:0009 2e8a:000f 2e8a:0005"),
    "raspberry-pi": Sheet(
        "BCM283x / BCM271x", 0, 0, "0-27", "", "12, 13, 18, 19", "", 3.3, (16, 50), adc=10, reserved="0, 1",
        i2c="2, 3", spi=(10, 9, 11),
        names={"GPIO17": 17, "SDA": 2, "TXD": 14, "PIN12": 18, "PIN40": 21, "PIN7": 4},
    ),
}  # fmt: skip
"""By key of the board file."""
