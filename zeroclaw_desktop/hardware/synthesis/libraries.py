"""Libraries that a sketch wants: which there are on this computer, and the command that installs another."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile, LocalText
from zeroclaw_desktop.contracts.synthesis import LibraryNeed, both
from zeroclaw_desktop.hardware.synthesis.arduino_core import find_core

LIBRARY_OF_HEADER: Mapping[str, str] = {
    "Servo.h": "Servo",
    "DHT.h": "DHT sensor library",
    "OneWire.h": "OneWire",
    "DallasTemperature.h": "DallasTemperature",
    "Adafruit_NeoPixel.h": "Adafruit NeoPixel",
    "FastLED.h": "FastLED",
    "LiquidCrystal.h": "LiquidCrystal",
    "LiquidCrystal_I2C.h": "LiquidCrystal I2C",
    "Adafruit_SSD1306.h": "Adafruit SSD1306",
    "Adafruit_GFX.h": "Adafruit GFX Library",
    "Adafruit_BME280.h": "Adafruit BME280 Library",
    "Adafruit_MPU6050.h": "Adafruit MPU6050",
    "AccelStepper.h": "AccelStepper",
    "Stepper.h": "Stepper",
    "IRremote.hpp": "IRremote",
    "PubSubClient.h": "PubSubClient",
    "ArduinoJson.h": "ArduinoJson",
    "HX711.h": "HX711 Arduino Library",
    "SD.h": "SD",
    "Ethernet.h": "Ethernet",
}
"""Name in the index of Arduino's libraries of each well-known header."""
WITH_CORE: Mapping[str, frozenset[str]] = {
    "esp32": frozenset({"Wire.h", "SPI.h", "EEPROM.h", "WiFi.h", "SD.h", "Preferences.h", "HTTPClient.h"}),
    "esp8266": frozenset({"Wire.h", "SPI.h", "EEPROM.h", "ESP8266WiFi.h", "Servo.h", "SoftwareSerial.h"}),
    "rp2040": frozenset({"Wire.h", "SPI.h", "EEPROM.h", "Servo.h", "WiFi.h", "SD.h"}),
    "stm32": frozenset({"Wire.h", "SPI.h", "EEPROM.h", "Servo.h", "SoftwareSerial.h", "IWatchdog.h"}),
}
"""What the cores bring with them."""
COMPILER_HEADERS = frozenset(
    [
        "Arduino.h",
        "math.h",
        "stdint.h",
        "stdlib.h",
        "string.h",
        "stdio.h",
        "ctype.h",
        "limits.h",
        "stddef.h",
        "stdbool.h",
        "inttypes.h",
        "float.h",
        "errno.h",
        "assert.h",
    ]
)


def library_folders() -> list[Path]:
    """Where libraries are looked for, those of the person first."""
    found = [Path("/usr/share/arduino/libraries")]
    home = os.path.expanduser("~")
    if home != "~":
        found = [
            Path(home, "Arduino", "libraries"),
            Path(home, "Documents", "Arduino", "libraries"),
            *found,
        ]
    core = find_core()
    if core is not None:
        found.append(core.root / "libraries")
    return [folder for folder in found if folder.is_dir()]


def sources_of(library: Path) -> Path:
    """The folder of a library's sources (Arduino library specification: ``src``, else the folder itself)."""
    return library / "src" if (library / "src").is_dir() else library


def find_library(header: str) -> Path | None:
    """The folder of the library that has a header; None when none is installed."""
    for library in _libraries():
        if (sources_of(library) / header).is_file():
            return library
    return None


def _libraries() -> Iterator[Path]:
    for folder in library_folders():
        try:
            yield from sorted(path for path in folder.iterdir() if path.is_dir())
        except OSError:
            continue


def install_command(name: str) -> str:
    """What installs a library of Arduino's index."""
    return f'arduino-cli lib install "{name}"'


def library_need(header: str, board: BoardProfile) -> LibraryNeed | None:
    """The library of a header; None for what the compiler and the core themselves have."""
    if header in COMPILER_HEADERS or "/" in header:
        return None
    architecture = board.fqbn.split(":")[1] if board.fqbn.count(":") >= 2 else ""
    name = LIBRARY_OF_HEADER.get(header, header.rsplit(".", 1)[0])
    install = install_command(name)
    if header in WITH_CORE.get(architecture, ()):
        return LibraryNeed(name, True)
    found = find_library(header)
    if found is not None and (architecture == "avr" or found.parent.name == "libraries"):
        return LibraryNeed(found.name, True)
    # arduino-cli has folders of its own, which only it knows.
    return LibraryNeed(name, None if shutil.which("arduino-cli") else False, install)


def missing_hint(need: LibraryNeed) -> LocalText:
    """How a missing library comes."""
    return both(
        f"Install it: {need.install} (or put it into the folder Arduino/libraries of your home).",
        f"安装：{need.install}（或放入主目录的 Arduino/libraries 文件夹）。",
    )
