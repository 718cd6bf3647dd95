"""What a device is called among programs (EX-19): one name for one port, whoever opens it in whatever way."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from zeroclaw_desktop.foundation.machine import machine_name
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.instance import instance_name
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

HERE = machine_name()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("socket://127.0.0.1:2217", f"{HERE.lower()}:2217"),
        ("socket://localhost:2217", f"{HERE.lower()}:2217"),
        ("socket://[::1]:2217", f"{HERE.lower()}:2217"),
        ("net:127.0.0.1:2217", f"{HERE.lower()}:2217"),
        (f"socket://{HERE}:2217", f"{HERE.lower()}:2217"),
        ("socket://Bench.lab:2217", "bench.lab:2217"),
        ("rfc2217://bench.lab:2217?logging=debug", "bench.lab:2217"),
        ("loop://", "loop://"),
        ("socket://host:port", "socket://host:port"),
        pytest.param("sim://sim-uno", f"{HERE}:{os.getpid()}:sim-uno", id="of this process"),
    ],
)
def test_names(path: str, name: str) -> None:
    """EX-19: the same port by the network from here and from elsewhere; a simulated board of this process."""
    assert instance_name(path) == name


@pytest.mark.skipif(sys.platform == "win32", reason="ports are no files there: run on Linux or macOS")
def test_a_link_to_a_port_is_that_port(tmp_path: Path) -> None:
    """EX-19: ``by-id`` links and the plain path are one device."""
    port, link = tmp_path / "ttyACM0", tmp_path / "by-id"
    port.touch()
    link.symlink_to(port)
    assert instance_name(str(link)) == instance_name(str(port)) == f"{HERE}:{os.path.realpath(port)}"
    assert instance_name(str(tmp_path / "ttyACM1")) != instance_name(str(port))


def test_a_board_follows_its_port() -> None:
    """EX-19: the simulated board learns its path after the start, a board on USB may move to another port."""
    board = BoardConnection(
        "uno", "Uno", board_catalog()["arduino-uno"], "sim://uno", store=TelemetryStore(100),
        changed=lambda: None, pins_changed=lambda: None,
    )  # fmt: skip
    assert board.info.instance == instance_name("sim://uno")
    board.system_path = "socket://bench:1"
    assert board.info.instance == "bench:1"
