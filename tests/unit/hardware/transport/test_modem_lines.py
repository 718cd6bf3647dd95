"""Opening a port restarts no board by accident (HW-4; complaint 50 of the makers' tools)."""

from __future__ import annotations

import os
import subprocess
import sys
import tty
from pathlib import Path

import pytest

from tests.helpers.serial_line import build_line, missing_tools
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

pytestmark = pytest.mark.skipif(missing_tools() != "", reason=missing_tools())

OPEN_ONCE = """
import sys
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings, open_port
path, dtr, rts = sys.argv[1:]
open_port(path, PortSettings(115_200, dtr == "1", rts == "1")).close()
"""
RESET = "01"
"""DTR low while RTS is high: EN low (Espressif, ESP32-DevKitC schematic, table "Auto program")."""
BOOT_MODE = "10"
"""DTR high while RTS is low: IO0 low; a reset that comes then starts the boot loader."""


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_line(tmp_path_factory.mktemp("line"))


def states_on_opening(line: Path, folder: Path, dtr: bool, rts: bool) -> list[str]:
    """What DTR and RTS go through after the system has raised both."""
    master, slave = os.openpty()
    states = folder / "states"
    try:
        tty.setraw(slave)
        command = [sys.executable, "-c", OPEN_ONCE, os.ttyname(slave), str(int(dtr)), str(int(rts))]
        wanted = {"LD_PRELOAD": str(line), "SERIAL_LINE_STATES": str(states)}
        subprocess.run(command, env={**os.environ, **wanted}, check=True, timeout=60)
    finally:
        os.close(master)
        os.close(slave)
    return states.read_text(encoding="ascii").split()


@pytest.mark.parametrize("key", [key for key in sorted(board_catalog()) if key.startswith("esp")])
def test_an_espressif_board_is_neither_reset_nor_led_into_its_boot_mode(
    key: str, line: Path, tmp_path: Path
) -> None:
    serial_line = board_catalog()[key].serial
    states = states_on_opening(line, tmp_path, serial_line.assert_dtr, serial_line.assert_rts)
    assert states
    assert not {RESET, BOOT_MODE} & set(states)


@pytest.mark.parametrize(("dtr", "rts"), [(False, False), (False, True), (True, False), (True, True)])
def test_the_lines_end_as_they_are_wanted(line: Path, tmp_path: Path, dtr: bool, rts: bool) -> None:
    assert states_on_opening(line, tmp_path, dtr, rts)[-1] == f"{dtr:d}{rts:d}"
