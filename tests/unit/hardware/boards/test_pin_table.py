"""Pins of a board file (HW-1): ports, lists, aliases, warnings; and the person's own board files."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog, read_board

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
PB4 = { en = "high at power-up", zh = "上电时为高电平" }

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
        assert by_name["PA2"].reserved

    def test_a_board_without_flash_methods_needs_no_memory(self) -> None:
        assert (self.board.flash.methods, self.board.flash_bytes) == ((), 0)


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
