"""Clones are asked, not guessed (HW-2): our firmware says its board, else the boot loader says its chip."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.discovery.chip_probe import PROBES, ChipFound, boards_with, probe_chip
from zeroclaw_desktop.hardware.discovery.greeting import greet
from zeroclaw_desktop.hardware.errors import PortMissingError
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.sandbox.process import ChildProcesses

BOOT_LOADER = firmware_path("prebuilt/bootloader-uno.hex")


@pytest.fixture
async def board(request: pytest.FixtureRequest) -> AsyncIterator[BoardProcess]:
    """A simulated Uno with the images that the test names and a boot loader."""
    images = [*(firmware_path(f"prebuilt/{name}") for name in request.param), BOOT_LOADER]
    process = BoardProcess("clone", ChildProcesses(), lambda: None, images=images)
    await process.start()
    yield process
    await process.stop()


@pytest.mark.parametrize("board", [["zeroclaw-arduino-uno.hex"]], indirect=True)
async def test_our_firmware_names_its_board(board: BoardProcess) -> None:
    heard = await greet(board.system_path)
    assert heard.board == "arduino-uno"
    assert heard.firmware.startswith("zeroclaw-arduino ")


@pytest.mark.parametrize("board", [[]], indirect=True)
async def test_of_a_board_without_our_firmware_the_boot_loader_names_the_chip(board: BoardProcess) -> None:
    heard = await greet(board.system_path)
    assert (heard.board, heard.firmware) == ("", "")
    asked: list[str] = []
    found = await probe_chip(board.system_path, ChildProcesses(), lambda probe: asked.append(probe.key))
    assert found == ChipFound("m328p", "optiboot", 115_200)
    assert asked == ["optiboot"]
    assert board_catalog()["arduino-uno"] in boards_with(found, board_catalog().values())


async def test_a_port_that_is_not_there_is_told() -> None:
    with pytest.raises(PortMissingError):
        await greet("/dev/no-such-port")


class TestWhatTheToolsSay:
    """Outputs as avrdude 7 and esptool 4 and 5 print them."""

    @pytest.mark.parametrize(
        ("output", "chip"),
        [
            ("avrdude: Device signature = 0x1e9801 (probably m2560)", "m2560"),
            ("avrdude: Device signature = 1E 95 87 (ATmega32U4)", "m32u4"),
            ("avrdude: Device signature = 0x1e9307", "1e9307"),
            ("avrdude: Device signature = 0x000000 (retrying)", ""),
            ("avrdude: stk500_getsync(): not in sync: resp=0x00", ""),
        ],
    )
    def test_signatures(self, output: str, chip: str) -> None:
        assert PROBES[0].read(output) == chip

    @pytest.mark.parametrize(
        ("output", "chip"),
        [
            ("Detecting chip type... ESP32-S3\nChip is ESP32-S3 (QFN56) (revision v0.2)", "esp32s3"),
            ("Chip type:          ESP32-C3 (QFN32) (revision v0.4)", "esp32c3"),
            ("Chip is ESP32-D0WDQ6 (revision v1.0)", "esp32"),
            ("Chip is ESP8266EX", "esp8266"),
            ("A fatal error occurred: Failed to connect to Espressif device", ""),
        ],
    )
    def test_chip_names(self, output: str, chip: str) -> None:
        probe = next(probe for probe in PROBES if probe.key == "esp")
        assert probe.read(output) == chip
