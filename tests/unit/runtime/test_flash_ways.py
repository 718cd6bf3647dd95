"""HW-7: the ways of a board, best first, with why one cannot be used and how its program is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.runtime.flash_ways import flash_ways

NUCLEO = board_catalog()["nucleo-f401re"]


@pytest.fixture
def no_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_a_way_without_its_program_says_how_to_get_it(no_programs: None) -> None:
    ways = {way.key: way for way in flash_ways(NUCLEO, "default")}
    assert list(ways) == [key for key in NUCLEO.flash.methods if key in ways]
    assert ways["stm32-mass-storage"].fault is None
    fault = ways["openocd"].fault
    assert fault is not None
    assert fault.code == "tool_missing"
    assert "install" in str(fault.details["install"])


def test_a_program_that_is_there_makes_its_way_usable(no_programs: None, tmp_path: Path) -> None:
    program = tmp_path / "openocd"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    ways = {way.key: way.fault for way in flash_ways(NUCLEO, "default")}
    assert ways["openocd"] is None


def test_a_firmware_that_does_not_fit_has_no_ways(tmp_path: Path) -> None:
    with pytest.raises(FlashError):
        flash_ways(NUCLEO, str(tmp_path / "nothing.hex"))
