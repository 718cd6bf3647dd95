"""Pins of a board file (HW-1): ports, lists, aliases, warnings; and the person's own board files."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog, read_board
from zeroclaw_desktop.hardware.errors import BoardDataError

PORTS = """
schema = 2
key = "two-ports"
name = "Two Ports"
chip = "TP1"
led_pin = "PA5"

[pins]
ports = { PA = 0, PB = 16 }
digital = "PA0-PA7, PB1, PB3-PB4"
pwm = ["PA1", 17]
analog = { A0 = "PA0" }
dac = ["PA4"]
aliases = { D13 = "PA5", SCL = "PB3" }
input_only = ["PB1"]

[pins.strapping]
PB4 = { en = "high at power-up", zh = "上电时为高电平", must = "high" }

[pins.reserved]
PA2 = { en = "serial line", zh = "串口" }
"""


class TestPorts:
    board = read_board(PORTS, "two-ports.toml")

    def test_numbers_count_from_the_ports_base(self) -> None:
        assert {pin.name: pin.number for pin in self.board.pins} == {
            **{f"PA{index}": index for index in range(8)},
            "PB1": 17,
            "PB3": 19,
            "PB4": 20,
        }
        assert self.board.led_pin == 5

    @pytest.mark.parametrize(
        ("name", "number"), [("pa0", 0), ("A0", 0), ("d13", 5), ("scl", 19), ("PB1", 17)]
    )
    def test_a_pin_is_found_by_each_of_its_names(self, name: str, number: int) -> None:
        pin = self.board.pin_named(name)
        assert pin is not None
        assert pin.number == number

    def test_functions_by_name_or_number(self) -> None:
        having = {
            function: [pin.number for pin in self.board.pins if function in pin.functions]
            for function in ("pwm", "analog", "dac")
        }
        assert having == {"pwm": [1, 17], "analog": [0], "dac": [4]}

    def test_warnings(self) -> None:
        by_name = {pin.name: pin for pin in self.board.pins}
        assert by_name["PB1"].input_only
        assert by_name["PB4"].strapping
        assert not by_name["PB4"].reserved
        assert by_name["PB4"].notes["zh"] == "上电时为高电平"
        assert (by_name["PB4"].boot_level, by_name["PB3"].boot_level) == (1, None)
        assert by_name["PA2"].reserved

    @pytest.mark.parametrize("level", ['"up"', "1", "[]"])
    def test_a_level_at_power_up_is_high_or_low(self, level: str) -> None:
        with pytest.raises(BoardDataError, match=r"strapping\.PB4\.must must be high or low"):
            read_board(PORTS.replace('must = "high"', f"must = {level}"), "two-ports.toml")

    def test_a_board_without_flash_methods_needs_no_memory(self) -> None:
        assert (self.board.flash.methods, self.board.flash_bytes) == ((), 0)


MEASURING = """
schema = 2
key = "meter"
name = "Meter"
chip = "M1"

[pins]
digital = "0-7"
prefixes = ["GPIO", "IO"]
analog = { A0 = 6, A1 = 7 }
more_analog = [3]
analog_only = [7]
aliases = { A2 = 3 }
input_only = [5]

[policy]
changes_per_second = 5

[policy.pins.5]
modes = ["input", "output"]
"""


class TestMeasuringPins:
    board = read_board(MEASURING, "meter.toml")

    def test_names_follow_from_the_prefixes(self) -> None:
        for name in ("GPIO4", "io4", "4"):
            pin = self.board.pin_named(name)
            assert pin is not None
            assert pin.number == 4

    def test_a_pin_that_measures_too_keeps_its_name(self) -> None:
        by_number = {pin.number: pin for pin in self.board.pins}
        assert (by_number[3].name, by_number[6].name) == ("3", "A0")
        named = self.board.pin_named("A2")
        assert named is not None
        assert named.number == 3

    def test_a_pin_that_only_measures_is_no_digital_one(self) -> None:
        functions = {pin.number: pin.functions for pin in self.board.pins}
        assert functions[7] == {"analog"}
        assert functions[6] == functions[3] == {"analog", "digital"}

    def test_no_policy_makes_an_output_of_a_pin_without_a_driver(self) -> None:
        policy = self.board.policy(5)
        assert (policy.modes, policy.changes_per_second) == ({"input"}, 5)

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("A2 = 3", "A0 = 3", "pins: A0 names two pins"),
            ("A2 = 3", "gpio4 = 3", "pins: GPIO4 names two pins"),
            ('"GPIO", "IO"', '"GPIO", "I O"', "pins.prefixes: 'I O' is not a few letters"),
            ('"GPIO", "IO"', '"GPIO", 7', "pins.prefixes: 7 is not a few letters"),
            ("analog_only = [7]", "analog_only = [9]", "pins.analog_only: 9 is not a pin"),
            ("more_analog = [3]", "more_analog = [9]", "pins.more_analog: 9 is not a pin"),
        ],
    )
    def test_faults(self, old: str, new: str, said: str) -> None:
        assert MEASURING.count(old) == 1
        with pytest.raises(BoardDataError) as caught:
            read_board(MEASURING.replace(old, new), "meter.toml")
        assert said in caught.value.message


class TestOwnBoards:
    @pytest.fixture
    def own_folder(self, own_state_folder: Path) -> Path:
        folder = own_state_folder / "boards"
        folder.mkdir(parents=True)
        return folder

    def test_one_file_in_the_home_folder_is_a_board(self, own_folder: Path) -> None:
        (own_folder / "mine.toml").write_text(PORTS, encoding="utf-8")
        assert board_catalog.__wrapped__()["two-ports"].name == "Two Ports"

    def test_a_wrong_one_is_told_and_keeps_no_other_board_out(
        self, own_folder: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (own_folder / "a.toml").write_text(PORTS.replace("led_pin", "led"), encoding="utf-8")
        (own_folder / "b.toml").write_bytes(b"\xff\xfe")
        (own_folder / "c.toml").write_text(PORTS, encoding="utf-8")
        found = board_catalog.__wrapped__()
        assert {"arduino-uno", "two-ports"} <= set(found)
        assert "a.toml is wrong: led is not known here" in caplog.text
        assert "b.toml cannot be read" in caplog.text

    def test_it_cannot_take_the_place_of_a_shipped_board(
        self, own_folder: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (own_folder / "uno.toml").write_text(PORTS.replace("two-ports", "arduino-uno"), encoding="utf-8")
        assert board_catalog.__wrapped__()["arduino-uno"].name == "Arduino Uno"
        assert "has the key 'arduino-uno' of another board" in caplog.text
