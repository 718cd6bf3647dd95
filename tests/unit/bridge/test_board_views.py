"""Boards and ports as the window shows them. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from zeroclaw_desktop.bridge.board_views import board_view, kind_views, pin_views, port_views
from zeroclaw_desktop.bridge.views import BoardKindView, PinView
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.flash_options import FlashProfile
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.discovery.plugged_ports import PluggedPorts
from zeroclaw_desktop.hardware.transport.discovery import PortInfo
from zeroclaw_desktop.runtime.runtime import Runtime

UNO = board_catalog()["arduino-uno"]
BOARD = BoardInfo("uno-1", "Arduino Uno", UNO, "/dev/ttyACM0", "live", firmware="zeroclaw-arduino 1.0.0")


class TestBoards:
    def test_a_live_board(self) -> None:
        view = board_view(replace(BOARD, counters={"lines": 7}), "en")
        assert (view.board_id, view.board_type, view.state, view.error) == (
            "uno-1",
            "arduino-uno",
            "live",
            None,
        )
        assert ("Chip", "ATmega328P") in view.facts
        assert ("Lines received", "7") in view.facts
        assert view.can_flash

    def test_counters_of_trouble_show_only_when_there_was_some(self) -> None:
        quiet = board_view(replace(BOARD, counters={"stale_replies": 0, "overlong": 0}), "en")
        assert "Unmatched replies" not in dict(quiet.facts)
        loud = board_view(replace(BOARD, counters={"stale_replies": 2, "overlong": 1}), "en")
        assert (dict(loud.facts)["Unmatched replies"], dict(loud.facts)["Over-long lines"]) == ("2", "1")

    @pytest.mark.parametrize("state", ["failed", "lost"])
    def test_a_fault_shows_where_it_arose_in_the_persons_language(self, state: str) -> None:
        board = replace(
            BOARD,
            state=state,
            fault_code="port_busy",
            fault_message="The port is in use.",
            fault_hint="Close it.",
            fault_details={"port": "/dev/ttyACM0"},
        )
        english, chinese = board_view(board, "en").error, board_view(board, "zh").error
        assert english is not None
        assert chinese is not None
        assert (english.title, english.next_step, english.action) == (
            "The port is in use.",
            "Close it.",
            "retry",
        )
        assert "/dev/ttyACM0" in chinese.title

    def test_an_old_fault_of_a_board_that_works_again_is_not_shown(self) -> None:
        assert board_view(replace(BOARD, fault_code="port_gone"), "en").error is None

    def test_what_to_know_of_the_kind_is_told_in_the_persons_language(self) -> None:
        board = replace(BOARD, profile=board_catalog()["esp32"])
        assert board_view(board, "en").note.startswith("Pins bear 3.3 V.")
        assert board_view(board, "zh").note.startswith("引脚电平为 3.3 V")
        assert board_view(BOARD, "en").note == ""

    @pytest.mark.parametrize(
        ("kind", "offered"), [("arduino-uno", True), ("arduino-mega", True), ("raspberry-pi", False)]
    )
    def test_flashing_is_offered_where_a_way_of_the_board_is_carried_out(
        self, kind: str, offered: bool
    ) -> None:
        assert board_view(replace(BOARD, profile=board_catalog()[kind]), "en").can_flash is offered

    def test_flashing_is_not_offered_for_ways_that_are_only_described(self) -> None:
        described = replace(UNO, flash=FlashProfile(("dance",), 0, {}))
        assert not board_view(replace(BOARD, profile=described), "en").can_flash

    def test_a_simplified_board_cannot_be_flashed(self) -> None:
        assert not board_view(replace(BOARD, simplified=True), "en").can_flash
        no_way = replace(BOARD, profile=replace(UNO, flash=FlashProfile()))
        assert not board_view(no_way, "en").can_flash

    def test_the_simulated_board_has_a_chinese_name_and_a_path_for_other_programs(self) -> None:
        board = replace(BOARD, name="Simulated Arduino Uno", simulated=True, system_path="/dev/pts/7")
        assert board_view(board, "zh").name == "模拟 Arduino Uno"
        assert ("For other programs", "/dev/pts/7") in board_view(board, "en").facts
        assert "/dev/ttyACM0" not in dict(board_view(BOARD, "en").facts).values()


class TestPinsAndPorts:
    @pytest.fixture
    async def runtime(self, tmp_path: Path) -> Runtime:
        return Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)

    async def test_pins_that_were_never_read_are_unknown(self, runtime: Runtime) -> None:
        runtime.roster.add("uno", "Uno", UNO, "/dev/none")
        views = {view.number: view for view in pin_views(runtime, "uno", "en")}
        assert len(views) == 20
        assert (views[13].mode, views[13].level, views[13].role) == ("unknown", None, "led")
        assert (views[0].mode, views[14].name) == ("serial", "A0")
        assert pin_views(runtime, "nobody", "en") == []

    async def test_pins_of_other_boards_say_what_they_are(self, runtime: Runtime) -> None:
        def views(key: str, language: Language = "en") -> dict[int, PinView]:
            runtime.roster.add(key, key, board_catalog()[key], "/dev/none")
            return {view.number: view for view in pin_views(runtime, key, language)}

        esp32 = views("esp32")
        assert (esp32[6].mode, esp32[6].note) == ("reserved", "the flash chip (CLK)")
        assert (esp32[1].mode, esp32[34].input_only, esp32[34].full_volts) == ("serial", True, 3.3)
        assert views("esp32", "zh")[12].note.startswith("上电时须为低电平")
        nodemcu = views("esp8266")
        assert (nodemcu[2].role, nodemcu[2].active_low, nodemcu[4].active_low) == ("led", True, False)
        assert nodemcu[5].other_names == ("D1", "SCL")
        assert nodemcu[17].mode == "analog"

    async def test_only_kinds_that_may_be_at_a_port_are_offered_families_together(
        self, runtime: Runtime
    ) -> None:
        kinds = kind_views(runtime.board_types())
        keys = [kind.key for kind in kinds]
        assert {"arduino-uno", "esp32-s3", "nucleo-f401re", "raspberry-pi-pico"} <= set(keys)
        assert not {"raspberry-pi", "arduino-uno-q"} & set(keys)
        families = [kind.family for kind in kinds]
        assert families == sorted(families)

    async def test_a_port_whose_id_several_boards_have_names_them(self, runtime: Runtime) -> None:
        shared = PortInfo("COM5", "USB JTAG", 0x303A, 0x1001, "", "", "")
        runtime.roster._plugged = PluggedPorts(lambda: (shared,))
        await runtime.roster.scan_ports()
        (view,) = port_views(runtime, "en")
        assert set(view.candidates) == {"esp32-c3", "esp32-c6", "esp32-s3"}
        assert "ESP32-S3-DevKitC-1" in view.hint
        assert "ESP32-S3-DevKitC-1" in port_views(runtime, "zh")[0].hint

    async def test_ports_of_one_kind_are_told_apart(self, runtime: Runtime) -> None:
        one = PortInfo("COM3", "", 0x1A86, 0x7523, "", "1-1.2:1.0", "CH340")
        other = PortInfo("COM4", "", 0x10C4, 0xEA60, "0A51C3", "", "CP2102")
        runtime.roster._plugged = PluggedPorts(lambda: (one, other))
        await runtime.roster.scan_ports()
        places = [view.place for view in port_views(runtime, "en")]
        assert places == ["USB 1-1.2:1.0", "serial number 0A51C3"]

    async def test_a_port_without_a_board_says_what_to_do(self, runtime: Runtime) -> None:
        clone = PortInfo("COM3", "USB-SERIAL", 0x1A86, 0x7523, "", "", "CH340")
        other = PortInfo("COM4", "", 0x1234, 0x5678, "", "", "")
        runtime.roster._plugged = PluggedPorts(lambda: (clone, other))
        await runtime.roster.scan_ports()
        views = port_views(runtime, "en")
        assert [(view.path, view.chip, view.usb_id) for view in views] == [
            ("COM3", "CH340", "1a86:7523"),
            ("COM4", "", "1234:5678"),
        ]
        assert views[0].hint.startswith("CH340:")
        assert views[1].hint.startswith("Unknown chip")
        assert port_views(runtime, "zh")[1].hint.startswith("未知芯片")


OWN = """
schema = 2
key = "teapot"
name = "Teapot 3"
chip = "TEA328"
picture = "teapot.svg"
led_pin = 4

[usb]
ids = ["1209:0001"]

[pins]
digital = "0-7"

[pins.reserved]
0 = { en = "the water", zh = "水" }
"""


class TestOwnBoard:
    """HW-1: a new board is one file, here one in the home folder."""

    @pytest.fixture
    def own_folder(self, own_state_folder: Path) -> Iterator[Path]:
        folder = own_state_folder / "boards"
        folder.mkdir(parents=True)
        (folder / "teapot.toml").write_text(OWN, encoding="utf-8")
        board_catalog.cache_clear()
        yield folder
        board_catalog.cache_clear()

    @pytest.fixture
    async def runtime(self, own_folder: Path, tmp_path: Path) -> Runtime:
        return Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)

    async def test_it_is_a_kind_that_can_be_chosen(self, runtime: Runtime) -> None:
        assert kind_views(runtime.board_types())[-1] == BoardKindView("teapot", "Teapot 3", "")
        board = runtime.add_port("COM7", "teapot")
        view = board_view(board.info, "en")
        assert (view.name, view.board_type, view.can_flash) == ("Teapot 3", "teapot", False)
        pins = {pin.number: pin for pin in pin_views(runtime, view.board_id, "zh")}
        assert (pins[0].mode, pins[0].note, pins[4].role) == ("reserved", "水", "led")

    async def test_its_usb_id_makes_it_appear_by_itself(self, runtime: Runtime) -> None:
        port = PortInfo("COM9", "", 0x1209, 0x0001, "7", "", "")
        runtime.roster._plugged = PluggedPorts(lambda: (port,))
        await runtime.roster.scan_ports()
        assert [board.profile.key for board in runtime.roster.boards()] == ["teapot"]

    async def test_its_picture_lies_beside_it(self, own_folder: Path, runtime: Runtime) -> None:
        assert board_catalog()["teapot"].picture == "teapot.svg"
        (own_folder / "teapot.svg").write_text("<svg/>")
        board_catalog.cache_clear()
        board = runtime.add_port("COM7", "teapot")
        assert board_view(board.info, "en").picture == str(own_folder / "teapot.svg")
