"""Boards and ports as the window shows them. No Qt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from zeroclaw_desktop.bridge.board_views import board_view, pin_views, port_views
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.flash_options import FlashProfile
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
        views = {view.number: view for view in pin_views(runtime, "uno")}
        assert len(views) == 20
        assert (views[13].mode, views[13].level, views[13].role) == ("unknown", None, "led")
        assert (views[0].mode, views[14].name) == ("serial", "A0")
        assert pin_views(runtime, "nobody") == []

    async def test_a_port_without_a_board_says_what_to_do(self, runtime: Runtime) -> None:
        clone = PortInfo("COM3", "USB-SERIAL", "1a86:7523:x", 0x1A86, 0x7523, "", "", "CH340")
        other = PortInfo("COM4", "", "1234:5678:x", 0x1234, 0x5678, "", "", "")
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
