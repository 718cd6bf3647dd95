"""Firmwares and board files tell the same pins, on every board that has both (HW-1, HW-8)."""

from __future__ import annotations

import tomllib

import pytest

from tests.integration.ports.board_map import BoardMap
from tests.integration.ports.nucleo import NUCLEO
from tests.integration.ports.pico import PICO_ON_USB
from tests.integration.ports.test_esp32_host import ESP32
from tests.integration.ports.test_mega_simavr import MEGA
from tests.unit.firmware.vectors import FIRMWARE
from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

BOARDS = {"nucleo-f401re": NUCLEO, "raspberry-pi-pico": PICO_ON_USB, "esp32": ESP32, "arduino-mega": MEGA}


def pins_with(profile: BoardProfile, function: str) -> set[int]:
    """Pins of the board file with a function."""
    return {pin.number for pin in profile.pins if function in pin.functions and not pin.reserved}


@pytest.mark.parametrize("key", sorted(BOARDS))
def test_the_board_file_promises_what_the_firmware_has(key: str) -> None:
    profile = board_catalog()[key]
    board: BoardMap = BOARDS[key]
    found = board.capabilities
    assert pins_with(profile, "digital") == set(found["gpio"])
    assert pins_with(profile, "pwm") <= set(found["pwm"])
    assert pins_with(profile, "servo") <= set(found["servo"])
    assert pins_with(profile, "i2c") == set(found["i2c"])
    assert set(found["spi"]) <= pins_with(profile, "spi")
    assert profile.adc_bits == found["adc_bits"]
    assert profile.led_pin == found["led_pin"]
    assert len(pins_with(profile, "analog")) == len(found["adc"])


def test_every_shipped_image_is_for_a_board_that_is_known() -> None:
    images = tomllib.loads((FIRMWARE / "prebuilt" / "images.toml").read_text(encoding="utf-8"))["image"]
    assert {image["board"] for image in images} <= set(board_catalog())
