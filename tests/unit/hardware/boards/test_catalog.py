"""Boards as data (HW-1): a new board is one file, and a wrong one is told with everything that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.contracts.boards import BoardInfo, RgbLed
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.hardware.boards import catalog
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, profile_for_usb, read_board
from zeroclaw_desktop.hardware.errors import BoardDataError
from zeroclaw_desktop.hardware.protocol import decode_state
from zeroclaw_desktop.runtime.board_facts import facts_of

MADE_UP = """
schema = 2
key = "teapot"
name = "Teapot 3"
chip = "TEA328"
serial = { baud = 57600 }
adc = { reference_volts = 3.3, bits = 12 }

[memory]
flash = { start = 0, bytes = 65536 }

[flash]
methods = ["avrdude"]
avrdude = { part = "t328", programmer = "arduino", baud = 19200 }

[pins]
digital = "2-5"
pwm = [3]
analog = { T0 = 5 }

[pins.reserved]
2 = { en = "serial line", zh = "串口" }

[pins.notes]
4 = { en = "careful", zh = "小心" }
"""


def problems(text: str) -> list[str]:
    with pytest.raises(BoardDataError) as caught:
        read_board(text, "teapot.toml")
    assert "teapot.toml" in caught.value.message
    found: list[str] = caught.value.details["problems"]
    assert all(problem in caught.value.message for problem in found)
    return found


class TestUno:
    """Figures of the Arduino Uno R3 and the ATmega328P data sheet."""

    uno = board_catalog()["arduino-uno"]

    def test_memory_and_voltage(self) -> None:
        assert (self.uno.chip, self.uno.flash_bytes, self.uno.flash.bootloader_bytes) == (
            "ATmega328P",
            32 * 1024,
            512,
        )
        assert (self.uno.adc_reference_volts, self.uno.adc_bits, self.uno.serial.baud) == (5.0, 10, 115_200)

    def test_pins(self) -> None:
        def having(function: str) -> list[int]:
            return [pin.number for pin in self.uno.pins if function in pin.functions]

        assert [pin.number for pin in self.uno.pins] == list(range(20))
        assert having("pwm") == [3, 5, 6, 9, 10, 11]
        assert having("analog") == [14, 15, 16, 17, 18, 19]
        assert having("i2c") == [18, 19]
        assert having("spi") == [10, 11, 12, 13]
        assert [pin.number for pin in self.uno.pins if pin.reserved] == [0, 1]
        assert self.uno.led_pin == 13

    def test_names(self) -> None:
        named = self.uno.pin_named(" a3 ")
        assert named is not None
        assert (named.number, named.name) == (17, "A3")
        assert self.uno.pin_named("A9") is None
        assert self.uno.pin(20) is None

    def test_usb_ids(self) -> None:
        assert profile_for_usb(0x2341, 0x0043) == self.uno
        assert profile_for_usb(0x1A86, 0x7523) is None

    def test_its_picture_is_there(self) -> None:
        assert resource_path(self.uno.picture).is_file()


class TestMadeUpBoard:
    def test_it_works_like_any_other(self) -> None:
        board = read_board(MADE_UP, "teapot.toml")
        assert [pin.number for pin in board.pins] == [2, 3, 4, 5]
        assert (board.led_pin, board.serial.baud, board.adc_bits) == (None, 57_600, 12)
        assert board.pins[0].reserved
        assert (board.pins[2].note, board.pins[2].reserved) == ("careful", False)
        pin = board.pin_named("t0")
        assert pin is not None
        assert pin.number == 5
        assert decode_state({"mode": "---oi-", "level": "---10-"}, board)[3].level == 1
        facts = facts_of(BoardInfo("t", "T", board, "", "live"))
        assert (facts.pwm_pins, facts.digital_pins, facts.analog_pins) == ((3,), (3, 4, 5), ("T0",))

    def test_leds_family_and_picture(self) -> None:
        rows = (
            'family = "Kitchen"\nled_pin = 3\nled_active_low = true\nrgb_led = { pin = 4, kind = "ws2812" }'
        )
        board = read_board(MADE_UP.replace("schema = 2", f"schema = 2\n{rows}", 1), "teapot.toml")
        assert (board.family, board.led_pin, board.led_active_low) == ("Kitchen", 3, True)
        assert board.rgb_led == RgbLed(4, "ws2812")
        assert board.picture == "boards/teapot.svg"

    def test_what_is_not_said(self) -> None:
        board = read_board(MADE_UP, "teapot.toml")
        assert (board.family, board.led_active_low, board.rgb_led) == ("", False, None)

    def test_a_whole_number_will_do_for_a_voltage(self) -> None:
        assert read_board(MADE_UP.replace("3.3", "5"), "x").adc_reference_volts == 5.0


class TestFaults:
    def test_everything_that_is_missing_is_named_at_once(self) -> None:
        text = " ".join(problems("schema = 2"))
        for key in ("key", "name", "chip", "pins", "pins.digital"):
            assert f"{key} is missing" in text

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("schema = 2", "schema = 1", "schema must be 2"),
            ('key = "teapot"', "key = 3", "key must be str, not 3"),
            ("bytes = 65536", "bytes = true", "memory.flash.bytes must be int"),
            ("bytes = 65536", "bytes = -1", "memory.flash.bytes must be 0 or more"),
            ("baud = 57600", "baud = -1", "serial.baud must be 0 or more"),
            ("baud = 57600", "baud = 57600.5", "serial.baud must be int"),
            ("bits = 12", "bits = 0", "adc.bits must be above 0"),
            ("3.3", "true", "adc.reference_volts must be float"),
            ("3.3", "nan", "adc.reference_volts must be above 0"),
            ('"2-5"', '"2..5"', "pins.digital must be a range"),
            ('"2-5"', '"5-2"', "pins.digital must be a range"),
            ('"2-5"', '"0-99999999999"', "pins.digital must be a range"),
            ('"2-5"', '"2-5,4"', "pins.digital: 4 is there twice"),
            ("pwm = [3]", "pwm = [3, 9]", "pins.pwm: 9 is not a pin"),
            ("pwm = [3]", "pwm = 3", "pins.pwm must be list"),
            ("pwm = [3]", "pwm = [[3]]", "pins.pwm: [3] is not a pin"),
            ("pwm = [3]", "pwm = [true]", "pins.pwm: True is not a pin"),
            ("{ T0 = 5 }", "{ T0 = 6 }", "pins.analog.T0: 6 is not a pin"),
            ("{ T0 = 5 }", "5", "pins.analog must be dict"),
            ("{ T0 = 5 }", "[6]", "pins.analog: 6 is not a pin"),
            ("{ T0 = 5 }", "{ T0 = {} }", "pins.analog.T0: {} is not a pin"),
            ("2 = {", "7 = {", "pins.reserved: '7' is not a pin"),
            ("4 = {", "44 = {", "pins.notes: '44' is not a pin"),
            ('zh = "小心"', 'zh = ""', "pins.notes.4 must be { en = ..., zh = ... }"),
            ("pwm = [3]", "pmw = [3]", "pins.pmw is not known here"),
            ('["avrdude"]', '["magic"]', "flash.methods: 'magic' is none of avrdude"),
            ("baud = 19200", 'baud = "fast"', "flash.avrdude.baud must be int"),
            (", baud = 19200", "", "flash.avrdude.baud is missing"),
            ("flash = { start = 0, bytes = 65536 }", "", "memory.flash is missing"),
            ("schema = 2", "schema = 2\nled_pin = 9", "led_pin: 9 is not a pin"),
            ("schema = 2", 'schema = 2\nled_pin = "D3"', "is not a pin of the board"),
            ("schema = 2", "schema = 2\nled_pin = true", "is not a pin of the board"),
            (
                "[flash]",
                '[usb]\nids = ["2341-0043"]\n[flash]',
                "usb.ids: '2341-0043' is not of the form 2341:0043",
            ),
        ],
    )
    def test_each_is_named_with_key_and_reason(self, old: str, new: str, said: str) -> None:
        assert MADE_UP.count(old) >= 1
        text = "; ".join(problems(MADE_UP.replace(old, new, 1)))
        assert said in text

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ("rgb_led = 4", "rgb_led must be dict"),
            ("rgb_led = { pin = 9, kind = 'ws2812' }", "rgb_led.pin: 9 is not a pin"),
            ("rgb_led = { pin = 4 }", "rgb_led.kind is missing"),
            ("rgb_led = { pin = 4, kind = 'lava' }", "rgb_led.kind must be one of ws2812"),
            ("rgb_led = { pin = 4, kind = 'ws2812', on = 1 }", "rgb_led.on is not known here"),
            ("led_active_low = 1", "led_active_low must be bool"),
            ("family = 7", "family must be str"),
            ("picture = '../../etc/passwd'", "picture must be the name of an .svg file"),
            ("picture = '/tmp/x.svg'", "picture must be the name of an .svg file"),
        ],
    )
    def test_looks_and_leds(self, row: str, said: str) -> None:
        text = "; ".join(problems(MADE_UP.replace("schema = 2", f"schema = 2\n{row}", 1)))
        assert said in text

    def test_a_key_names_files_and_must_be_fit_for_it(self) -> None:
        text = "; ".join(problems(MADE_UP.replace('"teapot"', '"Tea Pot"')))
        assert "key must be lower-case letters, digits and dashes, not 'Tea Pot'" in text

    def test_several_faults_come_together(self) -> None:
        wrong = MADE_UP.replace("baud = 57600", "baud = -1").replace("pwm = [3]", "pwm = [9]")
        assert len(problems(wrong)) == 2

    def test_a_file_that_is_no_toml(self) -> None:
        with pytest.raises(BoardDataError, match=r"teapot\.toml is not valid TOML"):
            read_board("[pins", "teapot.toml")

    def test_two_files_with_the_same_key(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("a.toml", "b.toml"):
            (tmp_path / name).write_text(MADE_UP)

        def here(_relative: str) -> Any:
            return tmp_path

        monkeypatch.setattr(catalog, "resource_path", here)
        with pytest.raises(BoardDataError, match=r"b\.toml has the key 'teapot'"):
            board_catalog.__wrapped__()
