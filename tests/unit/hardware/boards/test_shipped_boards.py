"""HW-1: the board files that ship, against data sheets and user guides."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.hardware.boards.data_sheets import SHEETS, Sheet, numbers
from zeroclaw_desktop.contracts.boards import BoardProfile, RgbLed
from zeroclaw_desktop.contracts.flash_options import (
    ArduinoCliOptions,
    AvrdudeOptions,
    EsptoolOptions,
    Stm32Options,
    Uf2Options,
)
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.hardware.boards.catalog import (
    PORT_LINKS,
    board_catalog,
    profile_for_usb,
    profiles_for_usb,
)
from zeroclaw_desktop.hardware.transport.discovery import BRIDGE_CHIPS

BOARDS = board_catalog()
EACH = pytest.mark.parametrize("key", SHEETS)


def having(board: BoardProfile, function: str) -> list[int]:
    return sorted(pin.number for pin in board.pins if function in pin.functions)


def raw(key: str) -> dict[str, Any]:
    return tomllib.loads(resource_path(f"boards/{key}.toml").read_text("utf-8"))


def shipped() -> Iterator[Path]:
    yield from Path(resource_path("boards")).glob("*.toml")


def test_every_board_of_the_specification_ships_and_has_its_sheet_here() -> None:
    assert set(SHEETS) == {path.stem for path in shipped()}
    assert all(BOARDS[key].key == key for key in SHEETS)


@EACH
class TestFacts:
    @pytest.fixture
    def board(self, key: str) -> BoardProfile:
        return BOARDS[key]

    @pytest.fixture
    def sheet(self, key: str) -> Sheet:
        return SHEETS[key]

    def test_chip_and_memory(self, board: BoardProfile, sheet: Sheet) -> None:
        ram = board.memory["ram"].bytes if "ram" in board.memory else 0
        assert (board.chip, board.flash_bytes, ram) == (sheet.chip, sheet.flash, sheet.ram)
        assert board.flash.bootloader_bytes == sheet.boot

    def test_pins_and_what_they_can_do(self, board: BoardProfile, sheet: Sheet) -> None:
        assert [pin.number for pin in board.pins] == numbers(sheet.pins)
        assert having(board, "analog") == sorted(numbers(sheet.analog))
        assert having(board, "pwm") == numbers(sheet.pwm)
        assert having(board, "i2c") == sorted(numbers(sheet.i2c))
        assert set(sheet.spi) <= set(having(board, "spi"))
        assert set(having(board, "servo")) <= set(having(board, "pwm"))

    def test_pins_to_be_careful_with_say_why(self, board: BoardProfile, sheet: Sheet) -> None:
        assert [pin.number for pin in board.pins if pin.reserved] == numbers(sheet.reserved)
        assert [pin.number for pin in board.pins if pin.strapping] == numbers(sheet.strapping)
        assert [pin.number for pin in board.pins if pin.input_only] == numbers(sheet.input_only)
        for pin in board.pins:
            if pin.reserved or pin.strapping or pin.input_only:
                assert pin.notes["en"]
                assert pin.notes["zh"]

    def test_a_pin_without_a_driver_may_be_an_input_only(self, board: BoardProfile, sheet: Sheet) -> None:
        for number in numbers(sheet.input_only):
            assert board.policy(number).modes == {"input"}

    def test_names(self, board: BoardProfile, sheet: Sheet) -> None:
        found = {name: board.pin_named(name) for name in sheet.names}
        assert {name: pin.number if pin else None for name, pin in found.items()} == sheet.names

    def test_the_led(self, board: BoardProfile, sheet: Sheet) -> None:
        assert board.led_pin == sheet.led

    def test_volts_and_currents(self, board: BoardProfile, sheet: Sheet) -> None:
        assert board.limits is not None
        assert board.limits.volts == sheet.volts
        assert (board.limits.pin_milliamps, board.limits.total_milliamps) == sheet.milliamps
        if having(board, "analog"):
            assert board.adc_bits == sheet.adc
            assert board.adc_reference_volts <= sheet.volts

    def test_usb_ids_are_those_of_its_own_ports(self, board: BoardProfile, sheet: Sheet) -> None:
        assert [f"{vendor:04x}:{product:04x}" for vendor, product in board.usb_ids] == sheet.usb.split()
        assert not set(sheet.usb.split()) & set(BRIDGE_CHIPS)

    def test_ways_of_flashing(self, board: BoardProfile, sheet: Sheet) -> None:
        assert board.flash.methods == tuple(sheet.methods.split())
        assert "arduino-cli" not in board.flash.methods or board.fqbn.count(":") == 2

    def test_opening_the_port_resets_no_board_that_can_be_spared(
        self, board: BoardProfile, sheet: Sheet
    ) -> None:
        assert (board.serial.assert_dtr, board.serial.assert_rts) == (sheet.dtr, False)
        assert board.serial.baud == 115_200

    def test_its_picture_is_there_and_its_notes_are_in_both_languages(
        self, board: BoardProfile, sheet: Sheet
    ) -> None:
        assert resource_path(board.picture).is_file()
        assert board.notes == {} or all(board.notes[language] for language in ("en", "zh"))
        assert board.family

    def test_every_pin_is_held_to_a_rate(self, board: BoardProfile, sheet: Sheet) -> None:
        assert all(board.policy(pin.number).changes_per_second == 50 for pin in board.pins)


class TestLeds:
    """Only what a level lights is the LED of a plain command."""

    @pytest.mark.parametrize(
        ("key", "pin"), [("esp32-s2", 18), ("esp32-s3", 48), ("esp32-c3", 8), ("esp32-c6", 8)]
    )
    def test_colour_leds(self, key: str, pin: int) -> None:
        assert (BOARDS[key].led_pin, BOARDS[key].rgb_led) == (None, RgbLed(pin, "ws2812"))

    def test_the_nodemcu_is_the_only_one_that_shines_while_low(self) -> None:
        assert [key for key in SHEETS if BOARDS[key].led_active_low] == ["esp8266"]

    def test_the_pico_w_has_its_led_on_the_radio_chip(self) -> None:
        assert BOARDS["raspberry-pi-pico-w"].led_pin is None
        assert "radio chip" in BOARDS["raspberry-pi-pico-w"].notes["en"]

    def test_the_led_of_the_f103_cannot_fade_and_that_of_the_f4_can(self) -> None:
        assert 5 not in having(BOARDS["nucleo-f103rb"], "pwm")
        assert 5 in having(BOARDS["nucleo-f401re"], "pwm")


class TestFlashing:
    """Options of the ways, from boards.txt of the cores and the manuals of the tools."""

    @pytest.mark.parametrize(
        ("key", "part", "programmer", "baud", "touch"),
        [
            ("arduino-uno", "m328p", "arduino", 115_200, False),
            ("arduino-mega", "m2560", "wiring", 115_200, False),
            ("arduino-nano", "m328p", "arduino", 115_200, False),
            ("arduino-nano-old", "m328p", "arduino", 57_600, False),
            ("arduino-leonardo", "m32u4", "avr109", 57_600, True),
        ],
    )
    def test_avrdude(self, key: str, part: str, programmer: str, baud: int, touch: bool) -> None:
        assert BOARDS[key].flash.options["avrdude"] == AvrdudeOptions(part, programmer, baud, touch)

    @pytest.mark.parametrize(
        ("key", "chip", "bootloader", "native"),
        [
            ("esp32", "esp32", 0x1000, False),
            ("esp32-s2", "esp32s2", 0x1000, False),
            ("esp32-s3", "esp32s3", 0x0, True),
            ("esp32-c3", "esp32c3", 0x0, False),
            ("esp32-c6", "esp32c6", 0x0, True),
        ],
    )
    def test_esptool(self, key: str, chip: str, bootloader: int, native: bool) -> None:
        options = EsptoolOptions(chip, bootloader, 0x8000, 0x10000, native_usb=native)
        assert BOARDS[key].flash.options["esptool"] == options

    def test_esptool_for_the_esp8266_whose_program_begins_at_0(self) -> None:
        options = BOARDS["esp8266"].flash.options["esptool"]
        assert isinstance(options, EsptoolOptions)
        assert (options.chip, options.bootloader_offset, options.app_offset) == ("esp8266", 0, 0)

    @pytest.mark.parametrize(
        ("key", "device", "openocd", "pyocd"),
        [
            ("nucleo-f401re", 0x433, "target/stm32f4x.cfg", "stm32f401retx"),
            ("nucleo-f411re", 0x431, "target/stm32f4x.cfg", "stm32f411retx"),
            ("nucleo-f103rb", 0x410, "target/stm32f1x.cfg", "stm32f103rb"),
        ],
    )
    def test_stm32(self, key: str, device: int, openocd: str, pyocd: str) -> None:
        name = key.removeprefix("nucleo-").upper()
        options = BOARDS[key].flash.options
        assert options["st-flash"] == Stm32Options(device, openocd, pyocd, (f"NODE_{name}", "NUCLEO"))
        assert options["arduino-cli"] == ArduinoCliOptions(f"pnum=NUCLEO_{name}")

    @pytest.mark.parametrize(
        ("key", "families", "drive"),
        [
            ("raspberry-pi-pico", (0xE48BFF56,), "RPI-RP2"),
            ("raspberry-pi-pico-w", (0xE48BFF56,), "RPI-RP2"),
            ("raspberry-pi-pico-2", (0xE48BFF59, 0xE48BFF5A, 0xE48BFF5B, 0xE48BFF57), "RP2350"),
        ],
    )
    def test_uf2(self, key: str, families: tuple[int, ...], drive: str) -> None:
        assert BOARDS[key].flash.options["uf2"] == Uf2Options(families, (drive,), (drive,))

    def test_the_two_nanos_are_told_apart_for_arduino_cli(self) -> None:
        options = [BOARDS[key].flash.options["arduino-cli"] for key in ("arduino-nano", "arduino-nano-old")]
        assert options == [ArduinoCliOptions("cpu=atmega328"), ArduinoCliOptions("cpu=atmega328old")]


class TestUsb:
    @pytest.mark.parametrize(
        ("vendor", "product", "key"),
        [
            (0x2341, 0x0043, "arduino-uno"),
            (0x2341, 0x0042, "arduino-mega"),
            (0x2341, 0x8036, "arduino-leonardo"),
            (0x303A, 0x0002, "esp32-s2"),
            (0x2E8A, 0xF00A, "raspberry-pi-pico-w"),
            (0x2E8A, 0x0009, "raspberry-pi-pico-2"),
        ],
    )
    def test_an_id_of_one_board(self, vendor: int, product: int, key: str) -> None:
        assert profile_for_usb(vendor, product) == BOARDS[key]

    @pytest.mark.parametrize(
        ("vendor", "product", "keys"),
        [
            (0x303A, 0x1001, {"esp32-s3", "esp32-c3", "esp32-c6"}),
            (0x0483, 0x374B, {"nucleo-f401re", "nucleo-f411re", "nucleo-f103rb"}),
            (0x2E8A, 0x0005, {"raspberry-pi-pico", "raspberry-pi-pico-w", "raspberry-pi-pico-2"}),
            (0x2E8A, 0x000A, {"raspberry-pi-pico", "raspberry-pi-pico-w"}),
        ],
    )
    def test_an_id_of_several_boards_is_asked_about_and_not_guessed(
        self, vendor: int, product: int, keys: set[str]
    ) -> None:
        assert {board.key for board in profiles_for_usb(vendor, product)} == keys
        assert profile_for_usb(vendor, product) is None

    @pytest.mark.parametrize("usb_id", BRIDGE_CHIPS)
    def test_a_bridge_chip_belongs_to_no_board(self, usb_id: str) -> None:
        vendor, product = (int(part, 16) for part in usb_id.split(":"))
        assert profiles_for_usb(vendor, product) == []


def test_only_boards_with_a_serial_port_can_be_at_one() -> None:
    others = {key: BOARDS[key].link for key in SHEETS if BOARDS[key].link not in PORT_LINKS}
    assert others == {"raspberry-pi": "gpio", "arduino-uno-q": "tcp"}


@EACH
def test_the_pins_of_the_spi_bus(key: str) -> None:
    spi = raw(key)["buses"]["spi"]
    assert (spi["out"], spi["in"], spi["clock"]) == SHEETS[key].spi


@pytest.mark.parametrize("key", ["arduino-mega", "arduino-leonardo"])
def test_the_motor_shield_of_the_uno_fits_its_sisters(key: str) -> None:
    shield = {"A": {"pwm": 3, "direction": 12}, "B": {"pwm": 11, "direction": 13}}
    assert raw(key)["motors"] == raw("arduino-uno")["motors"] == shield
